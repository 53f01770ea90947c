"""Templates, and how cards, facts and scores are said on a page."""

import re
from pathlib import Path
from typing import Any, Final

import jinja2
import msgspec
from litestar import MediaType, Response

from domain import codec
from domain.actor import RECORDERS
from domain.cards import CARD_OF, RANK_NAMES, RANKS, SUIT_NAMES, SUIT_SIGNS, SUITS
from domain.facts import Fact
from domain.games import fact_union
from domain.seats import seat_name
from projections.games import goal
from projections.tournaments.bracket import LONGEST
from service.auth import Caller
from service.web.access import called, who_of
from service.web.kept import NOWHERE, static_url, tagged
from service.web.tournaments.columns import heading, range_text, wanted
from service.web.words import in_words

HERE: Final = Path(__file__).parent
_ISOLATES: Final = dict.fromkeys(range(0x2066, 0x206A))


# what a fact that names a card does with it
ACTS: Final = {"play": "plays", "dark": "plays in the dark:", "spice": "spices with"}


def rank_text(rank: str) -> str:
    """A rank as it is printed: T is 10."""
    return {"T": "10", "R": "★", "B": "★"}.get(rank, rank)


def card_parts(code: str) -> dict[str, str]:
    """What a card looks like and how it is said."""
    card = CARD_OF[code]
    sign = SUIT_SIGNS.get(card.suit, "")
    css = card.suit.lower() if card.suit != "X" else ("xr" if card.rank == "R" else "xb")
    return {"text": rank_text(card.rank), "sign": sign, "css": css, "spoken": card.spoken}


def call_text(call: str) -> str:
    """A call as people read it."""
    if call in SUIT_SIGNS:
        return f"{SUIT_SIGNS[call]} {SUIT_NAMES[call]}"
    if call in RANK_NAMES and call not in "23456789":
        return RANK_NAMES[call]
    return {"-": "pass"}.get(call, call)


def fact_text(fact: dict[str, Any]) -> str:
    """What a button says that records this fact."""
    word = fact["do"]
    if word in ("declare", "propose"):
        name = SUIT_NAMES.get(fact["value"]) or f"{RANK_NAMES[fact['value']]}"
        return f"{SUIT_SIGNS.get(fact['value'], '')} {name}".strip()
    if word in ("trump", "announce"):
        return f"{'K-Q ' if word == 'announce' else ''}{SUIT_SIGNS[fact['suit']]} {SUIT_NAMES[fact['suit']]}"
    if word == "draw":
        return f"draw {fact['card'] or 'unseen'}"
    if word == "dark":
        return f"plays in the dark{': ' + fact['card'] if fact['card'] else ''}"
    if word == "spice":
        return f"spice with {fact['card'] or 'the card drawn'}" if fact["spice"] else "do not spice"
    if word == "claim":
        return f"claims {fact['claim']}"
    if "cell" in fact:
        return " ".join(filter(None, (word, cell_text(fact))))
    return {"bid": f"bid {fact.get('bid')}", "parity": str(fact.get("parity"))}.get(word, str(word))


def cell_text(fact: dict[str, Any]) -> str:
    """The square of a fact as notation calls it (`g4`), behind its card where the fact names one."""
    made: Fact = codec.convert(fact, fact_union())
    return (made.as_call() or "").removeprefix("??")


def square_text(fact: dict[str, Any]) -> str:
    """The square alone: `g4`."""
    return cell_text(fact)[-2:]


