"""Own table: who else could direct today, before the other side is asked to agree that somebody of the table does."""

from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from domain.club.rights import rights_of
from domain.club.state import Club
from domain.log.actor import DIRECTORS, Right, Strength
from domain.log.decider import Refusal
from domain.match.state import Match
from domain.tournament.doubts import Doubt
from service.desk.cases.heard import Heard
from service.desk.doubts import doubt_of
from service.desk.recording import Recorder
from service.desk.signing import planned
from service.store.acts import signed_in_since
from service.store.loaded import LoadedClub, LoadedMatch


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
    return any(_reaches(each, match.setup.tournament) for each in held)


class OpenQuestions(msgspec.Struct, frozen=True):
    """The questions at a match: the least strength of a signature, and the players of it who may be allowed to direct
    there, for nobody else is here today who does; the doubt about its result; and the case about it, for whom it
    concerns."""

    least: Strength | None = None
    directors: tuple[str, ...] = ()
    doubt: Doubt | None = None
    heard: Heard | None = None


NOTHING_ASKED: Final = OpenQuestions()


async def asked_at(recorder: Recorder, loaded: LoadedMatch, club: LoadedClub) -> OpenQuestions:
    """The questions at a match, answered."""
    tournament = loaded.match.setup.tournament
    own = club.state.settings.confirms
    least = own if tournament is None else await planned(recorder.streams, tournament)
    seated = [player for side in loaded.match.setup.sides for player in side]
    held = {player: rights_of(club.state, club.club, player, "own device") for player in seated}
    directing = tuple(player for player, rights in held.items() if any(_reaches(each, tournament) for each in rights))
    if directing and await others_directing(recorder, loaded):
        directing = ()
    return OpenQuestions(least, directing, await doubt_of(recorder.streams, loaded))


def _reaches(right: Right, tournament: str | None) -> bool:
    return right.role in DIRECTORS and right.tournament in (None, tournament)
