"""A Lurch of later, for what happens before and after a migration."""

import shutil

import pytest

from service.run import migrate

LATER = """revision, down_revision, branch_labels, depends_on = "9999", "{}", None, None


def upgrade():
    from alembic import op
    op.execute("alter table devices add column colour text")
"""


@pytest.fixture
def later(tmp_path, monkeypatch):
    """A later Lurch, with one more migration."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder)
    (folder / "versions" / "r9999_colours.py").write_text(LATER.format(migrate.newest()))
    before = migrate.FOLDER

    def change(to_later):
        monkeypatch.setattr(migrate, "FOLDER", folder if to_later else before)

    change(True)
    return change
