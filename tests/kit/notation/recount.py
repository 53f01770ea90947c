"""A second scorer to check the examples: it knows canonical notation and three games, and uses nothing of the
domain."""

import json
import re
from typing import NamedTuple

TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
CARD = re.compile(r"(?:\d+\.)?(?:[ABNESW]:)?([SHDC][2-9TJQKA]|X[RB])(?:!(\d+))?(\^[A-Z]+)?(~)?(?:=-?\d+)?$")
CALL = re.compile(r"([ABNESW]):(\w+|-)(\^[A-Z]+)?(~)?$")
SUM = re.compile(r"=(-?\d+(?:-\d+)+)$")
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
DOWN = "AKQJT98765432"


class Deal(NamedTuple):
    """A deal of the text: its tags, words, stated scores and ruled scores."""

    tags: dict[str, str]
    words: list[str]
    stated: dict[int, int]
    ruled: dict[int, int]
    lines: list[str]

    @property
    def void(self):
        return "=void" in self.words

    @property
    def sums(self):
        found = (SUM.match(word) for word in self.words)
        return [tuple(int(figure) for figure in each[1].split("-")) for each in found if each]

    @property
    def in_force(self):
        return self.ruled or self.stated


class Match(NamedTuple):
    """A match of the text."""

    tags: dict[str, str]
    options: dict[str, str]
    seats: str
    deals: list[Deal]


def matches(text):
    """Return every match of a file; blank lines separate them."""
    text = re.sub(r"^%.*$", "", text, flags=re.M).strip("\n")
    return [_match(part) for part in re.split(r"\n\s*\n(?=\[)", text) if "[Game" in part]


def _match(text):
    head, *deals = re.split(r'(?=\[Deal ")', text)
    tags = dict(TAG.findall(head))
    options = dict(value.split(" ", 1) for name, value in TAG.findall(head) if name == "Option")
    seats = "AB" if "A" in tags else "NESW"
    return Match(tags, options, seats, [_deal(deal, seats) for deal in deals])


def _deal(text, seats):
    tags = dict(TAG.findall(text))
    lines = re.findall(r"^!.*$", text, flags=re.M)
    bare = re.sub(r"^!.*$", "", TAG.sub("", text), flags=re.M)
    bare = re.sub(r";.*$", "", re.sub(r"\{[^}]*\}", "", bare), flags=re.M)
    play, _, stated = bare.partition("\nR ") if "\nR " in bare else bare.partition(" R ")
    ruled = next((line.rpartition("=>")[2] for line in reversed(lines) if "=>" in line), "")
    return Deal(tags, play.split(), _scores(stated, seats), _scores(ruled, seats), lines)


def _scores(text, seats):
    found = re.findall(r"([ABNESW+]+) (-?\d+)", text)
    return {seats.index(letter): int(score) for who, score in found for letter in who.replace("+", "")}


def scores(match, deal):
    """Return the scores of a deal by seat, from its cards, sums or entry."""
    entry = json.loads(deal.tags["Entry"].replace('\\"', '"')) if "Entry" in deal.tags else {}
    if deal.void:
        return dict.fromkeys(range(len(match.seats)), 0)
    counted = {"cross_purposes": _cross_purposes, "cross_game": _cross_game, "parity": _parity}
    return dict(enumerate(counted[match.tags["Game"]](match, deal, entry)))


def _played(deal):
    """The cards in order with what was announced, and the calls, without what was withdrawn."""
    cards = [(card[1], int(card[2] or 0)) for card in map(CARD.match, deal.words) if card and not card[4]]
    calls = [(call[1], call[2]) for call in map(CALL.match, deal.words) if call and not call[4]]
    return cards, calls


def _tricks(cards, leader, count, strength):
    """Who took each trick: (winner, its cards). `strength` is of a card and the suit that was led."""
    taken = []
    for start in range(0, len(cards), count):
        trick = cards[start : start + count]
        led = trick[0]
        best = max(range(count), key=lambda at, trick=trick, led=led: (strength(trick[at], led), -at))
        leader = (leader + best) % count
        taken.append((leader, trick))
    return taken


def _counted(taken, count):
    return tuple(sum(winner == seat for winner, _ in taken) for seat in range(count))


def _order(trump, ranks):
    def strength(card, led):
        if card[0] == trump:
            return 200 - ranks.index(card[1])
        return 100 - ranks.index(card[1]) if card[0] == led[0] else 0

    return strength


def _named(values):
    """Trumps, and the ranks from the top one down."""
    trump = next(value for value in values if value in "SHDC")
    top = DOWN.index(next(value for value in values if value in DOWN))
    return trump, DOWN[top:] + DOWN[:top]


def _cross_purposes(match, deal, entry):
    if match.options.get("variant", "two") == "two":
        counts = entry["phases"] if entry else _two_phases(match, deal)
        both = [(first + 1) * second for first, second in zip(*counts, strict=True)]
    else:
        counts, pairs = _four_hands(match, deal, entry)
        both = [0] * 4
        for one, other in pairs:
            both[one] = both[other] = (counts[one] + 1) * (counts[other] + 1)
    if match.options.get("scoring") == "winner_only":
        return [score if score == max(both) else 0 for score in both]
    return both


