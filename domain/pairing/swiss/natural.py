"""A bracket paired in its natural order, where that is provably the answer: nearly every large bracket is.

A lower bound is known for every criterion. Candidates are gone through in the order of generation, with no exchange,
and a partner is skipped only if the pair breaks a criterion that no pairing at the lower bounds breaks. So the first
candidate that meets all bounds is the best one. Where nobody fits any more, a matching makes the last pairs again;
where none meets the bounds without an exchange, this is not the way.
"""

from collections.abc import Sequence
from typing import Final

from domain.pairing.crosstable import Tenths
from domain.pairing.swiss.bracket import Split, SwissBracket
from domain.pairing.swiss.completion import pairable
from domain.pairing.swiss.criteria import broken_sides
from domain.pairing.swiss.entrants import Float, Strength, SwissPlayer, legal
from domain.pairing.swiss.matcher import NO_MATE, Costs, Matcher
from domain.pairing.swiss.order import transposed

LAST: Final = 8  # so many pairs are made again at first


class Wishes:
    """The number of players who want each side, and of those who cost nothing in C13: they want it mildly, or are half
    of those who must have it where topscorers let them meet."""

    def __init__(self, players: Sequence[SwissPlayer]) -> None:
        self.want = {True: 0, False: 0, None: 0}
        self.mild = {True: 0, False: 0, None: 0}
        self.must = {True: 0, False: 0, None: 0}
        self.top = any(player.top for player in players)
        for player in players:
            self.add(player, 1)

    def add(self, player: SwissPlayer, count: int) -> None:
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


def least_unmet_between(one: Wishes, other: Wishes) -> int:
    """The least C12 when all of one half are paired with players of the other."""
    return max(0, *(one.want[side] - other.want[not side] - other.want[None] for side in (True, False)))


