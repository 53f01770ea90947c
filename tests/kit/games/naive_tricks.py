"""Naive implementations of Parity, four-hand Cross Purposes and Cross Game, written from the ledger alone.

A naive table has `legal`, the actions as `[seat, word, …]`, `after`, the table after one of them, and `scores` of a
finished deal.
"""

from copy import copy
from typing import Any

RANKS = "23456789TJQKA"


class Naive:
    """Base class of the naive tables: `after` applies an action to a copy."""

    def after(self, action: list[Any]) -> Any:
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list):
                setattr(other, name, [list(each) if isinstance(each, list) else each for each in value])
            elif isinstance(value, dict):
                setattr(other, name, dict(value))
        other.do(*action)
        return other

    def follow(self, hand: list[str], led: str) -> list[str]:
        return [card for card in hand if self.suit(card) == self.suit(led)]

    def suit(self, card: str) -> str:
        return card[0]

    def best(self, trick: list[tuple[int, str]]) -> int:
        """Return the seat that wins: the highest trump, or else the highest card of the suit led."""
        trumps = [(seat, card) for seat, card in trick if self.suit(card) == self.trumps]
        rivals = trumps or [(seat, card) for seat, card in trick if self.suit(card) == self.suit(trick[0][1])]
        return max(rivals, key=lambda pair: self.height(pair[1]))[0]


class Parity(Naive):
    """Parity: trumps, parity, fifteen tricks."""

    def __init__(self, options: dict, dealer: int, deal: dict):
        self.hands = [list(hand) for hand in deal["hands"]]
        self.dealer, self.turn = dealer, 1 - dealer
        self.trumps = self.parity = None
        self.trick: list = []
        self.tricks = [0, 0]

    def suit(self, card: str) -> str:
        return self.trumps if card[0] == "X" else card[0]

    def height(self, card: str) -> int:
        if card[0] == "X":
            own_colour = "R" if self.trumps in "DH" else "B"
            return 101 if card[1] == own_colour else 100
        return "25TJQKA".index(card[1])

    def legal(self) -> list:
        if self.trumps is None:
            return [[self.turn, "trump", suit] for suit in "CDHS"]
        if self.parity is None:
            return [[self.turn, "parity", parity] for parity in ("odd", "even")]
        hand = self.hands[self.turn]
        cards = (self.follow(hand, self.trick[0][1]) or hand) if self.trick else hand
        return [[self.turn, "play", card] for card in cards]

    def do(self, seat: int, word: str, what: str) -> None:
        if word == "trump":
            self.trumps, self.turn = what, self.dealer
        elif word == "parity":
            self.parity, self.turn = what, 1 - self.dealer
        else:
            self.hands[seat].remove(what)
            self.trick.append((seat, what))
            self.turn = 1 - seat
            if len(self.trick) == 2:
                self.turn = self.best(self.trick)
                self.tricks[self.turn] += 1
                self.trick = []

    def scores(self) -> list:
        return [10 + won if won % 2 == (self.parity == "odd") else 0 for won in self.tricks]


