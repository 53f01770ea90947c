"""Over the Top with physical cards: draws are facts or left out, a false pass is proven by a later card."""

import pytest

from domain.cards.facts import CardDrawn, Passed, TotalCalled
from domain.games import find
from domain.games.over_the_top.state import called
from domain.match import commands as c
from domain.match.audit.findings import findings
from domain.match.state import race_of
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps
from domain.notation.write_course import NumberedEvent
from tests.kit.games.strategies import for_seeds, played_out
from tests.kit.match.tables import Table, after, begin, codes, fact, happened, is_misfit, plays

KEY = "over_the_top"
GAME = find(KEY)


def one_trick():
    """Seat 0 has just won the first trick; two cards each are to be drawn."""
    return after(KEY, begin(KEY, 0), *plays((1, "C5"), (0, "D7"), (1, "H9"), (0, "SQ")))


def test_ot_7_draws_may_be_recorded_in_turns_or_left_out():
    state = after(KEY, one_trick(), (0, "draw", "SA"), (1, "draw"), (0, "draw"), (1, "draw", "S2"))
    assert codes(KEY, state, 0, "draw") == [("OT.7", "DRW")]
    state = after(KEY, one_trick(), (1, "draw"), (0, "play", "C2"))
    assert codes(KEY, state, 0, "draw") == [("OT.7", "DRW")]
    assert GAME.view(state, None).stock == 22


def test_ot_7_a_drawn_card_is_not_in_the_other_hand():
    state = after(KEY, one_trick(), (0, "draw", "SA"), (0, "play", "C2"))
    assert codes(KEY, state, 1, "play", "SA") == [("OT.1", "NIH")]


def test_ot_7_a_card_on_the_table_cannot_be_drawn():
    assert codes(KEY, one_trick(), 0, "draw", "C5") == [("OT.7", "DUP")]
    assert codes(KEY, one_trick(), 0, "draw", "XR") == [("OT.7", "NIH")]


def test_ot_7_both_draw_the_same_card_and_the_later_record_stands():
    state = happened(KEY, one_trick(), (0, "draw", "SA"), (1, "draw", "SA"))
    assert codes(KEY, state, 0, "play", "SA") == [("OT.1", "NIH")]
    state = after(KEY, state, (0, "play", "C2"))
    assert codes(KEY, state, 1, "play", "SA") == []


def test_ot_g7_a_leader_with_cards_may_not_pass():
    assert codes(KEY, one_trick(), 0, "pass") == [("OT.g7", "FPS")]
    state = after(KEY, one_trick(), (0, "play", "C2"), (1, "pass"))
    assert GAME.to_act(state) == 0
    assert codes(KEY, state, 1, "play", "D2") == [("OT.g7", "POT")]


def test_a_draw_is_no_fact_of_a_known_deal():
    _, _, _, _, facts, states = played_out((KEY, {}), 3)
    assert not any(isinstance(each, CardDrawn) for each in facts)
    assert is_misfit(KEY, states[5], 0, "draw", "SA")


@for_seeds(20)
def test_ot_7_a_deal_with_recorded_draws_scores_alike_without_findings(seed):
    game, _, dealer, deal, facts, states = played_out((KEY, {}), seed)
    stock, recorded = list(deal.stock), []
    for each, before, later in zip(facts, states, states[1:], strict=False):
        recorded.append(each)
        old, new = game.view(before, "all"), game.view(later, "all")
        if hasattr(each, "card") and new.trick:
            recorded.append(TotalCalled(each.seat, new.total))
        for _ in range(old.stock - new.stock):
            card = stock.pop(0)
            recorded.append(CardDrawn(next(seat for seat in (0, 1) if card in new.hands[seat]), card))
    table = Table(KEY, recording="strict")
    table.start(dealer=dealer)
    table.record(*recorded)
    assert stock == []
    assert findings(table.match) == ()
    assert game.score(table.match.deals[0].table) == game.score(states[-1])


SHEET = """
S3=3 DK=6 H4=10 C6=16>B7 CQ=10 D3=13 SQ=13 H8=21>A31 D6=6 H6=12 CJ=6 SJ=0>B12 D2=2 HK=4 SA=15 C5=20>A7
D5=5 H2=7 S9=16 C2=18>B4 S7=7 CK=14 HA=15 DQ=15>A17 H3=3 D8=11 C3=14 S2=16>B5 HJ=10 D7=17 S4=21 C7=28>B17
CT=10 H7=17 D4=21 SK=25>B20 C4=4 ST=14 H5=19 D9=28>B19 DT=10 S5=15 HQ=15 CA=16>A15
C8=8 DJ=0 S6=6 - HT=16>A14 H9=9 C9=18 - DA=19 S8=27>A20
"""


def test_ot_2_a_score_sheet_matches_the_totals_of_its_cards():
    state, points = begin(KEY, 1), [0, 0]
    for word in SHEET.split():
        if word == "-":
            state = after(KEY, state, (GAME.to_act(state), "pass"))
            continue
        card, _, said = word.partition("=")
        total, _, took = said.partition(">")
        state = after(KEY, state, (GAME.to_act(state), "play", card))
        assert codes(KEY, state, 0, "total", int(total)) == []
        if took:
            points["AB".index(took[0])] += int(took[1:])
            assert GAME.view(state, None).points == tuple(points)
    assert GAME.score(state).scores == (104, 84)


