"""The race: when a match is won, by how much, and who is lurched (ledger RA, LU, ALL.2, ALL.3)."""

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, TypeAlias

import msgspec

GoalPoints: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
LurchLine: TypeAlias = GoalPoints | Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,5}/[0-9]{1,5}(?![\s\S])")]
Worth: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class Lurch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lines, highest first, and what a game is worth by the loser's level (one more than lines).

    A line is a number of points, or a fraction of the target rounded down ("2/3" of 100 is 66).
    """

    lines: Annotated[tuple[LurchLine, ...], msgspec.Meta(max_length=6)]
    win_points: Annotated[tuple[Worth, ...], msgspec.Meta(max_length=7)]

    def __post_init__(self) -> None:
        if len(self.win_points) != len(self.lines) + 1:
            raise ValueError(
                f"the worth of a win is {len(self.lines) + 1} numbers, one more than there are lurch lines: "
                "a plain win, then each line"
            )
        if any(isinstance(line, str) and int(line.split("/")[1]) == 0 for line in self.lines):
            raise ValueError("a lurch line cannot be divided by zero")


class Race(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule by which a match is won. `deals` fixes their number; then the higher total wins, level is a draw."""

    target: GoalPoints | None = None
    win_by: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    cap: GoalPoints | None = None
    deals: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    lurch: Lurch | None = None
    best_of: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1

    def __post_init__(self) -> None:
        if self.best_of % 2 == 0:
            raise ValueError("best of an odd number of games: 1, 3, 5 …")
        if self.target is None and self.deals is None:
            raise ValueError("a match needs a target or a fixed number of deals")
        if self.cap is not None and self.target is not None and self.cap < self.target:
            raise ValueError("the cap cannot be below the target")


def pinned(race: Race) -> Race:
    """The race with every line as a number of points, as a match's first event holds it.

    Raises ValueError when the lines do not descend or do not fit the target.
    """
    if race.lurch is None:
        return race
    lines = tuple(line_points(line, race.target) for line in race.lurch.lines)
    if any(low >= high for high, low in itertools.pairwise(lines)):
        raise ValueError("lurch lines stand from the highest to the lowest")
    if race.target is not None and lines and lines[0] > race.target:
        raise ValueError(f"the first lurch line {lines[0]} lies above the target {race.target}")
    return msgspec.structs.replace(race, lurch=Lurch(lines, race.lurch.win_points))


def line_points(line: int | str, target: int | None) -> int:
    """A line in points: absolute, or the floor of a fraction of the target (LU)."""
    if isinstance(line, int):
        return line
    if target is None:
        raise ValueError("a lurch line that is a part of the target needs a target")
    over, under = line.split("/")
    return int(Fraction(int(over), int(under)) * target)


class LurchStatus(msgspec.Struct, frozen=True):
    """For one side: the level at which it would lose now, the points that would lift it a level (null
    at level 0), and the points it needs to win if the others stand still (null without a target)."""

    level: int
    to_save: int | None
    to_win: int | None


class GameScore(msgspec.Struct, frozen=True):
    """One game of a match: totals, winner (null for a draw), each side's level, what it is worth."""

    totals: tuple[int, ...]
    winner: int | None
    levels: tuple[int, ...]
    worth: tuple[int, ...]


class RaceStanding(msgspec.Struct, frozen=True):
    """The state of a race: totals of the game that is on (or was the last), finished games, winner."""

    totals: tuple[int, ...]
    games: tuple[GameScore, ...]
    finished: bool
    winner: int | None
    lurch: tuple[LurchStatus, ...]


def winner_of(race: Race, totals: Sequence[int]) -> int | None:
    """The side that has won: alone at the top with the target and the lead, or at the cap (RA)."""
    if race.target is None:
        return None
    ranked = sorted(totals, reverse=True)
    top, second = ranked[0], ranked[1]
    capped = race.cap is not None and top >= race.cap
    if top < race.target or top == second or (top - second < race.win_by and not capped):
        return None
    return list(totals).index(top)


def level_of(race: Race, total: int) -> int:
    """0 none, 1 lurch, 2 double lurch …: how many lines the total is below (LU)."""
    lines = race.lurch.lines if race.lurch else ()
    return sum(total < line_points(line, race.target) for line in lines)


def lurch_status(race: Race, totals: Sequence[int]) -> tuple[LurchStatus, ...]:
    """Each side's running status in a match that is not over."""
    return tuple(status_of(race, totals, side) for side in range(len(totals)))


def status_of(race: Race, totals: Sequence[int], side: int) -> LurchStatus:
    """One side's running status: what it would lose at, what saves it, what wins."""
    total = totals[side]
    level = level_of(race, total)
    to_save = None
    if level and race.lurch:
        to_save = line_points(race.lurch.lines[level - 1], race.target) - total
    to_win = None
    if race.target is not None:
        others = max(each for other, each in enumerate(totals) if other != side)
        need = max(race.target, others + race.win_by)
        if race.cap is not None:
            need = min(need, max(race.cap, others + 1))
        to_win = max(0, need - total)
    return LurchStatus(level, to_save, to_win)


