"""Books: results and ratings of a club, kept as far as they have been worked out; indexes for a first look."""

from pathlib import Path
from typing import Final

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_BACK: Final = """
set local lock_timeout = '3s';
drop index events_begun, events_finished, events_outcomes_disputed;
drop table books_checkpoints, books_ratings, books_accounts, books_results, books;
"""


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """Take tables and indexes away: they hold nothing that the log does not tell."""
    op.execute(_BACK)
