"""The books of each club: every result that counts, kept in memory by log position, and the ratings that follow.

Nothing here is truth: a book is brought up to date from the log before it is read, and may be forgotten at any time. As
of a position in the past it is made anew, from the kept rows that have not changed since and from the log for the rest.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final, TypeVar

import msgspec

from domain.standings.club_ladder import LadderHolder, club_ladder
from domain.standings.ratings import Career, RatedMatch, RatingKind, Who, replay
from projections.lists import MATCHES, MatchRow
from projections.merged import Firsts, account_with, result_with
from projections.records import NO_LURCH, Counted, Lurches, lurches_of
from projections.results import Account, account_of, result_of
from service.desk.lists import Lists, Reached
from service.store import finding, log
from service.store.pool import Pool
from service.store.results import every_match_row, match_rows, opened_at
from service.store.streams import TOURNAMENT

KEPT: Final = 64
PAST: Final = 4  # books of the past are large and seldom asked for
MANY: Final = 200  # matches folded at a time


class Book(msgspec.Struct):
    """A club's results by stream up to a position, its tournaments, the lurches by match, and what was worked out of
    them. What it holds
    names people as the log does; what is read out of it names them by the id that counts."""

    position: int = 0
    results: dict[str, tuple[RatedMatch, ...]] = {}
    accounts: dict[str, Account] = {}
    lurches: dict[str, Lurches] = {}
    careers: dict[tuple[str, RatingKind], tuple[Firsts, dict[Who, Career]]] = {}
    turn: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)

    def games(self) -> dict[str, int]:
        """The number of results of each game, the most played first."""
        counts: dict[str, int] = {}
        for own in self.results.values():
            for each in own:
                counts[each.game] = counts.get(each.game, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def of_game(self, game: str, firsts: Firsts) -> list[RatedMatch]:
        """The results of a game."""
        return [result_with(firsts, each) for own in self.results.values() for each in own if each.game == game]

    def counted(self, firsts: Firsts) -> list[Counted]:
        """Every result with the lurches of its match."""
        results = (result_with(firsts, each) for own in self.results.values() for each in own)
        return [Counted(each, self.lurches.get(each.match, NO_LURCH)) for each in results]

    def tournaments(self, firsts: Firsts) -> list[Account]:
        """The accounts of the tournaments."""
        return [account_with(firsts, each) for each in self.accounts.values()]

    def ladder(self, game: str, firsts: Firsts) -> tuple[LadderHolder, ...]:
        """The club's ladder of a game, over all ladders that were finished."""
        over = [each for each in self.tournaments(firsts) if each.finished]
        over.sort(key=lambda each: each.ended or 0)
        return club_ladder(each.order for account in over for each in account.ladders if each.game == game)

    def put(self, stream: str, results: tuple[RatedMatch, ...]) -> None:
        """The results of a stream as they are now; ratings are worked out again only if they are others."""
        if self.results.get(stream, ()) != results:
            self.results[stream] = results
            self.careers.clear()

    def enter(self, row: MatchRow, opened: int) -> None:
        """A match of its own as its row tells it; `opened` is where in the log it was opened."""
        self.lurches[row.id] = lurches_of(row)
        result = result_of(row, opened)
        self.put(row.id, () if result is None else (result,))


class Books:
    """The books that were read last, those of now and those of positions in the past."""

    def __init__(self, pool: Pool, lists: Lists) -> None:
        self.pool, self.lists = pool, lists
        self._books: OrderedDict[str, Book] = OrderedDict()
        self._past: OrderedDict[tuple[str, int], Book] = OrderedDict()

    async def of(self, club: str) -> tuple[Book, Reached]:
        """A club's book as far as its kept rows have come, and how far that is; without news this is two small
        questions."""
        book = used(self._books, club, KEPT)
        reached = await self.lists.reach(club, steward=True)
        async with book.turn:
            fresh, position = await finding.streams_with_news(self.pool, club, book.position, reached.position)
            if fresh:
                await self._bring_up(book, club, fresh, position)
                book.position = position
        return book, reached

    async def _bring_up(self, book: Book, club: str, fresh: list[tuple[str, str | None]], upto: int) -> None:
        tournaments = [stream for stream, first in fresh if first == TOURNAMENT.first or stream in book.accounts]
        await self._count(book, club, tournaments, upto)
        matches = [stream for stream, _ in fresh if stream not in book.accounts and stream != club]
        for row, at in await match_rows(self.pool, club, matches) if matches else ():
            book.enter(row, at)

    async def _count(self, book: Book, club: str, tournaments: Iterable[str], upto: int) -> None:
        """The accounts of these tournaments as of a position."""
        for stream in tournaments:
            events = await log.read_stream(self.pool, club, stream)
            account = book.accounts[stream] = account_of(each.event for each in events if each.event.position <= upto)
            book.put(stream, account.results)

    async def at(self, club: str, position: int) -> tuple[Book, Reached]:
        """A club's book as of a position in the past."""
        book = used(self._past, (club, position), PAST)
        async with book.turn:
            if not book.position:
                await self._make(book, club, position)
                book.position = position
        return book, Reached(position)

    async def _make(self, book: Book, club: str, position: int) -> None:
        """Rows that are the same now and then come from the kept view; what was touched behind the earlier of the
        position and the view's checkpoint is folded from the log."""
        rows, checkpoint = await every_match_row(self.pool, club, position)
        touched, _ = await finding.streams_with_news(self.pool, club, min(position, checkpoint))
        changed = {stream for stream, _ in touched}
        for row, at in rows:
            if row.id not in changed:
                book.enter(row, at)
        opened = await opened_at(self.pool, club, position, changed)
        streams = list(opened)
        for start in range(0, len(streams), MANY):
            part = await self.lists.folded(MATCHES, club, position, streams[start : start + MANY])
            for row in part:
                book.enter(row, opened[row.id])
        tournaments, _ = await finding.streams_begun_with(self.pool, club, TOURNAMENT.first, position)
        await self._count(book, club, tournaments, position)

    async def careers(self, book: Book, game: str, kind: RatingKind, firsts: Firsts) -> dict[Who, Career]:
        """Everybody's career in a game, worked out anew only after news, and after people were merged or parted;
        beside the event loop, for it takes a while where thousands of matches count."""
        async with book.turn:
            found = book.careers.get((game, kind))
            if found is None or found[0] != firsts:
                found = firsts, await replayed(book, game, kind, firsts)
                book.careers[game, kind] = found
            return found[1]


async def replayed(book: Book, game: str, kind: RatingKind, firsts: Firsts) -> dict[Who, Career]:
    """Everybody's career in a game, worked out anew; a trial is kept nowhere."""
    return await asyncio.to_thread(replay, book.of_game(game, firsts), kind)


Key = TypeVar("Key")


def used(books: OrderedDict[Key, Book], key: Key, most: int) -> Book:
    """The book of that key, a new one if there is none; the one that was not used for longest is forgotten."""
    book = books.setdefault(key, Book())
    books.move_to_end(key)
    while len(books) > most:
        books.popitem(last=False)
    return book
