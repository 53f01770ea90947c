"""The cross table of a tournament: who met whom in which round, who dealt first, and what came of it.

Points are whole numbers, tenths of a point, so that sums and products are exact. "Deals first" is what White is in
the texts of chess: the first-named of a pairing.
"""

import enum
from typing import Final, Literal, TypeAlias

import msgspec

Tenths: TypeAlias = int
NO_OPPONENT: Final = 0  # the number that stands for nobody: of a bye, or of a round that was not played
Rules: TypeAlias = Literal["dutch-2026", "dutch-till-2026", "monrad"]


class Outcome(enum.StrEnum):
    """The outcome of a round for one player, by its letter in a TRF file."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    UNRATED_WIN = "W"
    UNRATED_DRAW = "D"
    UNRATED_LOSS = "L"
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    HALF_BYE = "H"
    FULL_BYE = "F"
    PAIRING_BYE = "U"
    ZERO_BYE = "Z"
    UNKNOWN = " "

    @property
    def played(self) -> bool:
        """True if cards were dealt: only such a round counts for meetings and for first deals."""
        return self in _PLAYED


_PLAYED: Final = frozenset(Outcome(letter) for letter in "1=0WDL")


class PointSystem(msgspec.Struct, frozen=True):
    """The points of each outcome, in tenths."""

    win: Tenths = 10
    draw: Tenths = 5
    loss: Tenths = 0
    forfeit_win: Tenths = 10
    forfeit_loss: Tenths = 0
    pairing_bye: Tenths = 10
    half_bye: Tenths = 5
    full_bye: Tenths = 10
    zero_bye: Tenths = 0

    def of(self, outcome: Outcome) -> Tenths:
        """The points of an outcome; none for one that is not known yet."""
        name = _WORTH.get(outcome)
        return 0 if name is None else getattr(self, name)


_WORTH: Final = {
    Outcome.WIN: "win",
    Outcome.UNRATED_WIN: "win",
    Outcome.DRAW: "draw",
    Outcome.UNRATED_DRAW: "draw",
    Outcome.LOSS: "loss",
    Outcome.UNRATED_LOSS: "loss",
    Outcome.FORFEIT_WIN: "forfeit_win",
    Outcome.FORFEIT_LOSS: "forfeit_loss",
    Outcome.PAIRING_BYE: "pairing_bye",
    Outcome.HALF_BYE: "half_bye",
    Outcome.FULL_BYE: "full_bye",
    Outcome.ZERO_BYE: "zero_bye",
}


class RoundCell(msgspec.Struct, frozen=True):
    """One round of one player: the opponent's number (0 without one), whether this player dealt first (None where
    nobody did, or nobody said), and the outcome; where it is known, the win points, the deal points more than the
    opponent's, and the lurches given and taken."""

    opponent: int = NO_OPPONENT
    first: bool | None = None
    outcome: Outcome = Outcome.UNKNOWN
    worth: int = 0
    difference: int = 0
    given: int = 0
    taken: int = 0


NOTHING: Final = RoundCell()


class PlayerRow(msgspec.Struct, frozen=True):
    """One player: the number by seed (TPN), name, rating, the rounds so far, the points that were stated, the place in
    a draw by lot, should all else be equal, and how many rounds there were before this player entered."""

    number: int
    name: str
    cells: tuple[RoundCell, ...]
    rating: int = 0
    stated: Tenths | None = None
    lot: int = 0
    late: int = 0

    def cell(self, round_: int) -> RoundCell:
        """The round of that number, from 1; nothing where the row is shorter."""
        return self.cells[round_ - 1] if 0 < round_ <= len(self.cells) else NOTHING


class Crosstable(msgspec.Struct, frozen=True):
    """A tournament as pairing and standings need it. `rows` by number; `rounds` is how many there will be (0: not
    said); `first_deals` whether number 1 deals first in round 1 (None: by lot, not said); `forbidden` are groups of
    numbers that never meet; `extra` are virtual points by round, then by number (acceleration); `tiebreaks` as the
    event orders them; `by_worth`: the points are the win points."""

    rows: tuple[PlayerRow, ...]
    rounds: int = 0
    points: PointSystem = PointSystem()
    rules: Rules | None = None
    first_deals: bool | None = None
    forbidden: tuple[tuple[int, ...], ...] = ()
    extra: tuple[tuple[int, dict[int, Tenths]], ...] = ()
    tiebreaks: tuple[str, ...] = ()
    fixed_pairings: bool = False
    name: str = ""
    by_worth: bool = False

    def won(self, cell: RoundCell) -> Tenths:
        """The points of a round."""
        return 10 * cell.worth if self.by_worth else self.points.of(cell.outcome)

    @property
    def played(self) -> int:
        """The rounds for which somebody has an outcome or an opponent."""
        last = [place for row in self.rows for place, cell in enumerate(row.cells, start=1) if cell != NOTHING]
        return max(last, default=0)

    def score(self, row: PlayerRow, upto: int) -> Tenths:
        """A player's points in the first rounds."""
        return sum(self.won(cell) for cell in row.cells[:upto])