class Grid(msgspec.Struct, frozen=True):
    """Squares as a table: the letters of its columns, and its rows with their numbers; None where no card lies."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[dict[str, Any] | None, ...]], ...]


def grid_of(squares: list[dict[str, Any]]) -> Grid:
    """The squares of a layout, by the names that notation has for them."""
    named = {each["name"]: each for each in squares}
    columns, rows = sorted({name[0] for name in named}), sorted({name[1] for name in named}, reverse=True)
    cells = ((row, tuple(named.get(column + row) for column in columns)) for row in rows)
    return Grid(tuple(columns), tuple(cells))


def asks_text(word: str) -> str:
    """What the seat to act is asked for, above its buttons."""
    return {
        "declare": "trumps or tops?", "propose": "trumps or tops?", "trump": "which trumps?", "bid": "what bid?",
        "parity": "odd or even?", "announce": "an announcement?", "spice": "spice the trick?",
        "move": "which card moves?",
    }.get(word, "what next?")  # fmt: skip


def tops_text(top: str) -> str:
    """The order of ranks under a tops rank: from it down to Two, on to Ace and down again (CP.2)."""
    at = RANKS.index(top)
    return " ".join(rank_text(RANKS[(at - step) % len(RANKS)]) for step in range(len(RANKS)))


def by_suit(cards: list[str]) -> list[dict[str, Any]]:
    """A pack in rows of one suit, high to low: the same card in the same place, always."""
    rows = [{"name": SUIT_NAMES[suit], "cards": [c for c in cards if c[0] == suit]} for suit in "SHDC"]
    jokers = [c for c in cards if c[0] == "X"]
    return [{**row, "cards": row["cards"][::-1]} for row in rows] + (
        [{"name": "jokers", "cards": jokers}] * bool(jokers)
    )


def wins(games: list[dict[str, Any]], sides: int) -> list[int]:
    """How many games of the match each side has won."""
    return [sum(game["winner"] == side for game in games) for side in range(sides)]


def named(sentence: str, people: list[str]) -> str:
    """A sentence that counts seats, with the names of who sits there."""
    return re.sub(r"\bseat ([0-3])", lambda found: "".join(map(isolated, people[int(found[1]) :][:1])), sentence)


def isolated(name: str) -> str:
    """A name in a sentence or a title, where no <bdi> can stand: what turns text around stays inside it."""
    return f"\u2068{name.translate(_ISOLATES)}\u2069"


def aloud(text: str) -> str:
    """A text that is only read aloud: nothing in it is laid out, so nothing has to be kept apart."""
    return text.translate(_ISOLATES)


def seat_text(fact: dict[str, Any], people: list[str]) -> str:
    """A fact of the game in words; `people` are the names by seat."""
    what = fact_text(fact)
    if fact.get("card") and "cell" not in fact:
        what = f"{ACTS.get(fact['do'], '')} {card_parts(fact['card'])['spoken']}".strip()
    return f"{isolated(people[fact['seat']])} {what}"


def clock_text(instant: str) -> str:
    """A recorded time as people read it: date, then seconds."""
    return instant[:19].replace("T", " ")


def tap_text(value: Any) -> str:
    """A choice of the entry form."""
    return {"True": "yes", "False": "no"}.get(str(value), str(value))


def slug(number: str) -> str:
    """A ledger number in a URL: CP.g7 is cp-g7."""
    return number.replace(".", "-").lower()


def explained_at(rule: str, game: str) -> str:
    """Where a finding's rule is explained: on its game's page; a fact of the wrong kind breaks no rule of a game."""
    return f"/games/{game}#{slug(rule)}" if "." in rule else f"/problems/{rule}"


def side_text(side: dict[str, Any]) -> str:
    """A side's names."""
    return " & ".join(name or "(name removed)" for name in side["names"])


def ordinal(number: int) -> str:
    """The ending of 1st, 2nd, 3rd, 4th."""
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def capital(text: str) -> str:
    """A text that stands alone: its first letter is a capital, the others stay as they are."""
    return text[:1].upper() + text[1:]


def shortened(name: str) -> str:
    """A name that fits a box of the bracket."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def encoded(fact: Any) -> str:
    """A fact as JSON, for the value of a button."""
    return codec.encode(fact).decode()


def environment() -> jinja2.Environment:
    """The templates, autoescaped; an unknown name in one is an error."""
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    env.filters.update(
        card=card_parts,
        call=call_text,
        fact=fact_text,
        slug=slug,
        explained=explained_at,
        tap=tap_text,
        side=side_text,
        json=encoded,
        rank=rank_text,
        asks=asks_text,
        square=square_text,
        grid=grid_of,
        tops=tops_text,
        suits=by_suit,
        wins=wins,
        named=named,
        isolated=isolated,
        capital=capital,
        clock=clock_text,
        ordinal=ordinal,
        who=who_of,
        called=called,
        shortened=shortened,
        heading=heading,
        wanted=wanted,
        still=range_text,
    )
    env.globals.update(
        static=static_url, seat_name=seat_name, suits=SUITS[::-1], ranks=RANKS[::-1], signs=SUIT_SIGNS,
        suit_names=SUIT_NAMES, goal=goal,
    )  # fmt: skip
    return env


TEMPLATES: Final = environment()


def page(name: str, caller: Caller, status: int = 200, secret: bool = False, **values: Any) -> Response[str]:
    """A page for a caller; who is not signed in may keep it, unless it holds a `secret`. What is wrong is in words."""
    if values.get("error"):
        values["error"] = in_words(values["error"])
    text = TEMPLATES.get_template(name).render(caller=caller, recorder=caller.role in RECORDERS, **values)
    answer = Response(text, status_code=status, media_type=MediaType.HTML, headers=NOWHERE)
    return tagged(answer) if status == 200 and not caller.known and not secret else answer


def plain(value: Any) -> Any:
    """A Struct as plain values for a template."""
    return codec.plain(value)


def fact_of(text: str) -> Fact:
    """The fact that a button's value states. Raises msgspec errors."""
    fact: Fact = codec.fact_decoder().decode(text)
    return fact
