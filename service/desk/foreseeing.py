"""Foreseeing an erasure: open disputes, what would go, and the words of others in which the name stands."""

from datetime import datetime
from typing import Final

import msgspec

from domain import registry
from domain.club.private_parts import SPOKEN, named_in, owned, pattern_of, struck, texts, whose
from domain.match.sight import hidden_at
from service.desk.erasure_plan import DisputeOf, Part, Plan, planned, text_id
from service.desk.recording import Recorder
from service.store import erasing as rows
from service.store.erasing import PublicRow, WordsRow
from service.store.forgetting import HeldRows, held_by

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
