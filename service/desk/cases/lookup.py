"""Looking cases up: those about a match, those that hold a pairing, the deals that are heard."""

from typing import Final

from domain.case.state import Case
from domain.match.state import Match
from domain.tournament.posting import place_of_match
from domain.tournament.state import Tournament
from service.store import cases, log
from service.store.loaded import AnyLoaded, LoadedCase, LoadedMatch
from service.store.log_sql import CLOSED
from service.store.streams import Streams

KEPT: Final = 2000  # matches


async def about_match(streams: Streams, club: str, match: str, closed: int | None = None) -> list[LoadedCase]:
    """The cases about a match, whether or not they are open. They are looked for once for each position of the closed
    log; who has just read that says where it ends."""
    upto = await log.last_position(streams.pool, club, CLOSED) if closed is None else closed
    known = streams.cases.get((club, match))
    if known is None or known[0] != upto:
        known = streams.cases[club, match] = (upto, await cases.about_match(streams.pool, club, match))
        while len(streams.cases) > KEPT:
            streams.cases.popitem(last=False)
    return await _loaded(streams, known[1])


async def about_tournament(streams: Streams, club: str, tournament: str) -> list[LoadedCase]:
    """The cases about a tournament's matches and fixtures."""
    return await _loaded(streams, await cases.about_tournament(streams.pool, club, tournament))


async def heard_in(streams: Streams, loaded: LoadedMatch) -> frozenset[int]:
    """The deals of a match about which a case is open: of one that disputes the whole match all of them."""
    stream, match = loaded.stream, loaded.match
    found = await about_match(streams, loaded.club, stream, closed_beside(loaded))
    return frozenset(deal for each in found if each.state.is_open for deal in heard_by(each.state, stream, match))


def closed_beside(loaded: AnyLoaded) -> int | None:
    """The end of the closed log when a stream was just read; None where it has been known for longer."""
    return None if loaded.beside is None else loaded.beside.closed


def heard_by(case: Case, stream: str, match: Match) -> frozenset[int]:
    """The deals of a match that a case is about."""
    calls = [each for each in case.calls if each.place.match == stream]
    named = {each.place.deal for each in calls if each.place.deal is not None}
    whole = any(each.place.deal is None and each.matter == "dispute" for each in calls)
    return frozenset(deal.number for deal in match.deals) if whole else frozenset(named)


async def holding(streams: Streams, club: str, stream: str, state: Tournament) -> tuple[str, ...]:
    """The matches of the stage that is on about which a case is open, by their names in its plan."""
    return tuple(sorted(await cases_holding(streams, club, stream, state)))


async def cases_holding(streams: Streams, club: str, stream: str, state: Tournament) -> dict[str, list[str]]:
    """The cases that are open about matches of the stage that is on, by the names of those in its plan."""
    found: dict[str, list[str]] = {}
    if state.at < 0:
        return found
    for loaded in await about_tournament(streams, club, stream):
        if loaded.state.is_open:
            for number, name in sorted(_fixtures(loaded.state, stream, state)):
                if number == state.at:
                    found.setdefault(name, []).append(loaded.stream)
    return found


async def under_appeal_in(streams: Streams, club: str, stream: str, state: Tournament) -> tuple[str, ...]:
    """The matches of the stage that is on with a ruling against which an appeal waits, by their names in its plan."""
    found = await about_tournament(streams, club, stream)
    places = [place_of_match(state, each.match) for loaded in found for each in loaded.state.pending]
    return tuple(sorted({place[1] for place in places if place is not None and place[0] == state.at}))


def _fixtures(case: Case, stream: str, state: Tournament) -> set[tuple[int, str]]:
    """The matches of a tournament that a case is about: the stage, from 0, and the name in the plan."""
    found = set[tuple[int, str]]()
    for each in case.places():
        if each.tournament != stream:
            continue
        place = None if each.match is None else place_of_match(state, each.match)
        if place is not None:
            found.add(place)
        elif each.stage is not None and each.fixture is not None:
            found.add((each.stage, each.fixture))
    return found


async def _loaded(streams: Streams, ids: list[str]) -> list[LoadedCase]:
    found = [await streams.case(each) for each in ids]
    return [each for each in found if each is not None]