class NaturalOrder:
    """The search in one bracket. Until 2026 a bracket did not care whether those below can be paired (`complete`)."""

    def __init__(self, bracket: SwissBracket, odd_first: bool, complete: bool = True) -> None:
        self.bracket, self.odd_first, self.complete = bracket, odd_first, complete
        self.wishes = Wishes(bracket.players)
        self.bound = self.wishes.least()
        self.unmet, self.strong = 0, 0
        self.pairs: list[tuple[SwissPlayer, SwissPlayer]] = []
        self.known: dict[int, bool] = {}
        self.candidates_for_bye = self._candidates_for_bye()

    def split(self) -> Split | None:
        """The answer, if it lies at the bounds and was found."""
        bracket = self.bracket
        if len(bracket.moved) > len(bracket.residents):
            return None
        if self.candidates_for_bye is not None and (not self.candidates_for_bye or len(bracket.players) % 2 == 0):
            return None
        if len(bracket.players) % 2 == 0 and not self._rest_pairable():
            return None
        rest = self._pair_moved(list(bracket.residents))
        if rest is None:
            return None
        half = len(rest) // 2
        left = self._pair_remainder(rest[:half], rest[half:])
        return None if left is None else Split(tuple(self.pairs), left)

    def _candidates_for_bye(self) -> list[SwissPlayer] | None:
        """The players with the fewest unplayed rounds (C9) who can have the bye; None if it falls further below."""
        bracket = self.bracket
        if bracket.bye is None or bracket.residents[0].score > max(bracket.bye):
            return None
        able = [player for player in bracket.residents if bracket.may_rest(player)]
        least = min((player.unplayed for player in able), default=0)
        return [player for player in able if player.unplayed == least or not self.complete]

    def _pair_moved(self, residents: list[SwissPlayer]) -> list[SwissPlayer] | None:
        """Pair those moved down; the residents that are left, or None."""
        for player in self.bracket.moved:
            for place, other in enumerate(residents):
                if Float.UP not in (other.last, other.before) and self._pair_within_bounds(player, other):
                    residents.pop(place)
                    break
            else:
                return None
        return residents

    def _pair_within_bounds(self, one: SwissPlayer, other: SwissPlayer) -> bool:
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
        if self._beyond_bounds(*self.wishes.least()):
            self._undo()
            return False
        return True

    def _beyond_bounds(self, unmet: int, strong: int) -> bool:
        return self.unmet + unmet > self.bound[0] or self.strong + strong > self.bound[1]

    def _undo(self) -> None:
        one, other = self.pairs.pop()
        broken = broken_sides(one, other, self.odd_first)
        self.unmet -= broken.get("C12", 0)
        self.strong -= broken.get("C13", 0)
        self.wishes.add(one, 1)
        self.wishes.add(other, 1)

    def _pair_remainder(self, first: list[SwissPlayer], second: list[SwissPlayer]) -> tuple[SwissPlayer, ...] | None:
        """Partners for S1 in turn; who is left over, or None. Where somebody has none, the last pairs are made again by
        a matching, more of them each time: what stands before them was passed over for nothing that could be."""
        ahead, behind = Wishes(first), Wishes(second)
        if self._beyond_bounds(least_unmet_between(ahead, behind), 0):
            return None
        start, free = len(self.pairs), list(second)
        for one in first:
            if not self._pair_with_first_that_fits(one, free, ahead, behind):
                break
        else:
            if all(self._may_be_left_over(player) for player in free):
                return tuple(free)
        again = LAST
        while True:
            kept = max(len(self.pairs) - again, start)
            while len(self.pairs) > kept:
                self._undo()
            taken = {id(low) for _, low in self.pairs}
            left = self._last_pairs_matched(first[kept - start :], [low for low in second if id(low) not in taken])
            if left is not None or kept == start:
                return left
            again *= 4

    def _pair_with_first_that_fits(
        self, one: SwissPlayer, free: list[SwissPlayer], ahead: Wishes, behind: Wishes
    ) -> bool:
        """Pair a player of S1 with the first of S2 that will do."""
        for place, other in enumerate(free):
            if not self._pair_within_bounds(one, other):
                continue
            ahead.add(one, -1)
            behind.add(other, -1)
            if not self._beyond_bounds(least_unmet_between(ahead, behind), 0):
                free.pop(place)
                return True
            ahead.add(one, 1)
            behind.add(other, 1)
            self._undo()
        return False

    def _last_pairs_matched(
        self, first: list[SwissPlayer], second: list[SwissPlayer]
    ) -> tuple[SwissPlayer, ...] | None:
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
            edges += [(other, size, ()) for other, low in enumerate(second, start=half) if self._may_be_left_over(low)]
        matcher = Matcher(2 * len(second), edges, None, (half, half))
        matcher.settle()
        if NO_MATE in matcher.mates or matcher.settled != [self.bound[0] - self.unmet, self.bound[1] - self.strong]:
            return None
        for one, other in transposed(matcher, range(half), range(half, size)):
            self.pairs.append((first[one], second[other - half]))
        taken = {id(low) for _, low in self.pairs}
        return tuple(low for low in second if id(low) not in taken)

    def _may_be_left_over(self, player: SwissPlayer) -> bool:
        """True if those below come out as well as they possibly can when this one is left over (C4, C8, C9)."""
        if player.number not in self.known:
            self.known[player.number] = self._costs_nothing_below(player)
        return self.known[player.number]

    def _costs_nothing_below(self, player: SwissPlayer) -> bool:
        if Float.DOWN in (player.last, player.before):
            return False
        if self.candidates_for_bye is not None:
            return player in self.candidates_for_bye and self._rest_pairable()
        return self._next_is_full((player, *self.bracket.following))

    def _rest_pairable(self) -> bool:
        bye = self.bracket.bye if self.candidates_for_bye is None else None
        return self._pairable(self.bracket.following + self.bracket.below, bye)

    def _next_is_full(self, group: tuple[SwissPlayer, ...]) -> bool:
        """True if in the next bracket all can be paired, or all but one who lives there."""
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

    def _pairable(self, players: Sequence[SwissPlayer], bye: Sequence[Tenths] | None) -> bool:
        return not self.complete or pairable(players, bye)
