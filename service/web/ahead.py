"""Offers that a table may come to: the pack of its game, its calls, its board and its claims. A page that loses its
network knows them before any of them was shown; they tell of no hand."""

from collections.abc import Iterator
from functools import cache
from typing import Final

import msgspec

from domain.cards.card import CARD_OF, RANKS, RED_JOKER, SUITS
from domain.cards.facts import Fact, RestAnswered
from domain.game.protocol import AnyGame, AnyOptions, AnyTable
from domain.games import fact_types, find
from domain.match.state import Match
from service.languages import phrases
from service.web.boards import Board, board_of
from service.web.claiming import Resting
from service.web.controls import Kind, Tap, tap_of
from service.web.render import by_suit, card_parts, sign

STEPS: Final = 200  # a deal that is looked through is over by then
ORDER: Final = (*SUITS[::-1], *RANKS[::-1])
OF_A_CARD: Final = ("seat", "card")  # the members of a fact that says which card, and nothing else


class Ahead(msgspec.Struct, frozen=True):
    """The word of a card that is played, the cards as (code, how it is said, how it is printed, its class), and the
    calls as (fact, how it is said, how it is printed, its class, the suit or rank): those up to the first card, those
    that come `later`, and the answers to a claim, whose seat is that of whoever is asked."""

    word: str
    cards: tuple[tuple[str, str, str, str], ...]
    calls: tuple[tuple[str, str, str, str, str], ...]
    later: tuple[tuple[str, str, str, str, str], ...] = ()
    answers: tuple[tuple[str, str, str, str, str], ...] = ()


class Modifier(msgspec.Struct, frozen=True):
    """Another word for a card that is tapped; one that `hides` is kept for the browser's session only, one that is
    `lies` on the table from then on."""

    word: str
    named: str
    hides: bool
    lies: bool


class Square(msgspec.Struct, frozen=True):
    """A board before its first card: the words of what is tapped there, the square of the first card where there is
    one, the cards that may be named, and whether one has to be."""

    words: tuple[str, ...]
    board: Board
    first: str
    cards: tuple[str, ...]
    noted: bool
    filled: bool


class Away(msgspec.Struct, frozen=True):
    """The forms of a table whose service is not reached, whatever is on by then: `pack` says that cards may be named
    there, `red` who plays the red cards where that is known."""

    modifiers: tuple[Modifier, ...] = ()
    square: Square | None = None
    numbers: tuple[Kind, ...] = ()
    resting: Resting | None = None
    pack: bool = False
    red: int | None = None
    laid: None = None  # a hand is faced where cards are played


class Course(msgspec.Struct, frozen=True):
    """A deal that was looked through: its calls up to the first card and after it, the kinds of fact that named a
    card, whether a square was named with one, the words of numbers, the most tricks that were left, and between how
    many hands."""

    calls: tuple[Fact, ...]
    later: tuple[Fact, ...]
    named: frozenset[type[Fact]]
    noted: bool
    numbers: tuple[str, ...]
    left: int
    hands: int


def ahead_of(match: Match, pack: list[str]) -> Ahead:
    """Gathers what a table of this match may come to offer; of a pack that is not told, no card."""
    game, course = match.setup.game, _course(match.setup.game.key, match.setup.options)
    words = [_word(kind) for kind in game.facts if kind.control == "card"]
    framed = game.frame is not None and game.frame.framed
    codes = [code for row in by_suit(pack) for code in row["cards"]] if words else []
    answers = [RestAnswered(0, yes) for yes in (True, False)] if course.left else []
    calls = _taps(game, course.calls)
    later = [tap for tap in _taps(game, course.later) if tap.words not in {each.words for each in calls}]
    return Ahead(
        words[0] if words else "",
        tuple(_card(code, framed) for code in codes),
        tuple(map(_call, calls)),
        tuple(map(_call, later)),
        tuple(_call(tap_of(game.key, fact)) for fact in answers),
    )


def away_of(match: Match, pack: list[str]) -> Away:
    """The forms of a table of this match without a network; of a pack that is not told, no card."""
    game, course = match.setup.game, _course(match.setup.game.key, match.setup.options)
    played = [kind for kind in game.facts if kind.control == "card"][1:]
    seen = [kind for kind in game.facts if kind in course.named and kind.control == "button"]
    numbers = tuple(Kind(_word(kind), _named(game, kind)) for kind in fact_types() if _word(kind) in course.numbers)
    fewer = tuple(range(course.left)) if course.hands == len((0, 1)) else ()
    return Away(
        tuple(_modifier(game, kind) for kind in (*played, *seen)) if pack and game.frame is None else (),
        _square(game, course, pack) if pack or not course.noted else None,
        numbers,
        Resting(course.left, fewer, exact=False) if course.left else None,
        bool(pack),
        first_colour(match),
    )


