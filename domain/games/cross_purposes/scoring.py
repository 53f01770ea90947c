"""Cross Purposes: what tricks are worth, for full play and for entered results alike."""

from typing import Annotated, TypeAlias

import msgspec

from domain.cards.facts import Seat
from domain.game.sheet import EntryError, Result
from domain.game.shown import Figure, tricks_taken
from domain.games.cross_purposes.options import Options, Value

Tricks: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=13)]
FIXED_SIDES = ((0, 2), (1, 3))


class TwoResult(Result, frozen=True, omit_defaults=True):
    """Scores, with the tricks of each phase by seat."""

    phases: tuple[tuple[int, ...], ...] = ()


class FourResult(Result, frozen=True, omit_defaults=True):
    """Scores, with each player's own tricks and the two sides."""

    tricks: tuple[int, ...] = ()
    sides: tuple[tuple[int, ...], ...] = ()

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks."""
        return tricks_taken(self.tricks)


class TwoEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The tricks of both seats, phase by phase; of a pair the second figure follows from the first (13 in all)."""

    phases: tuple[
        Annotated[tuple[Tricks, ...], msgspec.Meta(min_length=1, max_length=2)],
        Annotated[tuple[Tricks, ...], msgspec.Meta(min_length=1, max_length=2)],
    ]
    calls: Annotated[tuple[Value, ...], msgspec.Meta(max_length=4)] = ()


class FourEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Each player's own tricks; `allies` is one of the two pairs, and may be left out in `fixed`."""

    tricks: tuple[Tricks, Tricks, Tricks, Tricks]
    allies: tuple[Seat, Seat] | None = None


def beaten(scores: tuple[int, ...], options: Options) -> tuple[int, ...]:
    """`winner_only`: whoever does not have the highest score has none (CP.15, CP.g9)."""
    if options.scoring == "both":
        return scores
    return tuple(score if score == max(scores) else 0 for score in scores)


def score_two(options: Options, phases: tuple[tuple[int, ...], ...]) -> TwoResult:
    """(phase-1 tricks + 1) x phase-2 tricks (CP.7)."""
    first, second = phases
    scores = tuple((one + 1) * two for one, two in zip(first, second, strict=True))
    return TwoResult(scores=beaten(scores, options), phases=phases)


def score_four(options: Options, tricks: tuple[int, ...], allies: tuple[int, ...]) -> FourResult:
    """(own tricks + 1) x (partner's tricks + 1), to each ally (CP.14)."""
    sides = sides_of(allies)
    scores = [0] * 4
    for side in sides:
        for seat in side:
            scores[seat] = (tricks[side[0]] + 1) * (tricks[side[1]] + 1)
    return FourResult(scores=beaten(tuple(scores), options), tricks=tricks, sides=sides)


def sides_of(allies: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The pair and the two others, eldest pair of seats first."""
    pair = tuple(sorted(allies))
    others = tuple(seat for seat in range(4) if seat not in pair)
    return tuple(sorted((pair, others)))


def score_two_entry(options: Options, entry: TwoEntry) -> TwoResult:
    """An entered round. Raises EntryError when the tricks of a phase are not 13 (CP.i1)."""
    phases = []
    for number, tricks in enumerate(entry.phases, start=1):
        both = (tricks[0], 13 - tricks[0]) if len(tricks) == 1 else tricks
        if sum(both) != 13:
            raise EntryError("CP.i1", f"the tricks of phase {number} make 13, not {sum(both)}")
        phases.append(both)
    if len(entry.calls) == 4:
        dims = [call in "CDHS" for call in entry.calls]
        if dims not in ([True, False] * 2, [False, True] * 2):
            raise EntryError("CP.i2", "in a round every player names trumps once and tops once")
    return score_two(options, tuple(phases))


def score_four_entry(options: Options, entry: FourEntry) -> FourResult:
    """An entered deal. Raises EntryError: 13 tricks in all (CP.i1), sides 0+2 and 1+3 in `fixed` (CP.i4)."""
    if sum(entry.tricks) != 13:
        raise EntryError("CP.i1", f"all tricks together make 13, not {sum(entry.tricks)}")
    if options.variant == "fixed":
        allies = entry.allies or FIXED_SIDES[0]
        if sides_of(allies) != FIXED_SIDES:
            raise EntryError("CP.i4", "fixed partners sit opposite each other: seats 0+2 and 1+3")
        return score_four(options, entry.tricks, allies)
    if entry.allies is None:
        raise EntryError("CP.10", "name the `allies`: two seats that played together")
    if entry.allies[0] == entry.allies[1]:
        raise EntryError("CP.10", "`allies` are two different seats")
    return score_four(options, entry.tricks, entry.allies)
