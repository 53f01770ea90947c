"""Columns and indexes by which a season, a ladder and delayed streams are found, however long the log is."""

from pathlib import Path
from typing import Final

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_BACK: Final = """
set local lock_timeout = '3s';
drop index events_announced, events_delayed, books_accounts_seasons, books_accounts_days, books_accounts_ladders;
alter table books_accounts drop column season, drop column day, drop column is_finished, drop column ladders;
drop function account_in;
"""


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """Take columns and indexes away: they hold nothing that the accounts and the log do not tell."""
    op.execute(_BACK)
