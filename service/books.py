"""The books of each club: every result that counts, kept in memory by log position, and the ratings that follow.

Nothing here is truth: a book is brought up to date from the log before it is read, and may be forgotten at any time.
"""

import asyncio
from collections import OrderedDict
from typing import Any, Final

import msgspec
from psycopg_pool import AsyncConnectionPool

from domain.ratings import Career, Kind, Played, Who, replay
from domain.tournament.carried import Entrant, club_ladder
from projections.results import Account, account_of, result_of
from service.projector import Projector
from service.store import finding, log
from service.store.results import match_rows
from service.tournaments.steward import FIRST, Steward

KEPT: Final = 64


class Book(msgspec.Struct):
    """A club's results by stream up to a position, its tournaments, and what was worked out of them."""

    position: int = 0
    results: dict[str, tuple[Played, ...]] = {}
    accounts: dict[str, Account] = {}
    careers: dict[tuple[str, Kind], dict[Who, Career]] = {}
    turn: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)

    def games(self) -> dict[str, int]:
        """How many results there are of each game, the most played first."""
        counts: dict[str, int] = {}
        for own in self.results.values():
            for each in own:
                counts[each.game] = counts.get(each.game, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def of_game(self, game: str) -> list[Played]:
        """The results of a game."""
        return [each for own in self.results.values() for each in own if each.game == game]

    def ladder(self, game: str) -> tuple[Entrant, ...]:
        """The club's ladder of a game, over all ladders that were finished."""
        over = [each for each in self.accounts.values() if each.finished]
        over.sort(key=lambda each: each.ended or 0)
        return club_ladder(each.order for account in over for each in account.ladders if each.game == game)

    def put(self, stream: str, results: tuple[Played, ...]) -> None:
        """The results of a stream as they are now; ratings are worked out again only if they are others."""
        if self.results.get(stream, ()) != results:
            self.results[stream] = results
            self.careers.clear()


class Books:
    """The books that were read last."""

    def __init__(self, pool: AsyncConnectionPool[Any], projector: Projector, steward: Steward) -> None:
        self.pool, self.projector, self.steward = pool, projector, steward
        self._books: OrderedDict[str, Book] = OrderedDict()

    async def of(self, club: str) -> Book:
        """A club's book, up to date with its log; without news in it this is one small question."""
        book = self._books.setdefault(club, Book())
        self._books.move_to_end(club)
        while len(self._books) > KEPT:
            self._books.popitem(last=False)
        await self.steward.catch_up(club)
        async with book.turn:
            fresh, position = await finding.touched(self.pool, club, book.position)
            if fresh:
                await self._bring_up(book, club, fresh)
                book.position = position
        return book

    async def _bring_up(self, book: Book, club: str, fresh: list[tuple[str, str | None]]) -> None:
        tournaments = [stream for stream, first in fresh if first == FIRST or stream in book.accounts]
        for stream in tournaments:
            events = await log.read_stream(self.pool, club, stream)
            account = book.accounts[stream] = account_of(each.event for each in events)
            book.put(stream, account.results)
        matches = [stream for stream, _ in fresh if stream not in book.accounts and stream != club]
        if not matches:
            return
        await self.projector.catch_up(club)
        for row, at in await match_rows(self.pool, club, matches):
            result = result_of(row, at)
            book.put(row.id, () if result is None else (result,))

    async def careers(self, club: str, game: str, kind: Kind) -> dict[Who, Career]:
        """Everybody's career in a game, worked out anew only after news; beside the event loop, for it takes a
        while where thousands of matches count."""
        book = await self.of(club)
        async with book.turn:
            found = book.careers.get((game, kind))
            if found is None:
                found = await asyncio.to_thread(replay, book.of_game(game), kind)
                book.careers[game, kind] = found
            return found