def _two_phases(match, deal):
    cards, calls = _played(deal)
    if not cards:
        return deal.sums
    dealer = match.seats.index(deal.tags["Dealer"])
    counts = []
    for phase, leader in enumerate((1 - dealer, dealer)):
        values = [value for _, value in calls[2 * phase : 2 * phase + 2]]
        now = [card for card, _ in cards[26 * phase : 26 * phase + 26]]
        counts.append(_counted(_tricks(now, leader, 2, _order(*_named(values))), 2))
    assert deal.sums in (counts, [])
    return counts


def _four_hands(match, deal, entry):
    fixed = match.options["variant"] == "fixed"
    if entry:
        allies = set(entry["allies"])
        return entry["tricks"], [tuple(allies), tuple({0, 1, 2, 3} - allies)]
    cards, calls = _played(deal)
    if not cards:
        return deal.sums[0], [(0, 2), (1, 3)]
    pair, values = _agreed([(match.seats.index(who), value) for who, value in calls], fixed)
    leader = (match.seats.index(deal.tags["Dealer"]) + 1) % 4
    counts = _counted(_tricks([card for card, _ in cards], leader, 4, _order(*_named(values))), 4)
    assert deal.sums in ([counts], [])
    return counts, [tuple(pair), tuple({0, 1, 2, 3} - pair)]


def _agreed(calls, fixed):
    """The first pair, and both values that were agreed on."""
    pair, values, said = set(), [], []
    for seat, value in calls:
        settled = values and (value in "SHDC") == (values[0] in "SHDC")
        if seat not in pair and not settled:
            allies = [other for other, each in said if each == value and other != seat and other not in pair]
            allies = [other for other in allies if not fixed or other == (seat + 2) % 4]
            if allies:
                values.append(value)
                pair = pair or {seat, allies[-1]}
        said.append((seat, value))
    assert len(values) == 2
    return pair, values


def _parity(match, deal, entry):
    cards, calls = _played(deal)
    wanted = next(value for _, value in calls if value in ("odd", "even"))
    if not cards:
        tricks = deal.sums[0]
    else:
        trump = next(value for _, value in calls if value in "SHDC")
        high = "XR" if trump in "HD" else "XB"
        plain = _order(trump, "AKQJT52")

        def strength(card, led):
            if card[0] == "X":
                return 301 if card == high else 300
            return plain(card, trump if led[0] == "X" else led)

        leader = 1 - match.seats.index(deal.tags["Dealer"])
        tricks = _counted(_tricks([card for card, _ in cards], leader, 2, strength), 2)
        assert deal.sums in ([tricks], [])
    return [10 + won if won % 2 == (wanted == "odd") else 0 for won in tricks]


def _cross_game(match, deal, entry):
    cards, calls = _played(deal)
    if entry:
        bidder, bid, crosses = entry["bidder"], entry["bid"], entry["cross_points"]
    else:
        bid, who = max((int(value), who) for who, value in calls if value != "-")
        bidder = match.seats.index(who)
        made = [0, 0]
        leader = bidder
        order = _order(cards[0][0][0], "ATKQJ9")
        for winner, trick in _tricks([card for card, _ in cards], bidder, 2, order):
            made[leader] += dict(cards)[trick[0]]
            made[winner] += sum(POINTS[card[1]] for card in trick)
            leader = winner
        assert deal.sums in ([tuple(made)], [])
        crosses = [points // 33 for points in made]
    return [-bid if seat == bidder and points < bid else points for seat, points in enumerate(crosses)]


def history(line):
    """Return a line of history as a match of one deal in notation words, or None if it is unfinished."""
    read = json.loads(line)
    seats = "NESW" if "variant" in read["options"] else "AB"
    words, cards = [], sum(action[1] == "play" for action in read["actions"])
    for seat, verb, *values in read["actions"]:
        if verb == "play":
            words.append(values[0])
        elif verb != "announce":
            words.append(f"{seats[seat]}:{values[-1] if values else '-'}")
    if read["game"] == "cross_game":
        words = ["=void"] if not cards else _announced(read, words)
    full = {"cross_purposes": 52, "cross_game": 24, "parity": 30}[read["game"]]
    if cards not in (full, 0):
        return None
    tags = {"Dealer": seats[read["dealer"]]}
    return Match({"Game": read["game"]}, read["options"], seats, [Deal(tags, words, {}, {}, [])])


def _announced(read, words):
    """With the pairs that were shown by a lead, the hands and the stock being known."""
    hands, stock = [set(hand) for hand in read["deal"]["hands"]], list(read["deal"]["stock"])
    said = {(action[0], action[2]) for action in read["actions"] if action[1] == "announce"}
    free = read["options"].get("announce") != "declared"
    cards = [word for word in words if ":" not in word]
    leader = next(action[0] for action in read["actions"] if action[1] == "play")
    order = _order(cards[0][0], "ATKQJ9")
    shown, marked = set(), []
    for led, other in zip(cards[::2], cards[1::2], strict=True):
        suit = led[0]
        pair = {suit + "K", suit + "Q"} <= hands[leader] and led[1] in "KQ" and suit not in shown
        if pair and (free or (leader, suit) in said):
            shown.add(suit)
            marked.append(f"{led}!{40 if suit == cards[0][0] else 20}")
        else:
            marked.append(led)
        marked.append(other)
        hands[leader].discard(led)
        hands[1 - leader].discard(other)
        if order(other, led) > order(led, led):
            leader = 1 - leader
        for seat in (leader, 1 - leader) if stock else ():
            hands[seat].add(stock.pop(0))
    return [word for word in words if ":" in word] + marked
