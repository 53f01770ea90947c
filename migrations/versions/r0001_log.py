"""The log, its private parts, the views, and who may sign in."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """The log only grows: there is no way back."""
    raise NotImplementedError("the log only grows: restore a backup instead")
