"""Cross Game with physical cards: draws and announcements are facts, the stock's order is unknown."""

import pytest

from domain.cards.facts import CardDrawn
from domain.games import find
from domain.match.audit.findings import findings
from tests.kit.games.strategies import for_seeds, played_out
from tests.kit.match.tables import Table, after, begin, cards, codes, fact, happened, is_misfit

KEY = "cross_game"
GAME = find(KEY)


def one_trick():
    """Seat 1 has just won the first trick with the ace of trumps."""
    state = after(KEY, begin(KEY, 1), (0, "bid", 1), (1, "pass"))
    return after(KEY, state, (0, "play", "H9"), (1, "play", "HA"))


def test_cg_g2_both_may_draw_once_after_an_open_trick():
    state = after(KEY, one_trick(), (1, "draw", "SA"), (0, "draw"))
    assert codes(KEY, state, 0, "draw") == [("CG.g3", "DRW")]
    state = after(KEY, one_trick(), (1, "draw"), (1, "play", "S9"))
    assert codes(KEY, state, 0, "draw") == [("CG.g3", "DRW")]


def test_cg_g2_draws_need_not_be_recorded():
    state = after(KEY, one_trick(), (1, "play", "S9"), (0, "play", "SJ"))
    assert GAME.view(state, None).stock == 4


def test_cg_g3_the_winners_draw_after_the_losers_is_out_of_order():
    state = after(KEY, one_trick(), (0, "draw"))
    assert codes(KEY, state, 1, "draw") == [("CG.g3", "DRW")]


def test_cg_g2_a_drawn_card_is_not_in_the_other_hand():
    state = after(KEY, one_trick(), (0, "draw", "SA"))
    assert codes(KEY, state, 1, "play", "SA") == [("CG.5", "NIH")]


def test_cg_g2_a_card_on_the_table_cannot_be_drawn():
    assert codes(KEY, one_trick(), 1, "draw", "H9") == [("CG.g2", "DUP")]
    assert codes(KEY, one_trick(), 1, "draw", "H2") == [("CG.g2", "NIH")]


def test_cg_g2_with_the_stock_known_draws_are_derived_and_never_facts():
    _, _, _, _, facts, states = played_out(("cross_game", {}), 3)
    assert not any(isinstance(each, CardDrawn) for each in facts)
    assert is_misfit(KEY, states[5], 0, "draw", "SA")


@pytest.mark.parametrize("option", ["automatic", "declared"])
def test_cg_g7_with_physical_cards_only_announced_pairs_count(option):
    state = after(KEY, begin(KEY, 1, announce=option), (0, "bid", 1), (1, "pass"))
    quiet = after(KEY, state, (0, "play", "SK"))
    assert GAME.view(quiet, None).announcements == ()
    loud = after(KEY, state, (0, "announce", "S"), (0, "play", "SK"))
    assert GAME.view(loud, None).announcements[0].points == 40


def test_cg_g7_a_pair_with_a_played_card_cannot_be_announced():
    state = after(KEY, begin(KEY, 1), (0, "bid", 1), (1, "pass"), (0, "play", "SK"), (1, "play", "S9"))
    assert codes(KEY, state, 0, "announce", "S") == [("CG.7", "KQF")]


@for_seeds(20)
def test_cg_g3_a_deal_with_recorded_draws_scores_alike_without_findings(seed):
    game, _, dealer, deal, facts, states = played_out((KEY, {"announce": "declared"}), seed)
    result = game.score(states[-1])
    stock, told = list(deal.stock), []
    for each, before, later in zip(facts, states, states[1:], strict=False):
        told.append(each)
        old, new = game.view(before, None), game.view(later, None)
        if sum(new.tricks) > sum(old.tricks) and stock:
            told += [CardDrawn(new.to_act, stock.pop(0)), CardDrawn(1 - new.to_act, stock.pop(0))]
    table = Table(KEY, recording="strict", options={"announce": "declared"})
    table.start(dealer=dealer)
    table.record(*told)
    assert {found.code for found in findings(table.match)} <= {"LAP"}  # a pair that nobody announced breaks no rule
    assert game.score(table.match.deals[0].table) == result


def test_cg_8_an_impossible_record_has_legal_moves_to_the_end():
    pack = cards("SA ST SK SQ SJ S9 HA HT HK HQ HJ H9 DA DT DK DQ DJ D9 CA CT CK CQ CJ C9")
    kept, others = pack[-4:], pack[:-4]
    state = after(KEY, begin(KEY, 1), (0, "bid", 1), (1, "pass"))
    while GAME.to_act(state) is not None and others:
        card, *others = others
        state = after(KEY, state, fact(GAME.to_act(state), "play", str(card)))
        table = GAME.view(state, None)
        if not table.trick and sum(table.tricks) <= 4:
            drawn = str(kept[sum(table.tricks) - 1])
            state = happened(KEY, state, (1, "draw", drawn))
    assert GAME.to_act(state) is not None
    while GAME.to_act(state) is not None:
        assert GAME.legal(state)
        state = GAME.evolve(state, GAME.legal(state)[0])
