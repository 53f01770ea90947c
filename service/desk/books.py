"""The books of a club as they are read: the kept view now, or as of a position in the past a book made in memory.

Nothing here is truth. The kept book is brought up to date before it is read, for a moment and never longer, as lists
are. As of the past a book is made anew, from the kept rows that have not changed since and from the log for the rest.
"""

from collections.abc import Collection, Iterable
from typing import Final, Protocol

from domain.standings.club_ladder import LadderHolder, club_ladder
from domain.standings.ratings import Career, RatedMatch, RatingKind, place_of
from projections.kept_ratings import RatingStanding, career_of, ratings_in
from projections.lists import MatchRow
from projections.merged import Firsts, account_with, result_with
from projections.records import NO_LURCH, CountedMatch, lurches_of
from projections.results import Account
from projections.rulings import RatingsBefore
from projections.season import SeasonLabel
from service.bookkeeper import Bookkeeper
from service.desk.lists import Lists, Reached, soon
from service.desk.past_books import PastBook, PastBooks, most_first
from service.store import book_keeping as keeping
from service.store import books as kept
from service.store.book_keeping import BookHead
from service.store.pool import Pool

LAST: Final = 2**62  # behind every position


class Book(Protocol):
    """A club's book, of now or of the past: its position and who counts for whom. People are named by the id that
    counts, but in the accounts."""

    @property
    def position(self) -> int:
        """The position that it is of."""

    @property
    def firsts(self) -> Firsts:
        """The id that counts for each id that was merged with another."""

    @property
    def games(self) -> dict[str, int]:
        """The number of results of each game, the most played first."""

    async def table(self, game: str, kind: RatingKind) -> list[RatingStanding]:
        """Everybody's standing in a game."""

    async def career(self, game: str, player: str) -> Career:
        """A player's way in a game."""

    async def played(self, player: str) -> dict[str, int]:
        """The number of results that a player has in each game."""

    async def of_player(self, player: str) -> list[CountedMatch]:
        """The results of a player, with the lurches of their matches."""

    async def of_tournaments(self, tournaments: Collection[str]) -> list[CountedMatch]:
        """The results of these tournaments, with the lurches of their matches."""

    async def seasons(self) -> tuple[SeasonLabel, ...]:
        """Every season, the latest first."""

    async def latest_season(self) -> str | None:
        """The first of the seasons; None before there is any."""

    async def of_season(self, season: str) -> list[Account]:
        """The accounts of the tournaments that count for a season, as the log names people."""

    async def with_ladder(self, game: str) -> list[Account]:
        """The accounts of the tournaments with a finished ladder of a game, as the log names people."""


