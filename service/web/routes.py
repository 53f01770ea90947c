"""Every page's route."""

from typing import Any, Final

from litestar import Request
from litestar.static_files import create_static_files_router

from domain.decider import Refusal
from service.web import clubs, games, matches, recording, replay, results, sign_in, standing_pages
from service.web.render import STATIC
from service.web.tournaments import actions, board, creating, downloads, pages, show

FILES: Final = frozenset(f"/{path.relative_to(STATIC).as_posix()}" for path in STATIC.rglob("*") if path.is_file())


def known_file(request: Request[Any, Any, Any]) -> None:
    """Only what we ship: the file system is never asked about a name that a client made up."""
    if request.scope["path"].removeprefix("/static") not in FILES:
        raise Refusal("not-found", "there is no such file")


PAGES: list[Any] = [
    create_static_files_router(
        "/static",
        [STATIC],
        cache_control=None,
        include_in_schema=False,
        name="static",
        before_request=known_file,
        opt={"query": ("v",)},
    ),
    clubs.home,
    clubs.found_club,
    clubs.club_page,
    clubs.new_match_page,
    clubs.new_match,
    standing_pages.ratings_page,
    standing_pages.season_page,
    matches.match_page,
    matches.live,
    results.result_page,
    results.enter_result,
    results.preview,
    recording.record_fact,
    recording.start_deal,
    recording.pause,
    recording.undo,
    recording.void_deal,
    recording.confirm,
    replay.replay_page,
    games.games_page,
    games.game_page,
    games.problem_page,
    creating.list_page,
    creating.new_page,
    creating.create,
    pages.round_page,
    pages.standings_page,
    pages.why_page,
    pages.bracket_page,
    pages.crosstable_page,
    pages.entries_page,
    pages.entry_page,
    pages.live,
    show.show_page,
    board.director_page,
    board.log_page,
    actions.act,
    downloads.download,
    downloads.enter_many,
    sign_in.link_page,
    sign_in.redeem,
    sign_in.sign_out,
]