class CrossFour(Naive):
    """Four-hand Cross Purposes: proposals until two pairs agree on trumps and tops, then tricks."""

    def __init__(self, options: dict, dealer: int, deal: dict):
        self.fixed = options["variant"] == "fixed"
        self.latest = options.get("open_proposals") == "latest"
        self.repeats = options.get("own_repeat", True)
        self.hands = [list(hand) for hand in deal["hands"]]
        self.eldest = self.turn = (dealer + 1) % 4
        self.said: list = []  # (seat, dimension, value)
        self.settled: dict = {}
        self.pair: tuple = ()
        self.trick: list = []
        self.tricks = [0] * 4

    def height(self, card: str) -> int:
        """Return the rank of a card counted from the top rank downwards, through Two to Ace."""
        return -((RANKS.index(self.settled["top"]) - RANKS.index(card[1])) % 13)

    def open_to(self, seat: int) -> set:
        """Return the proposals of other seats that a seat can accept."""
        found = set()
        for other in range(4):
            if other == seat or other in self.pair or (self.fixed and (other + seat) % 2):
                continue
            calls = [(dim, value) for who, dim, value in self.said if who == other and dim not in self.settled]
            everything = [(dim, value) for who, dim, value in self.said if who == other]
            found |= set((calls if self.settled else everything)[-1:] if self.latest else calls)
        return found

    def legal(self) -> list:
        if len(self.settled) == 2:
            hand = self.hands[self.turn]
            cards = (self.follow(hand, self.trick[0][1]) or hand) if self.trick else hand
            return [[self.turn, "play", card] for card in cards]
        values = [("trump", suit) for suit in "CDHS"] + [("top", rank) for rank in RANKS]
        values = [(dim, value) for dim, value in values if dim not in self.settled]
        own = {(dim, value) for who, dim, value in self.said if who == self.turn}
        fresh = [each for each in values if self.repeats or each not in own or each in self.open_to(self.turn)]
        return [[self.turn, "propose", dim, value] for dim, value in fresh or values]

    def do(self, seat: int, word: str, *what: str) -> None:
        if word == "play":
            self.hands[seat].remove(what[0])
            self.trick.append((seat, what[0]))
            self.turn = (seat + 1) % 4
            if len(self.trick) == 4:
                self.turn = self.best(self.trick)
                self.tricks[self.turn] += 1
                self.trick = []
            return
        dim, value = what
        agreed = (dim, value) in self.open_to(seat)
        if agreed and not self.settled:
            allies = [
                who
                for who, *call in self.said
                if call == [dim, value] and who != seat and not (self.fixed and (who + seat) % 2)
            ]
            self.pair = (allies[-1], seat)
        self.said.append((seat, dim, value))
        if agreed:
            self.settled[dim] = value
        if len(self.settled) == 2:
            self.turn, self.trumps = self.eldest, self.settled["trump"]
            return
        self.turn = (seat + 1) % 4
        while self.turn in self.pair:
            self.turn = (self.turn + 1) % 4

    def scores(self) -> list:
        sides = [self.pair, [seat for seat in range(4) if seat not in self.pair]]
        worth = [(self.tricks[one] + 1) * (self.tricks[other] + 1) for one, other in sides]
        return [worth[seat not in self.pair] for seat in range(4)]


class CrossGame(Naive):
    """Cross Game: an auction, four open tricks with draws, eight strict tricks."""

    WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}

    def __init__(self, options: dict, dealer: int, deal: dict):
        self.declared = options.get("announce") == "declared"
        self.hands = [list(hand) for hand in deal["hands"]]
        self.stock = list(deal["stock"])
        self.turn = 1 - dealer
        self.calls: list = []  # (bid, seat), a pass is a bid of nothing
        self.trumps: Any = None
        self.trick: list = []
        self.promised: Any = None
        self.shown: list = []
        self.points, self.extra = [0, 0], [0, 0]

    def height(self, card: str) -> int:
        return "9JQKTA".index(card[1])

    def pairs(self) -> list:
        hand = self.hands[self.turn]
        return [suit for suit in "CDHS" if suit + "K" in hand and suit + "Q" in hand and suit not in self.shown]

    def legal(self) -> list:
        seat = self.turn
        if len(self.calls) < 2:
            high = max([bid for bid, _ in self.calls], default=0)
            return [*([seat, "bid", bid] for bid in range(high + 1, 7)), [seat, "pass"]]
        if max(self.calls)[0] == 0:
            return []
        hand, found = self.hands[seat], []
        cards = hand
        if self.trick and not self.stock:
            led = self.trick[0][1]
            cards = self.follow(hand, led) or [card for card in hand if card[0] == self.trumps] or hand
        if not self.trick and self.declared and self.promised is None:
            found = [[seat, "announce", suit] for suit in self.pairs()]
        if self.promised:
            cards = [self.promised + "K", self.promised + "Q"]
        return found + [[seat, "play", card] for card in cards]

    def do(self, seat: int, word: str, what: Any = None) -> None:
        if word in ("bid", "pass"):
            self.calls.append((what or 0, seat))
            self.turn = 1 - seat if len(self.calls) < 2 else max(self.calls)[1]
            return
        if word == "announce":
            self.promised = what
            return
        suit = what[0]
        if not self.trick:
            self.trumps = self.trumps or suit
            if what[1] in "KQ" and (self.promised == suit if self.declared else suit in self.pairs()):
                self.shown.append(suit)
                self.extra[seat] += 40 if suit == self.trumps else 20
            self.promised = None
        self.hands[seat].remove(what)
        self.trick.append((seat, what))
        self.turn = 1 - seat
        if len(self.trick) == 2:
            self.turn = self.best(self.trick)
            self.points[self.turn] += sum(self.WORTH[card[1]] for _, card in self.trick)
            self.trick = []
            for drawer in (self.turn, 1 - self.turn):
                self.hands[drawer] += [self.stock.pop(0)] if self.stock else []

    def scores(self) -> list:
        bid, bidder = max(self.calls)
        if not bid:
            return [0, 0]
        made = [(card + extra) // 33 for card, extra in zip(self.points, self.extra, strict=True)]
        if made[bidder] < bid:
            made[bidder] = -bid
        return made
