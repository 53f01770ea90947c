"""The page of a player: won and lost by game and by opponent, the rating as a plot, runs and lurches."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath

from projections.ratings import HistoryView
from projections.season_record import SeasonRecordView
from service.desk.access import club_for
from service.desk.clubs import club_view
from service.desk.standings import history_of, record_of
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of
from service.languages.spoken import N_, translate, translated
from service.web.clubs import titles
from service.web.forms import text_of
from service.web.plots import Plot, plot
from service.web.render import page
from service.web.times import day_month

MOST_LINES: Final = 5
RUNS: Final = {"won": N_("won in a row"), "unbeaten": N_("in a row without a loss"), "lost": N_("lost in a row")}


@get("/clubs/{club_id:uuid}/players/{player_id:uuid}", include_in_schema=False, query=("game", "as_of"))
async def player_page(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> Response[str]:
    """A person's record, in all or in one game, now or as of a moment."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    query = dict(request.query_params)
    game, moment = text_of(query, "game")[:40] or None, text_of(query, "as_of")[:40] or None
    record = await record_of(services, club, str(player_id), game, moment)
    most = record.games[0].game if record.games else None
    history = await history_of(services, club, record.player, game or most, moment) if game or most else None
    zone = club.state.settings.zone
    return page(
        "player.html",
        caller,
        club=club_view(club),
        record=record,
        history=history,
        plot=None if history is None else rating_plot(history, zone),
        moment=moment,
        runs=translated(RUNS),
        titles=titles(),
        zone=zone,
        own=caller.person_in(club.club) == record.player,
    )


def rating_plot(history: HistoryView, zone: str) -> Plot | None:
    """The rating before the first match and after each one."""
    if not history.history:
        return None
    steps = history.history
    values = [steps[0].before, *(each.after for each in steps)]
    days = [day_month(each.when, zone) for each in steps]
    return plot([(str(values[-1]), values)], [days[0], *days])


def season_plot(shown: SeasonRecordView) -> Plot | None:
    """The points of the first players after each tournament, each line marked with the rank."""
    lines: Sequence[tuple[str, Sequence[float]]] = [
        (f"{each.rank}.", (0, *each.points)) for each in shown.lines[:MOST_LINES]
    ]
    return plot(lines, [translate("start"), *(each.date or each.name[:12] for each in shown.stops)])
