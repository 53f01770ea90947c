"""Books as they are kept: how far each club's have come, what they are worked out of, and their change in one go.

Nobody holds a lock while working something out. The mark of a book changes with every change of it: whoever saves names
the mark that was read, and is told when another was faster."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, TypeAlias

import msgspec
from psycopg.rows import TupleRow

from domain.standings.ratings import BookPlace, RatedMatch
from projections.kept_ratings import BEGINNING, After, Checkpoint, RatedWho, RatingStanding
from projections.merged import Firsts
from projections.results import Account
from service.store.leases import STILL_HELD, LeaseLostError, LeaseNumber, carried
from service.store.pool import Connection, Parameters

FORM: Final = 1  # raised when what is kept changes: every book is made anew

_HEAD: Final = """select position, mark::text, firsts, games from books where club_id = %(club)s and form = %(form)s"""
_OTHER_FORM: Final = "delete from books where club_id = %(club)s and form <> %(form)s"
_BEGUN: Final = """insert into books (club_id, form, position, mark, firsts, games)
    values (%(club)s, %(form)s, 0, gen_random_uuid(), '{}', '{}') on conflict do nothing"""
_HELD: Final = "select mark::text from books where club_id = %(club)s and mark = %(mark)s for update skip locked"
_MOVED: Final = f"""update books set position = %(position)s, mark = gen_random_uuid(), firsts = %(firsts)s,
    games = %(games)s where club_id = %(club)s and {STILL_HELD}"""  # noqa: S608  # fixed words
_RESULTS: Final = """select stream_id::text, result from books_results
    where club_id = %(club)s and stream_id = any(%(streams)s::uuid[]) order by at, match"""
_EARLIEST: Final = """select distinct on (game) game, at, match from books_results
    where club_id = %(club)s and people && %(people)s::text[] order by game, at, match"""
_BEFORE: Final = """select number, at, match, state from books_checkpoints
    where club_id = %(club)s and game = %(game)s and (at, match) < (%(at)s, %(match)s) order by number desc limit 1"""
_SINCE: Final = """select result from books_results
    where club_id = %(club)s and game = %(game)s and (at, match) > (%(at)s, %(match)s) order by at, match"""
_END: Final = """select at, match from books_results
    where club_id = %(club)s and game = %(game)s order by at desc, match desc limit 1"""
_STANDINGS: Final = """select kind, who, mu, sigma, won, drawn, lost, last from books_ratings
    where club_id = %(club)s and game = %(game)s"""
_THEIRS: Final = """select kind, who, mu, sigma, won, drawn, lost, last from books_ratings
    join unnest(%(kinds)s::text[], %(people)s::text[]) as own (of, people)
        on kind = own.of and who = string_to_array(own.people, ' ')
    where club_id = %(club)s and game = %(game)s"""
_GONE: Final = "delete from books_results where club_id = %(club)s and stream_id = any(%(streams)s::uuid[])"
_ENTERED: Final = """insert into books_results (club_id, stream_id, match, game, at, people, result, after)
    select %(club)s, own.stream_id, own.match, own.game, own.at, string_to_array(own.people, ' '), own.result, '{}'
    from unnest(%(streams)s::uuid[], %(matches)s::text[], %(games)s::text[], %(ats)s::bigint[], %(people)s::text[],
        %(results)s::text[]) as own (stream_id, match, game, at, people, result)"""
_ACCOUNTED: Final = """insert into books_accounts (club_id, stream_id, is_over, people, account)
    select %(club)s, own.stream_id, own.is_over, string_to_array(own.people, ' '), own.account
    from unnest(%(streams)s::uuid[], %(over)s::boolean[], %(people)s::text[], %(accounts)s::text[])
        as own (stream_id, is_over, people, account)
    on conflict (club_id, stream_id) do update
        set is_over = excluded.is_over, people = excluded.people, account = excluded.account"""
_RATED: Final = """update books_results set after = own.after
    from unnest(%(streams)s::uuid[], %(matches)s::text[], %(afters)s::text[]) as own (stream_id, match, after)
    where books_results.club_id = %(club)s and books_results.stream_id = own.stream_id
        and books_results.match = own.match and books_results.after <> own.after"""
_STANDING: Final = """insert into books_ratings (club_id, game, kind, who, mu, sigma, won, drawn, lost, last)
    select %(club)s, %(game)s, own.kind, string_to_array(own.who, ' '), own.mu, own.sigma, own.won, own.drawn, own.lost,
        own.last
    from unnest(%(kinds)s::text[], %(who)s::text[], %(mu)s::double precision[], %(sigma)s::double precision[],
        %(won)s::integer[], %(drawn)s::integer[], %(lost)s::integer[], %(last)s::text[])
        as own (kind, who, mu, sigma, won, drawn, lost, last)
    on conflict (club_id, game, kind, who) do update set (mu, sigma, won, drawn, lost, last)
        = (excluded.mu, excluded.sigma, excluded.won, excluded.drawn, excluded.lost, excluded.last)
    where (books_ratings.mu, books_ratings.sigma, books_ratings.won, books_ratings.drawn, books_ratings.lost,
            books_ratings.last)
        <> (excluded.mu, excluded.sigma, excluded.won, excluded.drawn, excluded.lost, excluded.last)"""
_LEFT: Final = """delete from books_ratings using unnest(%(kinds)s::text[], %(people)s::text[]) as own (of, people)
    where club_id = %(club)s and game = %(game)s and kind = own.of and who = string_to_array(own.people, ' ')"""
_DROPPED: Final = """delete from books_checkpoints where club_id = %(club)s and game = %(game)s
    and number = any(%(dropped)s)"""
_NUMBERS: Final = "select number from books_checkpoints where club_id = %(club)s and game = %(game)s"
_CHECKED: Final = """insert into books_checkpoints (club_id, game, number, at, match, state)
    select %(club)s, %(game)s, own.number, own.at, own.match, own.state
    from unnest(%(numbers)s::integer[], %(ats)s::bigint[], %(matches)s::text[], %(states)s::text[])
        as own (number, at, match, state)"""

Kept: TypeAlias = dict[str, tuple[RatedMatch, ...]]  # the results of streams


class BookHead(msgspec.Struct, frozen=True):
    """The position that a club's book has reached, its mark, the merges that its ratings follow, and the results of
    each game."""

    position: int = 0
    mark: str | None = None
    firsts: Firsts = {}
    games: dict[str, int] = {}


class Rated(msgspec.Struct, frozen=True):
    """The ratings of a game from a place on: the results since with the ratings after each, the standings that these
    moved, those who have none any more, the checkpoints to keep, and those to drop before by their numbers."""

    game: str
    results: tuple[RatedMatch, ...]
    after: tuple[After, ...]
    standings: tuple[RatingStanding, ...]
    left: tuple[RatedWho, ...]
    checkpoints: tuple[Checkpoint, ...]
    dropped: tuple[int, ...]


class Change(msgspec.Struct, frozen=True):
    """The change of a book: where it stands then, the results of streams that are others now, the accounts of
    tournaments, and the games whose ratings follow."""

    head: BookHead
    results: Kept
    accounts: dict[str, Account]
    rated: tuple[Rated, ...]


async def head_of(connection: Connection, club: str) -> BookHead:
    """The head of a club's book; at its beginning where there is none of this form."""
    row = await (await connection.execute(_HEAD, {"club": club, "form": FORM}, prepare=True)).fetchone()
    if row is None:
        return BookHead()
    position, mark, firsts, games = row
    return BookHead(position, mark, msgspec.json.decode(firsts), msgspec.json.decode(games, type=dict[str, int]))


