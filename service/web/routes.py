"""Every page's route."""

from collections.abc import Sequence

from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler

from service.web import clubs, erasing, games, matches, recording, replay, results, sign_in, standing_pages
from service.web.kept import STATIC, known_file
from service.web.tournaments import actions, board, creating, downloads, pages, show, steps

PAGES: Sequence[ControllerRouterHandler] = [
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
    erasing.erase_page,
    erasing.erase,
    erasing.export,
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
    recording.restore_deal,
    recording.confirm,
    recording.dispute,
    recording.settle,
    recording.open_hands,
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
    steps.log_page,
    actions.act,
    downloads.download,
    downloads.enter_many,
    sign_in.link_page,
    sign_in.redeem,
    sign_in.sign_out,
]
