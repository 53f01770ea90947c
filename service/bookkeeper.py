"""The bookkeeper: keeps the books of each club, the results that count and the ratings that follow, as its log stands.

A book goes as far as the kept rows of matches have come, page by page. What a page changes is worked out without a
lock and saved in one transaction, unless somebody else was faster; then it is looked at again. Ratings go on from the
nearest checkpoint before the first result that is another one now.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from domain.standings.ratings import BookPlace, RatedMatch, place_of
from projections.kept_ratings import Checkpoint, folded, is_kept, keeps_any, rated_in
from projections.lists import KEPT
from projections.merged import Firsts
from projections.results import Account, account_of, result_of
from service.store import book_keeping as books
from service.store import finding, log, views
from service.store.book_keeping import BookHead, Change, Kept, Rated
from service.store.kinds import TOURNAMENT
from service.store.leases import LeaseNumber
from service.store.pool import Connection, Pool
from service.store.results import match_rows
from service.store.streams import Streams

PAGE: Final = 20_000  # positions of the log
TRIES: Final = 40
PAUSE: Final = 0.025  # seconds, until whoever is at it has saved
FORMS: Final = tuple((each.name, each.version) for each in KEPT)


class News(msgspec.Struct, frozen=True):
    """The streams that have news as they are at a position: their results, the accounts of the tournaments among them,
    and who counts for whom."""

    position: int
    firsts: Firsts
    results: Kept
    accounts: dict[str, Account]


class Work(msgspec.Struct, frozen=True):
    """The material of the ratings of a club's games: its book as it stands, who counts for whom, and the results that
    went and came."""

    club: str
    head: BookHead
    firsts: Firsts
    gone: tuple[RatedMatch, ...]
    fresh: tuple[RatedMatch, ...]


class Bookkeeper:
    """Brings books up to date; of one club there is one at a time in a process, and no club waits for another."""

    def __init__(self, pool: Pool, streams: Streams | None = None) -> None:
        self.pool, self.streams = pool, streams or Streams(pool)
        self._turns: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def catch_up(self, club: str, lease: LeaseNumber | None = None) -> None:
        """Bring a club's book as far as the kept rows of its matches. Somebody else who is at it all the time ends
        this: the book says how far it has come. Raises LeaseLostError where it is done under a lease that was lost."""
        async with self._turns[club]:
            _, upto = await views.progress(self.pool, FORMS, club)
            lost = 0
            while lost < TRIES:
                head = await self._head(club)
                if head.position >= upto:
                    return
                if not await self._page(club, head, upto, lease):
                    lost += 1
                    await asyncio.sleep(PAUSE)
                elif head.position + PAGE >= upto:
                    return

    async def _head(self, club: str) -> BookHead:
        """The head of a book; it is begun if there is none."""
        async with self.pool.connection() as connection:
            head = await books.head_of(connection, club)
            if head.mark is None:
                await books.begin(connection, club)
                head = await books.head_of(connection, club)
        return head

    async def _page(self, club: str, head: BookHead, upto: int, lease: LeaseNumber | None) -> bool:
        """Take in what came behind a head; False when somebody else was faster."""
        news = await self._news(club, head, min(upto, head.position + PAGE))
        async with self.pool.connection() as connection:
            change = await changed(connection, club, head, news)
        async with self.pool.connection() as connection, connection.transaction():
            return await books.save(connection, club, head.mark, change, lease)

    async def rebuild(self, club: str) -> None:
        """Make a club's book again from the log; it is read meanwhile as it was."""
        async with self._turns[club], self.pool.connection() as connection, connection.transaction():
            _, upto = await views.progress(self.pool, FORMS, club)
            await books.drop(connection, club)
            await books.begin(connection, club)
            while (head := await books.head_of(connection, club)).position < upto:
                news = await self._news(club, head, min(upto, head.position + PAGE))
                await books.save(connection, club, head.mark, await changed(connection, club, head, news))

    async def _news(self, club: str, head: BookHead, upto: int) -> News:
        """The streams with news between a head and a position."""
        fresh, _ = await finding.streams_with_news(self.pool, club, head.position, upto)
        streams = [stream for stream, _ in fresh if stream != club]
        tournaments = [stream for stream, first in fresh if first == TOURNAMENT.first]
        older = [stream for stream, first in fresh if first is None and stream != club]
        tournaments += await finding.begun_with(self.pool, club, TOURNAMENT.first, older) if older else []
        accounts = {stream: await self._account(club, stream, upto) for stream in tournaments}
        results: Kept = {stream: tuple(sorted(each.results, key=place_of)) for stream, each in accounts.items()}
        matches = [stream for stream in streams if stream not in accounts]
        for row, at in await match_rows(self.pool, club, matches) if matches else ():
            result = result_of(row, at)
            results[row.id] = () if result is None else (result,)
        firsts = await self._firsts(club, upto) if len(streams) < len(fresh) else head.firsts
        return News(upto, firsts, results, accounts)

    async def _account(self, club: str, tournament: str, upto: int) -> Account:
        events = await log.read_stream(self.pool, club, tournament)
        return account_of(each.event for each in events if each.event.position <= upto)

    async def _firsts(self, club: str, position: int) -> Firsts:
        """The person that each id counts for, as of a position."""
        loaded = await self.streams.club(club)
        return {} if loaded is None else (await self.streams.by(loaded, position)).state.firsts()