async def results_of(connection: Connection, club: str, streams: Sequence[str]) -> Kept:
    """The results that are kept of these streams, in their order."""
    found: dict[str, list[RatedMatch]] = {}
    for stream, text in await _rows(connection, _RESULTS, {"club": club, "streams": list(streams)}):
        found.setdefault(stream, []).append(result_in(text))
    return {stream: tuple(own) for stream, own in found.items()}


async def earliest_with(connection: Connection, club: str, people: Collection[str]) -> dict[str, BookPlace]:
    """The first result of each game in which one of these people played."""
    rows = await _rows(connection, _EARLIEST, {"club": club, "people": list(people)})
    return {game: (at, match) for game, at, match in rows}


async def checkpoint_before(connection: Connection, club: str, game: str, place: BookPlace) -> Checkpoint:
    """The nearest standings before a place in the order of results."""
    rows = await _rows(connection, _BEFORE, {"club": club, "game": game, "at": place[0], "match": place[1]})
    if not rows:
        return Checkpoint()
    number, at, match, state = rows[0]
    standings = msgspec.json.decode(state, type=tuple[RatingStanding, ...])
    return Checkpoint(number, (at, match), {(each.kind, each.who): each for each in standings})


async def end_of(connection: Connection, club: str, game: str) -> BookPlace:
    """The place of the last result of a game; the beginning before there is one."""
    rows = await _rows(connection, _END, {"club": club, "game": game})
    return (rows[0][0], rows[0][1]) if rows else BEGINNING


async def standings_of(
    connection: Connection, club: str, game: str, people: Iterable[RatedWho] | None = None
) -> dict[RatedWho, RatingStanding]:
    """The standings after all results of a game, of these alone or of everybody; no row of who has none."""
    if people is None:
        rows = await _rows(connection, _STANDINGS, {"club": club, "game": game})
    else:
        rows = await _rows(connection, _THEIRS, {"club": club, "game": game, **_named(people)})
    found = (RatingStanding(kind, tuple(who), *more) for kind, who, *more in rows)
    return {(each.kind, each.who): each for each in found}


async def results_since(connection: Connection, club: str, game: str, place: BookPlace) -> list[RatedMatch]:
    """The results of a game behind a place in their order."""
    rows = await _rows(connection, _SINCE, {"club": club, "game": game, "at": place[0], "match": place[1]})
    return [result_in(text) for (text,) in rows]


