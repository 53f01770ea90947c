"""The words of CTN: cards as people write them, hands, sums, recorded scores, rulings."""

import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from domain import codec
from domain.cards.card import CARD_OF, RANKS, RED_JOKER, SUITS, Card, sorted_hand
from domain.cards.card import mask_of as mask
from domain.cards.facts import RestClaimed
from domain.cards.seats import NAMES

GLYPHS: Final = str.maketrans(
    {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C", "️": "", "︎": ""}
)
GAP: Final = "--"
# Ace, king, queen and jack in the languages that `[Lang]` may name
LANGUAGES: Final[dict[str, dict[str, str]]] = {
    "en": {},
    "de": {"D": "Q", "B": "J"},
    "fi": {"R": "Q"},
    "ro": {"D": "Q"},
}
MARKS = re.compile(r"!\d+|=-?\d+|\^[A-Z][A-Z0-9]{1,3}|~|>[A-Z](?:-?\d+)?")
_PLAY_WORD = re.compile(
    r"(?:(\d{1,3})\.)?(?:([ABNESW]):)?(?:(\*)(?=[^*]|\Z))?(\?\?|[^!=^~>@:./*-]{1,4}?)?"
    r"(?:@?([a-g][1-7]))?(/?)((?:" + MARKS.pattern + r")*)\Z"
)
_CALL_WORD = re.compile(r"([ABNESW]):(!?[^!=^~>@:]{1,6})((?:" + MARKS.pattern + r")*)\Z")
_REST_WORD = re.compile(r"([ABNESW]):(rest\d{0,2})((?:\+[ABNESW]:[^!=^~>@:+]+)+)((?:" + MARKS.pattern + r")*)\Z")
_DRAW_WORD = re.compile(r"\+([ABNESW]):(\?\?|[^!=^~>@:]{1,4})((?:" + MARKS.pattern + r")*)\Z")
_SCORE = re.compile(r"-?\d{1,6}\Z")
_TRICKS = re.compile(r"\((\d{1,3}(?:,\d{1,3})*)\)\Z")
_NUMBER_WORD = re.compile(r"\d{1,3}\.\Z")


class PlayWord(msgspec.Struct, frozen=True):
    """A word of play in parts: trick number and seat if they are written, played in the dark or not, the card as
    written, its square, the slash of a diagonal move, its marks."""

    number: str | None
    seat: str | None
    dark: bool
    card: str
    square: str
    slash: str
    marks: tuple[str, ...]


def play_word(text: str) -> PlayWord | None:
    """A word like `3.SK!40`, `*S2`, `SQ@d4` or `SJc3/` taken apart, or None."""
    match = _PLAY_WORD.match(text)
    if not match or not (match[3] or match[4]):
        return None
    return PlayWord(
        match[1], match[2], bool(match[3]), match[4] or "", match[5] or "", match[6], tuple(MARKS.findall(match[7]))
    )


class CallWord(msgspec.Struct, frozen=True):
    """A call or a draw in parts: seat, call or card, marks."""

    seat: str
    call: str
    marks: tuple[str, ...]


def call_word(text: str) -> CallWord | None:
    """A word like `B:1^INS~` taken apart, or None."""
    match = _CALL_WORD.match(text)
    return CallWord(match[1], match[2], tuple(MARKS.findall(match[3]))) if match else None


class RestWord(msgspec.Struct, frozen=True):
    """A claim of the rest with faced cards in parts: seat, call, the cards by the letter of their seat, marks."""

    seat: str
    call: str
    faced: tuple[tuple[str, str], ...]
    marks: tuple[str, ...]


def rest_word(text: str) -> RestWord | None:
    """A word like `A:rest3+A:SASKHQ+B:H2^CLM` taken apart, or None."""
    match = _REST_WORD.match(text)
    if not match:
        return None
    faced = tuple((part[0], part[2:]) for part in match[3][1:].split("+"))
    return RestWord(match[1], match[2], faced, tuple(MARKS.findall(match[4])))


def read_run(text: str, language: str) -> tuple[Card, ...] | None:
    """Cards without spaces between: `SASKHQ`."""
    plain = text.translate(GLYPHS).upper().replace("10", "T")
    cards = [read_card(plain[at : at + 2], language) for at in range(0, len(plain), 2)]
    return None if None in cards else tuple(card for card in cards if card is not None)


def write_rest(fact: RestClaimed, letters: Sequence[str]) -> str:
    """A claim of the rest with the cards that were faced."""
    call = "rest" if fact.tricks is None else f"rest{fact.tricks}"
    faced = ((letters[seat], "".join(map(str, cards))) for seat, cards in enumerate(fact.hands) if cards)
    return "".join([f"{letters[fact.seat]}:{call}", *(f"+{letter}:{cards}" for letter, cards in faced)])


def draw_word(text: str) -> CallWord | None:
    """A word like `+A:H7` taken apart, or None."""
    match = _DRAW_WORD.match(text)
    return CallWord(match[1], match[2], tuple(MARKS.findall(match[3]))) if match else None


def spellings(call: str) -> tuple[str, ...]:
    """A call as written and in the spellings that people use for it: `♠`, `s`, `10`, `Odd`."""
    plain = call.translate(GLYPHS)
    return tuple(dict.fromkeys((call, plain.upper(), plain.lower(), plain.upper().replace("10", "T"))))


def is_number(text: str) -> bool:
    """`4.` alone: the number of a trick."""
    return bool(_NUMBER_WORD.match(text))


def read_card(text: str, language: str = "en", led: Callable[[], Card | None] | None = None) -> Card | None:
    """A card in any of its spellings: either order, lower case, `10`, suit signs, local rank letters, a bare rank in
    the suit that was led, which `led` says if it is asked. None for a word that is no card."""
    plain = text.translate(GLYPHS).upper().replace("10", "T")
    local = LANGUAGES.get(language, {})
    if len(plain) == 1:
        lead, rank = led() if led else None, local.get(plain, plain)
        return CARD_OF.get(lead.suit + rank) if lead is not None and lead < RED_JOKER and rank in RANKS else None
    if len(plain) != 2:
        return None
    first, second = plain[0], plain[1]
    if first in SUITS and local.get(second, second) in RANKS:
        return CARD_OF.get(first + local.get(second, second))
    if second in SUITS and local.get(first, first) in RANKS:
        return CARD_OF.get(second + local.get(first, first))
    return CARD_OF.get(plain)


def seat_of(name: str, seats: int) -> int | None:
    """The seat of a letter at a table of that size."""
    return NAMES[seats].index(name) if name in NAMES[seats] else None


def seats_of(name: str, seats: int) -> tuple[int, ...] | None:
    """The seats of `A`, `NS` or `N+E`."""
    found = [seat_of(letter, seats) for letter in name.replace("+", "")]
    if not found or any(seat is None for seat in found) or len(set(found)) < len(found):
        return None
    return tuple(seat for seat in found if seat is not None)


class WrittenScore(msgspec.Struct, frozen=True):
    """The part of an `R` line about one side: its letters as written, its seats, its score, the tricks of its seats."""

    name: str
    seats: tuple[int, ...]
    score: int
    tricks: tuple[int, ...] | None = None


def read_written_scores(words: list[str], seats: int) -> tuple[list[WrittenScore], dict[str, str]] | None:
    """The sides of `N+E 15 (4,2) S+W 20 (4,3)` or `A 33 B 88 stuck=A`, each seat once, and the named values;
    None for anything else."""
    found: list[WrittenScore] = []
    named: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        who = seats_of(word, seats)
        tricks = _TRICKS.match(word)
        if who is not None and rest and _SCORE.match(rest[0]):
            found.append(WrittenScore(word, who, int(rest.pop(0))))
        elif tricks and found:
            figures = tuple(int(figure) for figure in tricks[1].split(","))
            found[-1] = msgspec.structs.replace(found[-1], tricks=figures)
        elif "=" in word:
            name, _, value = word.partition("=")
            named[name] = value
        else:
            return None
    told = [seat for side in found for seat in side.seats]
    return (found, named) if found and len(set(told)) == len(told) else None


def read_scores(words: list[str], seats: int) -> dict[int, int] | None:
    """`A 48 B 49` as scores by seat; None for anything else."""
    read = read_written_scores(words, seats)
    return {seat: side.score for side in read[0] for seat in side.seats} if read else None


def write_hand(cards: tuple[Card, ...]) -> str:
    """`S AK5 H T D - C 432`: every suit, a dash for a void; jokers as `X RB`."""
    hand = sorted_hand(mask(cards))
    parts = []
    for suit in "SHDC":
        ranks = "".join(card.rank for card in hand if card.suit == suit)
        parts.append(f"{suit} {ranks or '-'}")
    jokers = "".join(card.rank for card in hand if card.suit == "X")
    return " ".join([*parts, f"X {jokers}"] if jokers else parts)


def read_hand(text: str, language: str) -> tuple[Card, ...] | None:
    """A hand written suit by suit."""
    words = text.translate(GLYPHS).upper().replace("10", "T").split()
    cards: list[Card] = []
    if len(words) % 2:
        return None
    local = LANGUAGES.get(language, {})
    for suit, ranks in zip(words[::2], words[1::2], strict=True):
        for letter in "" if ranks == "-" else ranks:
            card = CARD_OF.get(suit + (letter if suit == "X" else local.get(letter, letter)))
            if card is None or suit not in "SHDCX":
                return None
            cards.append(card)
    return tuple(cards)


def read_hands(text: str, language: str) -> tuple[tuple[Card, ...], ...] | None:
    """`A:… / B:…`: hands in the order of the seats, twice round for two phases."""
    hands = []
    for part in text.split("/"):
        _, found, body = part.strip().partition(":")
        hand = read_hand(body, language) if found else None
        if hand is None:
            return None
        hands.append(hand)
    return tuple(hands)


def read_cards(text: str, language: str) -> tuple[Card, ...] | None:
    """Cards with spaces between."""
    cards = [read_card(word, language) for word in text.split()]
    if any(card is None for card in cards):
        return None
    return tuple(card for card in cards if card is not None)


def stated_text(raw: msgspec.Raw) -> str:
    """A stated score as plain text; empty after its private words were erased."""
    return codec.decoder(str | None).decode(raw) or ""


def read_rows(text: str, language: str) -> tuple[tuple[Card | None, ...], ...] | None:
    """`C7 C9 --/S8 …`: cards row by row from the top, `--` the gap."""
    rows = []
    for line in text.split("/"):
        cards = [(word, None if word == GAP else read_card(word, language)) for word in line.split()]
        if any(card is None and word != GAP for word, card in cards):
            return None
        rows.append(tuple(card for _, card in cards))
    return tuple(rows)


def write_rows(rows: tuple[tuple[Card | None, ...], ...]) -> str:
    """Rows from the top as `read_rows` reads them."""
    return "/".join(" ".join(GAP if card is None else str(card) for card in row) for row in rows)
