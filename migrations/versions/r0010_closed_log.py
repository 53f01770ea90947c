"""The closed log of a club: a second row in `logs`, and positions of its own."""

from pathlib import Path
from typing import Final

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_BACK: Final = """
set local lock_timeout = '3s';
do $$
begin
    if exists (select from events where log <> 0) then
        raise exception 'there are events in the closed log, which an older schema would show to everybody'
            using hint = 'go on with this version, or restore a backup from before the first case';
    end if;
end
$$;
delete from logs where log <> 0;
alter table logs drop column log;
alter table logs add primary key (club_id);
alter table events add constraint events_club_id_position_key unique (club_id, position);
alter table events drop column log;
"""


def upgrade() -> None:
    """Run the SQL file beside this one."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """Back to one log, while nothing stands in the other. Raises where something does."""
    op.execute(_BACK.replace(":", r"\:"))
