"""Own table: who else could direct today, before the other side is asked to agree that somebody of the table does."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from domain.club.rights import rights_of
from domain.club.state import Club
from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from domain.match.state import Match
from service.desk.recording import Recorder
from service.store.acts import signed_in_since
from service.store.streams import LoadedMatch


async def others_directing(recorder: Recorder, loaded: LoadedMatch) -> tuple[str, ...]:
    """The people who have signed in today, who direct here and do not belong to the table."""
    club = await recorder.club(loaded.club)
    here = await signed_in_since(recorder.streams.pool, loaded.club, _morning(club.state, recorder.clock()))
    return tuple(person for person in here if _directs(club.state, loaded.club, loaded.match, person))


async def check_nobody_else(recorder: Recorder, loaded: LoadedMatch) -> None:
    """Raises Refusal where a director is here who does not belong to the table."""
    if await others_directing(recorder, loaded):
        raise Refusal("forbidden", "another director is here today, who does not belong to this table: ask that one")


def _morning(club: Club, now: datetime) -> datetime:
    """The beginning of the day in the club's time zone."""
    return now.astimezone(ZoneInfo(club.settings.zone)).replace(hour=0, minute=0, second=0).astimezone(UTC)


def _directs(club: Club, id_: str, match: Match, person: str) -> bool:
    seated = {player for side in match.setup.sides for player in side}
    if seated & {*club.ids_of(person), *club.close_to(person)}:
        return False
    held = rights_of(club, id_, person, "own device")
    return any(each.role in DIRECTORS and each.tournament in (None, match.setup.tournament) for each in held)
