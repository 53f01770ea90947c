"""Pages of the sum of a club's results: ratings with a player's history, the season with its working."""

from fractions import Fraction
from typing import Final, get_args
from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath

from domain.log.decider import Refusal
from domain.standings.ratings import RatingKind
from service.desk.access import club_for
from service.desk.clubs import club_view
from service.desk.standings import book_of, history_of, ratings_of, season_of, season_record_of
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of
from service.languages.spoken import N_, translated
from service.web.clubs import titles
from service.web.forms import Form, number_of, text_of
from service.web.records import MOST_LINES, season_plot
from service.web.render import page
from service.web.words import label

KINDS: Final = {"players": N_("Players"), "partners": N_("Partnerships")}
MOST: Final = 400
PARTS: Final = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}


def kind_of(query: Form) -> RatingKind:
    """The kind that is asked for. Raises Refusal."""
    given = query.get("kind") or "players"
    for kind in get_args(RatingKind):
        if kind == given:
            found: RatingKind = kind
            return found
    raise Refusal("malformed", "ratings are of players or of partners")


def player_of(query: Form) -> str | None:
    """The player whose history is asked for. Raises Refusal."""
    try:
        return str(UUID(query["player"])) if query.get("player") else None
    except ValueError:
        raise Refusal("malformed", "this address names no player: choose one in the table") from None


def mixed(exact: str) -> str:
    """Points as people write them: 37/3 is 12⅓."""
    whole, rest = divmod(Fraction(exact), 1)
    if not rest:
        return str(whole)
    return f"{whole or ''}{PARTS[rest]}" if rest in PARTS else f"{whole} {rest}" if whole else str(rest)


@get("/clubs/{club_id:uuid}/ratings", include_in_schema=False, query=("game", "kind", "player"))
async def ratings_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The table of a game; `?player=` adds that player's history."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    query = dict(request.query_params)
    kind, player = kind_of(query), player_of(query)
    game = text_of(query, "game")[:40] or None
    shown = await ratings_of(services, club, game, kind)
    history = await history_of(services, club, player, shown.game) if player and shown.game else None
    return page(
        "ratings.html",
        caller,
        club=club_view(club),
        shown=shown,
        history=history,
        kinds=translated(KINDS),
        titles=titles(),
    )


@get("/clubs/{club_id:uuid}/season", include_in_schema=False, query=("season", "best", "as_of"))
async def season_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The standings of a season with what each player got where."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    query = dict(request.query_params)
    best = number_of(query, "best")
    if best is not None and not 1 <= best <= MOST:
        raise Refusal("malformed", f"{label('best')}: write a number from 1 to {MOST}")
    asked, moment = query.get("season") or None, text_of(query, "as_of")[:40] or None
    shown = await season_of(services, club, asked, best, None, moment)
    record = await season_record_of(services, club, asked, best, None, moment)
    book, _, _ = await book_of(services, club, moment)
    labels = await book.seasons()
    return page(
        "season.html",
        caller,
        club=club_view(club),
        shown=shown,
        record=record,
        plot=season_plot(record),
        most=MOST_LINES,
        labels=labels,
        mixed=mixed,
        moment=moment,
    )
