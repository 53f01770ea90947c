"""Two open hands whose cards count: can seat 0 force a margin of at least so much?

One table for each margin that is asked for. Between tricks a position is the cards left, who leads and the points
shared out so far; the more of those seat 0 has, the better for it, so the table keeps from how many on it is known to
succeed and up to how many to fail.
"""

from collections.abc import Iterator
from typing import Final

from domain.cards.card import SUIT_MASK
from domain.game.ending import Points

NEVER: Final = 1 << 20


class Counting:
    """The proofs about one deal and one margin."""

    def __init__(self, ending: Points, aim: int) -> None:
        self.order, self.values, self.margin, self.aim = ending.order, ending.values, ending.margin, aim
        self.pairs = ending.pairs
        self.trumps = SUIT_MASK[ending.order.trump]
        self.proven: dict[tuple[int, int, int, int], tuple[int, int]] = {}
        self.enough: dict[tuple[int, int], bool] = {}
        self.certain: dict[tuple[int, int, int], tuple[int, int, int, int]] = {}

    def asked(self, ending: Points) -> bool:
        """True when seat 0 can force the margin from this table."""
        one, other = ending.hands
        if ending.led is not None:
            found = (
                self.forces(*after) for after in self._answers(one, other, 1 - ending.turn, ending.led, *ending.totals)
            )
            return any(found) if ending.turn == 0 else all(found)
        return self.forces(one, other, ending.turn, *ending.totals, ending.bound)

    def forces(self, one: int, other: int, leader: int, mine: int, theirs: int, bound: int = 0) -> bool:
        """The same between tricks, seat 0 having `mine` points and seat 1 `theirs`."""
        if not one:
            return self._enough(mine, theirs)
        sure, all_of_it, their_sure, all_of_theirs = self._certain(one, other, leader)
        if not bound:
            if self._enough(mine + sure, theirs + all_of_theirs - sure):
                return True
            if not self._enough(mine + all_of_it - their_sure, theirs + their_sure):
                return False
        key = one, other, leader, mine + theirs
        succeeds, fails = self.proven.get(key, (NEVER, -1)) if not bound else (NEVER, -1)
        if mine >= succeeds:
            return True
        if mine <= fails:
            return False
        found = self._search(one, other, leader, mine, theirs, bound)
        if not bound:
            self.proven[key] = (mine, fails) if found else (succeeds, mine)
        return found

    def _search(self, one: int, other: int, leader: int, mine: int, theirs: int, bound: int) -> bool:
        good = leader == 0
        hand = other if leader else one
        for led in _bits(hand & bound or hand):
            bit = 1 << led
            shown = sum([points for pair, points in self.pairs if bit & pair and hand & pair == pair])
            if leader:
                after = self._answers(one, other ^ bit, 1, led, mine, theirs + shown)
            else:
                after = self._answers(one ^ bit, other, 0, led, mine + shown, theirs)
            for each in after:
                if self.forces(*each) != good:
                    break
            else:
                return good
        return not good

    def _answers(
        self, one: int, other: int, leader: int, led: int, mine: int, theirs: int
    ) -> Iterator[tuple[int, int, int, int, int]]:
        """The outcome of each answer to a card: hands, next leader, points."""
        hand = one if leader else other
        power, values = self.order.power[led], self.values
        beaten, worth = power[led], values[led]
        for card in _bits(hand & self.order.follow[led] or hand & self.trumps or hand):
            gained = worth + values[card]
            winner = 1 - leader if power[card] > beaten else leader
            hands = (one ^ 1 << card, other) if leader else (one, other ^ 1 << card)
            yield (*hands, 1, mine, theirs + gained) if winner else (*hands, 0, mine + gained, theirs)

    def _enough(self, mine: int, theirs: int) -> bool:
        key = mine, theirs
        if key not in self.enough:
            self.enough[key] = self.margin(mine, theirs) >= self.aim
        return self.enough[key]

    def _certain(self, one: int, other: int, leader: int) -> tuple[int, int, int, int]:
        """Of seat 0, then of seat 1: points that it can force, and all that it could have."""
        key = one, other, leader
        if key not in self.certain:
            left = sum([self.values[card] for card in _bits(one | other)])
            pairs = [sum([points for pair, points in self.pairs if hand & pair == pair]) for hand in (one, other)]
            sure = self._sure(one, other, leader == 0), self._sure(other, one, leader == 1)
            self.certain[key] = sure[0], left + pairs[0], sure[1], left + pairs[1]
        return self.certain[key]

    def _sure(self, hand: int, against: int, leads: bool) -> int:
        """Highest trumps take a trick each; plain winners, cashed first, while the other follows or has no trump."""
        trumps = self.trumps
        sure = self._cashed(hand & trumps, against & trumps, NEVER)
        if leads:
            ruffs = against & trumps
            for suit in SUIT_MASK:
                if suit != trumps and hand & suit:
                    held = against & suit
                    sure += self._cashed(hand & suit, held, held.bit_count() if ruffs else NEVER)
        return sure

    def _cashed(self, hand: int, against: int, most: int) -> int:
        power, points = self.order.power, 0
        high = max([power[card][card] for card in _bits(against)], default=-1)
        ranked = sorted(_bits(hand), key=lambda card: -power[card][card])
        for card in ranked[:most]:
            if power[card][card] < high:
                break
            points += self.values[card]
        return points


def extremes(ending: Points) -> tuple[int, int]:
    """The margins when seat 1, or seat 0, has all that is left."""
    on_table = 0 if ending.led is None else ending.values[ending.led]
    left = on_table + sum(ending.values[card] for card in _bits(ending.hands[0] | ending.hands[1]))
    may = [left + sum(points for pair, points in ending.pairs if hand & pair == pair) for hand in ending.hands]
    one, other = ending.totals
    return ending.margin(one, other + may[1]), ending.margin(one + may[0], other)


def _bits(mask: int) -> list[int]:
    """The cards of a bit set, the highest first."""
    found = []
    while mask:
        card = mask.bit_length() - 1
        found.append(card)
        mask ^= 1 << card
    return found
