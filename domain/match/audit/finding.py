"""Findings: what follows from the entries of a deal, the entries on which it rests, and how sure those are."""

from typing import Final, Literal, TypeAlias

import msgspec

from domain.cards.facts import Fact
from domain.game import replay
from domain.game.judgement import Breach
from domain.game.protocol import AnyDeal, AnyGame, AnyOptions

AUDIT: Final = 1  # the version of the audit: a better one is a new version, and what a ruling named stays
START: Final = replay.START  # the place of the deal's start, beside those of its facts
Grade: TypeAlias = Literal["P", "C", "T"]


class Course(msgspec.Struct, frozen=True):
    """One deal as it is recorded, which is all that a finding is derived from. A *place* counts its facts in force from
    0; `contradicts` is the breach of a start that does not fit what an earlier deal fixed for the match."""

    game: AnyGame
    options: AnyOptions
    dealer: int
    cards: AnyDeal | None
    facts: tuple[Fact, ...]
    contradicts: Breach | None = None


class Derived(msgspec.Struct, frozen=True):
    """A breach that follows from the entries of one deal: the place of the offence, whose it is, and `rests_on`, the
    least set of places such that changing any one fact outside it to another of its kind and seat leaves the finding
    where it is; first the offence, then what proves it. `beneath` are its consequences, which are not told by
    themselves."""

    place: int
    seat: int | None
    rule: str
    code: str | None
    detail: str
    rests_on: tuple[int, ...]
    beneath: tuple["Derived", ...] = ()


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finding in a match: ledger number, code, the version where it happened and its place in the deal, the last
    version that proves it, one sentence; all versions that it rests on; how sure those entries are. *P*: no slip of the
    scorer explains it, or the entries are settled. *C*: a slip does, as `explained_by` says (null: not examined).
    `beneath` counts its consequences. A `note` breaks no rule, and is never counted as an irregularity: what lapsed
    because nobody claimed it, a figure that was written down wrong."""

    deal: int
    version: int
    rule: str
    code: str | None
    detail: str
    proof: int | None = None
    place: int = START
    seat: int | None = None
    rests_on: tuple[int, ...] = ()
    grade: Grade = "C"
    explained_by: str | None = None
    beneath: int = 0
    note: bool = False