def close_game(race: Race, totals: tuple[int, ...], winner: int | None) -> GameScore:
    """A finished game; each loser is judged alone, and the worth by side goes to the winner."""
    levels = tuple(
        0 if side == winner or winner is None else level_of(race, total) for side, total in enumerate(totals)
    )
    worth = [0] * len(totals)
    if winner is not None:
        points = race.lurch.win_points if race.lurch else (1,)
        losers = [level for side, level in enumerate(levels) if side != winner]
        worth[winner] = points[min(max(losers), len(points) - 1)]
    return GameScore(totals, winner, levels, tuple(worth))


class CountedDeal(msgspec.Struct, frozen=True):
    """A deal as a race counts it: its score by side; the sides whose total begins again at nothing with it; procedural
    points by side, which count beside the score. A deal that is not `whole` (it is void) brings nothing but those."""

    scores: tuple[int, ...]
    drops: tuple[int, ...] = ()
    procedural: tuple[int, ...] = ()
    whole: bool = True


def standing(race: Race, sides: int, deals: Sequence[CountedDeal], games: Sequence[int] | None = None) -> RaceStanding:
    """The race after these deals. Totals are looked at when a deal is over, and as they stand then: they can fall
    (ALL.2, RA). `games` says in which game of a match of several each deal was played, from 0; else each is of the
    first that is not over."""
    places = _in_order(race, sides, deals) if games is None else list(games)
    found: list[GameScore] = []
    totals: tuple[int, ...] = (0,) * sides
    open_totals: tuple[int, ...] | None = None
    for number in range(max(places, default=-1) + 1):
        if match_over(race, found):
            break
        own = [deal for place, deal in zip(places, deals, strict=True) if place == number]
        totals, game = _game(race, sides, own)
        if game is not None:
            found.append(game)
        elif open_totals is None:
            open_totals = totals
    finished = match_over(race, found)
    if not finished:
        totals = open_totals or (0,) * sides
    winner = match_winner(found, sides) if finished else None
    return RaceStanding(totals, tuple(found), finished, winner, lurch_status(race, totals))


def game_on(race: Race, sides: int, deals: Sequence[CountedDeal], games: Sequence[int]) -> int:
    """The game, from 0, to which the next deal belongs: the first that is not over after these."""
    for number in range(max(games, default=-1) + 1):
        own = [deal for place, deal in zip(games, deals, strict=True) if place == number]
        if _game(race, sides, own)[1] is None:
            return number
    return max(games, default=-1) + 1


def _in_order(race: Race, sides: int, deals: Sequence[CountedDeal]) -> list[int]:
    """The game of each deal where one game follows the other."""
    if race.best_of == 1:
        return [0] * len(deals)
    places: list[int] = []
    number, own = 0, list[CountedDeal]()
    for deal in deals:
        own.append(deal)
        places.append(number)
        if _game(race, sides, own)[1] is not None:
            number, own = number + 1, []
    return places


def _game(race: Race, sides: int, deals: Sequence[CountedDeal]) -> tuple[tuple[int, ...], GameScore | None]:
    """The totals of a game after its deals, up to the one that ended it, and how it ended, if it did."""
    totals: tuple[int, ...] = (0,) * sides
    played = 0
    for deal in deals:
        if deal.drops:
            totals = tuple(0 if side in deal.drops else total for side, total in enumerate(totals))
        if deal.whole:
            totals = tuple([total + score for total, score in zip(totals, deal.scores, strict=True)])
            played += 1
        if deal.procedural:
            totals = tuple([total + points for total, points in zip(totals, deal.procedural, strict=True)])
        winner = winner_of(race, totals)
        if winner is not None:
            return totals, close_game(race, totals, winner)
        if race.deals == played and deal.whole:
            return totals, close_game(race, totals, highest(totals))
    return totals, None


def highest(totals: Sequence[int]) -> int | None:
    """The side alone at the top, or None when level."""
    top = max(totals)
    return None if list(totals).count(top) > 1 else list(totals).index(top)


def match_over(race: Race, games: Sequence[GameScore]) -> bool:
    """True when the games decide the match: a majority, or all of them played."""
    wins = [game.winner for game in games if game.winner is not None]
    need = race.best_of // 2 + 1
    return len(games) >= race.best_of or any(wins.count(side) >= need for side in set(wins))


def match_winner(games: Sequence[GameScore], sides: int) -> int | None:
    """The side with the most games, or None for a draw."""
    return highest([sum(game.winner == side for game in games) for side in range(sides)])
