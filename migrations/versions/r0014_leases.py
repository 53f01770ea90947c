"""Leases: which process does the work that is done once."""

from pathlib import Path

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """Take the table away: whoever runs takes its leases anew."""
    op.execute("set local lock_timeout = '3s'; drop table leases")