async def numbers_of(connection: Connection, club: str, game: str) -> list[int]:
    """The checkpoints of a game, by the number of results that they come after."""
    return [number for (number,) in await _rows(connection, _NUMBERS, {"club": club, "game": game})]


async def drop(connection: Connection, club: str) -> None:
    """Throw a club's book away."""
    await connection.execute("delete from books where club_id = %(club)s", {"club": club})


async def begin(connection: Connection, club: str) -> None:
    """Begin a club's book, in the place of one of another form; one that there is already stays as it is."""
    await connection.execute(_OTHER_FORM, {"club": club, "form": FORM})
    await connection.execute(_BEGUN, {"club": club, "form": FORM})


async def save(
    connection: Connection, club: str, mark: str | None, change: Change, lease: LeaseNumber | None = None
) -> bool:
    """Take a change into the book that had this mark; False when somebody else is at it or was faster. The caller holds
    a transaction. Raises LeaseLostError for a lease that somebody else has taken."""
    held = await (await connection.execute(_HELD, {"club": club, "mark": mark}, prepare=True)).fetchone()
    if held is None:
        return False
    await _enter(connection, club, change.results)
    await _account(connection, club, change.accounts)
    for each in change.rated:
        await _rate(connection, club, each)
    head = change.head
    texts = {"firsts": _text(head.firsts), "games": _text(head.games)}
    moved = {"club": club, "position": head.position, **texts, **carried(lease)}
    if not (await connection.execute(_MOVED, moved, prepare=True)).rowcount:
        assert lease is not None, "the row is locked"
        raise LeaseLostError(lease.name)
    return True


async def _enter(connection: Connection, club: str, results: Kept) -> None:
    if not results:
        return
    await connection.execute(_GONE, {"club": club, "streams": list(results)}, prepare=True)
    rows = [(stream, each) for stream, own in results.items() for each in own]
    entered = {
        "club": club,
        "streams": [stream for stream, _ in rows],
        "matches": [each.match for _, each in rows],
        "games": [each.game for _, each in rows],
        "ats": [each.at for _, each in rows],
        "people": [_joined(who for side in each.sides for who in side) for _, each in rows],
        "results": [_text(each) for _, each in rows],
    }
    if rows:
        await connection.execute(_ENTERED, entered, prepare=True)


async def _account(connection: Connection, club: str, accounts: dict[str, Account]) -> None:
    if not accounts:
        return
    own = accounts.values()
    kept = {
        "club": club,
        "streams": list(accounts),
        "over": [each.over for each in own],
        "people": [_joined(sorted(each.people)) for each in own],
        "accounts": [_text(msgspec.structs.replace(each, results=())) for each in own],
    }
    await connection.execute(_ACCOUNTED, kept, prepare=True)


async def _rate(connection: Connection, club: str, rated: Rated) -> None:
    own: Parameters = {"club": club, "game": rated.game}
    after = {
        "streams": [each.tournament or each.match for each in rated.results],
        "matches": [each.match for each in rated.results],
        "afters": [_text(each) for each in rated.after],
    }
    await connection.execute(_RATED, {**own, **after}, prepare=True)
    if rated.left:
        await connection.execute(_LEFT, {**own, **_named(rated.left)}, prepare=True)
    await connection.execute(_STANDING, {**own, **_columns(rated.standings)}, prepare=True)
    if rated.dropped:
        await connection.execute(_DROPPED, {**own, "dropped": list(rated.dropped)}, prepare=True)
    kept = {
        "numbers": [each.number for each in rated.checkpoints],
        "ats": [each.place[0] for each in rated.checkpoints],
        "matches": [each.place[1] for each in rated.checkpoints],
        "states": [_text(tuple(each.standings.values())) for each in rated.checkpoints],
    }
    if rated.checkpoints:
        await connection.execute(_CHECKED, {**own, **kept}, prepare=True)


def _named(people: Iterable[RatedWho]) -> Parameters:
    own = list(people)
    return {"kinds": [kind for kind, _ in own], "people": [_joined(who) for _, who in own]}


def _columns(standings: Sequence[RatingStanding]) -> Parameters:
    return {
        "kinds": [each.kind for each in standings],
        "who": [_joined(each.who) for each in standings],
        "mu": [each.mu for each in standings],
        "sigma": [each.sigma for each in standings],
        "won": [each.won for each in standings],
        "drawn": [each.drawn for each in standings],
        "lost": [each.lost for each in standings],
        "last": [each.last for each in standings],
    }


def _joined(people: Iterable[str]) -> str:
    """Ids as one text: an array of arrays cannot be taken apart by rows."""
    return " ".join(people)


def _text(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def result_in(text: str) -> RatedMatch:
    """A result as it was kept."""
    return msgspec.json.decode(text, type=RatedMatch)


async def _rows(connection: Connection, statement: str, parameters: Parameters) -> list[TupleRow]:
    return await (await connection.execute(statement, parameters, prepare=True)).fetchall()
