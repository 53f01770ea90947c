"""Cross Purposes: the words and notes that the tables of two and of four players have in common."""

from collections.abc import Mapping
from typing import Final

from domain.cards.card import RANKS
from domain.games.cross_purposes.two.state import tops_order
from domain.log.message import Message

PHRASES: Final[Mapping[str, str]] = {
    "phase_tricks": "{n} trick in phase 1|{n} tricks in phase 1",
    "tops": "tops {ranks:ranks}",
    "sides": "{a:seat} and {b:seat} against {c:seat} and {d:seat}",
}


def tops_named(top: str | None) -> tuple[Message, ...]:
    """The note of tops: the ranks from the highest down."""
    return () if top is None else (Message("tops", {"ranks": tuple(RANKS[rank] for rank in tops_order(top))}),)
