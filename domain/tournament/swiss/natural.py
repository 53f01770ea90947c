"""A bracket paired in its natural order, where that is provably the answer: nearly every large bracket is.

A lower bound is known for every criterion. Candidates are gone through in the order of generation, with no exchange,
and a partner is passed over only for what no answer at the bounds could contain. So the first candidate that meets all
bounds is the best one; if none turns up soon, matchings decide.
"""

from collections.abc import Sequence
from typing import Final

from domain.tournament.crosstable import Tenths
from domain.tournament.swiss.bracket import Bracket, Split
from domain.tournament.swiss.completion import pairable
from domain.tournament.swiss.criteria import broken_sides
from domain.tournament.swiss.entrants import Entrant, Float, Strength, legal

PATIENCE: Final = 40  # tries for each player before matchings take over


class Wishes:
    """How many of some players want each side, and how many of these cost nothing in C13: who wants it mildly, and half
    of those who must have it where topscorers let them meet."""

    def __init__(self, players: Sequence[Entrant]) -> None:
        self.want = {True: 0, False: 0, None: 0}
        self.mild = {True: 0, False: 0, None: 0}
        self.must = {True: 0, False: 0, None: 0}
        self.top = any(player.top for player in players)
        for player in players:
            self.add(player, 1)

    def add(self, player: Entrant, count: int) -> None:
        """One more, or one less."""
        self.want[player.wish] += count
        if player.strength == Strength.MILD:
            self.mild[player.wish] += count
        elif self.top and player.strength == Strength.ABSOLUTE:
            self.must[player.wish] += count

    def least(self) -> tuple[int, int]:
        """The least possible C12 and, with that, the least possible C13, one player left over if they are odd."""
        side = self.want[True] > self.want[False]
        unmet = max(0, self.want[side] - self.want[not side] - self.want[None]) // 2
        return unmet, max(0, unmet - self.mild[side] - self.must[side] // 2)


def between(one: Wishes, other: Wishes) -> int:
    """The least C12 when all of one half are paired with players of the other."""
    return max(0, *(one.want[side] - other.want[not side] - other.want[None] for side in (True, False)))


class Natural:
    """The search in one bracket. Until 2026 a bracket did not care whether those below can be paired (`complete`)."""

    def __init__(self, bracket: Bracket, odd_first: bool, complete: bool = True) -> None:
        self.bracket, self.odd_first, self.complete = bracket, odd_first, complete
        self.wishes = Wishes(bracket.players)
        self.bound = self.wishes.least()
        self.unmet, self.strong = 0, 0
        self.pairs: list[tuple[Entrant, Entrant]] = []
        self.tries = PATIENCE * len(bracket.players)
        self.rests = self._rests()

    def split(self) -> Split | None:
        """The answer, if it lies at the bounds and was found."""
        bracket = self.bracket
        if len(bracket.moved) > len(bracket.residents):
            return None
        if self.rests is not None and (not self.rests or len(bracket.players) % 2 == 0):
            return None
        rest = self._moved(list(bracket.residents))
        if rest is None:
            return None
        half = len(rest) // 2
        left = self._halves(rest[:half], rest[half:])
        return None if left is None else Split(tuple(self.pairs), left)

    def _rests(self) -> list[Entrant] | None:
        """Who can have the bye with the fewest unplayed rounds (C9), where it falls here: None if it falls below."""
        bracket = self.bracket
        if bracket.bye is None or bracket.residents[0].score > max(bracket.bye):
            return None
        able = [player for player in bracket.residents if bracket.may_rest(player)]
        least = min((player.unplayed for player in able), default=0)
        return [player for player in able if player.unplayed == least or not self.complete]

    def _moved(self, residents: list[Entrant]) -> list[Entrant] | None:
        """Pair those moved down; the residents that are left, or None."""
        for player in self.bracket.moved:
            for place, other in enumerate(residents):
                if Float.UP not in (other.last, other.before) and self._take(player, other):
                    residents.pop(place)
                    break
            else:
                return None
        return residents

    def _take(self, one: Entrant, other: Entrant) -> bool:
        """Make a pair, unless it breaks what nothing at the bounds breaks."""
        if not legal(one, other):
            return False
        broken = broken_sides(one, other, self.odd_first)
        if "C10" in broken or "C11" in broken:
            return False
        self.unmet += broken.get("C12", 0)
        self.strong += broken.get("C13", 0)
        self.wishes.add(one, -1)
        self.wishes.add(other, -1)
        self.pairs.append((one, other))
        if self._over(*self.wishes.least()):
            self._undo()
            return False
        return True

    def _over(self, unmet: int, strong: int) -> bool:
        return self.unmet + unmet > self.bound[0] or self.strong + strong > self.bound[1]

    def _undo(self) -> None:
        one, other = self.pairs.pop()
        broken = broken_sides(one, other, self.odd_first)
        self.unmet -= broken.get("C12", 0)
        self.strong -= broken.get("C13", 0)
        self.wishes.add(one, 1)
        self.wishes.add(other, 1)

    def _halves(self, first: list[Entrant], second: list[Entrant]) -> tuple[Entrant, ...] | None:
        """Partners for S1 in turn, taking back the last where one has none; who is left over, or None."""
        ahead, behind = Wishes(first), Wishes(second)
        if self._over(between(ahead, behind), 0):
            return None
        free = list(second)
        tried = [0]
        while self.tries > 0:
            at = len(tried) - 1
            if at == len(first):
                if self._fine(free):
                    return tuple(free)
            elif self._next(first[at], free, tried, ahead, behind):
                tried.append(0)
                continue
            tried.pop()
            if not tried:
                return None
            one, other = self.pairs[-1]
            self._undo()
            ahead.add(one, 1)
            behind.add(other, 1)
            free.insert(tried[-1], other)
            tried[-1] += 1
        return None

    def _next(self, one: Entrant, free: list[Entrant], tried: list[int], ahead: Wishes, behind: Wishes) -> bool:
        """Pair a player of S1 with the next of S2 that will do."""
        for place in range(tried[-1], len(free)):
            other = free[place]
            self.tries -= 1
            if not self._take(one, other):
                continue
            ahead.add(one, -1)
            behind.add(other, -1)
            if not self._over(between(ahead, behind), 0):
                tried[-1] = place
                free.pop(place)
                return True
            ahead.add(one, 1)
            behind.add(other, 1)
            self._undo()
        return False

    def _fine(self, left: list[Entrant]) -> bool:
        """Whether those below, with whoever is left over, come out as well as they possibly can (C4, C8)."""
        if not left:
            self.tries = 0  # no other candidate would leave more
            return self._pairable(self.bracket.following + self.bracket.below, self.bracket.bye)
        player = left[0]
        if Float.DOWN in (player.last, player.before):
            return False
        if self.rests is not None:
            return player in self.rests and self._pairable(self.bracket.following + self.bracket.below, None)
        return self._next_is_full((player, *self.bracket.following))

    def _next_is_full(self, group: tuple[Entrant, ...]) -> bool:
        """Whether in the next bracket all can be paired, or all but one who lives there."""
        below, bye = self.bracket.below, self.bracket.bye
        if len(group) % 2 == 0:
            return pairable(group, None) and self._pairable(below, bye)
        if self.complete and not below:
            return pairable(group, bye)
        for spare in reversed(group[1:]):
            others = [player for player in group if player is not spare]
            if pairable(others, None) and self._pairable((spare, *below), bye):
                return True
        return False

    def _pairable(self, players: Sequence[Entrant], bye: Sequence[Tenths] | None) -> bool:
        return not self.complete or pairable(players, bye)
