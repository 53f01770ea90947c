"""Pages that explain: the games from their own texts, and each kind of problem."""

from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from domain.decider import Refusal
from domain.games import all_games
from projections.games import game_view, game_views
from service.problems import KINDS
from service.web.access import caller_of
from service.web.render import page, plain

AnyRequest = Request[Any, Any, Any]


@get("/games", include_in_schema=False)
async def games_page(request: AnyRequest) -> Response[str]:
    """Every game."""
    return page("games.html", await caller_of(request), games=plain(game_views()))


@get("/games/{key:str}", include_in_schema=False)
async def game_page(request: AnyRequest, key: FromPath[str]) -> Response[str]:
    """One game: rules, options, worked scores."""
    if key not in all_games():
        raise Refusal("not-found", f"there is no game {key[:40]!r}; there are {', '.join(all_games())}")
    return page("game.html", await caller_of(request), game=plain(game_view(all_games()[key])))


@get("/problems/{slug:str}", include_in_schema=False)
async def problem_page(request: AnyRequest, slug: FromPath[str]) -> Response[str]:
    """What a kind of problem means and how to mend it."""
    if slug not in KINDS:
        raise Refusal("not-found", f"there is no problem called {slug[:40]!r}")
    return page("problem.html", await caller_of(request), slug=slug, kind=KINDS[slug])