def test_notation_round_trips_a_sheet_including_the_last_total():
    (script,) = loads(f'[Game "over_the_top"] [Deal "1"] [Dealer "B"]\n{SHEET}R A 104 B 84\n')
    assert script.problems == []
    noted = [NumberedEvent(place, new.event, new.private) for place, new in enumerate(script.events, start=1)]
    once = dumps(noted, script.tags.names)
    (again,) = loads(once)
    assert (again.problems, again.differences) == ([], [])
    assert [fact for _, fact in again.state.deals[0].facts] == [fact for _, fact in script.state.deals[0].facts]
    assert race_of(again.state).totals == (104, 84)
    assert "S8=27>A20 =104-84" in once


def test_the_last_total_may_be_called_until_the_score_is_confirmed():
    game, _, dealer, deal, facts, states = played_out((KEY, {}), 3)
    table = Table(KEY, recording="strict")
    table.start(dealer=dealer, deal=deal)
    table.record(*facts)
    total = TotalCalled(facts[-1].seat, called(states[-1]))
    table.record(total)
    assert findings(table.match) == ()
    table.do(c.ConfirmResult(deal=1, side=0))
    assert table.refused(c.RecordFacts(facts=(total,))).slug == "misfit"
    assert table.race.totals == game.score(states[-1]).scores


def false_pass(seed: int, late: bool):
    """A deal in which a seat passes though it could play: the facts, and the place of the pass."""
    game, _, dealer, _, facts, states = played_out((KEY, {}), seed)
    for place, state in enumerate(states[:-1]):
        view = game.view(state, "all")
        if view.trick and not view.passed and (view.stock == 0) == late and hasattr(facts[place], "card"):
            break
    told = [*facts[:place], Passed(facts[place].seat)]
    state = game.evolve(state, told[-1])
    while game.to_act(state) is not None:
        told.append(game.legal(state)[-1])
        state = game.evolve(state, told[-1])
    table = Table(KEY)
    table.start(dealer=dealer)
    table.record(*told)
    return table, table.match.deals[0].facts[place][0]


@for_seeds(8)
def test_ot_g7_without_stock_a_later_card_proves_a_false_pass(seed):
    table, version = false_pass(seed, late=True)
    (found,) = findings(table.match)
    assert (found.rule, found.code, found.version) == ("OT.g7", "FPS", version)
    assert found.proof > version
    assert "passed, and held" in found.detail


def after_a_pass(*played) -> Table:
    """Seat 0 passes to the clubs of seat 1, and is the one to lead a queen of diamonds later."""
    table = Table(KEY)
    table.start(dealer=0)
    table.record(*plays((1, "C5")), *played, it_happened=True)
    return table


def test_ot_g7_a_card_that_may_have_been_drawn_since_proves_nothing():
    trick = (*plays((0, "D7"), (1, "H9")), (0, "pass"), *plays((1, "S2")))
    for recorded in (False, True):
        table = after_a_pass(*trick)
        due = GAME.due_draws(table.match.deals[0].table)
        assert set(due) == {0, 1}
        if recorded:
            table.record(*((seat, "draw") for seat in due))
        seat = GAME.to_act(table.match.deals[0].table)
        lead = plays((0, "SQ")) if seat == 0 else plays((1, "C2"), (0, "SQ"))
        table.record(*lead)
        assert findings(table.match) == ()


def test_ot_g7_a_seat_without_draws_held_the_card_before():
    # A seat that played no card to a trick holds thirteen cards and draws none after it (OT.7).
    table = after_a_pass((0, "pass"), *plays((1, "D2"), (1, "H3"), (1, "S4")))
    table.record(*plays((1, "C2"), (0, "DQ")))
    assert [each.code for each in findings(table.match)] == ["FPS"]


def test_ot_g7_a_card_out_of_turn_proves_a_false_pass():
    table = Table(KEY)
    table.start(dealer=0)
    passed = table.record(*plays((1, "C5"), (0, "D7"), (1, "H9")), (0, "pass"))
    proof = table.record((0, "play", "SQ"))
    found = [(each.code, each.version, each.proof) for each in findings(table.match)]
    assert found == [("FPS", passed, proof), ("POT", proof, None)]


def test_ot_2_a_wrong_total_is_found_and_the_cards_decide():
    table = Table(KEY)
    table.start(dealer=0)
    table.record(*plays((1, "C5"), (0, "D7")))
    version = table.record((0, "total", 13))
    table.record((1, "play", "H9"), (1, "total", 21))
    assert [(each.rule, each.code, each.version) for each in findings(table.match)] == [("OT.2", "WTA", version)]
    assert GAME.view(table.match.deals[0].table, None).total == 21


@pytest.mark.parametrize("viewer", [None, 1])
def test_ot_7_a_recorded_draw_is_visible_to_its_seat_only(viewer):
    views = []
    for card in ("SA", "C9"):
        state = happened(KEY, one_trick(), (0, "draw", card), (1, "draw"), (0, "draw"), (1, "draw"))
        views.append([GAME.view(state, viewer), GAME.view(happened(KEY, state, (0, "play", "D2")), viewer)])
    assert views[0] == views[1]


def test_ot_7_an_impossible_record_has_legal_moves_to_the_end():
    state = one_trick()
    drawn = ("SA", "SK", "HA", "HK", "DA", "DK", "CA", "CK")
    while GAME.to_act(state) is not None:
        for card in drawn:
            state = GAME.evolve(state, fact(0, "draw", card))
        assert GAME.legal(state)
        state = GAME.evolve(state, GAME.legal(state)[0])
    assert GAME.score(state) is not None


def test_ot_g7_passes_alone_do_not_move_the_lead():
    state = happened(KEY, begin(KEY, 0), (1, "pass"), (0, "pass"))
    assert GAME.to_act(state) == 1
    assert GAME.view(state, None).passed == ()
    assert GAME.view(state, None).tricks == (0, 0)
