"""Controls of a table: what may be recorded now, sorted by what is tapped for it."""

from collections.abc import Iterable
from typing import Final

import msgspec

from domain import codec
from domain.cards.card import CARD_OF, RANKS, RED_JOKER, SUITS
from domain.cards.facts import Fact
from domain.games import fact_types, fact_union, find
from domain.log.event import JsonObject
from domain.match.state import Match, open_deal
from service.languages import phrases
from service.web.boards import Board, board_of

FEW: Final = 6  # buttons below cards on a phone


class Tap(msgspec.Struct, frozen=True):
    """A button that records a fact, or an entry in a list of such facts; `call` is the suit or the rank that is called,
    where it is nothing else."""

    fact: str
    words: str
    seat: int
    call: str = ""


class Kind(msgspec.Struct, frozen=True):
    """Facts of one kind, of which a card or a number is still to be chosen."""

    word: str
    named: str


class Laid(msgspec.Struct, frozen=True):
    """Facts that name a square: their kinds, the board that is tapped, and the cards to choose from first, where they
    name one; `noted` says that one has to be named."""

    kinds: tuple[Kind, ...]
    board: Board
    cards: tuple[str, ...] = ()
    noted: bool = False


class Controls(msgspec.Struct, frozen=True):
    """The controls of a table: cards of the pack, squares of a board, numbers, and buttons under a question."""

    pack: tuple[Kind, ...] = ()
    laid: Laid | None = None
    numbers: tuple[Kind, ...] = ()
    buttons: tuple[Tap, ...] = ()
    asks: str = ""

    @property
    def listed(self) -> bool:
        """Tells whether the buttons are too many to lie below cards, such as every card that may have been drawn."""
        return len(self.buttons) > FEW and bool(self.pack or self.laid)


NO_CONTROLS: Final = Controls()


def controls_of(key: str, table: JsonObject, pack: list[str]) -> Controls:
    """The controls for the facts that a viewer is told are legal."""
    legal: list[Fact] = [codec.convert(each, fact_union()) for each in table["legal"] or ()]
    if not legal:
        return NO_CONTROLS
    cards = [fact for fact in legal if fact.control == "card" and _card(fact)]
    squares = [fact for fact in legal if fact.control == "square"]
    rest = [fact for fact in legal if fact not in cards and fact not in squares]
    asking = next((fact for fact in legal if fact in rest or (fact in squares and not _card(fact))), None)
    return Controls(
        pack=tuple(_kind(key, kind) for kind in _kinds(cards)),
        laid=_laid(key, squares, table, pack) if squares else None,
        numbers=tuple(_kind(key, kind) for kind in fact_types() if _word(kind) in table["stated"]),
        buttons=taps_of(key, rest),
        asks="" if asking is None else phrases.asks(key, asking.asks),
    )


def taken_by_squares(match: Match) -> tuple[str, ...]:
    """The words of what a tap on a square may be in the deal that is on."""
    deal, game = open_deal(match), match.setup.game
    if deal is None or game.frame is None:
        return ()
    return tuple(map(_word, _kinds([fact for fact in game.legal(deal.table) if fact.control == "square"])))


def taps_of(key: str, facts: Iterable[Fact]) -> tuple[Tap, ...]:
    """A button for each of these facts."""
    return tuple(tap_of(key, fact) for fact in facts)


def tap_of(key: str, fact: Fact) -> Tap:
    """The button that records a fact."""
    return Tap(codec.encode(codec.plain(fact)).decode(), phrases.offered(key, fact), fact.seat, _called(fact))


def _called(fact: Fact) -> str:
    """The suit or rank that a fact calls; nothing for one that says more, or something else."""
    call = fact.as_call() or ""
    return call if call in (*SUITS, *RANKS) else ""


def _kinds(facts: list[Fact]) -> tuple[type[Fact], ...]:
    return tuple(dict.fromkeys(map(type, facts)))


def _word(kind: type[Fact]) -> str:
    return str(kind.__struct_config__.tag)


def _kind(key: str, kind: type[Fact]) -> Kind:
    return Kind(_word(kind), phrases.named(key, kind))


def _card(fact: Fact) -> bool:
    return getattr(fact, "card", None) is not None


def _laid(key: str, facts: list[Fact], table: JsonObject, pack: list[str]) -> Laid | None:
    """The board of these facts, the same whichever of them are legal: the table gives no hint."""
    frame, kinds = find(key).frame, _kinds(facts)
    if frame is None:
        return None
    named = tuple(_kind(key, kind) for kind in kinds)
    board = board_of(frame, table["layout"])
    if board.told and not _card(facts[0]):
        return Laid(named, board)
    # a joker in the pack of a layout leaves a gap
    left = tuple(code for code in pack if code not in table["seen"] and CARD_OF[code] < RED_JOKER)
    takes_card = any("card" in kind.__struct_fields__ for kind in kinds)
    return Laid(named, board, left if takes_card else (), _card(facts[0]))
