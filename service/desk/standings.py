"""Ratings, seasons and the ladder of a club: its book read now, or as of a position or time."""

from typing import TypeVar
from uuid import UUID

import msgspec

from domain.games import all_games
from domain.log.decider import Refusal
from domain.match.opening import find_game
from domain.standings.club_ladder import starting_order
from domain.standings.ratings import Career, RatingKind
from domain.standings.season import CONVENTION, PointsByPlace
from domain.tournament.state import Tournament
from projections.merged import tournament_with
from projections.ratings import HistoryView, RatingsView, history_view, ratings_view
from projections.records import RecordView, record_view
from projections.season import LadderView, SeasonView, ladder_view, season_view
from projections.season_record import SeasonRecordView, season_record
from service.desk.as_of import club_at, position_of
from service.desk.books import Book, ladder_in, with_firsts
from service.desk.lists import Reached
from service.desk.services import Services
from service.desk.showing import names_of
from service.store.loaded import LoadedClub

View = TypeVar("View", RatingsView, HistoryView, SeasonView, LadderView, RecordView, SeasonRecordView)


def table_of(points: str | None) -> PointsByPlace:
    """The points by place. Raises Refusal for a place that is worth more than a better one."""
    if points is None:
        return CONVENTION
    table = tuple(int(each) for each in points.split(","))
    if list(table) != sorted(table, reverse=True):
        raise Refusal("malformed", "`points`: no place is worth more than a better one, as in 25,18,15")
    return table


def game_of(book: Book, game: str | None) -> tuple[str | None, str]:
    """The game that is meant, and its title; the most played one where none is named. Raises Refusal."""
    key = game or next(iter(book.games), None)
    return key, find_game(key).title if key else ""


async def book_of(services: Services, club: LoadedClub, moment: str | None) -> tuple[Book, Reached, LoadedClub]:
    """The club's book, what it is of, and who was known then; now, or as of a position or time. Raises Refusal."""
    position = await position_of(services, club, moment)
    if position is None and club.upto is not None:  # what is held back counts for nobody yet who may not see it
        position = club.upto
    if position is not None:
        known = await club_at(services, club, position)
        past, reached = await services.books.at(club.club, position, known.state.firsts())
        return past, reached, known
    book, reached = await services.books.of(club.club)
    return book, reached, await services.recorder.club(club.club)


def of(view: View, reached: Reached) -> View:
    """A view with what it is of."""
    return msgspec.structs.replace(view, position=reached.position, behind=reached.behind)


async def ratings_of(
    services: Services, club: LoadedClub, game: str | None, kind: RatingKind, moment: str | None = None
) -> RatingsView:
    """The table of a game. Raises Refusal."""
    book, reached, known = await book_of(services, club, moment)
    key, title = game_of(book, game)
    standings = await book.table(key, kind) if key else ()
    return of(ratings_view(key, title, kind, standings, book.games, names_of(known)), reached)


async def history_of(
    services: Services, club: LoadedClub, player: str, game: str | None, moment: str | None = None
) -> HistoryView:
    """One player's way in a game; without one, in the game that the player plays most. Raises Refusal."""
    book, reached, known = await book_of(services, club, moment)
    if player not in known.state.players:
        raise Refusal("not-found", "the club knows no such player" + (" as of then" if moment else ""))
    player = known.state.whom(player)
    key, title = game_of(book, game or await _most_played(book, player))
    career = await book.career(key, player) if key else Career((player,))
    standings = await book.table(key, "players") if key else ()
    return of(history_view(player, key, title, career, standings, names_of(known)), reached)


async def _most_played(book: Book, player: str) -> str | None:
    """The game that a player plays most; of equal ones, and without any, the one that everybody plays most."""
    own = await book.played(player)
    return max(book.games, key=lambda game: own.get(game, 0), default=None)


