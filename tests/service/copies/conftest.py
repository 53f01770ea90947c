"""A server whose data directory the tests of backups may use, and a later version of Lurch with one more migration."""

import asyncio
import shutil

import pytest

from service.run import migrate
from tests.conftest import migrated

LATER = """revision, down_revision, branch_labels, depends_on = "9999", "{}", None, None


def upgrade():
    from alembic import op
    op.execute("alter table devices add column colour text")
"""


@pytest.fixture(scope="session")
def own_server():
    """A migrated database on a server of its own: for moves, and for backups of its changes or next to its data."""
    with migrated() as database:
        yield database


@pytest.fixture
def changes_not_received(monkeypatch):
    """Let services take backups only: receiving changes begins with a base backup of the whole server."""

    async def receive(*_):
        await asyncio.Event().wait()

    monkeypatch.setattr("service.run.safekeeping.receive", receive)


@pytest.fixture
def later(tmp_path, monkeypatch):
    """Act as a later version with one more migration; called with False, as today's version again."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder)
    (folder / "versions" / "r9999_colours.py").write_text(LATER.format(migrate.newest()))
    before = migrate.FOLDER

    def change(to_later):
        monkeypatch.setattr(migrate, "FOLDER", folder if to_later else before)

    change(True)
    return change
