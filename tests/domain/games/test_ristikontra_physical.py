"""Ristikontra with physical cards: the stock is unknown, what is turned up is named, draws may be recorded."""

import random

import pytest

from domain.cards.facts import CardDrawn
from domain.games import find
from domain.match.audit.finding import Course
from domain.match.audit.findings import derived, findings
from tests.kit.games.strategies import for_seeds, played_out
from tests.kit.match.tables import Table, after, begin, codes, fact, happened, is_misfit, options_of, random_legal, told

KEY = "ristikontra"
GAME = find(KEY)
SIDES = (("n", "s"), ("e", "w"))


def one_trick(**given):
    """Seat 0 has won the first trick with the seven of spades; seat 2 played in the dark."""
    facts = ((0, "play", "S7"), (1, "play", "H2"), (2, "dark", "C3"), (3, "play", "D4"))
    return after(KEY, begin(KEY, 3, **given), *facts)


def test_rk_5_draws_may_be_recorded_in_order_or_left_out():
    state = one_trick()
    assert state.drawing == (0, 1, 3)
    assert codes(KEY, state, 2, "draw") == [("RK.5", "DRW")]
    late = after(KEY, state, (0, "draw", "SA"), (3, "draw"))
    assert codes(KEY, late, 1, "draw") == [("RK.5", "DRW")]
    assert codes(KEY, after(KEY, state, (0, "play", "HA")), 0, "draw") == [("RK.5", "DRW")]
    assert GAME.view(state, None).stock == 24


def test_rk_6_a_card_known_in_a_hand_is_not_in_stock():
    state = after(KEY, one_trick(), (1, "draw", "SA"), (0, "play", "S2"))
    assert codes(KEY, state, 1, "dark", "SA") == [("RK.6", "NIH")]
    assert codes(KEY, state, 1, "dark", "S2") == [("RK.6", "DUP")]
    assert codes(KEY, state, 2, "play", "SA") == [("RK.4", "POT"), ("RK.4", "NIH")]
    assert codes(KEY, one_trick(), 0, "draw", "S7") == [("RK.5", "DUP")]


def test_rk_6_with_the_stock_gone_nothing_can_be_turned_up():
    state = begin(KEY, 3)
    for card in random_legal(GAME, state, random.Random(3)):
        if GAME.view(state, None).phase == 2:
            break
        state = GAME.evolve(state, card)
    assert is_misfit(KEY, state, GAME.to_act(state), "dark", "SA")
    assert GAME.view(state, None).stock == 0


def test_rk_10_a_spicing_card_is_named_unless_its_draw_was():
    state = happened(KEY, one_trick(spice=True))
    assert is_misfit(KEY, state, 0, "spice", True)
    assert is_misfit(KEY, state, 0, "spice", False, "SA")
    named = after(KEY, state, (0, "spice", True, "SA"))
    drawn = after(KEY, state, (0, "draw", "SA"), (0, "spice", True))
    assert GAME.view(named, None).card_points == GAME.view(drawn, None).card_points == (11, 0)
    assert (named.drawing, drawn.drawing) == ((1, 3), (1, 3))
    assert is_misfit(KEY, after(KEY, state, (0, "draw", "SA")), 0, "spice", True, "SA")
    assert codes(KEY, state, 0, "spice", True, "H2") == [("RK.10", "DUP")]


def test_rk_10_who_declines_may_still_have_his_draw_recorded():
    state = one_trick(spice=True)
    assert codes(KEY, state, 1, "draw") == [("RK.5", "DRW")]
    assert after(KEY, state, (0, "spice", False)).drawing == (0, 1, 3)
    assert after(KEY, state, (0, "draw"), (0, "spice", True, "SA")).drawing == (1, 3)


def test_rk_g5_the_card_taken_back_is_in_one_hand():
    state = after(KEY, one_trick(spice=True), (0, "spice", True, "SA"))
    assert [[str(card) for card in cards] for cards in GAME.view(state, None).shown] == [["S7"], [], [], []]
    state = after(KEY, state, (0, "play", "S2"))
    assert codes(KEY, state, 1, "play", "S7") == [("RK.4", "NIH")]
    assert codes(KEY, state, 1, "dark", "S7") == [("RK.6", "NIH")]


