"""Erasing a person: what would go and what would stay, the events that list it, and the rows that go after them.

What goes is read from the log right before it is listed, and again behind it, for what the person wrote meanwhile.
A service that ended between events and rows finishes when it starts."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

import msgspec

from domain import registry
from domain.club.commands import ErasePerson
from domain.club.erasure import check_may
from domain.club.events import ErasureReason
from domain.club.private_parts import SPOKEN, Words, left_by, named_in, owned, pattern_of, struck, texts, whose
from domain.club.state import Club
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, decided
from domain.log.event import JsonObject
from domain.match.sight import hidden_at
from domain.match.state import Match
from domain.tournament.state import Tournament
from projections.lists import KEPT
from service.desk.on_stream import actor_on
from service.desk.recording import Recorder
from service.desk.requests import Request, own_request
from service.projector import form_of
from service.store import cases
from service.store import erasing as rows
from service.store.erasing import EventAddress, KeptRow, PublicRow, WordsRow
from service.store.forgetting import HeldRows, held_by
from service.store.kinds import CLUB
from service.store.loaded import LoadedClub
from service.store.log import By
from service.store.pool import Pool

ALL: Final = ("all",)  # ticks every text in which the whole name stands
TRIES: Final = 10
FORMS: Final = tuple(form_of(each) for each in KEPT)
PUBLIC_TYPES: Final = ("ScoreStated", "TournamentAnnounced", "ClubFounded", "SettingsChanged")
PUBLIC_MOST: Final = 50
CLOSED_WORDS: Final = "(words that are shown only to those whom they concern)"
HIDDEN: Final = "(words on a deal whose hands are hidden still)"


class FreeText(msgspec.Struct, frozen=True):
    """A text of others in which the name of a person stands: its id, its stream and version, what it is beside, the
    words now and with the name struck. `whole`: it is the whole name, not only a part of it."""

    id: str
    stream: str
    kind: str
    version: int
    type: str
    at: datetime
    words: str
    left: str
    whole: bool


class DisputeOf(msgspec.Struct, frozen=True):
    """An open dispute about a result of the person, in a match or in a tournament; or an open case that concerns the
    person."""

    stream: str
    kind: str


class OwnWords(msgspec.Struct, frozen=True):
    """The numbers of private parts that are the person's own: names, what the club keeps beside them, close people,
    words."""

    names: int = 0
    described: int = 0
    pairs: int = 0
    said: int = 0


class ForeseenErasure(msgspec.Struct, frozen=True):
    """The effect of erasing a person: all ids of the person, the disputes that are open, how much goes, the texts of
    others with the name, and the events whose public part holds it, where it stays."""

    person: str
    name: str | None
    ids: tuple[str, ...]
    erased: bool
    disputed: tuple[DisputeOf, ...]
    own: OwnWords
    held: HeldRows
    matches: int
    texts: tuple[FreeText, ...]
    stays: tuple[PublicRow, ...]


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


async def foreseen(recorder: Recorder, club: str, person: str) -> ForeseenErasure:
    """Foresees what erasing a person would do. Raises Refusal."""
    plan = await planned(recorder, club, person)
    pool, state = recorder.streams.pool, plan.club.state
    first = plan.ids[0]
    return ForeseenErasure(
        person=first,
        name=state.players[first].name,
        ids=plan.ids,
        erased=first in state.erased,
        disputed=plan.disputed,
        own=_counted(plan),
        held=await held_by(pool, club, plan.ids),
        matches=len(await rows.matches_of(pool, club, plan.ids)),
        texts=tuple([await _free_text(recorder, plan, each) for each in _of_others(plan)]),
        stays=tuple(await rows.public_words(pool, club, plan.names, PUBLIC_TYPES, PUBLIC_MOST)) if plan.names else (),
    )


def _counted(plan: Plan) -> OwnWords:
    own = [each for each in plan.parts if owned(each.words, plan.ids)]
    kinds = [each.row.type for each in own]
    said = sum(whose(type(each.words.event)) in SPOKEN for each in own)
    names = kinds.count("PlayerRegistered") + kinds.count("PlayerRenamed")
    return OwnWords(names, kinds.count("PlayerDescribed"), kinds.count("FriendDeclared"), said)


def _of_others(plan: Plan) -> list[Part]:
    """Parts in which the name stands beside what is the person's own."""
    name = pattern_of(plan.names, parts=True)
    return [each for each in plan.parts if named_in(each.rest, name)]


def text_id(place: EventAddress) -> str:
    """The id of a text, by which it is ticked."""
    return f"{place[0]}:{place[1]}"


async def _free_text(recorder: Recorder, plan: Plan, part: Part) -> FreeText:
    row, whole, name = part.row, pattern_of(plan.names), pattern_of(plan.names, parts=True)
    assert name is not None, "a text with a name was found by one"
    kind = await _kind_of(recorder, plan, row)
    said, left = (" · ".join(texts([*each.values()])) for each in (part.rest, struck(part.rest, name)))
    match = await recorder.streams.match(row.stream) if kind == "match" else None
    if match is not None and hidden_at(match.match, row.version):
        said = left = HIDDEN
    if row.closed:
        said = left = CLOSED_WORDS
    return FreeText(
        text_id(row.place), row.stream, kind, row.version, row.type, row.at, said, left, named_in(part.rest, whole)
    )