async def season_of(
    services: Services,
    club: LoadedClub,
    season: str | None,
    best: int | None,
    points: str | None,
    moment: str | None = None,
) -> SeasonView:
    """The standings of a season, else of the latest. Raises Refusal for a label that no tournament bears."""
    table = table_of(points)
    book, reached, known = await book_of(services, club, moment)
    chosen = await book.latest_season() if season is None else season
    own = [] if chosen is None else with_firsts(await book.of_season(chosen), book.firsts)
    if season is not None and not own:
        raise Refusal("not-found", "no tournament of this club counts for a season of that name")
    return of(season_view(chosen, own, table, best, names_of(known)), reached)


async def record_of(
    services: Services, club: LoadedClub, player: str, game: str | None = None, moment: str | None = None
) -> RecordView:
    """A person's record. Of whom nothing shall be told any more, nothing is gathered either. Raises
    Refusal."""
    if game is not None:
        find_game(game)
    book, reached, known = await book_of(services, club, moment)
    first = known.state.whom(player)
    if player not in known.state.players or first in club.state.erased | known.state.erased:
        raise Refusal("not-found", "the club knows no such player" + (" as of then" if moment else ""))
    counted = await book.of_player(first)
    return of(record_view(first, game, counted, names_of(known), title_of), reached)


def title_of(key: str) -> str:
    """The title of a game; its key where it is not installed any more."""
    game = all_games().get(key)
    return key if game is None else game.title


async def season_record_of(
    services: Services,
    club: LoadedClub,
    season: str | None,
    best: int | None,
    points: str | None,
    moment: str | None = None,
) -> SeasonRecordView:
    """The way of a season, else of the latest. Raises Refusal for a label that no tournament bears."""
    shown = await season_of(services, club, season, best, points, moment)
    book, reached, known = await book_of(services, club, moment)
    own = [] if shown.season is None else with_firsts(await book.of_season(shown.season), book.firsts)
    counted = await book.of_tournaments([each.event.id for each in own])
    return of(season_record(shown, own, counted, names_of(known)), reached)


async def ladder_of(
    services: Services, club: LoadedClub, game: str | None, order: UUID | None = None, moment: str | None = None
) -> LadderView:
    """The club's ladder of a game, or of that of the tournament whose entries begin on it. Raises Refusal."""
    book, reached, known = await book_of(services, club, moment)
    state = None
    if order is not None:
        state = await _announced(services, club, str(order), None if moment is None else reached.position)
        game = game_meant(state, game)
    key, title = game_of(book, game)
    ladder = ladder_in(with_firsts(await book.with_ladder(key), book.firsts), key) if key else ()
    seeds = None
    if state is not None:
        state = tournament_with(known.state.firsts(), state)
        seeds = starting_order(ladder, [(entry, state.entries[entry].players) for entry in state.active()])
    return of(ladder_view(key, title, ladder, names_of(known), seeds), reached)


async def _announced(services: Services, club: LoadedClub, tournament: str, position: int | None) -> Tournament:
    """A tournament of the club, now or as of a position. Raises Refusal."""
    loaded = await services.streams.tournament(tournament)
    if loaded is None or loaded.club != club.club:
        raise Refusal("not-found", "`tournament`: this club has no such tournament")
    if position is None:
        return loaded.tournament
    state = await services.streams.state_by(loaded, position)
    if not isinstance(state, Tournament) or not state.version:
        raise Refusal("not-found", "`tournament`: it had not been announced by then")
    return state


def game_meant(state: Tournament, game: str | None) -> str:
    """The game in which a tournament's entries begin on a ladder: that of its ladder, else of its first stage. Raises
    Refusal for one that is not played in it."""
    played = [stage.setup.game for stage in state.stages]
    ladders = [stage.setup.game for stage in state.stages if stage.format.moves_club_ladder]
    if game is not None and game not in played:
        titles = " and ".join(find_game(key).title for key in dict.fromkeys(played))
        raise Refusal("malformed", f"`game`: {state.name} is played in {titles}, not in {find_game(game).title}")
    return game or (ladders or played)[0]
