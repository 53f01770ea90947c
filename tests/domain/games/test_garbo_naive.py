"""Garbo against a second, naive implementation, and the invariants of the ledger over random deals."""

import itertools
from functools import cache

import pytest
from hypothesis import given

from domain import codec
from domain.cards.card import cards_in, mask_of
from domain.game.sheet import EntryError
from domain.games import find
from tests.kit.games.strategies import FORMS, of_form, played_out, quick
from tests.kit.match.tables import deal_for, score_of

KEY = "garbo"
GAME = find(KEY)
GARBO = [form for form in FORMS if form[0] == KEY]
AUTOMATIC = [form for form in GARBO if "claims" not in form[1]]
SUITS = {"S": 1, "H": 2, "C": 3, "D": 4}
RANKS = {"J": 5, "K": 6, "7": 7, "8": 8, "9": 9, "T": 10, "A": 11, "Q": 12}


def in_line(one, other) -> bool:
    down, across = other[0] - one[0], other[1] - one[1]
    return one != other and (down == 0 or across == 0 or abs(down) == abs(across))


def near(one, other) -> bool:
    return one != other and max(abs(other[0] - one[0]), abs(other[1] - one[1])) == 1


def naive_gives(layout: dict, card: str, cell, line: bool) -> int:
    """Rule by rule, over a dict of the uppermost cards."""
    total = 0
    for where, other in layout.items():
        if other[0] == card[0] and (in_line(cell, where) if line else near(cell, where)):
            total += SUITS[card[0]]
        if other[1] == card[1] and in_line(cell, where):
            total += RANKS[card[1]]
    under = layout.get(cell)
    if under:
        total += 10 * (SUITS[card[0]] if under[0] == card[0] else RANKS[card[1]] if under[1] == card[1] else 0)
    return total


def naive_cells(layout: dict) -> list:
    """Empty cells side by side with a card that leave the layout within four by four."""
    if not layout:
        return [(0, 0)]
    found = []
    for cell in ((row, column) for row in range(-4, 5) for column in range(-4, 5)):
        beside = any(abs(cell[0] - row) + abs(cell[1] - column) == 1 for row, column in layout)
        rows, columns = zip(*layout, cell, strict=True)
        if cell not in layout and beside and max(rows) - min(rows) < 4 and max(columns) - min(columns) < 4:
            found.append(cell)
    return found


def naive_perft(layout: dict, hands: tuple, seat: int, depth: int, line: bool) -> tuple[int, int]:
    """Leaves below a table of the first level, and the sum of all that is given on the ways there."""
    if not depth:
        return 1, 0
    leaves = total = 0
    for card in hands[seat]:
        for cell in naive_cells(layout):
            rest = tuple(tuple(c for c in hand if c != card) for hand in hands)
            below, sums = naive_perft({**layout, cell: card}, rest, 1 - seat, depth - 1, line)
            leaves += below
            total += sums + naive_gives(layout, card, cell, line) * below
    return leaves, total


def perft(state, depth: int) -> tuple[int, int]:
    if not depth:
        return 1, 0
    leaves = total = 0
    for fact in GAME.legal(state):
        after = GAME.evolve(state, fact)
        below, sums = perft(after, depth - 1)
        leaves += below
        total += sums + (GAME.script.announced_points(state, after) or 0) * below
    return leaves, total


@cache
def naive(line: bool, depth: int) -> tuple[int, int]:
    hands = (("S7", "S8", "H8", "DQ"), ("C7", "D7", "HT", "CQ"))
    return naive_perft({}, hands, 1, depth, line)


@pytest.mark.parametrize("scope", ["adjacent", "line"])
@pytest.mark.parametrize(("depth", "leaves"), [(1, 4), (2, 64), (3, 1152), (4, 25344)])
def test_ga_3_the_first_plays_are_those_of_a_naive_implementation(scope, depth, leaves):
    deal = deal_for(KEY, "S7 S8 H8 DQ", "C7 D7 HT CQ")
    state = GAME.start(GAME.options(suit_scope=scope), 0, deal)
    assert perft(state, depth) == naive(scope == "line", depth)
    assert perft(state, depth)[0] == leaves


@pytest.mark.parametrize("given_", [{}, {"suit_scope": "line"}])
def test_ga_6_the_first_covers_are_those_of_a_naive_implementation(given_):
    game, options, _, _, facts, states = played_out((KEY, given_), 8)
    layout = {fact.cell: str(fact.card) for fact in facts[:16]}
    seat, line = game.to_act(states[16]), options.suit_scope == "line"
    hands = [[str(card) for card in hand] for hand in game.view(states[16], "all").hands]
    leaves = total = 0
    for (card, cell), (then, after) in itertools.product(
        *(itertools.product(hands[s], layout) for s in (seat, 1 - seat))
    ):
        if cell != after:
            leaves += 1
            total += naive_gives(layout, card, cell, line) + naive_gives({**layout, cell: card}, then, after, line)
    assert perft(states[16], 2) == (leaves, total)
    assert leaves == 8 * 16 * 8 * 15


