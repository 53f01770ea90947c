"""Over the Top: its options and its deal."""

from typing import Annotated, Final, Literal

import msgspec

from domain.cards.card import STANDARD_PACK, Card
from domain.game.options import option

PACK: Final = STANDARD_PACK
HAND: Final = 13
STOCK: Final = 26


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Over the Top."""

    no_numeral: Annotated[
        Literal["zero", "ten"],
        option(
            "What does a jack or king that follows count while the trick has no numeral?",
            "OT.g1",
            zero="nothing",
            ten="10",
        ),
    ] = "zero"
    ace_is_numeral: Annotated[
        bool,
        option("Does a jack or king act on an ace before it, at the 11 or 1 that it counted?", "OT.g3"),
    ] = True


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two hands of 13, and a stock of 26, top card first."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