@pytest.mark.parametrize("viewer", [None, 1, 2, 3])
@pytest.mark.parametrize("given", [{}, {"spice": True}, {"spice": True, "cleaning": True}])
def test_rk_5_a_recorded_draw_is_visible_to_its_seat_only(viewer, given):
    views = []
    for card in ("SA", "C9"):
        state = after(KEY, one_trick(**given), (0, "draw", card))
        steps = [state]
        if given:
            steps.append(after(KEY, state, (0, "spice", False)))
        steps.append(after(KEY, steps[-1], (0, "play", "S2")))
        views.append([GAME.view(each, viewer) for each in steps])
    assert views[0] == views[1]


def kings_gone(**given):
    facts = ((0, "play", "HK"), (1, "play", "DK"), (2, "play", "CK"))
    return after(KEY, begin(KEY, 3, cleaning=True, **given), *facts)


def test_rk_13_the_last_king_is_proven_by_its_face_alone():
    assert codes(KEY, kings_gone(), 3, "play", "SK") == [("RK.13", "LKG")]


def test_rk_g8_a_turned_up_last_king_replaces_the_seats_draw():
    state = after(KEY, kings_gone(), (3, "dark", "SK"))
    assert (GAME.to_act(state), len(GAME.view(state, None).trick)) == (3, 3)
    assert codes(KEY, state, 3, "dark", "SA") == [("RK.g8", "DRW")]
    state = after(KEY, state, (3, "play", "S2"))
    assert state.drawing == (2, 0, 1)
    assert codes(KEY, state, 2, "play", "SK") == [("RK.4", "NIH"), ("RK.13", "LKG")]


def kings_behind(*cards):
    """A trick of seat 0 with three kings in it, or as given."""
    facts = [(seat, "play", card) for seat, card in enumerate(cards)]
    return after(KEY, begin(KEY, 3, cleaning=True, spice=True), *facts)


def test_rk_g8_the_last_king_cannot_be_put_in_by_spicing():
    state = kings_behind("S7", "HK", "DK", "CK")
    assert codes(KEY, state, 0, "spice", True, "SK") == [("RK.g8", "LKG")]
    told_of = after(KEY, state, (0, "draw", "SK"))
    assert [each.spice for each in GAME.legal(told_of) if hasattr(each, "spice")] == [False]
    assert codes(KEY, told_of, 0, "spice", True) == [("RK.g8", "LKG")]


def test_rk_g8_the_last_king_can_be_put_in_for_another_king():
    state = after(KEY, kings_gone(spice=True), (3, "play", "S2"))
    told_of = after(KEY, state, (2, "draw", "SK"))
    assert [each.spice for each in GAME.legal(told_of) if hasattr(each, "spice")] == [False, True]
    for spiced in (after(KEY, state, (2, "spice", True, "SK")), after(KEY, told_of, (2, "spice", True))):
        assert codes(KEY, spiced, 2, "play", "CK") == [("RK.13", "LKG")]
        assert codes(KEY, spiced, 0, "play", "CK") == [("RK.4", "LOT"), ("RK.4", "NIH"), ("RK.13", "LKG")]


def test_rk_g8_a_king_played_before_is_no_exchange():
    state = after(KEY, kings_gone(spice=True), (3, "play", "S2"), (2, "spice", False))
    again = happened(KEY, state, (2, "play", "CK"), (3, "play", "S3"), (0, "play", "H3"), (1, "play", "D3"))
    assert codes(KEY, again, 2, "spice", True, "SK") == [("RK.g8", "LKG")]


def test_rk_9_hand_size_proves_a_forbidden_fourth_lead():
    state = begin(KEY, 3, no_fourth_lead=True)
    for lead, one, two, three in (("S7", "S3", "S5", "S8"), ("H7", "H3", "H5", "H8"), ("C7", "C3", "C5", "C8")):
        state = after(KEY, state, (0, "play", lead), (1, "play", one), (2, "play", two), (3, "play", three))
    assert codes(KEY, state, 0, "play", "D7") == [("RK.9", "RK4")]
    assert codes(KEY, state, 0, "dark", "D7") == []


