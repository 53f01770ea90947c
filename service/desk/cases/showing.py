"""A case as somebody may see it: the view, and beside it the words and the names, which the view leaves out."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, TypeAlias

import msgspec

from domain.case import events as ce
from domain.case.statements import are_open
from domain.log.decider import Refusal
from domain.log.event import Recorded
from domain.match import events as e
from domain.match.sight import hands_open
from domain.match.state import Match
from domain.tournament.posting import place_of_match
from projections.case_eyes import CaseKind, CaseMatch, CaseRecord, told_of
from projections.case_view import case_view
from service.desk.cases.access import CaseViewer, SeenCase
from service.desk.moments import moment_of
from service.desk.services import Services
from service.desk.showing import names_of
from service.store import log
from service.store.loaded import LoadedCase, LoadedMatch
from service.store.log import Stored
from service.store.log_sql import CLOSED
from service.store.streams import Streams

Looked: TypeAlias = Callable[[str, Match], int]  # the number of the deal of a match that is looked at; 0 for none
NO_FACTS: Final = tuple(each.__name__ for each in e.OWN_EVENTS)
RULED = (e.RulingMade, e.DisputeSettled)
MENDED = (e.EntryCorrected, e.FactInserted, e.FactWithdrawn, e.CorrectionProposed)
CLOSING = (ce.AppealLodged, ce.AppealHeard, ce.CaseClosed, ce.CaseReopened)  # words that all in a case may read


class CaseAnswer(msgspec.Struct, frozen=True):
    """A case: its view, up to the positions `open` and `closed` of the club's two logs; the words that stand beside its
    events, by version, and beside rulings and settlements, by match and version; the names of its people. To who does
    not direct it `closed` is the version of the case: a position would tell what else there is in the closed log."""

    view: msgspec.Raw
    open: int
    closed: int
    words: dict[str, str]
    match_words: dict[str, dict[str, str]]
    names: dict[str, str | None]


async def shown_case(
    services: Services,
    seen: SeenCase,
    moment: datetime | None = None,
    positions: tuple[int | None, int | None] = (None, None),
) -> CaseAnswer:
    """A case for its viewer, now or at a moment, up to these positions of the open log and the closed one. Raises
    Refusal for a moment that is not yet: what time will open is sealed until then."""
    now = services.recorder.clock()
    if moment is not None and moment > now:
        raise Refusal("malformed", "`at` is later than now: what a case shows then is told then")
    return await answer_for(services.streams, seen, now if moment is None else moment, positions)


async def answer_for(
    streams: Streams,
    seen: SeenCase,
    at: datetime,
    positions: tuple[int | None, int | None] = (None, None),
    by_position: bool = False,
) -> CaseAnswer:
    """The same at a time; `by_position` counts the closed log by position for whoever looks."""
    loaded = seen.loaded
    kind, side = seen.viewer.kind, seen.viewer.side
    opened = positions[0] or await log.last_position(streams.pool, loaded.club)
    if kind == "director" or by_position:
        closed = told = positions[1] or await log.last_position(streams.pool, loaded.club, CLOSED)
    else:
        told = min(positions[1] or loaded.head.version, loaded.head.version)
        (last,) = await log.read_stream(streams.pool, loaded.club, loaded.stream, told - 1, told)
        closed = last.event.position
    record = await record_of(streams, loaded, at, opened, closed)
    # slips are folded by the thousand where nothing is found at once: other requests go on meanwhile
    view = msgspec.Raw(await asyncio.to_thread(case_view, record, kind, side, at, shut=seen.viewer.shut))
    known, shut = told_of(record, kind), dict(seen.viewer.shut)
    return CaseAnswer(
        view,
        opened,
        told,
        words_for(record, seen.viewer, at),
        {each.stream: _match_words(each, "party" if each.stream in shut else kind) for each in known.matches},
        _names(seen, known),
    )


async def record_of(
    streams: Streams, loaded: LoadedCase, at: datetime, opened: int, closed: int, looked: Looked | None = None
) -> CaseRecord:
    """A case as the logs stood at these positions, and at a time; with the facts of those deals only that `looked`
    chooses, where it is given, and all that was done to any."""
    own = [each.event for each in await log.read_stream(streams.pool, loaded.club, loaded.stream)]
    own = [each for each in own if each.position <= closed]
    case = loaded.kind.fold(loaded.kind.initial, [(each.version, each.data) for each in own])
    matches = []
    for stream in dict.fromkeys(each.match for each in case.places() if each.match is not None):
        found = await streams.match(stream)
        if found is not None:
            matches.append(await _match(streams, found, at, opened, looked))
    return CaseRecord(loaded.stream, loaded.club, tuple(own), case, tuple(each for each in matches if each is not None))


async def _match(
    streams: Streams, found: LoadedMatch, at: datetime, position: int, looked: Looked | None = None
) -> CaseMatch | None:
    """A match of a case as the open log stood."""
    events = [each.event for each in await _read(streams, found, looked)]
    chosen = [each for each in events if each.position <= position]
    past = found if len(chosen) == len(events) else await streams.by(found, position)
    if not isinstance(past.state, Match):
        return None
    moment = await moment_of(streams, past, at, position)
    if looked is None:  # what is heard now is no part of a view of then
        moment = msgspec.structs.replace(moment, heard=frozenset())
    return CaseMatch(found.stream, tuple(chosen), past.state, moment, await _place(streams, past, position))


async def _read(streams: Streams, found: LoadedMatch, looked: Looked | None) -> list[Stored]:
    """The events of a match: all of them, or the facts of one deal with everything that is no fact."""
    if looked is None or not isinstance(found.state, Match):
        return await log.read_stream(streams.pool, found.club, found.stream)
    deals, number = found.match.deals, looked(found.stream, found.match)
    first = deals[number - 1].version if 1 <= number <= len(deals) else 0
    last = deals[number].version - 1 if number < len(deals) else found.head.version
    return await log.read_some(streams.pool, found.club, found.stream, (first, last if first else 0), NO_FACTS)


async def _place(streams: Streams, found: LoadedMatch, position: int) -> tuple[int, int, str, int] | None:
    """The place of a match in its tournament: stage and round, from 1, the name in the plan, the table."""
    cup = found.match.setup.tournament
    loaded = None if cup is None else await streams.tournament(cup)
    if loaded is None:
        return None
    state = (await streams.by(loaded, position)).state
    place = place_of_match(state, found.stream)
    if place is None:
        return None
    stage = state.stages[place[0]]
    round_ = stage.round_of(place[1])
    return place[0] + 1, 0 if round_ is None else round_ + 1, place[1], stage.pairings[place[1]].table


def words_for(record: CaseRecord, viewer: CaseViewer, at: datetime) -> dict[str, str]:
    """The words beside a case's events that a viewer may read, by version: a sealed statement is its side's alone."""
    times = {each.version: each.recorded_at for each in record.events}
    opened = are_open(record.case, at, times)
    told = told_of(record, viewer.kind)
    said = {str(each.version): _note(each) for each in told.events if _reads(each, viewer, opened)}
    return {version: note for version, note in said.items() if note is not None}


def _reads(event: Recorded, viewer: CaseViewer, opened: bool) -> bool:
    """Tells whether a viewer may read the words beside an event of the case."""
    data = event.data
    if isinstance(data, CLOSING):
        return True
    if isinstance(data, ce.StatementSealed):
        own = viewer.kind == "party" and data.side == viewer.side
        return own or (opened and viewer.kind in ("director", "party"))
    if viewer.kind != "party":
        return viewer.kind == "director"
    if isinstance(data, ce.CaseOpened | ce.CaseJoined):
        return data.side == viewer.side or opened
    return isinstance(data, ce.WitnessHeard) and opened


def _note(event: Recorded) -> str | None:
    note = (event.private or {}).get("note")
    return note if isinstance(note, str) else None


def _match_words(own: CaseMatch, kind: CaseKind) -> dict[str, str]:
    """The reasons of rulings and settlements: whom they concern reads them; and those of corrections, whose words may
    name a card, once the hands lie open."""
    match = own.match
    sees_cards = kind == "director" or all(hands_open(match, deal) for deal in match.deals)
    told = (each for each in own.events if isinstance(each.data, (*RULED, *MENDED) if sees_cards else RULED))
    return {str(each.version): note for each in told if (note := _note(each)) is not None}


def _names(seen: SeenCase, record: CaseRecord) -> dict[str, str | None]:
    """The names of everybody who stands in a case."""
    names = names_of(seen.club)
    return {each: names[each] for each in sorted(_people(record)) if each in names}


def _people(record: CaseRecord) -> set[str]:
    case, told = record.case, {each.version for each in record.events}
    found = set(case.parties)
    found |= {each.person for each in case.witnesses if each.version in told}
    found |= {each.person for each in case.recused if each.version in told}
    found |= {each for appeal in case.appeals for each in appeal.panel}
    found |= {case.ruler.person} if case.ruler is not None and case.ruler.version in told else set()
    return found | _actors(record.events) | {each for own in record.matches for each in _actors(own.events)}


def _actors(events: Iterable[Recorded]) -> set[str]:
    return {each.actor for each in events if each.actor is not None}
