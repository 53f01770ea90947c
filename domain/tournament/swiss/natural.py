"""A bracket paired in its natural order, where that is provably the answer: nearly every large bracket is.

A lower bound is known for every criterion. Candidates are gone through in the order of generation, with no exchange,
and a partner is skipped only if the pair breaks a criterion that no pairing at the lower bounds breaks. So the first
candidate that meets all bounds is the best one. Where nobody fits any more, a matching makes the last pairs again;
where none meets the bounds without an exchange, this is not the way.
"""

from collections.abc import Sequence
from typing import Final

from domain.tournament.crosstable import Tenths
from domain.tournament.swiss.bracket import Bracket, Split
from domain.tournament.swiss.completion import pairable
from domain.tournament.swiss.criteria import broken_sides
from domain.tournament.swiss.entrants import Entrant, Float, Strength, legal
from domain.tournament.swiss.matcher import ALONE, Costs, Matcher
from domain.tournament.swiss.order import transposed

LAST: Final = 8  # so many pairs are made again at first


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
        self.known: dict[int, bool] = {}
        self.rests = self._rests()

    def split(self) -> Split | None:
        """The answer, if it lies at the bounds and was found."""
        bracket = self.bracket
        if len(bracket.moved) > len(bracket.residents):
            return None
        if self.rests is not None and (not self.rests or len(bracket.players) % 2 == 0):
            return None
        if len(bracket.players) % 2 == 0 and not self._rest_pairable():
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
        """Partners for S1 in turn; who is left over, or None. Where somebody has none, the last pairs are made again by
        a matching, more of them each time: what stands before them was passed over for nothing that could be."""
        ahead, behind = Wishes(first), Wishes(second)
        if self._over(between(ahead, behind), 0):
            return None
        start, free = len(self.pairs), list(second)
        for one in first:
            if not self._next(one, free, ahead, behind):
                break
        else:
            if all(self._fine(player) for player in free):
                return tuple(free)
        again = LAST
        while True:
            kept = max(len(self.pairs) - again, start)
            while len(self.pairs) > kept:
                self._undo()
            taken = {id(low) for _, low in self.pairs}
            left = self._close(first[kept - start :], [low for low in second if id(low) not in taken])
            if left is not None or kept == start:
                return left
            again *= 4

    def _next(self, one: Entrant, free: list[Entrant], ahead: Wishes, behind: Wishes) -> bool:
        """Pair a player of S1 with the first of S2 that will do."""
        for place, other in enumerate(free):
            if not self._take(one, other):
                continue
            ahead.add(one, -1)
            behind.add(other, -1)
            if not self._over(between(ahead, behind), 0):
                free.pop(place)
                return True
            ahead.add(one, 1)
            behind.add(other, 1)
            self._undo()
        return False

    def _close(self, first: list[Entrant], second: list[Entrant]) -> tuple[Entrant, ...] | None:
        """The last pairs, if they can be made at the bounds: one matching for the criteria, then the order."""
        half = len(first)
        edges: list[tuple[int, int, Costs]] = []
        for one, high in enumerate(first):
            for other, low in enumerate(second, start=half):
                broken = broken_sides(high, low, self.odd_first)
                if legal(high, low) and "C10" not in broken and "C11" not in broken:
                    costs = ((0, broken.get("C12", 0)), (1, broken.get("C13", 0)))
                    edges.append((one, other, tuple(each for each in costs if each[1])))
        size = half + len(second)
        if len(second) > half:
            edges += [(other, size, ()) for other, low in enumerate(second, start=half) if self._fine(low)]
        matcher = Matcher(2 * len(second), edges, None, (half, half))
        matcher.settle()
        if ALONE in matcher.mates or matcher.settled != [self.bound[0] - self.unmet, self.bound[1] - self.strong]:
            return None
        for one, other in transposed(matcher, range(half), range(half, size)):
            self.pairs.append((first[one], second[other - half]))
        taken = {id(low) for _, low in self.pairs}
        return tuple(low for low in second if id(low) not in taken)

    def _fine(self, player: Entrant) -> bool:
        """Whether those below come out as well as they possibly can when this one is left over (C4, C8, C9)."""
        if player.number not in self.known:
            self.known[player.number] = self._well(player)
        return self.known[player.number]

    def _well(self, player: Entrant) -> bool:
        if Float.DOWN in (player.last, player.before):
            return False
        if self.rests is not None:
            return player in self.rests and self._rest_pairable()
        return self._next_is_full((player, *self.bracket.following))

    def _rest_pairable(self) -> bool:
        bye = self.bracket.bye if self.rests is None else None
        return self._pairable(self.bracket.following + self.bracket.below, bye)

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
