"""The tags of CTN, read into the commands that open a match and start a deal."""

from collections.abc import Iterator
from typing import Final

import msgspec

from domain.cards.seats import NAMES
from domain.game.protocol import AnyDeal
from domain.game.race import Lurch
from domain.game.script import DealCards
from domain.log.decider import Refusal
from domain.log.event import Json, JsonObject
from domain.match import commands as c
from domain.match.events import Depth
from domain.match.opening import OptionValue, find_game, option_value, read_options
from domain.match.state import Setup
from domain.notation.tokens import Token
from domain.notation.words import LANGUAGES, read_cards, read_hands, read_rows

ORDER: Final = (
    *("Event", "Site", "Date", "Round", "Table", "Club", "Game", "Rules", "Option"),
    *("Target", "WinBy", "Cap", "Lurch", "WinPoints", "BestOf", "Deals"),
)
AFTER: Final = ("Red", "Scorer", "Director", "Lang")
SEAL: Final = "Seal"  # the last of a match: it ties the file to the log
RACE_TAGS: Final = {
    "Target": "target",
    "WinBy": "win_by",
    "Cap": "cap",
    "Deals": "deals",
    "BestOf": "best_of",
}
_READ: Final = {"Game", "Rules", "Option", "Lurch", "WinPoints", *RACE_TAGS}
_DEAL_TAGS: Final = {"Deal", "Dealer", "Detail", "Hands", "Stock", "Layout", "Entry"}


class MatchTags(msgspec.Struct, frozen=True):
    """The tags of a match as read: the command that opens it, names by side, the language of its ranks, the seat that
    plays red."""

    command: c.OpenMatch
    names: tuple[tuple[str, ...], ...]
    language: str
    red: Token | None = None


class DealTags(msgspec.Struct, frozen=True):
    """The tags of a deal as read: the command that starts it, and the result of a deal without cards."""

    command: c.StartDeal
    entry: Json


def match_tags(head: list[Token]) -> MatchTags:
    """The command that opens a match. Raises Refusal."""
    tags = {token.name: token.text for token in head}
    if "Game" not in tags:
        raise Refusal("malformed", 'a match begins with its tags, [Game "…"] among them')
    game = find_game(tags["Game"])
    _check_rules(game.key, game.version, tags.get("Rules"))
    given = dict(_option(token.text) for token in head if token.name == "Option")
    options = read_options(game, given)
    count = game.seats(options)
    letters = NAMES[count]
    by_seat = [tags.get(letter, letter) for letter in letters]
    names = tuple(tuple(by_seat[seat] for seat in side) for side in game.sides(options))
    language = tags.get("Lang", "en")
    if language not in LANGUAGES:
        raise Refusal("malformed", f"[Lang] is one of {', '.join(LANGUAGES)}")
    kept = [[token.name, token.text] for token in head if token.name not in {*_READ, *letters}]
    private = {"tags": kept} if kept else None
    command = c.OpenMatch(
        game=game.key,
        options=given,
        race=_race(tags, game.race_for(options).lurch),
        sides=names,
        recording="record",
        private=private,
    )
    red = next((token for token in head if token.name == "Red"), None)
    if red is not None and red.text not in letters:
        raise Refusal("malformed", f"[Red] is one of {' '.join(letters)}")
    return MatchTags(command, names, language, red)


def _check_rules(key: str, version: int, rules: str | None) -> None:
    if rules is not None and rules != f"{key}/{version}":
        raise Refusal("unknown-option", f"[Rules {rules!r}] are not known here; {key}/{version} is")


def _option(text: str) -> tuple[str, OptionValue]:
    name, _, value = text.partition(" ")
    return name, option_value(value)


def _race(tags: dict[str, str], usual: Lurch | None) -> JsonObject:
    race: JsonObject = {}
    for tag, name in RACE_TAGS.items():
        if tag in tags:
            race[name] = _number(tag, tags[tag])
    if tags.get("Lurch") == "none":
        race["lurch"] = None
    elif "Lurch" in tags or ("WinPoints" in tags and usual is not None):
        given_lines = tags["Lurch"].split() if "Lurch" in tags else usual.lines if usual else ()
        lines = [line if "/" in str(line) else _number("Lurch", str(line)) for line in given_lines]
        given = tags.get("WinPoints")
        points = given.split() if given else [str(1 + level) for level in range(len(lines) + 1)]
        race["lurch"] = {"lines": lines, "win_points": [_number("WinPoints", each) for each in points]}
    return race


