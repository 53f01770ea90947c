"""Books as they are read: the table of a game, results by player, by tournament and by match, and the accounts."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from psycopg.rows import TupleRow

from domain.standings.ratings import RatedMatch, RatingKind
from projections.kept_ratings import After, RatingStanding
from projections.lists import MATCHES, MatchRow
from projections.results import Account
from projections.season import SeasonLabel
from service.store.book_keeping import result_in
from service.store.pool import Parameter, Parameters, Pool

_TABLE: Final = """select who, mu, sigma, won, drawn, lost, last from books_ratings
    where club_id = %(club)s and game = %(game)s and kind = %(kind)s"""
_OF_GAME: Final = """select result from books_results where club_id = %(club)s and game = %(game)s
    order by at, match"""
_OF_MATCH: Final = "select result from books_results where club_id = %(club)s and match = %(match)s"
_RATED: Final = """select result, after from books_results
    where club_id = %(club)s and people && %(people)s::text[] and game = %(game)s order by at, match"""
_PLAYED: Final = """select game, count(*) from books_results
    where club_id = %(club)s and people && %(people)s::text[] group by game"""
_COUNTED: Final = """select books_results.result, views.data from books_results
    left join views on views.club_id = %(club)s and views.projection = %(name)s and views.version = %(form)s
        and views.key = books_results.match
    where books_results.club_id = %(club)s and {}"""
_OF_PLAYER: Final = _COUNTED.format("books_results.people && %(people)s::text[]")
_OF_STREAMS: Final = _COUNTED.format("books_results.stream_id = any(%(streams)s::uuid[])")
_ACCOUNTS: Final = "select account from books_accounts where club_id = %(club)s {} order by stream_id"
_EVERY_ACCOUNT: Final = _ACCOUNTS.format("")
_OF_SEASON: Final = _ACCOUNTS.format("and season = %(season)s")
_WITH_LADDER: Final = _ACCOUNTS.format("and ladders <> '[]' and ladders @> to_jsonb(%(game)s::text)")
_LABELS: Final = """select season, count(*), count(*) filter (where is_finished), min(nullif(day, '')),
        max(nullif(day, ''))
    from books_accounts where club_id = %(club)s and season is not null group by season
    order by max(day) desc, season desc"""
_LATEST: Final = """select season from books_accounts where club_id = %(club)s and season is not null
    order by day desc, season desc limit 1"""
_MET: Final = """select match from books_results
    where club_id = %(club)s and people && %(one)s::text[] and people && %(other)s::text[]"""
_ENTERED: Final = """select stream_id::text from books_accounts where club_id = %(club)s and not is_over
    and people && %(one)s::text[] and people && %(other)s::text[] order by stream_id"""


async def table(pool: Pool, club: str, game: str, kind: RatingKind) -> list[RatingStanding]:
    """Everybody's standing in a game."""
    async with pool.connection() as connection:
        cursor = connection.cursor(binary=True)
        await cursor.execute(_TABLE, {"club": club, "game": game, "kind": kind}, prepare=True)
        return [RatingStanding(kind, tuple(who), *more) for who, *more in await cursor.fetchall()]


async def of_game(pool: Pool, club: str, game: str) -> list[RatedMatch]:
    """The results of a game in their order."""
    return [result_in(text) for (text,) in await _rows(pool, _OF_GAME, {"club": club, "game": game})]


async def of_match(pool: Pool, club: str, match: str) -> RatedMatch | None:
    """The result of a match, if it has one that counts."""
    rows = await _rows(pool, _OF_MATCH, {"club": club, "match": match})
    return result_in(rows[0][0]) if rows else None


async def rated(pool: Pool, club: str, game: str, people: Sequence[str]) -> list[tuple[RatedMatch, After]]:
    """The results of these people in a game in their order, each with the ratings of its players after it."""
    rows = await _rows(pool, _RATED, {"club": club, "game": game, "people": list(people)})
    return [(result_in(text), msgspec.json.decode(after, type=After)) for text, after in rows]


async def played(pool: Pool, club: str, people: Sequence[str]) -> dict[str, int]:
    """The number of results that these people have in each game."""
    return dict(await _rows(pool, _PLAYED, {"club": club, "people": list(people)}))


async def of_people(pool: Pool, club: str, people: Sequence[str]) -> list[tuple[RatedMatch, MatchRow | None]]:
    """The results of these people, each with the kept row of its match."""
    return _with_matches(await _rows(pool, _OF_PLAYER, {**_of_view(club), "people": list(people)}))


async def of_streams(pool: Pool, club: str, streams: Sequence[str]) -> list[tuple[RatedMatch, MatchRow | None]]:
    """The results of these tournaments, each with the kept row of its match."""
    return _with_matches(await _rows(pool, _OF_STREAMS, {**_of_view(club), "streams": list(streams)}))


async def accounts(pool: Pool, club: str) -> list[Account]:
    """The accounts of the tournaments, the oldest first, without their results."""
    return _decoded(await _rows(pool, _EVERY_ACCOUNT, {"club": club}))


async def of_season(pool: Pool, club: str, season: str) -> list[Account]:
    """The accounts of the tournaments that count for a season, the oldest first, without their results."""
    return _decoded(await _rows(pool, _OF_SEASON, {"club": club, "season": season}))


async def with_ladder(pool: Pool, club: str, game: str) -> list[Account]:
    """The accounts of the tournaments with a finished ladder of a game, the oldest first, without their results."""
    return _decoded(await _rows(pool, _WITH_LADDER, {"club": club, "game": game}))


async def seasons(pool: Pool, club: str) -> tuple[SeasonLabel, ...]:
    """Every season, the latest first: by the last day played, else by name."""
    return tuple(SeasonLabel(*row) for row in await _rows(pool, _LABELS, {"club": club}))


async def latest_season(pool: Pool, club: str) -> str | None:
    """The first of the seasons; None before there is any."""
    rows = await _rows(pool, _LATEST, {"club": club})
    return rows[0][0] if rows else None


async def met(pool: Pool, club: str, one: Collection[str], other: Collection[str]) -> list[str]:
    """The matches with a result in which somebody of both played."""
    return [match for (match,) in await _rows(pool, _MET, _both(club, one, other))]


async def entered(pool: Pool, club: str, one: Collection[str], other: Collection[str]) -> list[str]:
    """The tournaments that are not over in which somebody of both stands."""
    return [stream for (stream,) in await _rows(pool, _ENTERED, _both(club, one, other))]


def _both(club: str, one: Collection[str], other: Collection[str]) -> Parameters:
    return {"club": club, "one": list(one), "other": list(other)}


def _of_view(club: str) -> dict[str, Parameter]:
    return {"club": club, "name": MATCHES.name, "form": MATCHES.version}


def _decoded(rows: Sequence[tuple[str]]) -> list[Account]:
    return [msgspec.json.decode(text, type=Account) for (text,) in rows]


def _with_matches(rows: Sequence[tuple[str, str | None]]) -> list[tuple[RatedMatch, MatchRow | None]]:
    return [(result_in(text), None if row is None else msgspec.json.decode(row, type=MatchRow)) for text, row in rows]


async def _rows(pool: Pool, statement: str, parameters: Parameters) -> list[TupleRow]:
    async with pool.connection() as connection:
        return await (await connection.execute(statement, parameters, prepare=True)).fetchall()