class KeptBook:
    """The book of now, asked for what is wanted of it."""

    def __init__(self, pool: Pool, club: str, head: BookHead) -> None:
        self.pool, self.club, self.head = pool, club, head
        self.position, self.firsts, self.games = head.position, head.firsts, most_first(head.games)

    def _ids(self, player: str) -> list[str]:
        """The ids that count for a player."""
        return [player, *(each for each, first in self.firsts.items() if first == player)]

    async def table(self, game: str, kind: RatingKind) -> list[RatingStanding]:
        """Everybody's standing in a game."""
        return await kept.table(self.pool, self.club, game, kind)

    async def career(self, game: str, player: str) -> Career:
        """A player's way in a game."""
        rated = await kept.rated(self.pool, self.club, game, self._ids(player))
        return career_of(player, ((result_with(self.firsts, each), after) for each, after in rated))

    async def played(self, player: str) -> dict[str, int]:
        """The number of results that a player has in each game."""
        return await kept.played(self.pool, self.club, self._ids(player))

    async def of_player(self, player: str) -> list[CountedMatch]:
        """The results of a player, with the lurches of their matches."""
        return self._counted(await kept.of_people(self.pool, self.club, self._ids(player)))

    async def of_tournaments(self, tournaments: Collection[str]) -> list[CountedMatch]:
        """The results of these tournaments, with the lurches of their matches."""
        return self._counted(await kept.of_streams(self.pool, self.club, list(tournaments)))

    async def accounts(self) -> list[Account]:
        """The accounts of the tournaments, as the log names people."""
        return await kept.accounts(self.pool, self.club)

    async def seasons(self) -> tuple[SeasonLabel, ...]:
        """Every season, the latest first."""
        return await kept.seasons(self.pool, self.club)

    async def latest_season(self) -> str | None:
        """The first of the seasons; None before there is any."""
        return await kept.latest_season(self.pool, self.club)

    async def of_season(self, season: str) -> list[Account]:
        """The accounts of the tournaments that count for a season, as the log names people."""
        return await kept.of_season(self.pool, self.club, season)

    async def with_ladder(self, game: str) -> list[Account]:
        """The accounts of the tournaments with a finished ladder of a game, as the log names people."""
        return await kept.with_ladder(self.pool, self.club, game)

    async def results(self, game: str) -> list[RatedMatch]:
        """The results of a game as the log names people."""
        return await kept.of_game(self.pool, self.club, game)

    async def result(self, match: str) -> RatedMatch | None:
        """The result of a match."""
        found = await kept.of_match(self.pool, self.club, match)
        return None if found is None else result_with(self.firsts, found)

    async def before(self, game: str, played: RatedMatch | None) -> RatingsBefore:
        """The ratings of players that another result of a match is worked out from: those as they stand, those of a
        checkpoint before it, and the results since. Without a match nothing was played since."""
        place = (LAST, "") if played is None else place_of(played)
        async with self.pool.connection() as connection:
            start = await keeping.checkpoint_before(connection, self.club, game, place)
            since = await keeping.results_since(connection, self.club, game, start.place)
        before = ratings_in(each for (kind, _), each in start.standings.items() if kind == "players")
        stands = ratings_in(await self.table(game, "players"))
        return RatingsBefore(stands, before, [result_with(self.firsts, each) for each in since])

    async def met(self, one: Collection[str], other: Collection[str]) -> list[str]:
        """The matches with a result in which somebody of both played."""
        return await kept.met(self.pool, self.club, one, other)

    async def entered(self, one: Collection[str], other: Collection[str]) -> list[str]:
        """The tournaments that are not over in which somebody of both stands."""
        return await kept.entered(self.pool, self.club, one, other)

    def _counted(self, found: Iterable[tuple[RatedMatch, MatchRow | None]]) -> list[CountedMatch]:
        return [
            CountedMatch(result_with(self.firsts, each), NO_LURCH if row is None else lurches_of(row))
            for each, row in found
        ]


class Books:
    """Reads books."""

    def __init__(self, pool: Pool, lists: Lists, bookkeeper: Bookkeeper) -> None:
        self.pool, self.lists, self.bookkeeper = pool, lists, bookkeeper
        self.past = PastBooks(pool, lists)

    async def of(self, club: str) -> tuple[KeptBook, Reached]:
        """A club's book as far as it could be brought in a moment, and how far that is; without news this is two small
        questions."""
        reached = await self.lists.reach(club, steward=True)
        head = await self._head(club)
        if head.mark is None or head.position < reached.position:
            await self.lists.errands.wait(("books", club), lambda: self.bookkeeper.catch_up(club), soon())
            head = await self._head(club)
        behind = max(0, reached.position + reached.behind - head.position)
        return KeptBook(self.pool, club, head), Reached(head.position, behind)

    async def at(self, club: str, position: int, firsts: Firsts) -> tuple[PastBook, Reached]:
        """A club's book as of a position in the past; `firsts` tells who counted for whom then."""
        return await self.past.at(club, position, firsts), Reached(position)

    async def _head(self, club: str) -> BookHead:
        async with self.pool.connection() as connection:
            return await keeping.head_of(connection, club)


def with_firsts(accounts: Iterable[Account], firsts: Firsts) -> list[Account]:
    """The accounts with people named by the id that counts."""
    return [account_with(firsts, each) for each in accounts]


def ladder_in(accounts: Iterable[Account], game: str) -> tuple[LadderHolder, ...]:
    """The club's ladder of a game, over all ladders that were finished."""
    over = [each for each in accounts if each.finished]
    over.sort(key=lambda each: each.ended or 0)
    return club_ladder(each.order for account in over for each in account.ladders if each.game == game)
