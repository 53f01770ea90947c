"""Controls of a table: what may be recorded now, sorted by what is tapped for it."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from domain import codec, english
from domain.cards.card import CARD_OF, RANKS, RED_JOKER, SUITS
from domain.cards.facts import Fact
from domain.games import fact_types, fact_union


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
    """Facts of one kind that name a square: the squares by value and name, and the cards to choose from, where the
    facts name one; `noted` says that one has to be named."""

    word: str
    named: str
    places: tuple[tuple[str, str], ...]
    cards: tuple[str, ...] | None
    noted: bool


class Controls(msgspec.Struct, frozen=True):
    """The controls of a table: cards of the pack, cards with their squares, numbers, the layout itself (`board` is the
    word of its facts), and buttons under a question."""

    pack: tuple[Kind, ...] = ()
    laid: tuple[Laid, ...] = ()
    numbers: tuple[Kind, ...] = ()
    board: str | None = None
    buttons: tuple[Tap, ...] = ()
    asks: str = ""


NO_CONTROLS: Final = Controls()


def controls_of(key: str, table: dict[str, Any], pack: list[str]) -> Controls:
    """The controls for the facts that a viewer is told are legal."""
    legal: list[Fact] = [codec.convert(each, fact_union()) for each in table["legal"] or ()]
    if not legal:
        return NO_CONTROLS
    cards = [fact for fact in legal if fact.control == "card" and _card(fact)]
    squares = [fact for fact in legal if fact.control == "square"]
    board = [fact for fact in squares if table["layout"] and not _card(fact)]
    rest = [fact for fact in legal if fact not in cards and fact not in squares]
    asking = next((fact for fact in legal if fact in board or fact in rest), None)
    return Controls(
        pack=tuple(_kind(key, kind) for kind in _kinds(cards)),
        laid=tuple(_laid(key, kind, squares, table, pack) for kind in _kinds(squares) if not board),
        numbers=tuple(_kind(key, kind) for kind in fact_types() if _word(kind) in table["stated"]),
        board=_word(type(board[0])) if board else None,
        buttons=taps_of(key, rest),
        asks="" if asking is None else english.phrases(key)[asking.asks],
    )


def taps_of(key: str, facts: Iterable[Fact]) -> tuple[Tap, ...]:
    """A button for each of these facts."""
    return tuple(
        Tap(codec.encode(codec.plain(fact)).decode(), english.offered(key, fact), fact.seat, _called(fact))
        for fact in facts
    )


def _called(fact: Fact) -> str:
    """The suit or rank that a fact calls; nothing for one that says more, or something else."""
    call = fact.as_call() or ""
    return call if call in (*SUITS, *RANKS) else ""


def _kinds(facts: list[Fact]) -> tuple[type[Fact], ...]:
    return tuple(dict.fromkeys(map(type, facts)))


def _word(kind: type[Fact]) -> str:
    return str(kind.__struct_config__.tag)


def _kind(key: str, kind: type[Fact]) -> Kind:
    return Kind(_word(kind), english.named(key, kind))


def _card(fact: Fact) -> bool:
    return getattr(fact, "card", None) is not None


def _laid(key: str, kind: type[Fact], facts: list[Fact], table: dict[str, Any], pack: list[str]) -> Laid:
    own = [fact for fact in facts if type(fact) is kind]
    names = {_cell(fact): str(fact.said().values.get("square", "")) for fact in own}
    # a joker in the pack of a layout leaves a gap
    left = tuple(code for code in pack if code not in table["seen"] and CARD_OF[code] < RED_JOKER)
    squares = tuple((" ".join(map(str, cell)), name) for cell, name in sorted(names.items()))
    takes_card = "card" in kind.__struct_fields__
    return Laid(_word(kind), english.named(key, kind), squares, left if takes_card else None, _card(own[0]))


def _cell(fact: Fact) -> tuple[int, ...]:
    cell: tuple[int, ...] = getattr(fact, "cell", ())
    return cell
