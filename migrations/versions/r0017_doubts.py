"""An index that tells in which tournaments a doubt ever began."""

from pathlib import Path
from typing import Final

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_BACK: Final = """
set local lock_timeout = '3s';
drop index events_doubts;
"""


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))


def downgrade() -> None:
    """Take the index away: it holds nothing that the log does not tell."""
    op.execute(_BACK)