async def changed(connection: Connection, club: str, head: BookHead, news: News) -> Change:
    """The change that news make to a book: results that are the same are left."""
    before = await books.results_of(connection, club, list(news.results))
    others = {stream: own for stream, own in news.results.items() if before.get(stream, ()) != own}
    gone = [each for stream in others for each in before.get(stream, ())]
    fresh = [each for own in others.values() for each in own]
    since = await _first_changes(connection, club, head.firsts, news.firsts, [*gone, *fresh])
    work = Work(club, head, news.firsts, tuple(gone), tuple(fresh))
    rated = [await _rated(connection, work, game, place) for game, place in since.items()]
    moved = BookHead(news.position, None, news.firsts, counted(head.games, gone, fresh))
    return Change(moved, others, news.accounts, tuple(rated))


async def _first_changes(
    connection: Connection, club: str, was: Firsts, firsts: Firsts, results: Iterable[RatedMatch]
) -> dict[str, BookPlace]:
    """The place in each game from which on its ratings may be others."""
    moved = {each for each in {*was, *firsts} if was.get(each) != firsts.get(each)}
    since = await books.earliest_with(connection, club, moved) if moved else {}
    for each in results:
        since[each.game] = min(since.get(each.game, place_of(each)), place_of(each))
    return since


async def _rated(connection: Connection, work: Work, game: str, since: BookPlace) -> Rated:
    """The ratings of a game, worked out again from a place on: from the table as it stands where no result comes later,
    else from the checkpoint before."""
    end = await books.end_of(connection, work.club, game)
    if since > end:
        start, before = await _table(connection, work, game, end), []
    else:
        start = await books.checkpoint_before(connection, work.club, game, since)
        before = await books.results_since(connection, work.club, game, start.place)
    return await _from(connection, work, game, start, before)


async def _table(connection: Connection, work: Work, game: str, end: BookPlace) -> Checkpoint:
    """The standings after all results of a game: of everybody where a checkpoint will be made of them, else of those
    alone whom the fresh results move."""
    fresh = [each for each in work.fresh if each.game == game]
    number = work.head.games.get(game, 0)
    whole = keeps_any(number + 1, number + len(fresh))
    people = None if whole else rated_in(fresh, work.firsts)
    return Checkpoint(number, end, await books.standings_of(connection, work.club, game, people))


async def _from(
    connection: Connection, work: Work, game: str, start: Checkpoint, before: Sequence[RatedMatch]
) -> Rated:
    """The ratings of a game from standings on, behind which these results were before; beside the event loop, for it
    takes a while where thousands of results follow. Who is in none of these results stands as he stood."""
    kept = {place_of(each): each for each in before}
    for each in work.gone:
        kept.pop(place_of(each), None)
    kept |= {place_of(each): each for each in work.fresh if each.game == game}
    results = [kept[place] for place in sorted(kept)]
    done = await asyncio.to_thread(folded, start, results, work.firsts)
    moved = rated_in(before, work.head.firsts) | rated_in(results, work.firsts)
    stands = done.end.standings
    numbers = await books.numbers_of(connection, work.club, game)
    return Rated(
        game,
        tuple(results),
        done.after,
        tuple(stands[each] for each in moved if each in stands),
        tuple(each for each in moved if each not in stands),
        done.checkpoints,
        tuple(each for each in numbers if each > start.number or not is_kept(each, done.end.number)),
    )


def counted(games: dict[str, int], gone: Iterable[RatedMatch], fresh: Iterable[RatedMatch]) -> dict[str, int]:
    """The number of results of each game after some went and others came."""
    counts = dict(games)
    for each in gone:
        counts[each.game] = counts.get(each.game, 0) - 1
    for each in fresh:
        counts[each.game] = counts.get(each.game, 0) + 1
    return {game: count for game, count in counts.items() if count}
