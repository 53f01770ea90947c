"""Garbo with physical cards, and a table on which rules are broken."""

import random

import pytest

from domain.cards.facts import CardDrawn
from domain.games import find
from domain.match.audit.findings import findings
from tests.kit.games.garbo_squares import full, on_table
from tests.kit.games.strategies import played_out
from tests.kit.match.tables import Table, after, begin, codes, deal_for, happened, is_misfit

KEY = "garbo"
GAME = find(KEY)
EIGHT = "S7 H8 S9 HT / C8 D9 CT DJ"


def drawn(state, seat: int, count: int):
    return after(KEY, state, *[(seat, "draw")] * count)


@pytest.mark.parametrize(("schedule", "second", "third"), [("book", 8, 4), ("web", 4, 8)])
def test_ga_5_a_packet_may_be_recorded_card_by_card(schedule, second, third):
    for state, size in ((on_table(EIGHT, draw_schedule=schedule), second), (full(draw_schedule=schedule), third)):
        for seat in (0, 1):
            assert codes(KEY, drawn(state, seat, size), seat, "draw") == [("GA.5", "DRW")]


def test_ga_5_unrecorded_draws_end_with_the_next_card():
    state = on_table(EIGHT)
    assert GAME.view(state, None).stock == 8
    state = after(KEY, drawn(state, 0, 2), (state.turn, "place", "SK", [2, 0]))
    assert codes(KEY, state, 0, "draw") == [("GA.5", "DRW")]
    assert codes(KEY, begin(KEY, 0), 0, "draw") == [("GA.5", "DRW")]


def test_ga_5_a_drawn_card_is_not_in_the_other_hand():
    state = on_table(EIGHT)
    seat = state.turn
    told = after(KEY, state, (1 - seat, "draw", "SA"))
    assert codes(KEY, told, seat, "place", "SA", [2, 0]) == [("GA.3", "NIH")]
    assert codes(KEY, after(KEY, state, (seat, "draw", "SA")), seat, "place", "SA", [2, 0]) == []
    assert codes(KEY, state, seat, "draw", "S7") == [("GA.5", "DUP")]
    assert codes(KEY, state, seat, "draw", "S2") == [("GA.5", "NIH")]


@pytest.mark.parametrize("viewer", [None, 0])
def test_ga_5_a_recorded_draw_is_visible_to_its_seat_only(viewer):
    views = []
    for card in ("SA", "CQ"):
        state = happened(KEY, on_table(EIGHT), (1, "draw", card))
        seen = [GAME.view(state, viewer)]
        state = happened(KEY, state, (state.turn, "place", "SK", [2, 0]))
        views.append([*seen, GAME.view(state, viewer)])
    assert views[0] == views[1]


def test_ga_5_with_the_packets_known_draws_are_derived_and_never_facts():
    _, _, _, _, facts, states = played_out((KEY, {}), 3)
    assert not any(isinstance(each, CardDrawn) for each in facts)
    assert is_misfit(KEY, states[8], 0, "draw", "SA")


@pytest.mark.parametrize("given", [{}, {"suit_scope": "line"}, {"claims": "manual"}])
def test_hands_known_or_not_the_same_cards_of_garbo_score_the_same(given):
    for seed in range(5):
        game, options, dealer, _, facts, states = played_out((KEY, given), seed)
        blind = after(KEY, game.start(options, dealer, None), *facts)
        assert game.score(blind) == game.score(states[-1])


def test_a_card_that_is_played_twice_takes_its_square_and_gives_nothing():
    state = on_table("SQ H8 / .. ..")
    again = happened(KEY, state, (state.turn, "place", "SQ", [1, 1]))
    assert GAME.script.announced_points(state, again) is None
    assert len(GAME.view(again, None).squares) == 3


def test_a_card_of_the_other_hand_is_gone_for_both():
    deal = deal_for(KEY, "S7", "H8")
    state = happened(KEY, begin(KEY, 0, deal), (1, "place", "S7", [0, 0]))
    hands = GAME.view(state, "all").hands
    assert [len(hand) for hand in hands] == [3, 4]
    assert GAME.to_act(state) == 0


def test_a_card_on_a_card_of_the_first_level_hides_it():
    state = on_table("SQ H8 / .. ..")
    hidden = happened(KEY, state, (state.turn, "place", "C7", [0, 0]))
    after_it = happened(KEY, hidden, (hidden.turn, "place", "DQ", [1, 0]))
    assert GAME.script.announced_points(hidden, after_it) is None


def test_without_a_square_within_four_any_adjacent_square_is_legal():
    state = on_table("S7 .. .. .. .. .. ..")
    state = happened(KEY, state, (state.turn, "place", "H8", [3, 3]), (1 - state.turn, "place", "C9", [-3, -3]))
    cells = {each.cell for each in GAME.legal(state) if hasattr(each, "cell")}
    assert cells == {(0, 1), (1, 0), (0, -1), (-1, 0), (3, 2), (2, 3), (-3, -2), (-2, -3)}


def test_where_every_card_is_covered_any_may_be_covered_again():
    # Two cards on one square leave fifteen to cover with sixteen.
    state = happened(KEY, on_table("S7"), (1, "place", "H8", [0, 0]))
    while GAME.view(state, None).phase == 1:
        state = GAME.evolve(state, GAME.legal(state)[0])
    assert len(GAME.view(state, None).squares) == 15
    while GAME.to_act(state) is not None:
        fact = next(each for each in GAME.legal(state) if hasattr(each, "cell"))
        state = GAME.evolve(state, fact)
    assert GAME.score(state) is not None


def test_any_table_that_was_broken_can_be_finished():
    chance = random.Random(4)
    for seed in range(20):
        state, broken = begin(KEY, seed % 2), 0
        while GAME.to_act(state) is not None:
            legal = [each for each in GAME.legal(state) if hasattr(each, "cell")]
            one = chance.choice(legal)
            if chance.random() < 0.3:
                cell = (chance.randrange(-3, 4), chance.randrange(-3, 4))
                one, broken = type(one)(chance.choice((0, 1)), one.card, cell), broken + 1
            state = GAME.evolve(state, one)
        assert broken
        assert GAME.score(state) is not None


def test_breaches_are_found_in_the_record_of_a_match():
    table = Table(KEY)
    table.start(dealer=0)
    table.record((1, "place", "S9", [0, 0]), (1, "place", "S8", [1, 1]), (0, "place", "S7", [0, 1]))
    found = [(each.rule, each.code, each.version) for each in findings(table.match)]
    assert found == [("GA.3", "POT", 4), ("GA.3", "PLC", 4)]


def test_a_total_that_is_called_stands_beside_the_derived_one():
    table = Table(KEY)
    table.start(dealer=0)
    table.record((1, "place", "S9", [0, 0]), (0, "place", "S8", [0, 1]), (1, "total", 2), (1, "place", "H7", [1, 0]))
    assert table.match.deals[0].misfits == ()
    assert GAME.view(table.match.deals[0].table, None).points == (0, 1)
