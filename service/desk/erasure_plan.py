"""The plan of an erasure: everything of a person that the log of a club holds, as it stands right now."""

from collections.abc import Collection

import msgspec

from domain import registry
from domain.club.private_parts import Words, left_by, named_in, pattern_of, whose
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from domain.match.state import Match
from domain.tournament.state import Tournament
from service.desk.recording import Recorder
from service.store import cases
from service.store import erasing as rows
from service.store.erasing import EventAddress, KeptRow, WordsRow
from service.store.loaded import LoadedClub


class DisputeOf(msgspec.Struct, frozen=True):
    """An open dispute about a result of the person, in a match or in a tournament; or an open case that concerns the
    person."""

    stream: str
    kind: str


class Part(msgspec.Struct, frozen=True):
    """A private part that concerns the person: its row, what is left without the person's own words, and whether it
    `stood` in the place of a row that is gone."""

    row: WordsRow
    words: Words
    rest: JsonObject
    stood: bool


class Plan(msgspec.Struct, frozen=True):
    """Everything found of a person in a club as it stood."""

    club: LoadedClub
    ids: tuple[str, ...]
    names: tuple[str, ...]
    parts: tuple[Part, ...]
    kept: tuple[KeptRow, ...]
    disputed: tuple[DisputeOf, ...]


def text_id(place: EventAddress) -> str:
    """The id of a text, by which it is ticked."""
    return f"{place[0]}:{place[1]}"


async def planned(recorder: Recorder, club: str, person: str) -> Plan:
    """Everything of a person that erasing would take or touch. Raises Refusal for an id that the club does not know."""
    streams, pool = recorder.streams, recorder.streams.pool
    loaded = await recorder.club(club)
    state = loaded.state
    if person not in state.players:
        raise Refusal("not-found", "the club knows nobody with this id")
    ids = state.ids_of(person)
    called = [name for each in ids if each in state.players for name in _names(loaded, each)]
    name = pattern_of(called, parts=True)
    found: list[Part] = []
    sides: dict[str, tuple[tuple[str, ...], ...]] = {}
    async with pool.connection() as connection:
        kept = await rows.kept_of(connection, club)
    sources = ((False, [each async for each in rows.words_of(pool, club)]), (True, await rows.left_of(pool, club)))
    listed = await rows.listed_places(pool, club)
    for stood, source in sources:
        for row in source:
            if not stood and row.place in listed:
                continue  # somebody else has listed it, and drops it
            event = registry.read_event(row.type, row.schema, row.data)
            if whose(type(event)) == "side" and row.stream not in sides:
                sides[row.stream] = await streams.sides_of(row.stream)
            words = Words(event, row.private, row.actor, sides.get(row.stream, ()))
            rest = left_by(words, ids)
            if row.type != "PersonErased" and (rest != row.private or named_in(rest, name)):
                found.append(Part(row, words, rest, stood))
    disputed = await _disputed(recorder, club, ids)
    return Plan(loaded, ids, tuple(dict.fromkeys(called)), tuple(found), tuple(kept), disputed)


def _names(club: LoadedClub, player: str) -> list[str]:
    known = club.state.players[player]
    return [each for each in (known.name, *known.earlier) if each]


async def _disputed(recorder: Recorder, club: str, ids: Collection[str]) -> tuple[DisputeOf, ...]:
    """The matches and tournaments in which a dispute about a result of the person is open, and the cases that are."""
    streams, found = recorder.streams, set[tuple[str, str]]()
    for stream in await rows.streams_with(streams.pool, club, ("ResultDisputed", "OutcomeDisputed")):
        loaded = await streams.load(stream)
        state = None if loaded is None else loaded.state
        match state:
            case Match() if state.disputes and not state.void:
                if any(player in ids for side in state.setup.sides for player in side):
                    found.add((stream, "match"))
            case Tournament() if _disputes(state) & set(ids):
                found.add((stream, "tournament"))
    for stream in await cases.all_of_club(streams.pool, club):
        case = await streams.case(stream)
        if case is not None and case.state.is_heard and case.state.concerned & set(ids):
            found.add((stream, "case"))
    return tuple(DisputeOf(*each) for each in sorted(found))


def _disputes(state: Tournament) -> set[str]:
    """The people of the pairings whose results are disputed."""
    pairings = [stage.pairings[name] for stage in state.stages for name in stage.disputed if name in stage.pairings]
    entries = {entry for pairing in pairings for side in pairing.sides for entry in side}
    return {player for entry in entries if entry in state.entries for player in state.entries[entry].players}