def test_rk_g3_after_each_card_its_seat_may_have_a_draw_recorded():
    state = after(KEY, begin(KEY, 3, refill="after_card"), (0, "play", "S7"))
    assert state.drawing == (0,)
    assert GAME.view(state, None).stock == 27
    assert after(KEY, state, (0, "draw", "SA"), (1, "dark", "S2")).drawing == ()


OPTIONS = [{}, {"spice": True}, {"cleaning": True, "spice": True, "no_fourth_lead": True}, {"hand_size": 5}]


@pytest.mark.parametrize("given", OPTIONS)
@for_seeds(5)
def test_rk_5_a_deal_with_recorded_draws_scores_alike_without_findings(given, seed):
    game, _, dealer, _, facts, states = played_out((KEY, given), seed)
    spoken = told(game, facts, states)
    state, recorded = game.start(game.options(**given), dealer, None), []
    for each, later in zip(spoken, states[1:], strict=True):
        state = game.evolve(state, each)
        recorded.append(each)
        for seat in getattr(state, "drawing", ()):
            recorded.append(drawn(later, state, seat))
            state = game.evolve(state, recorded[-1])
    table = Table(KEY, sides=SIDES, recording="strict", options=given)
    table.start(dealer=dealer)
    table.record(*recorded)
    assert findings(table.match) == ()
    assert game.score(table.match.deals[0].table) == game.score(states[-1])


def drawn(known, state, seat: int):
    """The draw of a seat as somebody who looks on would name it: now a card, now unseen."""
    from domain.cards.facts import CardDrawn

    fresh = [card for card in GAME.view(known, "all").hands[seat] if not state.seen >> card & 1]
    fits = [card for card in fresh if CardDrawn(seat, card) in GAME.legal(state)]
    return CardDrawn(seat, fits[0] if fits and seat % 2 else None)


def test_rk_5_each_seat_draws_once_per_hand_card_played():
    # Seat 3 leads a dark card and plays again before its turn, so that seat 2 plays none.
    facts = ((3, "dark", "C5"), (0, "play", "CQ"), (3, "play", "SK"), (1, "play", "D5"))
    assert happened(KEY, begin(KEY, 2), *facts).drawing == (1, 3, 0)
    twice = ((0, "play", "S7"), (1, "play", "H2"), (0, "play", "C3"), (3, "dark", "D4"))
    assert happened(KEY, begin(KEY, 3), *twice).drawing == (0, 0, 1)
    dark = ((0, "dark", "S7"), (1, "play", "H2"), (0, "dark", "C3"), (3, "play", "D4"))
    assert happened(KEY, begin(KEY, 3), *dark).drawing == (1, 3)


def test_rk_5_a_seat_that_lost_its_turn_owes_no_draw():
    # Seat 2 played no card, so a finding against it would be wrong.
    first = [(0, "play", "S7"), (1, "play", "H2"), (2, "play", "C3"), (3, "play", "D4")]
    second = [(0, "dark", "S2"), (1, "play", "H3"), (0, "play", "C9"), (3, "play", "D6")]
    state, facts, chance = begin(KEY, 3), [], random.Random(5)
    for action in first + second:
        facts.append(fact(*action))
        state = with_all_draws(GAME.evolve(state, facts[-1]), facts)
    while GAME.to_act(state) is not None:
        facts.append(chance.choice([each for each in GAME.legal(state) if type(each) is not CardDrawn]))
        state = with_all_draws(GAME.evolve(state, facts[-1]), facts)
    assert [each.code for each in derived(Course(GAME, options_of(KEY), 3, None, tuple(facts)))] == ["POT", "POT"]
    draws = [place for place, each in enumerate(facts) if type(each) is CardDrawn]
    missing = (*facts[: draws[-1]], *facts[draws[-1] + 1 :])
    codes_found = [each.code for each in derived(Course(GAME, options_of(KEY), 3, None, missing))]
    assert codes_found == ["POT", "POT", "DRW"]


def with_all_draws(state, facts):
    """The table after every draw that is due, each of them on record."""
    for seat in GAME.due_draws(state):
        facts.append(CardDrawn(seat))
        state = GAME.evolve(state, facts[-1])
    return state
