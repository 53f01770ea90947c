"""Final scores: a score is the end of a match, or it is still on, or no last deal can have led to it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from domain import codec
from domain.game.race import Race, close_game, highest, winner_of
from domain.log.decider import Refusal
from domain.match.bounds import MOST, deal_scores
from domain.match.opening import find_game
from domain.tournament.plan import StageSetup

Score: TypeAlias = tuple[int, int]
SUMMED: Final = 3  # so many deals are added up in every way; of more only the bounds are looked at
NUMBERS: Final = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def final(setup: StageSetup, score: Score) -> int | None:
    """The winner that a final score shows, None for a draw. Raises Refusal for one that is not final, or cannot be."""
    race = setup.race
    if race.best_of > 1:
        return _of_games(race, score)
    winner = winner_of(race, score)
    if winner is None and race.deals is None and setup.minutes is None:
        raise Refusal("misfit", _plays_on(race, score))
    if winner is not None:
        _check_reached(setup, score)
        return winner
    if setup.minutes is None:
        _check_deals(setup, score)
    return highest(score)


def of_games(setup: StageSetup, games: Sequence[Score]) -> Score:
    """The score in games won that the scores of the games make, in the order in which they were played. Raises Refusal
    for a game that is not over, and for one that was played after the match."""
    race = setup.race
    if race.best_of == 1:
        raise Refusal("malformed", "`games`: this match is one game, say its `score`")
    one = msgspec.structs.replace(setup, race=msgspec.structs.replace(race, best_of=1))
    wins, need = [0, 0], race.best_of // 2 + 1
    for number, game in enumerate(games, start=1):
        if max(wins) == need:
            raise Refusal("malformed", f"`games`: the match was over before game {number}")
        winner = final(one, game)
        if winner is not None:
            wins[winner] += 1
    return wins[0], wins[1]


def worth_of(race: Race, score: Score, winner: int | None) -> tuple[Score, Score]:
    """Win points and lurch levels by side of a match of one game."""
    closed = close_game(race, score, winner)
    return (closed.worth[0], closed.worth[1]), (closed.levels[0], closed.levels[1])


def plain_worth(race: Race, winner: int | None) -> Score:
    """Win points of a win of which no score is known."""
    points = race.lurch.win_points[0] if race.lurch else 1
    return (points * (winner == 0), points * (winner == 1))


def _plays_on(race: Race, score: Score) -> str:
    high, low = max(score), min(score)
    by = 1 if race.cap is not None and high >= race.cap else race.win_by
    ahead = NUMBERS.get(by, str(by))
    if race.target is not None and high < race.target:
        return f"{score[0]}–{score[1]} plays on: the match goes to {race.target}"
    if high == low:
        return f"{score[0]}–{score[1]} plays on, for it is level: {ahead} ahead wins"
    return f"{score[0]}–{score[1]} plays on, {ahead} ahead wins"


def _of_games(race: Race, score: Score) -> int | None:
    """A score in games won. Raises Refusal."""
    need = race.best_of // 2 + 1
    if min(score) < 0 or sum(score) > race.best_of or max(score) > need:
        raise Refusal("misfit", f"{score[0]}–{score[1]} cannot be: the best of {race.best_of} ends at {need} games won")
    if max(score) < need and sum(score) < race.best_of and race.deals is None:
        raise Refusal("misfit", f"{score[0]}–{score[1]} plays on: {need} games of {race.best_of} win the match")
    return highest(score)


def _check_reached(setup: StageSetup, score: Score) -> None:
    """Raises Refusal when no deal leads to this score from totals at which the match was still on."""
    deals = _deals(setup)
    if deals is None:
        return
    floor = tuple(min(0, *(deal[side] for deal in deals)) for side in (0, 1))
    for deal in deals:
        before = (score[0] - deal[0], score[1] - deal[1])
        reached = all(total >= 0 or low < 0 for total, low in zip(before, floor, strict=True))
        if reached and before != score and winner_of(setup.race, before) is None:
            return
    text = f"{score[0]}–{score[1]}"
    raise Refusal("misfit", f"{text} cannot be: whatever the last deal gave, the match had ended before it")


def _check_deals(setup: StageSetup, score: Score) -> None:
    """Raises Refusal for a score that so many deals cannot add up to."""
    deals, count = _deals(setup), setup.race.deals
    if deals is None or count is None:
        return
    for side in (0, 1):
        least, most = (count * edge(deal[side] for deal in deals) for edge in (min, max))
        if not least <= score[side] <= most:
            raise Refusal("misfit", f"{score[0]}–{score[1]} cannot be: {count} deals give {least} to {most} to a side")
    sums = _sums(deals, count) if count <= SUMMED else None
    if sums is not None and score not in sums:
        raise Refusal("misfit", f"{score[0]}–{score[1]} cannot be: no {count} deals add up to it")


def _deals(setup: StageSetup) -> frozenset[Score] | None:
    game = find_game(setup.game)
    found = deal_scores(setup.game, codec.decode(setup.options, game.options))
    return None if found is None else frozenset((scores[0], scores[1]) for scores in found if len(scores) == 2)


@lru_cache(32)
def _sums(deals: frozenset[Score], count: int) -> frozenset[Score] | None:
    """Every score that so many deals add up to; None where there are too many to try."""
    found = {(0, 0)}
    for _ in range(count):
        found = {(one + first, other + second) for one, other in found for first, second in deals}
        if len(found) > MOST:
            return None
    return frozenset(found)
