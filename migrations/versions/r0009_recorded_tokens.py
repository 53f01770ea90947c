"""Tokens whose role stands in the log, and the token that each was made with."""

from pathlib import Path

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """As with the log, there is no way back."""
    raise NotImplementedError("there is no way back: restore a backup instead")
