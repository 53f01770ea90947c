"""The sheet of a game: the score of a deal, and results that are entered without cards."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

import msgspec

from domain.game.shown import Figure


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """The score of a complete deal by seat, or by side where a game scores so; games add the figures that
    people argue about. `drops` are the sides whose total begins again at nothing before it is added."""

    scores: tuple[int, ...]
    void: bool = False
    drops: tuple[int, ...] = ()

    @property
    def sheet(self) -> tuple[int, ...]:
        """The scores as a score sheet writes them (`R` in notation), by seat or by side."""
        return self.scores

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The counts of the deal that are told beside its score, labelled as on its table."""
        return ()

    @property
    def seats_named(self) -> Mapping[str, int]:
        """The seats that notation names behind the scores (`stuck=A`)."""
        return {}


class EntryError(ValueError):
    """A result that breaks an invariant of the game; `rule` is the invariant's ledger number."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(detail)
        self.rule = rule
        self.detail = detail


class EntryField(msgspec.Struct, frozen=True):
    """One control of the form in which a result is entered without cards.

    `path` names the place in the entry (`phases.0.0`); `kind` is `choice` (of `values`), `seat`
    (of `values`, which people see as names) or `number` (from `low` to `high`); `seat` or `side` says whose
    figure it is. The values of all fields of one name (`tricks.0` to `tricks.3`) `adds_up` to so many, so that the last
    one follows; `usual` is chosen until somebody chooses another.
    """

    path: str
    label: str
    kind: Literal["choice", "seat", "number"]
    values: tuple[str | int, ...] = ()
    low: int = 0
    high: int = 0
    seat: int | None = None
    required: bool = True
    side: int | None = None
    adds_up: int | None = None
    usual: int | None = None


class Sheet(Protocol):
    """Results of a game entered without cards."""

    @abstractmethod
    def entry(self, options: Any) -> type[msgspec.Struct]:
        """The shape of an entered result."""

    @abstractmethod
    def form(self, options: Any) -> tuple[EntryField, ...]:
        """The controls of the entry form, in the order of the taps."""

    @abstractmethod
    def score(self, options: Any, entry: Any) -> Result:
        """The score of an entered result, through the same functions as full play.

        Raises EntryError with the number of the invariant that is broken.
        """


class PlainSheet(msgspec.Struct, frozen=True):
    """The sheet of a game whose results are entered alike under all its options."""

    shape: type[msgspec.Struct]
    fields: tuple[EntryField, ...]
    scored: Callable[[Any], Result]

    def entry(self, options: Any) -> type[msgspec.Struct]:
        """The one shape."""
        return self.shape

    def form(self, options: Any) -> tuple[EntryField, ...]:
        """The one form."""
        return self.fields

    def score(self, options: Any, entry: Any) -> Result:
        """The score of an entered result. Raises EntryError."""
        return self.scored(entry)
