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
from service.web.render import page

TITLES: Final = {
    "": ("Rules", ""),
    "g": ("What the rules leave open", "Where nothing is printed about it, this is how it is played here."),
    "i": ("What a score must fulfil", "A result against one of these is refused."),
}


COLOURS: Final = (
    ("paper", "the page"),
    ("raised", "what lies on it"),
    ("sunk", "what lies in it"),
    ("ink", "what is read"),
    ("soft", "what stands beside it"),
    ("line", "edges of what is tapped"),
    ("faint", "lines between rows"),
    ("accent", "links, and what is live"),
    ("strong", "the one primary button"),
    ("one", "the first side"),
    ("two", "the second side"),
    ("alarm", "what a person must see to"),
    ("warn", "what waits"),
    ("mine", "your own row"),
    ("felt", "the bar"),
)


class Chapter(msgspec.Struct, frozen=True):
    """Rules of one kind under their heading."""

    title: str
    said: str
    rules: tuple[RuleView, ...]


def chapters(rules: tuple[RuleView, ...]) -> list[Chapter]:
    """The rules by kind, which the letter in the number tells: CP.7, CP.g7, CP.i2."""
    kinds = itertools.groupby(rules, lambda rule: rule.number.partition(".")[2].rstrip("0123456789"))
    return [Chapter(*TITLES[kind], tuple(found)) for kind, found in kinds]


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
    return page("design.html", await caller_of(request), colours=COLOURS)


@get("/problems/{slug:str}", include_in_schema=False)
async def problem_page(request: AnyRequest, slug: FromPath[str]) -> Response[str]:
    """The meaning of a kind of problem, and its remedy."""
    if slug not in KINDS:
        raise Refusal("not-found", f"there is no problem called {slug[:40]!r}")
    return page("problem.html", await caller_of(request), slug=slug, kind=KINDS[slug])
