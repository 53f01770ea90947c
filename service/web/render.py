"""Templates, and how cards, facts and scores are said on a page."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import jinja2
from litestar import MediaType, Response
from markupsafe import Markup, escape

from domain import codec, english
from domain.cards.card import CARD_OF, RANKS, SUIT_NAMES, SUIT_SIGNS, SUITS
from domain.cards.facts import Fact
from domain.cards.seats import seat_name
from domain.game.race import GameScore
from domain.games import fact_union
from domain.log.event import Json, JsonObject
from domain.match.audit.grades import UNEXAMINED
from domain.tournament.format import Format
from domain.tournament.formats import all_formats
from projections.match_view import MatchView, SideView
from projections.tournaments.bracket import LONGEST
from service.desk.access import at_table
from service.http.code import CODE
from service.http.cookies import called, who_of, whos_of
from service.languages import phrases, spoken
from service.languages.known import ENGLISH, LANGUAGES
from service.languages.spoken import N_
from service.store.callers import Caller
from service.web.guide_text import place_of
from service.web.kept import NOWHERE, static_url, tagged
from service.web.labels import goal, left_text
from service.web.look import look_url
from service.web.script_texts import texts_url
from service.web.signed import signed
from service.web.times import clock, evening, local_text, minute, until, when, window
from service.web.tournaments.byes import bye_cell, bye_sentence, bye_text
from service.web.tournaments.columns import heading, range_text, wanted
from service.web.words import behind, in_words, label

HERE: Final = Path(__file__).parent
_ISOLATES: Final = dict.fromkeys(range(0x2066, 0x206A))
INDENT: Final = re.compile(r"(?<=\n)[ \t]+(?=<|[a-z-]+=\"|\{)")
_HELD: Final = re.compile(r"\bheld ([CDHS][2-9TJQKA])(?!\w)")


def card_parts(code: str) -> dict[str, str]:
    """The look of a card, and its name as it is said."""
    card = CARD_OF[code]
    sign = SUIT_SIGNS.get(card.suit, "")
    css = card.suit.lower() if card.suit != "X" else ("xr" if card.rank == "R" else "xb")
    return {"text": english.rank_text(card.rank), "sign": sign, "css": css, "spoken": phrases.card_name(code)}


def format_of(kind: str) -> type[Format]:
    """The format that a stage names: its flags are what pages differ by."""
    return all_formats()[kind]


def by_suit(cards: list[str]) -> list[JsonObject]:
    """A pack in rows of one suit, high to low: the same card in the same place, always."""
    names = {**{suit: SUIT_NAMES[suit] for suit in "SHDC"}, "X": "jokers"}
    rows = [
        {"name": name, "said": spoken.ptranslate(phrases.CARD, name), "cards": [c for c in cards if c[0] == suit]}
        for suit, name in names.items()
    ]
    *suits, jokers = rows
    return [{**row, "cards": row["cards"][::-1]} for row in suits] + [jokers] * bool(jokers["cards"])


def sign(call: str) -> str:
    """A suit or a rank as it is printed on a card; a suit as text, not as a picture."""
    return f"{SUIT_SIGNS[call]}\ufe0e" if call in SUIT_SIGNS else english.rank_text(call)


def wins(games: Sequence[GameScore], sides: int) -> list[int]:
    """The number of games of the match that each side has won."""
    return [sum(game.winner == side for game in games) for side in range(sides)]


def named(sentence: str, people: list[str]) -> str:
    """A sentence that counts seats, with the names of who sits there; a card that was held is said in words."""
    sentence = _HELD.sub(lambda found: f"held the {CARD_OF[found[1]].spoken.lower()}", sentence)
    return re.sub(r"\bseat ([0-3])", lambda found: "".join(map(isolated, people[int(found[1]) :][:1])), sentence)


def isolated(name: str) -> str:
    """A name in a sentence or a title, where no <bdi> can stand: what turns text around stays inside it."""
    return f"\u2068{name.translate(_ISOLATES)}\u2069"


def aloud(text: str) -> str:
    """A text that is only read aloud: nothing in it is laid out, so nothing has to be kept apart."""
    return text.translate(_ISOLATES)


def seat_text(key: str, fact: JsonObject, people: list[str]) -> str:
    """A fact at a table of the game in words; `people` are the names by seat."""
    told: Fact = codec.convert(fact, fact_union())
    return f"{isolated(people[told.seat])} {named(phrases.sentence(key, told.said()), people)}"


def bold(text: str) -> Markup:
    """A text with its first number in bold."""
    parts = re.split(r"(-?\d+)", text, maxsplit=1)
    number = Markup("<b>{}</b>")
    return Markup("").join(number.format(part) if at % 2 else escape(part) for at, part in enumerate(parts))


def day_text(moment: datetime, zone: str) -> str:
    """A time of now as people read it: date, hour and minute."""
    return local_text(moment.isoformat(), zone, "%Y-%m-%d %H:%M %Z")


def tap_text(value: Json) -> str:
    """A choice of the entry form."""
    said = {"True": N_("yes"), "False": N_("no")}.get(str(value), str(value))
    return spoken.translate(said)


def slug(number: str) -> str:
    """A ledger number in a URL: CP.g7 is cp-g7."""
    return number.replace(".", "-").lower()


def explained_at(rule: str, game: str) -> str:
    """The address where a finding's rule is explained: on its game's page; a fact of the wrong kind breaks no rule of a
    game."""
    return f"/games/{game}#{slug(rule)}" if "." in rule else f"/problems/{rule}"


def known_name(name: str | None) -> str:
    """A name, or that it was removed."""
    return name or spoken.translate("(name removed)")


def side_text(side: SideView) -> str:
    """A side's names."""
    return " & ".join(map(known_name, side.names))