def first_colour(match: Match) -> int | None:
    """The seat that plays the red cards all match long; None while no layout has told it."""
    known = (match.setup.game.script.cards_of(deal.cards).red for deal in match.deals if deal.cards is not None)
    return next((seat for seat in known if seat is not None), None)


@cache
def _course(key: str, options: AnyOptions) -> Course:
    """A deal of a game in which a card is played wherever one can be, and the first legal fact is taken elsewhere."""
    game = find(key)
    states = list(_states(game, options))
    buttons = [[fact for fact in game.legal(state) if fact.control == "button"] for state in states]
    plain = [[fact for fact in each if getattr(fact, "card", None) is None] for each in buttons]
    first = next((at for at, state in enumerate(states) if _play(game.legal(state))), len(states))
    named = {type(fact) for each in buttons for fact in each if getattr(fact, "card", None) is not None}
    squares = [fact for state in states for fact in game.legal(state) if fact.control == "square"]
    tricks = [on for on in map(game.rest, states) if on is not None]
    return Course(
        tuple(fact for each in plain[: first + 1] for fact in each) if first < len(states) else (),
        tuple(fact for each in plain[first + 1 :] for fact in each),
        frozenset(kind for kind in named if kind.__struct_fields__ == OF_A_CARD),
        bool(squares) and getattr(squares[0], "card", None) is not None,
        tuple(game.view(states[0], None).numbers),
        max((on.left for on in tricks), default=0),
        len(tricks[0].hands) if tricks else 0,
    )


def _states(game: AnyGame, options: AnyOptions) -> Iterator[AnyTable]:
    table: AnyTable = game.start(options, 0, None)
    for _ in range(STEPS):
        yield table
        legal = game.legal(table)
        if not legal:
            return
        table = game.evolve(table, _play(legal) or legal[0])


def _play(legal: tuple[Fact, ...]) -> Fact | None:
    """The first card that can be played, or the first square that can be tapped."""
    return next((fact for fact in legal if fact.control in ("card", "square")), None)


def _word(kind: type[Fact]) -> str:
    return str(kind.__struct_config__.tag)


def _named(game: AnyGame, kind: type[Fact]) -> str:
    return phrases.named(game.key, kind)


def _modifier(game: AnyGame, kind: type[Fact]) -> Modifier:
    return Modifier(_word(kind), _named(game, kind), bool(kind.hides), kind.control == "card")


def _square(game: AnyGame, course: Course, pack: list[str]) -> Square | None:
    frame, kinds = game.frame, [kind for kind in game.facts if kind.control == "square"]
    if frame is None or not kinds:
        return None
    board = board_of(msgspec.structs.replace(frame, first=None), None)
    first = (
        ""
        if frame.first is None
        else board.rows[frame.first[0] - frame.corner[0]][frame.first[1] - frame.corner[1]].name
    )
    named = any("card" in kind.__struct_fields__ for kind in kinds)
    cards = tuple(code for code in pack if CARD_OF[code] < RED_JOKER) if named else ()
    return Square(tuple(map(_word, kinds)), board, first, cards, course.noted, frame.filled)


def _taps(game: AnyGame, facts: tuple[Fact, ...]) -> list[Tap]:
    """The same call by whoever it is, once."""
    taps: dict[str, Tap] = {}
    for fact in facts:
        tap = tap_of(game.key, fact)
        taps.setdefault(tap.words, tap)
    return sorted(taps.values(), key=_place)


def _place(tap: Tap) -> int:
    return ORDER.index(tap.call) if tap.call in ORDER else len(ORDER)


def _card(code: str, framed: bool) -> tuple[str, str, str, str]:
    parts = card_parts(code)
    return code, parts["spoken"], f"{parts['text']}{parts['sign']}\ufe0e", f"card {parts['css']}"


def _call(tap: Tap) -> tuple[str, str, str, str, str]:
    if not tap.call:
        return tap.fact, tap.words, tap.words, "secondary", ""
    css = f"card {tap.call.lower()}" if tap.call in SUITS else "card"
    return tap.fact, tap.words, sign(tap.call), css, tap.call