def _number(tag: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise Refusal("malformed", f"[{tag} {text!r}] is not a number")
    return int(text)


def match_faults(tags: list[Token]) -> Iterator[tuple[Token, str]]:
    """Tags of a match that contradict each other, and tags that belong to a deal."""
    yield from _twice(tags)
    for token in tags:
        if token.name in _DEAL_TAGS:
            yield token, f'[{token.name}] stands behind the [Deal "n"] that it is about'


def deal_faults(tags: list[Token], setup: Setup) -> Iterator[tuple[Token, str]]:
    """Tags of a deal that contradict each other, and tags that belong before the first deal."""
    yield from _twice(tags)
    for token in tags:
        if token.name in {*_READ, "Lang", *NAMES[setup.game.seats(setup.options)]}:
            yield token, f"[{token.name}] stands before the first deal"


def _twice(tags: list[Token]) -> Iterator[tuple[Token, str]]:
    """A tag, or an option of one name, that stands twice with different values."""
    said: dict[str, str] = {}
    for token in tags:
        single = {*_READ, *_DEAL_TAGS, "Lang", *NAMES[2], *NAMES[4]}
        name = token.text.partition(" ")[0] if token.name == "Option" else token.name
        if token.name in single and said.setdefault(name, token.text) != token.text:
            yield token, f"[{name}] is said twice, and not alike"


def deal_tags(tags: list[Token], setup: Setup, match: MatchTags, cards: bool) -> DealTags:
    """The command that starts a deal. Raises Refusal."""
    named = {token.name: token for token in ([match.red] if match.red else []) + tags}
    letters = NAMES[setup.game.seats(setup.options)]
    dealer = None
    if "Dealer" in named:
        if named["Dealer"].text not in letters:
            raise Refusal("malformed", f"[Dealer] is one of {' '.join(letters)}")
        dealer = letters.index(named["Dealer"].text)
    deal = _deal(named, setup, match.language)
    detail = named["Detail"].text if "Detail" in named else None
    depth: Depth = "full" if deal is not None else "plays" if cards else "summary"
    if detail == "summary":
        depth = "summary"
    elif detail == "plays":
        depth = "plays"
    elif detail not in (None, "full"):
        raise Refusal("malformed", "[Detail] is full, plays or summary")
    entry = _entry(named["Entry"]) if "Entry" in named else None
    read = _DEAL_TAGS | ({"Red"} if "Layout" in named else set())
    kept = [[token.name, token.text] for token in tags if token.name not in read]
    private = {"tags": kept} if kept else None
    command = c.StartDeal(dealer=dealer, deal=deal, depth=depth, private=private)
    return DealTags(command, entry)


def _deal(named: dict[str, Token], setup: Setup, language: str) -> AnyDeal | None:
    """The deal that hands, a stock or a layout give; None without them."""
    if "Layout" in named:
        rows = read_rows(named["Layout"].text, language)
        if rows is None:
            raise Refusal("malformed", '[Layout "C7 C9 …/S8 …"]: rows from the top, -- for the gap')
        letters = NAMES[setup.game.seats(setup.options)]
        red = letters.index(named["Red"].text) if "Red" in named and named["Red"].text in letters else None
        layout: AnyDeal = setup.game.script.deal_of(setup.options, DealCards(rows=rows, red=red))
        return layout
    if "Hands" not in named:
        return None
    hands = read_hands(named["Hands"].text, language)
    if hands is None:
        raise Refusal("malformed", '[Hands "A:S AK5 H 72 D - C QJ9 / B:…"]: suits with their ranks')
    stock = read_cards(named["Stock"].text, language) if "Stock" in named else ()
    if stock is None:
        raise Refusal("malformed", "[Stock] is a list of cards, top card first")
    dealt: AnyDeal = setup.game.script.deal_of(setup.options, DealCards(hands, stock))
    return dealt


def _entry(token: Token) -> Json:
    try:
        return msgspec.json.decode(token.text)
    except (msgspec.DecodeError, RecursionError):
        raise Refusal("malformed", "[Entry] holds a result as JSON") from None