def layouts(facts):
    """Every fact with the dict of uppermost cards before it."""
    layout: dict = {}
    for fact in facts:
        yield fact, dict(layout)
        layout[fact.cell] = str(fact.card)


@given(of_form(*AUTOMATIC))
@quick(60)
def test_ga_i4_scores_are_what_a_naive_implementation_adds_up(which):
    game, options, _, _, facts, states = played_out(*which)
    points = [0, 0]
    for fact, layout in layouts(facts):
        gives = naive_gives(layout, str(fact.card), fact.cell, options.suit_scope == "line")
        assert gives <= 172
        points[1 - fact.seat] += gives
    assert game.score(states[-1]).scores == tuple(points)


@given(of_form(*AUTOMATIC))
@quick(40)
def test_ga_4_the_open_squares_are_those_of_a_naive_implementation(which):
    game, _, _, _, facts, states = played_out(*which)
    for (_, layout), state in zip(list(layouts(facts))[:16], states, strict=False):
        assert sorted({each.cell for each in game.legal(state)}) == sorted(naive_cells(layout))


@given(of_form(*GARBO))
@quick(40)
def test_ga_i1_thirty_two_cards_lie_once_each(which):
    game, options, _, _, facts, states = played_out(*which)
    laid = [fact.card for fact in facts if hasattr(fact, "cell")]
    assert len(laid) == len(set(laid)) == 32
    assert mask_of(laid) == game.pack(options)
    for state in states:
        table = game.view(state, "all")
        held = [card for hand in table.hands for card in hand]
        assert len(held) + table.stock + len(table.seen) == 32
        assert not set(held) & set(table.seen)


@given(of_form(*GARBO))
@quick(40)
def test_ga_i2_the_first_level_is_four_by_four(which):
    _, _, _, _, facts, _ = played_out(*which)
    rows, columns = zip(*(fact.cell for fact in facts if type(fact).__name__ == "CardPlaced"), strict=True)
    assert len(rows) == 16
    assert (max(rows) - min(rows), max(columns) - min(columns)) == (3, 3)


@given(of_form(*GARBO))
@quick(40)
def test_ga_i3_every_square_is_covered_exactly_once(which):
    game, _, _, _, facts, states = played_out(*which)
    placed = [fact.cell for fact in facts if type(fact).__name__ == "CardPlaced"]
    covered = [fact.cell for fact in facts if type(fact).__name__ == "CardCovered"]
    assert sorted(placed) == sorted(covered)
    assert len(set(covered)) == 16
    assert all(square.covered for square in game.view(states[-1], None).squares)


@given(of_form(*GARBO))
@quick(40)
def test_ga_i4_scores_are_the_sum_of_what_every_card_gave(which):
    game, options, _, _, _, states = played_out(*which)
    every = sum(game.script.announced_points(one, two) or 0 for one, two in itertools.pairwise(states))
    result = game.score(states[-1])
    assert sum(result.scores) + sum(result.lapsed) == every
    assert options.claims == "manual" or all(score <= 1888 for score in result.scores)
    assert result.levels[-1] == result.scores


@pytest.mark.parametrize(
    "entry",
    [
        {"levels": [[54, 34], [53, 131]]},
        {"levels": [[513, 34], [600, 131]]},
        {"levels": [[0, 0], [1377, 0]]},
        {"totals": [1889, 0]},
    ],
)
def test_ga_i4_an_entry_that_no_cards_can_give_is_refused(entry):
    with pytest.raises(EntryError) as error:
        score_of(KEY, entry)
    assert error.value.rule == "GA.i4"


@given(of_form(*GARBO))
@quick(40)
def test_all_4_an_entered_garbo_result_scores_like_full_play(which):
    game, options, _, _, _, states = played_out(*which)
    result = game.score(states[-1])
    for entry in ({"levels": [list(level) for level in result.levels]}, {"totals": list(result.scores)}):
        again = game.sheet.score(options, codec.convert(entry, game.sheet.entry(options)))
        assert again.scores == result.scores


@given(of_form(*GARBO))
@quick(40)
def test_all_4_score_sheet_sums_make_the_garbo_entry(which):
    game, options, dealer, _, _, states = played_out(*which)
    sums = game.script.section_sums(states[-1])
    entry = codec.convert(game.script.entry_read(options, (), sums), game.sheet.entry(options))
    assert tuple(noted.sums for noted in game.script.entry_noted(options, dealer, entry)) == sums
    assert game.script.entry_read(options, (), sums[:1]) is None
    assert game.script.entry_noted(options, dealer, game.sheet.entry(options)(totals=(1, 2))) is None


def test_ga_i1_the_packets_of_a_deal_hold_the_pack():
    deal = deal_for(KEY)
    assert sorted(card for packets in deal.packets for packet in packets for card in packet) == list(
        cards_in(GAME.pack(GAME.options()))
    )
