"""Naive implementations of the games with a stock or a layout, written from the ledger alone."""

from copy import copy
from types import SimpleNamespace
from typing import Any

from tests.domain.games.test_garbo_naive import naive_cells, naive_gives
from tests.kit.games.naive_tricks import Naive
from tests.kit.games.squares import Plain, copied


class OverTheTop(Naive):
    """Over the Top: four cards of four suits, a running total, hands refilled to thirteen."""

    def __init__(self, options: dict, dealer: int, deal: dict):
        self.ten = options.get("no_numeral") == "ten"
        self.ace_numeral = options.get("ace_is_numeral", True)
        self.hands = [list(hand) for hand in deal["hands"]]
        self.stock = list(deal["stock"])
        self.turn = 1 - dealer
        self.trick: list = []
        self.passed: list = []
        self.won = [0, 0]

    def free(self, seat: int) -> list:
        suits = [card[0] for _, card in self.trick]
        return [card for card in self.hands[seat] if card[0] not in suits]

    def legal(self) -> list:
        if not any(self.hands) and not self.trick:
            return []
        return [[self.turn, "play", card] for card in self.free(self.turn)] or [[self.turn, "pass"]]

    def totals(self) -> list:
        """Return the running total after each card."""
        found: list = []
        total, numeral = 0, None
        for place, (_, card) in enumerate(self.trick):
            rank = card[1]
            if rank in "JK":
                last = 10 if place and numeral is None and self.ten else numeral or 0
                adds = 10 if not place else last if rank == "K" or numeral is None else -last
            elif rank == "A":
                adds = 11 if total + 11 <= 21 else 1
                numeral = adds if self.ace_numeral else numeral
            elif rank == "Q":
                adds = 10 if total + 10 <= 21 else 0
            else:
                adds = numeral = 10 if rank == "T" else int(rank)
            total += adds
            found.append(total)
        return found

    def do(self, seat: int, word: str, card: str = "") -> None:
        if word == "pass":
            self.passed.append(seat)
        else:
            self.hands[seat].remove(card)
            self.trick.append((seat, card))
        self.turn = 1 - seat if 1 - seat not in self.passed else seat
        if len(self.trick) == 4 or len(self.passed) == 2:
            self.take()

    def take(self) -> None:
        totals = self.totals()
        worth = sorted(11 if card[1] == "A" else 10 if card[1] in "TJQK" else int(card[1]) for _, card in self.trick)
        if totals[-1] > 21:
            first_over = next(seat for (seat, _), total in zip(self.trick, totals, strict=True) if total > 21)
            winner, points = 1 - first_over, sum(worth[-2:])
        else:
            winner, points = self.trick[-1][0], sum(worth if totals[-1] == 21 else worth[:2])
        self.won[winner] += points
        self.trick, self.passed = [], []
        while self.stock and min(map(len, self.hands)) < 13:
            for drawer in (winner, 1 - winner):
                if self.stock and len(self.hands[drawer]) < 13:
                    self.hands[drawer].append(self.stock.pop(0))
        self.turn = winner if self.hands[winner] else 1 - winner

    def scores(self) -> list:
        return self.won