async def _kind_of(recorder: Recorder, plan: Plan, row: WordsRow) -> str:
    """The word for the kind of stream that a private part stands in."""
    if row.closed:
        loaded = await recorder.streams.load(row.stream)
        return "stream" if loaded is None else loaded.kind.word
    return "club" if row.stream == plan.club.club else "tournament" if _of_tournament(row) else "match"


def _of_tournament(row: WordsRow) -> bool:
    return registry.event_types()[row.type].__module__.startswith("domain.tournament")


def command_of(plan: Plan, reason: ErasureReason, ticked: Collection[str]) -> ErasePerson:
    """The command that takes the person's own words out, and the name out of the texts that were ticked."""
    whole, name = pattern_of(plan.names), pattern_of(plan.names, parts=True)
    going: dict[EventAddress, str] = {}
    kept: dict[EventAddress, JsonObject] = {}
    changed: dict[EventAddress, JsonObject] = {}
    for part in plan.parts:
        row = part.row
        strikes = text_id(row.place) in ticked or (ALL[0] in ticked and named_in(part.rest, whole))
        left = struck(part.rest, name) if strikes and name is not None else part.rest
        if left == row.private:
            continue
        if part.stood:
            changed[row.place] = left
        else:
            going[row.place] = row.inner
            kept |= {row.place: left} if left else {}
    again, held = _again(plan.kept, changed, plan.club.club)
    listed = tuple((stream, version, inner) for (stream, version), inner in sorted((going | held).items()))
    left_over = tuple((stream, version, words) for (stream, version), words in sorted((kept | again).items()))
    disputed = tuple(each.stream for each in plan.disputed if each.kind != "case")
    heard = tuple(each.stream for each in plan.disputed if each.kind == "case")
    return ErasePerson(plan.ids[0], reason, listed, left_over, disputed, heard)


def _again(
    kept: Collection[KeptRow], changed: Mapping[EventAddress, JsonObject], club: str
) -> tuple[dict[EventAddress, JsonObject], dict[EventAddress, str]]:
    """Finds what earlier erasures kept and has to be written again, since some of it changes; and their private rows,
    to go."""
    stands = rows.newest(kept)
    holder = {place: each for each in sorted(kept, key=lambda row: row.version) for place in each.kept}
    touched = {holder[place].version: holder[place] for place in changed if place in holder}
    now = {**stands, **changed}
    again = {place: now[place] for place, each in holder.items() if each.version in touched and now[place]}
    return again, {(club, version): each.inner for version, each in touched.items()}


async def erase(
    recorder: Recorder, club: str, person: str, reason: ErasureReason, ticked: Collection[str], request: Request
) -> int:
    """Erase a person; how many private rows went. Whoever is erased already is erased no further, unless something came
    since. Raises Refusal."""
    loaded = await recorder.club(club)
    first = loaded.state.whom(person)
    _check_may(loaded, first, request)
    by = await _listed(recorder, club, person, reason, ticked, request)
    gone = await finished(recorder, club)
    while by is not None:
        by = await _listed(recorder, club, first, reason, (), own_request(by))  # words that came meanwhile
        gone += await finished(recorder, club) if by is not None else 0
    return gone


def _check_may(club: LoadedClub, person: str, request: Request) -> None:
    """Raises Refusal for whoever may not: nothing is searched for them."""

    def checked(state: Club, _: None, right: Actor) -> list[New]:
        check_may(state, person, right)
        return []

    decided(checked, club.state, None, actor_on(club, request.actor))


async def _listed(
    recorder: Recorder, club: str, person: str, reason: ErasureReason, ticked: Collection[str], request: Request
) -> By | None:
    """List what goes, on the club as it was read; who did, None where nothing was left to list. Raises Refusal."""
    for _ in range(TRIES):
        plan = await planned(recorder, club, person)
        command = command_of(plan, reason, ticked)
        stands = msgspec.structs.replace(request, expected=request.expected or plan.club.head.version)
        try:
            done = await recorder.on_stream(club, CLUB, command, stands)
        except Refusal as refusal:
            if refusal.slug != "lost-race" or request.expected is not None:
                raise
            continue
        last = done.events[-1] if done.events else None
        return None if last is None else By(last.actor, last.role, device=last.device)
    raise Refusal("lost-race", "somebody else changes the club all the time: try again in a moment")


async def finished(recorder: Recorder, club: str) -> int:
    """Drop the listed rows of a club, and read it again; how many rows went."""
    gone = await rows.finish(recorder.streams.pool, club, FORMS)
    recorder.streams.forget(club)
    return gone


async def finish_all(pool: Pool) -> None:
    """Finish what was listed before a service ended, in every club."""
    for club in await rows.clubs_with_erasures(pool):
        await rows.finish(pool, club, FORMS)
