"""Books as of a position in the past: made in memory when they are asked for, and few of them kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from domain.standings.ratings import Career, RatedMatch, RatingKind, Who, replay
from projections.kept_ratings import RatingStanding, standing_of
from projections.lists import MATCHES, MatchRow
from projections.merged import Firsts, result_with
from projections.records import NO_LURCH, CountedMatch, Lurches, lurches_of
from projections.results import Account, account_of, result_of
from projections.season import SeasonLabel, season_labels
from service.desk.lists import Lists
from service.store import finding, log
from service.store.kinds import TOURNAMENT
from service.store.pool import Pool
from service.store.results import opened_at, rows_of
from service.store.turns import Turns

KEPT: Final = 4  # they are large and seldom asked for
MANY: Final = 200  # matches folded at a time


class PastBook(msgspec.Struct):
    """A club's results by stream as of a position, its tournaments, the lurches by match, and what was worked out of
    them. It holds people as the log names them; what is read out of it names them by the id that counts."""

    position: int = 0
    firsts: Firsts = {}
    results: dict[str, tuple[RatedMatch, ...]] = {}
    kept_accounts: dict[str, Account] = {}
    lurches: dict[str, Lurches] = {}
    careers: dict[tuple[str, RatingKind], dict[Who, Career]] = {}
    turn: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)

    def _all(self) -> Iterable[RatedMatch]:
        return (result_with(self.firsts, each) for own in self.results.values() for each in own)

    @property
    def games(self) -> dict[str, int]:
        """The number of results of each game, the most played first."""
        counts: dict[str, int] = {}
        for each in self._all():
            counts[each.game] = counts.get(each.game, 0) + 1
        return most_first(counts)

    async def table(self, game: str, kind: RatingKind) -> list[RatingStanding]:
        """Everybody's standing in a game."""
        return [standing_of(kind, career) for career in (await self._careers(game, kind)).values()]

    async def career(self, game: str, player: str) -> Career:
        """A player's way in a game."""
        return (await self._careers(game, "players")).get((player,), Career((player,)))

    async def played(self, player: str) -> dict[str, int]:
        """The number of results that a player has in each game."""
        counts: dict[str, int] = {}
        for each in self._all():
            if any(player in side for side in each.sides):
                counts[each.game] = counts.get(each.game, 0) + 1
        return counts

    async def of_player(self, player: str) -> list[CountedMatch]:
        """The results of a player, with the lurches of their matches."""
        return self._counted(each for each in self._all() if any(player in side for side in each.sides))

    async def of_tournaments(self, tournaments: Collection[str]) -> list[CountedMatch]:
        """The results of these tournaments, with the lurches of their matches."""
        return self._counted(each for each in self._all() if each.tournament in tournaments)

    async def seasons(self) -> tuple[SeasonLabel, ...]:
        """Every season, the latest first."""
        return season_labels(self.kept_accounts.values())

    async def latest_season(self) -> str | None:
        """The first of the seasons; None before there is any."""
        return next((each.season for each in await self.seasons()), None)

    async def of_season(self, season: str) -> list[Account]:
        """The accounts of the tournaments that count for a season, as the log names people."""
        return [each for each in self.kept_accounts.values() if season and each.season == season]

    async def with_ladder(self, game: str) -> list[Account]:
        """The accounts of the tournaments with a finished ladder of a game, as the log names people."""
        return [each for each in self.kept_accounts.values() if any(own.game == game for own in each.ladders)]

    def _counted(self, results: Iterable[RatedMatch]) -> list[CountedMatch]:
        return [CountedMatch(each, self.lurches.get(each.match, NO_LURCH)) for each in results]

    async def _careers(self, game: str, kind: RatingKind) -> dict[Who, Career]:
        """Everybody's career, worked out once; beside the event loop, for it takes a while where thousands of matches
        count."""
        async with self.turn:
            if (game, kind) not in self.careers:
                results = [each for each in self._all() if each.game == game]
                self.careers[game, kind] = await asyncio.to_thread(replay, results, kind)
            return self.careers[game, kind]

    def enter(self, row: MatchRow, opened: int) -> None:
        """A match of its own as its row tells it; `opened` is where in the log it was opened."""
        self.lurches[row.id] = lurches_of(row)
        result = result_of(row, opened)
        self.results[row.id] = () if result is None else (result,)


class PastBooks:
    """The books of positions in the past that were read last."""

    def __init__(self, pool: Pool, lists: Lists) -> None:
        self.pool, self.lists = pool, lists
        self._books: OrderedDict[tuple[str, int], PastBook] = OrderedDict()

    async def at(self, club: str, position: int, firsts: Firsts) -> PastBook:
        """A club's book as of a position; `firsts` tells who counted for whom then."""
        book = self._used(club, position)
        async with book.turn:
            if not book.position:
                await self._make(book, club, position)
                book.firsts, book.position = firsts, position
        return book

    def _used(self, club: str, position: int) -> PastBook:
        """The book of that position, a new one if there is none; the one that was not used for longest is forgotten."""
        book = self._books.setdefault((club, position), PastBook())
        self._books.move_to_end((club, position))
        while len(self._books) > KEPT:
            self._books.popitem(last=False)
        return book

    async def _make(self, book: PastBook, club: str, position: int) -> None:
        """Rows that are the same now and then come from the kept view; what was touched behind the earlier of the
        position and the view's checkpoint is folded from the log."""
        opened = await opened_at(self.pool, club, position)
        rows, checkpoint = await rows_of(self.pool, club, opened)
        touched, _ = await finding.streams_with_news(self.pool, club, min(position, checkpoint))
        changed, turns = {stream for stream, _ in touched}, Turns()
        for row in rows:
            if row.id not in changed:
                book.enter(row, opened[row.id])
                await turns.give()
        streams = [each for each in opened if each in changed]
        for start in range(0, len(streams), MANY):
            part = await self.lists.folded(MATCHES, club, position, streams[start : start + MANY])
            for row in part:
                book.enter(row, opened[row.id])
                await turns.give()
        tournaments, _ = await finding.streams_begun_with(self.pool, club, TOURNAMENT.first, position)
        for stream in tournaments:
            events = await log.read_stream(self.pool, club, stream)
            account = account_of(each.event for each in events if each.event.position <= position)
            book.kept_accounts[stream], book.results[stream] = account, account.results
            await turns.give()


def most_first(counts: dict[str, int]) -> dict[str, int]:
    """Games with their numbers, the most played first."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
