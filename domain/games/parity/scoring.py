"""Parity: results, from full play and entered without cards alike."""

from typing import Annotated, Final

import msgspec

from domain.game.sheet import EntryError, EntryField, Result
from domain.game.shown import Figure, tricks_taken
from domain.games.parity.options import Parities, Tricks
from domain.games.parity.state import Scored, State


class ParityResult(Result, frozen=True, omit_defaults=True):
    """Scores, with the tricks and the parity that scored."""

    tricks: tuple[int, ...] = ()
    parity: str = ""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Tricks."""
        return tricks_taken(self.tricks)


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parity and the tricks by seat; the second number may be left out (15 less the first)."""

    parity: Parities
    tricks: Annotated[tuple[Tricks, ...], msgspec.Meta(min_length=1, max_length=2)]

    @property
    def both(self) -> tuple[int, ...]:
        return self.tricks if len(self.tricks) == 2 else (self.tricks[0], 15 - self.tricks[0])


def score_tricks(parity: str, tricks: tuple[int, ...]) -> ParityResult:
    """10 and the tricks, to the one player whose tricks have the parity (PA.7, PA.g2)."""
    wanted = 1 if parity == "odd" else 0
    scores = tuple(10 + won if won % 2 == wanted else 0 for won in tricks)
    return ParityResult(scores=scores, tricks=tricks, parity=parity)


# one player's tricks: the other's are derived
FORM: Final = (
    EntryField("parity", "Odd or even?", "choice", ("odd", "even")),
    EntryField("tricks.0", "tricks", "choice", tuple(range(16)), seat=0),
)


def score_entry(entry: Entry) -> ParityResult:
    """The score of entered tricks. Raises EntryError when they are not 15 (PA.i1)."""
    if sum(entry.both) != 15:
        raise EntryError("PA.i1", f"all tricks together make 15, not {sum(entry.both)}")
    return score_tricks(entry.parity, entry.both)


def score(state: State) -> ParityResult | None:
    """The score of a complete deal."""
    if not isinstance(state, Scored):
        return None
    return score_tricks(state.contract.parity, state.tricks)