def ordinal(number: int) -> str:
    """The ending of 1st, 2nd, 3rd, 4th; another language has one for all, or none."""
    if spoken.current() != ENGLISH:
        return spoken.ptranslate("ordinal", "{number}th").format(number="")
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def called_at(caller: Caller, match: MatchView) -> str:
    """The name of whoever is signed in at a match: who came in by its code is called by the name that was tapped."""
    own = next((each for each in caller.rights if each.by_code and each.match == match.id), None)
    if own is None or caller.people:
        return called(caller)
    names = {id: name for side in match.sides for id, name in zip(side.players, side.names, strict=True)}
    return spoken.translate("whoever keeps the score") if own.person is None else known_name(names.get(own.person))


def capital(text: str) -> str:
    """A text that stands alone: its first letter is a capital, the others stay as they are."""
    return text[:1].upper() + text[1:]


def shortened(name: str) -> str:
    """A name that fits a box of the bracket."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def encoded(fact: Any) -> str:
    """A fact as JSON, for the value of a button."""
    return codec.encode(fact).decode()


def framed_in() -> str:
    """The query in the address of a frame that names its language."""
    return "" if spoken.current() == ENGLISH else f"?language={spoken.current()}"


class Templates(jinja2.FileSystemLoader):
    """The templates without the indents before elements and attributes, which nobody sees and every live page is
    sent."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """The source of a template, with its lines; a space stays, since Jinja may take the line break away."""
        source, path, fresh = super().get_source(environment, template)
        return INDENT.sub(" ", source), path, fresh


def environment() -> jinja2.Environment:
    """The templates, autoescaped; an unknown name in one is an error."""
    env = jinja2.Environment(
        loader=Templates(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    env.policies["ext.i18n.trimmed"] = True
    env.install_gettext_callables(  # type: ignore[attr-defined]  # the extension brings it
        spoken.gettext, spoken.ngettext, newstyle=True, pgettext=spoken.pgettext, npgettext=spoken.npgettext
    )
    env.filters.update(
        card=card_parts,
        call=phrases.call_text,
        bold=bold,
        slug=slug,
        explained=explained_at,
        tap=tap_text,
        side=side_text,
        json=encoded,
        rank=english.rank_text,
        suits=by_suit,
        sign=sign,
        wins=wins,
        named=named,
        isolated=isolated,
        capital=capital,
        when=when,
        minute=minute,
        clock=clock,
        until=until,
        evening=evening,
        window=window,
        behind=lambda delay, at_table: spoken.translate(behind(delay, at_table)),
        day=day_text,
        signed=signed,
        ordinal=ordinal,
        who=who_of,
        whos=lambda caller: " ".join(whos_of(caller).values()),
        sits=at_table,
        called_at=called_at,
        called=called,
        shortened=shortened,
        heading=heading,
        wanted=wanted,
        still=range_text,
        label=lambda name: spoken.translate(label(name)),
        known=known_name,
        bye=bye_text,
        bye_sentence=bye_sentence,
        bye_cell=bye_cell,
        translated=spoken.translate,
        left=left_text,
        format_of=format_of,
    )
    env.globals.update(
        static=static_url,
        look=look_url,
        guide_to=place_of,
        pages_code=CODE,
        seat_name=seat_name,
        suits=SUITS[::-1],
        ranks=RANKS[::-1],
        signs=SUIT_SIGNS,
        suit_names=SUIT_NAMES,
        goal=goal,
        unexamined=UNEXAMINED,
        language=spoken.spoken,
        languages=LANGUAGES,
        script_texts=texts_url,
        framed_in=framed_in,
    )
    return env


TEMPLATES: Final = environment()


def page(name: str, caller: Caller, status: int = 200, secret: bool = False, **values: Any) -> Response[str]:
    """A page for a caller; who is not signed in may keep it, unless it holds a `secret`. What is wrong is in words."""
    if values.get("error"):
        values["error"] = in_words(values["error"])
    text = TEMPLATES.get_template(name).render(caller=caller, shown_by=name, **values)
    answer = Response(text, status_code=status, media_type=MediaType.HTML, headers=NOWHERE)
    return tagged(answer) if status == 200 and not caller.known and not secret else answer


def plain(value: Any) -> Any:
    """A Struct as plain values for a template."""
    return codec.plain(value)


def fact_of(text: str) -> Fact:
    """The fact that a button's value states. Raises msgspec errors."""
    fact: Fact = codec.fact_decoder().decode(text)
    return fact
