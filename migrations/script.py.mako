"""${message}."""

from pathlib import Path

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Run the SQL file beside this one; it begins with: set local lock_timeout = '3s';"""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """The log only grows: there is no way back."""
    raise NotImplementedError