class Ristikontra(Naive):
    """Ristikontra: any card may be played, the last of the led rank wins; dark cards and all options of play."""

    def __init__(self, options: dict, dealer: int, deal: dict):
        self.options = options
        self.size = options.get("hand_size", 6)
        self.hands = [list(hand) for hand in deal["hands"]]
        self.stock = list(deal["stock"])
        self.turn = (dealer + 1) % 4
        self.trick: list = []
        self.dark: list = []
        self.turned = False
        self.asked: Any = None  # the card drawn by the winner who may spice
        self.leads: list = []  # (seat, rank)
        self.taken: list = []  # every card in finished tricks
        self.done = 0
        self.points, self.tricks = [0, 0], [0, 0]
        self.queens, self.clean = [False, False], [False, False]
        self.first = len(self.stock) // 4

    def barred(self) -> list:
        """Return the card barred by option: the last king, while the stock lasts."""
        kings = [card for card in [*self.taken, *(card for _, card in self.trick)] if card[1] == "K"]
        if not self.options.get("cleaning") or self.done >= self.first or len(kings) != 3:
            return []
        return [suit + "K" for suit in "CDHS" if suit + "K" not in kings]

    def legal(self) -> list:
        seat = self.turn
        if self.asked:
            no, yes = [seat, "spice", False], [seat, "spice", True]
            kept = self.trick[self.winning()][1][1] == "K"  # a king for a king
            return [no] if self.asked in self.barred() and not kept else [no, yes]
        cards = [card for card in self.hands[seat] if card not in self.barred()]
        running = len(self.leads) > 2 and len(set(self.leads[-3:])) == 1 and self.leads[-1][0] == seat
        if self.options.get("no_fourth_lead") and running and not self.trick:
            cards = [card for card in cards if card[1] != self.leads[-1][1]] or cards
        dark = [[seat, "dark"]] if self.stock and not self.turned else []
        return [[seat, "play", card] for card in cards] + dark

    def do(self, seat: int, word: str, what: Any = None) -> None:
        if word == "spice":
            if what:
                place = self.winning()
                self.hands[seat].remove(self.asked)
                self.hands[seat].append(self.trick[place][1])
                self.trick[place] = (seat, self.asked)
            self.asked = None
            self.take(seat)
            return
        card = what
        if word == "dark":
            card = self.stock.pop(0)
            self.dark.append(seat)
            if card in self.barred():
                self.hands[seat].append(card)
                self.turned = True
                return
        else:
            self.hands[seat].remove(card)
            if self.options.get("refill") == "after_card" and self.stock and not self.turned:
                self.hands[seat].append(self.stock.pop(0))
        self.turned = False
        if not self.trick:
            self.leads.append((seat, card[1]))
        self.trick.append((seat, card))
        self.turn = (seat + 1) % 4
        if len(self.trick) == 4:
            self.won()

    def winning(self) -> int:
        return [place for place, (_, card) in enumerate(self.trick) if card[1] == self.leads[-1][1]][-1]

    def won(self) -> None:
        winner = self.trick[self.winning()][0]
        if self.options.get("spice") and self.stock and winner not in self.dark:
            self.asked, self.turn = self.stock.pop(0), winner
            self.hands[winner].append(self.asked)
        else:
            self.take(winner)

    def take(self, winner: int) -> None:
        five = self.options.get("values") == "five"
        worth = {"A": 5, "K": 4, "Q": 3, "J": 2, "T": 1} if five else {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
        cards, side = [card for _, card in self.trick], winner % 2
        self.points[side] += sum(worth.get(card[1], 0) for card in cards)
        self.tricks[side] += 1
        ranks = [card[1] for card in cards]
        if self.done < self.first:
            self.queens[side] = self.queens[side] or "Q" in ranks
        elif "K" in ranks and self.leads[-1][1] != "Q":
            self.clean[side] = True
        self.taken += cards
        self.done += 1
        for seat in ((winner + step) % 4 for step in range(4)):
            while self.stock and len(self.hands[seat]) < self.size:
                self.hands[seat].append(self.stock.pop(0))
        self.trick, self.dark, self.turn = [], [], winner

    def scores(self) -> list:
        if self.options.get("cleaning"):
            fails = [owes and not clean for owes, clean in zip(self.queens, self.clean, strict=True)]
            if any(fails):
                worth = self.options.get("dishonour_points", 1)
                return [0, 0] if all(fails) else [worth * fails[1], worth * fails[0]]
        ours, theirs = self.points
        if ours == theirs:
            both = self.tricks if self.options.get("tie_break_tricks") else [0, 0]
            return [int(both[0] > both[1]), int(both[1] > both[0])]
        return [(ours > theirs) * (1 + (theirs == 0)), (theirs > ours) * (1 + (ours == 0))]


class GetStuck(Naive):
    """Get Stuck on the plain square of `squares`, in the form of the other naive tables."""

    def __init__(self, options: dict, dealer: int, deal: dict):
        colours = deal.get("colours", ["red", "black"])
        self.plain = Plain(SimpleNamespace(grid=deal["grid"], colours=colours), dealer)

    def after(self, action: list) -> Any:
        other = copy(self)
        other.plain = copied(self.plain)
        other.do(*action)
        return other

    def legal(self) -> list:
        return [[self.plain.turn, "move", list(cell)] for cell in self.plain.moves()]

    def do(self, seat: int, word: str, cell: list) -> None:
        self.plain.move((cell[0], cell[1]))

    def scores(self) -> list:
        return list(self.plain.scores())


class Garbo(Naive):
    """Garbo on a dict of the uppermost cards, with automatic claims."""

    def __init__(self, options: dict, dealer: int, deal: dict):
        self.line = options.get("suit_scope") == "line"
        self.packets = [[list(packet) for packet in packets] for packets in deal["packets"]]
        self.hands = [packets.pop(0) for packets in self.packets]
        self.turn = 1 - dealer
        self.layout: dict = {}
        self.covered: list = []
        self.points = [0, 0]
        self.played = 0

    def legal(self) -> list:
        word = "place" if self.played < 16 else "cover"
        cells = naive_cells(self.layout) if word == "place" else [c for c in self.layout if c not in self.covered]
        return [[self.turn, word, card, list(cell)] for card in self.hands[self.turn] for cell in cells]

    def do(self, seat: int, word: str, card: str, cell: list) -> None:
        where = (cell[0], cell[1])
        self.points[1 - seat] += naive_gives(self.layout, card, where, self.line)
        self.layout[where] = card
        self.covered += [where] if word == "cover" else []
        self.hands[seat].remove(card)
        self.played += 1
        self.turn = 1 - seat
        if not any(self.hands) and self.packets[0] and self.played < 16:
            self.hands = [packets.pop(0) for packets in self.packets]
        if self.played == 16:
            last = [packets.pop(0) if packets else [] for packets in self.packets]
            self.hands = [hand + packet for hand, packet in zip(self.hands, last, strict=True)]
            first, second = self.points
            self.turn = seat if first == second else int(second > first)

    def scores(self) -> list:
        return self.points
