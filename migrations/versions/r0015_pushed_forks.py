"""Pushed forks: what was recorded elsewhere and parts from the log here, kept for the director."""

from pathlib import Path
from typing import Final

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_BACK: Final = """
set local lock_timeout = '3s';
drop table pushed_forks;
"""


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """Take the table away, with the files in it: no log holds them."""
    op.execute(_BACK)
