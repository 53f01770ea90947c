"""Languages: what people chose for the pages of a club."""

from pathlib import Path
from typing import Final

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_BACK: Final = """
set local lock_timeout = '3s';
drop table languages_of_people;
"""


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """Take the table away: each device keeps the language of its cookie."""
    op.execute(_BACK)
