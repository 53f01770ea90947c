"""A person's own record, to take along: results with the names that the club shows, own words, no words of others."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

from domain import registry
from domain.club.private_parts import SHEET, SPOKEN, Words, owned, whose
from domain.club.state import Grant, Player
from domain.log.decider import Refusal
from domain.match.events import MatchEvent, ScoreStated
from domain.match.sight import hidden_at, seen
from domain.match.state import Match
from domain.match.stated import words_apart
from domain.notation.ctn_write import dumps
from domain.notation.write_course import NumberedEvent
from projections.lists import MATCHES, MatchRow
from service.desk.clubs import NamedRow, with_names
from service.desk.naming import names_in_file
from service.desk.services import Services
from service.desk.showing import names_of
from service.store import erasing as rows
from service.store import finding, log
from service.store.callers import Caller
from service.store.erasing import WordsRow
from service.store.loaded import LoadedClub
from service.store.log import Stored

AT_ONCE: Final = 200
OTHERS_MAY: Final = "only the person, a secretary or the owner may take this along: ask one of them"


class Statement(msgspec.Struct, frozen=True):
    """Words of the person: where and when, what they stand beside, and the words."""

    stream: str
    version: int
    type: str
    at: datetime
    words: str


class ExportedEntry(msgspec.Struct, frozen=True):
    """A tournament that the person entered, and the place once it is over."""

    id: str
    name: str
    entry: str
    place: int | None


class Export(msgspec.Struct, frozen=True):
    """Everything that a club holds of a person and may tell that person. `notes` are about the person, for whoever asks
    and may read them."""

    club: str
    club_name: str
    person: Player
    ids: tuple[str, ...]
    roles: tuple[Grant, ...]
    matches: tuple[NamedRow, ...]
    tournaments: tuple[ExportedEntry, ...]
    statements: tuple[Statement, ...]
    notes: tuple[str, ...]


def check_may_export(caller: Caller, club: LoadedClub, person: str) -> tuple[str, ...]:
    """The ids of a person whose record the caller may take: the person, at an own sign-in, a secretary, the owner.
    Raises Refusal."""
    if not caller.known:
        raise Refusal("unauthorised", "this needs a sign-in: sign in, or send Authorization: Bearer …")
    ids = club.state.ids_of(person)
    if not (caller.administers(club.club) or _is_own(caller, club, ids)):
        raise Refusal("forbidden", OTHERS_MAY)
    if person not in club.state.players or ids[0] in club.state.erased:
        raise Refusal("not-found", "the club knows nobody with this id")
    return ids


def _is_own(caller: Caller, club: LoadedClub, ids: Sequence[str]) -> bool:
    """Tells the person at an own sign-in: neither a token nor a name that was tapped behind a code."""
    here = [each for each in caller.rights if each.club == club.club and not each.by_code]
    return any(each.person in ids and each.strength == "own device" for each in here)


async def export_of(services: Services, caller: Caller, club: LoadedClub, person: str) -> Export:
    """The record of a person. Raises Refusal."""
    ids = check_may_export(caller, club, person)
    known = club.state.players[ids[0]]
    notes = tuple(filter(None, (club.state.players[each].note for each in ids if each in club.state.players)))
    found = [each async for each in rows.words_of(services.pool, club.club)]
    found += await rows.left_of(services.pool, club.club)
    own = _is_own(caller, club, ids)
    statements = [await _statement(services, each, ids, own) for each in found]
    return Export(
        club=club.club,
        club_name=club.state.name,
        person=msgspec.structs.replace(known, note=""),
        ids=ids,
        roles=club.state.held(ids[0]),
        matches=await _matches(services, club, ids),
        tournaments=await _tournaments(services, club, ids),
        statements=tuple(sorted(filter(None, statements), key=lambda each: (each.at, each.stream, each.version))),
        notes=notes if caller.administers(club.club) else (),
    )


async def _matches(services: Services, club: LoadedClub, ids: Sequence[str]) -> tuple[NamedRow, ...]:
    streams, names = await rows.matches_of(services.pool, club.club, ids), names_of(club)
    found: list[NamedRow] = []
    for start in range(0, len(streams), AT_ONCE):
        part = await services.lists.some(MATCHES, club.club, MatchRow, streams[start : start + AT_ONCE])
        found += [with_names(each, names) for each in part]
    return tuple(found)


async def _tournaments(services: Services, club: LoadedClub, ids: Sequence[str]) -> tuple[ExportedEntry, ...]:
    found = []
    streams, _ = await finding.streams_begun_with(services.pool, club.club, "TournamentAnnounced")
    for stream in streams:
        loaded = await services.streams.tournament(stream)
        entries = {} if loaded is None else loaded.tournament.entries
        for entry, made in entries.items():
            if loaded is not None and any(player in ids for own in (made.players, *made.before) for player in own):
                place = next((rank for rank, each in loaded.tournament.places if each == entry), None)
                found.append(ExportedEntry(stream, loaded.tournament.name, entry, place))
    return tuple(found)


async def _statement(services: Services, row: WordsRow, ids: Sequence[str], own: bool) -> Statement | None:
    """The words of the person in a private part; None where there are none, or where somebody else asks while they may
    tell of a hand that is hidden."""
    event = registry.read_event(row.type, row.schema, row.data)
    if whose(type(event)) not in SPOKEN:
        return None
    if row.closed and not own:
        return None
    loaded = await services.streams.match(row.stream) if row.type not in _TOURNAMENT else None
    state = None if loaded is None else loaded.match
    if row.closed:
        sides = await services.streams.sides_of(row.stream)
    else:
        sides = () if state is None else state.setup.sides
    if not owned(Words(event, row.private, row.actor, sides), ids):
        return None
    if state is not None and not own and hidden_at(state, row.version):
        return None
    words = " ".join(str(value) for name, value in row.private.items() if name not in SHEET)
    return Statement(row.stream, row.version, row.type, row.at, words) if words else None


_TOURNAMENT: Final = frozenset({"OutcomeClaimed", "OutcomeDisputed"})


async def ctn_of(services: Services, caller: Caller, club: LoadedClub, person: str) -> str:
    """The matches of a person in CTN, the oldest first, with that person's own comments. One in which a hand is hidden
    still is left out. Raises Refusal."""
    ids, names = check_may_export(caller, club, person), names_of(club)
    found: list[str] = []
    for stream in await rows.matches_of(services.pool, club.club, ids):
        loaded = await services.streams.match(stream)
        stored = [] if loaded is None else await log.read_stream(services.pool, club.club, stream)
        if loaded is None or not stored or not loaded.match.deals or not _is_open(loaded.match, stored):
            continue
        sides = loaded.match.setup.sides
        own = [_with_own_words(each, ids, sides) for each in stored]
        found.append(dumps(own, names_in_file(sides, names)))
    return "\n".join(found)


def _is_open(match: Match, stored: Sequence[Stored]) -> bool:
    """Tells whether everybody may see all of a match."""
    events = [each.event for each in stored if isinstance(each.event.data, MatchEvent)]
    return all(seen(each.data, None, match, each.version) is each.data for each in events)


def _with_own_words(stored: Stored, ids: Sequence[str], sides: tuple[tuple[str, ...], ...]) -> NumberedEvent:
    """An event with the person's own words beside it, and nobody else's."""
    event, private = stored.event.data, stored.event.private or {}
    if isinstance(event, ScoreStated):
        event, _ = words_apart(event, None)
    if not owned(Words(event, private, stored.event.actor, sides), ids):
        return NumberedEvent(stored.event.version, event)
    own = {name: value for name, value in private.items() if name not in SHEET}
    return NumberedEvent(stored.event.version, event, own or None)
