"""The ties of pushed streams to others: who plays in them, the tournament of a match, the matches of a tournament.

What they name is of the club, or comes with them. A match that a tournament names may be nobody's yet: the steward
opens it. He reads, opens and makes void whatever a tournament names, so nothing of anybody else may stand there."""

import re
from collections.abc import Sequence
from typing import Final

from domain import registry
from domain.exchange.pushed import CheckedStream
from domain.log.decider import Refusal
from domain.match.state import Match
from domain.tournament.events import PairingReplaced, RoundPaired
from domain.tournament.state import Tournament
from service.desk.services import Services
from service.store import finding

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_PAIRING: Final = frozenset({RoundPaired.__name__, PairingReplaced.__name__})


async def check_ties(services: Services, club: str, coming: Sequence[CheckedStream], fresh: Sequence[str]) -> None:
    """Raises Refusal for streams that name somebody or something not of the club; `fresh` are those that are new here.
    What is another club's is looked for last, and told as a command that stands here twice is."""
    await _check_people(services, club, coming)
    await _check_tournaments(services, club, coming)
    named = {each.stream: named_matches(each) for each in coming if isinstance(each.state, Tournament)}
    for cup, matches in named.items():
        wrong = next((each for each in matches if not _ID.match(each)), None)
        if wrong is not None:
            raise Refusal("malformed", f"{cup} cannot be taken: {wrong[:40]!r} is no id of a match")
    wanted = sorted({each for matches in named.values() for each in matches} | set(fresh))
    here = await finding.tournaments_of(services.pool, club, wanted)
    own = here | {each.stream: each.state.setup.tournament for each in coming if isinstance(each.state, Match)}
    for cup, matches in named.items():
        if cup in matches or any(own.get(each, cup) != cup for each in matches):
            raise not_apart()
    unknown = [each for each in wanted if each not in here or each in fresh]  # a case is here, and comes as new
    if await finding.is_begun(services.pool, unknown):
        raise not_apart()


def not_apart() -> Refusal:
    """The refusal of what stands somewhere already; it names nothing, for that may be another club's."""
    return Refusal(
        "misfit", "a command or an id of these streams stands in another stream here: they cannot be told apart"
    )


def everybody(state: Match | Tournament) -> set[str]:
    """Everybody who plays, or was entered."""
    if isinstance(state, Match):
        return {player for side in state.setup.sides for player in side}
    return {one for each in state.entries.values() for own in (each.players, *each.before) for one in own}


def named_matches(stream: CheckedStream) -> set[str]:
    """The matches that what comes of a tournament names, those of pairings that were taken back included."""
    found = set()
    for each in (one.event for one in stream.events if one.event.type in _PAIRING):
        event = registry.read_event(each.type, each.schema, each.data)
        if isinstance(event, RoundPaired):
            found |= {pairing.match for pairing in event.pairings}
        elif isinstance(event, PairingReplaced) and event.pairing is not None:
            found.add(event.pairing.match)
    return found


async def _check_people(services: Services, club: str, coming: Sequence[CheckedStream]) -> None:
    """Raises Refusal for somebody who plays and was not announced, and for two who were made one person here: nobody
    sits on two chairs, or signs for both sides."""
    known = (await services.recorder.club(club)).state
    for each in coming:
        if not isinstance(each.state, Match | Tournament):
            continue
        if not everybody(each.state) <= known.players.keys():
            raise Refusal(
                "misfit", f"{each.stream}: somebody plays in it whom the club does not know: announce the people first"
            )
        seats = _seats(each.state)
        if len(set(map(known.whom, seats))) < len(seats):
            raise Refusal(
                "misfit",
                f"{each.stream}: two who play in it were made one person here: have them parted, then send it again",
            )


def _seats(state: Match | Tournament) -> list[str]:
    """The people who sit in a match, or stand in a tournament that is not over; nobody where nothing is played."""
    if isinstance(state, Match):
        return [] if state.void and not state.deals else [player for side in state.setup.sides for player in side]
    return [] if state.finished or state.archived else sorted(everybody(state))


async def _check_tournaments(services: Services, club: str, coming: Sequence[CheckedStream]) -> None:
    """Raises Refusal for a match of a tournament that neither is here nor comes."""
    cups = {
        each.stream: each.state.setup.tournament
        for each in coming
        if isinstance(each.state, Match) and each.state.setup.tournament is not None
    }
    asked = sorted({each for each in cups.values() if _ID.match(each)})
    here = await finding.tournaments_of(services.pool, club, asked) if asked else {}
    own = {each for each, cup in here.items() if cup == each}
    own |= {each.stream for each in coming if isinstance(each.state, Tournament)}
    for stream, cup in cups.items():
        if cup not in own:
            raise Refusal(
                "malformed",
                f"{stream} cannot be taken: it is a match of tournament {cup[:40]}, of which nothing is here",
            )
