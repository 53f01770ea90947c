"""Cases: where they are looked up, and the calls of the last hour."""

from pathlib import Path
from typing import Final

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_BACK: Final = """
set local lock_timeout = '3s';
drop table case_calls;
drop index events_cases_of_match, events_cases_of_tournament, events_cases_of_club, events_disputes;
"""


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """Take the indexes and the calls away; the cases stay in the closed log."""
    op.execute(_BACK.replace(":", r"\:"))
