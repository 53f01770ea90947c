"""The words of CTN: cards as people write them, hands, sums, recorded scores, rulings."""

import re
from typing import Final

import msgspec

from domain import codec
from domain.cards import CARD_OF, RANKS, RED_JOKER, SUITS, Card, sorted_hand
from domain.cards import mask_of as mask
from domain.seats import NAMES

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
_DRAW_WORD = re.compile(r"\+([ABNESW]):(\?\?|[^!=^~>@:]{1,4})((?:" + MARKS.pattern + r")*)\Z")
_SCORE = re.compile(r"-?\d{1,6}\Z")
_TRICKS = re.compile(r"\((\d{1,3}(?:,\d{1,3})*)\)\Z")
_NUMBER_WORD = re.compile(r"\d{1,3}\.\Z")


class PlayWord(msgspec.Struct, frozen=True):
    """A word in the course of play: the number of its trick and whose it is if it says so, whether it was played
    in the dark, the card as written, its square, the slash of a diagonal move, its marks."""

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
    """A call or a draw: whose, what, and its marks."""

    seat: str
    call: str
    marks: tuple[str, ...]


def call_word(text: str) -> CallWord | None:
    """A word like `B:1^INS~` taken apart, or None."""
    match = _CALL_WORD.match(text)
    return CallWord(match[1], match[2], tuple(MARKS.findall(match[3]))) if match else None


def draw_word(text: str) -> CallWord | None:
    """A word like `+A:H7` taken apart, or None."""
    match = _DRAW_WORD.match(text)
    return CallWord(match[1], match[2], tuple(MARKS.findall(match[3]))) if match else None


def spellings(call: str) -> tuple[str, ...]:
    """A call as it stands, and as people may have meant it: `♠`, `s`, `10`, `Odd`."""
    plain = call.translate(GLYPHS)
    return tuple(dict.fromkeys((call, plain.upper(), plain.lower(), plain.upper().replace("10", "T"))))


def is_number(text: str) -> bool:
    """`4.` alone: the number of a trick."""
    return bool(_NUMBER_WORD.match(text))


def read_card(text: str, language: str = "en", led: Card | None = None) -> Card | None:
    """A card as people write it: either order, lower case, `10`, suit signs, local rank letters, the
    suit left out when it follows the one led. None when it is no card."""
    plain = text.translate(GLYPHS).upper().replace("10", "T")
    local = LANGUAGES.get(language, {})
    if len(plain) == 1 and led is not None and led < RED_JOKER:
        rank = local.get(plain, plain)
        return CARD_OF.get(led.suit + rank) if rank in RANKS else None
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


class Recorded(msgspec.Struct, frozen=True):
    """What `R` says of one side: its letters as written, its seats, its score, the tricks of its seats."""

    name: str
    seats: tuple[int, ...]
    score: int
    tricks: tuple[int, ...] | None = None


def read_recorded(words: list[str], seats: int) -> tuple[list[Recorded], dict[str, str]] | None:
    """`N+E 15 (4,2) S+W 20 (4,3)` or `A 33 B 88 stuck=A` side by side, each seat once, and what else is named;
    None when it is something else."""
    found: list[Recorded] = []
    named: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        who = seats_of(word, seats)
        tricks = _TRICKS.match(word)
        if who is not None and rest and _SCORE.match(rest[0]):
            found.append(Recorded(word, who, int(rest.pop(0))))
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
    """`A 48 B 49` as scores by seat; None when it is something else."""
    read = read_recorded(words, seats)
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


def statement(raw: msgspec.Raw) -> str:
    """What was stated, as plain text; nothing where its words are not at hand."""
    return codec.decode(raw, str | None) or ""  # type: ignore[arg-type]  # a union is read like a type


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
