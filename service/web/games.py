"""Pages that explain: the games from their own texts, each kind of problem, and the parts of pages."""

import itertools
from typing import Final

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.games import all_games
from domain.log.decider import Refusal
from projections.games import RuleView, game_view, game_views
from service.http.caller import AnyRequest
from service.http.cookies import caller_of
from service.http.kinds import KINDS
from service.languages.spoken import N_, translate
from service.web.render import page

TITLES: Final = {
    "": (N_("Rules"), ""),
    "g": (N_("What the rules leave open"), N_("Where nothing is printed about it, this is how it is played here.")),
    "i": (N_("What a score must fulfil"), N_("A result against one of these is refused.")),
}


COLOURS: Final = (
    ("paper", N_("the page")),
    ("raised", N_("what lies on it")),
    ("sunk", N_("what lies in it")),
    ("ink", N_("what is read")),
    ("soft", N_("what stands beside it")),
    ("line", N_("edges of what is tapped")),
    ("faint", N_("lines between rows")),
    ("accent", N_("links, and what is live")),
    ("strong", N_("the one primary button")),
    ("one", N_("the first side")),
    ("two", N_("the second side")),
    ("alarm", N_("what a person must see to")),
    ("warn", N_("what waits")),
    ("mine", N_("your own row")),
    ("felt", N_("the bar")),
)


class Chapter(msgspec.Struct, frozen=True):
    """Rules of one kind under their heading."""

    title: str
    said: str
    rules: tuple[RuleView, ...]


def _chapter(title: str, said: str, rules: tuple[RuleView, ...]) -> Chapter:
    return Chapter(translate(title), translate(said), rules)


def chapters(rules: tuple[RuleView, ...]) -> list[Chapter]:
    """The rules by kind, which the letter in the number tells: CP.7, CP.g7, CP.i2."""
    kinds = itertools.groupby(rules, lambda rule: rule.number.partition(".")[2].rstrip("0123456789"))
    return [_chapter(*TITLES[kind], tuple(found)) for kind, found in kinds]


@get("/games", include_in_schema=False)
async def games_page(request: AnyRequest) -> Response[str]:
    """Every game."""
    return page("games.html", await caller_of(request), games=game_views())


@get("/games/{key:str}", include_in_schema=False)
async def game_page(request: AnyRequest, key: FromPath[str]) -> Response[str]:
    """One game: rules, options, worked scores."""
    if key not in all_games():
        raise Refusal("not-found", f"there is no game {key[:40]!r}; there are {', '.join(all_games())}")
    view = game_view(all_games()[key])
    return page("game.html", await caller_of(request), game=view, chapters=chapters(view.rules))


@get("/design", include_in_schema=False)
async def design_page(request: AnyRequest) -> Response[str]:
    """The parts that pages are made of, for those who build them."""
    return page("design.html", await caller_of(request), colours=[(name, translate(said)) for name, said in COLOURS])


@get("/problems/{slug:str}", include_in_schema=False)
async def problem_page(request: AnyRequest, slug: FromPath[str]) -> Response[str]:
    """The meaning of a kind of problem, and its remedy."""
    if slug not in KINDS:
        raise Refusal("not-found", f"there is no problem called {slug[:40]!r}")
    kind = KINDS[slug]
    return page(
        "problem.html",
        await caller_of(request),
        slug=slug,
        kind=msgspec.structs.replace(kind, title=translate(kind.title), meaning=translate(kind.meaning)),
    )
