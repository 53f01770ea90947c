"""Get Stuck, its numbered rules, rulings and examples: the square, what may move, and who is stuck."""

import json
import random

import pytest

from domain.cards.card import RED_JOKER, cards_in
from domain.games import find
from domain.games.get_stuck import state as squares
from domain.notation import history
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps
from domain.notation.match_history import events_of, lines_of
from domain.notation.write_course import NumberedEvent
from tests.kit.games.squares import GAME, KEY, TENLESS, Plain, card_on, layout
from tests.kit.games.strategies import played_out
from tests.kit.match.tables import (
    Table,
    after,
    begin,
    codes,
    fact,
    happened,
    is_misfit,
    random_deal,
    random_legal,
    score_of,
)


def moves(state) -> list[tuple[int, int]]:
    return [each.cell for each in GAME.legal(state)]


def lined(gap: tuple[int, int], *red: tuple[int, int]):
    """A layout whose gap has no red card in line but these."""
    away = {(row, column): (row - gap[0], column - gap[1]) for row in range(7) for column in range(7)}
    lines = {cell for cell, (down, right) in away.items() if 0 in (down, right) or abs(down) == abs(right)}
    words = ["--" if cell == gap else "r" if cell in red else "b" if cell in lines else "any" for cell in away]
    return layout(" ".join(words))


def turned_row():
    """A row with a dead card: after two moves [0, 2] lies face down and the gap is at [0, 3]."""
    deal = layout("C2 D7 -- C3 HK C5 H9")
    state = begin(KEY, 0, deal)  # seat 1, black, begins
    state = happened(KEY, state, (1, "move", [0, 3]))
    assert GAME.to_act(state) == 0
    return state


def test_gs_1_forty_eight_cards_and_a_joker_that_leaves_the_gap():
    pack = [str(card) for card in cards_in(GAME.pack(GAME.options()))]
    assert (len(pack), pack[-1]) == (49, "XR")
    assert not [card for card in pack if card[1] == "T"]
    deal = random_deal(KEY, GAME.options(), 1)
    assert (len(deal.grid), deal.grid.count("--")) == (49, 1)
    assert GAME.check_deal(GAME.options(), deal) is None


@pytest.mark.parametrize(
    "grid",
    [
        ["--", *TENLESS[:47]],
        [*TENLESS, "SA"],
        ["--", *TENLESS[:47], "C2"],
        ["--", *TENLESS[:47], "CT"],
        ["--", "--", *TENLESS[:47]],
    ],
)
def test_gs_1_the_layout_must_have_each_card_once_and_one_gap(grid):
    assert GAME.check_deal(GAME.options(), GAME.deal(tuple(grid))) is not None


def test_gs_1_cards_are_read_in_either_order_and_kept_suit_first():
    deal = GAME.deal(("--", *(code[::-1] for code in TENLESS)))
    assert deal.grid == ("--", *TENLESS)
    with pytest.raises(ValueError, match="not a card"):
        GAME.deal(("--", "S1"))


def test_gs_2_one_plays_red_the_other_black_and_the_deal_alternates():
    for colours, red in ((("red", "black"), 0), (("black", "red"), 1)):
        deal = layout("-- r b", colours=colours)
        for dealer in (0, 1):
            state = begin(KEY, dealer, deal)
            suits = {card_on(deal, *cell).suit for cell in moves(state)}
            assert suits <= set("DH" if 1 - dealer == red else "CS")
    assert GAME.check_deal(GAME.options(), GAME.deal(("--", *TENLESS), ("red", "red"))) is not None
    table = Table(KEY)
    for _ in range(3):
        table.enter({"stuck": 0, "totals": [0, 0]}, lot=0)
    assert table.dealers == [0, 1, 0]


def test_gs_3_the_non_dealer_moves_an_own_card_into_the_gap():
    deal = layout("r b r b r b r", "b b r b b r b", "r r -- b r b r")
    for dealer in (0, 1):
        state = begin(KEY, dealer, deal)
        assert GAME.to_act(state) == 1 - dealer
        assert moves(state) == Plain(deal, dealer).moves()
        assert all(cell[0] == 2 or cell[1] == 2 for cell in moves(state))
    state = happened(KEY, begin(KEY, 1, deal), (0, "move", [2, 0]))
    table = GAME.view(state, None)
    assert (table.gap, table.came, table.down, GAME.to_act(state)) == ((2, 0), (2, 2), ((2, 2),), 1)


def test_gs_3_what_is_against_the_rules_is_named_with_its_code():
    state = begin(KEY, 0, layout("r b -- r b r b", "b b b b b b b"))
    assert codes(KEY, state, 1, "move", [0, 1]) == []
    assert codes(KEY, state, 1, "move", [0, 0]) == [("GS.3", "WCL")]
    assert codes(KEY, state, 1, "move", [5, 6]) == [("GS.3", "WCL")] * (1 + card_is_red(state, 5, 6))
    assert codes(KEY, state, 0, "move", [0, 0]) == [("GS.3", "POT")]
    assert set(codes(KEY, state, 0, "move", [0, 1])) == {("GS.3", "POT"), ("GS.3", "WCL")}
    assert is_misfit(KEY, state, 1, "move", [0, 2])
    assert is_misfit(KEY, state, 2, "move", [0, 1])
    assert is_misfit(KEY, state, 1, "play", "C2")
    assert is_misfit(KEY, state, 1, "move", [0, 1], "C2")


def card_is_red(state, row: int, column: int) -> bool:
    return GAME.view(state, None).grid[row][column].suit in "DH"


def test_gs_3_after_a_move_out_of_turn_the_other_seat_moves():
    state = happened(KEY, begin(KEY, 0, layout("r b -- r b r b")), (0, "move", [0, 0]))
    assert (GAME.to_act(state), GAME.view(state, None).gap) == (1, (0, 0))


def test_gs_4_a_court_card_may_pass_dead_cards_a_numeral_not():
    state = turned_row()
    assert (0, 1) not in moves(state)
    assert codes(KEY, state, 0, "move", [0, 1]) == [("GS.4", "JMP")]
    court = happened(KEY, begin(KEY, 0, layout("C2 DK -- C3 HK C5 H9")), (1, "move", [0, 3]))
    assert (0, 1) in moves(court)


def test_gs_5_a_straight_move_is_compulsory():
    state = begin(KEY, 1, lined((1, 1), (2, 1), (0, 0), (2, 2)))
    assert moves(state) == [(2, 1)]
    assert codes(KEY, state, 0, "move", [0, 0]) == [("GS.5", "DGN")]


def test_gs_5_without_one_a_diagonal_is_open_on_the_same_terms():
    deal = lined((1, 1), (0, 0), (2, 2), (3, 3))
    state, plain = begin(KEY, 1, deal), Plain(deal, 1)
    assert moves(state) == [(0, 0), (2, 2), (3, 3)]
    plain.move((2, 2))
    assert moves(happened(KEY, state, (0, "move", [2, 2]))) == plain.moves()


def test_gs_5_a_numeral_may_not_pass_a_dead_card_diagonally():
    seen = set()
    for seed in range(60):
        _, _, _, _, _, states = played_out((KEY, {}), seed)
        for state in states[8:-1]:
            for row in range(7):
                for column in range(7):
                    found = codes(KEY, state, GAME.to_act(state), "move", [row, column])
                    seen |= {tuple(found)} if ("GS.4", "JMP") in found and len(found) == 2 else set()
    assert (("GS.4", "JMP"), ("GS.5", "DGN")) in seen


def test_gs_6_a_player_who_cannot_move_loses_the_deal():
    _, _, _, _, facts, states = played_out((KEY, {}), 3)
    last = states[-1]
    assert (GAME.to_act(last), GAME.legal(last)) == (None, ())
    assert GAME.score(last).stuck == 1 - facts[-1].seat
    assert all(GAME.score(state) is None for state in states[:-1])
    for row in range(7):
        assert is_misfit(KEY, last, 0, "move", [row, 3])


def test_gs_6_who_says_he_is_stuck_and_is_not_plays_on():
    state = begin(KEY, 0, layout("r b -- r b r b"))
    assert codes(KEY, state, 1, "pass") == [("GS.6", "STK")]
    assert codes(KEY, state, 0, "pass") == [("GS.3", "POT"), ("GS.6", "STK")]
    assert happened(KEY, state, (1, "pass")) is state
    table = Table(KEY)
    table.start(dealer=0, deal=layout("r b -- r b r b"))
    table.record((1, "pass"), (1, "move", [0, 1]))
    assert GAME.to_act(table.match.deals[0].table) == 0


def test_gs_7_the_winner_counts_courts_ten_and_the_loser_minus_ten():
    one = score_of(KEY, {"stuck": 1, "cards": [["A", 9, "J"], [2, "3", "K"]]})
    assert (one.scores, one.numerals, one.courts) == ((20, -5), (10, 5), (1, 1))


def test_gs_8_two_hundred_and_fifty_is_game():
    assert (GAME.race.target, GAME.race.win_by, GAME.race.lurch) == (250, 1, None)
    table = Table(KEY)
    table.enter({"stuck": 1, "totals": [140, 20]})
    table.enter({"stuck": 1, "totals": [110, -20]})
    assert (table.race.totals, table.race.winner) == ((250, 0), 0)


def test_gs_8_totals_can_fall_and_a_lurch_may_be_agreed():
    table = Table(KEY, lurch={"lines": ["2/3", "1/2"], "win_points": [1, 2, 3]})
    for _ in range(2):
        table.enter({"stuck": 1, "totals": [125, -30]})
    assert table.race.totals == (250, -60)
    assert (table.race.games[0].levels, table.race.games[0].worth) == ((0, 2), (3, 0))


def test_gs_g1_own_face_up_cards_pass_any_face_up_card():
    state = begin(KEY, 0, layout("r b r r r b --"))
    assert {(0, 1), (0, 5)} <= set(moves(state))
    assert (0, 0) not in moves(state)


def test_gs_g1_a_card_that_was_turned_down_moves_no_more():
    state = turned_row()
    assert (0, 2) not in moves(state)
    assert codes(KEY, state, 0, "move", [0, 2]) == [("GS.g1", "DUP")]
    table = GAME.view(happened(KEY, state, (0, "move", [0, 2])), None)
    assert (table.gap, table.down) == ((0, 2), ((0, 3),))


def test_gs_g2_a_first_player_stuck_immediately_loses_30_to_150():
    state = begin(KEY, 1, lined((0, 0)))
    assert GAME.to_act(state) is None
    assert GAME.score(state).scores == (30, 150)
    assert GAME.to_act(begin(KEY, 0, lined((0, 0)))) == 1


def test_gs_g3_a_winner_with_fewer_points_wins_the_deal():
    result = score_of(KEY, {"stuck": 1, "cards": [["A"], [9, 8]]})
    assert (result.stuck, result.scores) == (1, (1, 17))
    fewer = sum(
        result.scores[result.stuck] > result.scores[1 - result.stuck]
        for result in (GAME.score(played_out((KEY, {}), seed)[-1][-1]) for seed in range(200))
    )
    assert 5 < fewer < 60
    table = Table(KEY, target=17)
    table.enter({"stuck": 1, "totals": [1, 17]})
    assert table.race.winner == 1


def test_gs_g4_everybody_sees_the_square_and_what_was_turned_down():
    _, _, _, deal, facts, states = played_out((KEY, {}), 4)
    for place, state in enumerate(states):
        views = [GAME.view(state, viewer) for viewer in (None, 0, 1, "all")]
        assert views.count(views[0]) == 4
        turned = sorted(card_on(deal, *each.cell) for each in facts[:place])
        assert list(views[0].seen) == turned
        assert views[0].legal == GAME.legal(state)


def test_gs_e1_the_winner_keeps_98k_and_the_loser_a2q():
    assert score_of(KEY, {"stuck": 1, "cards": [[9, 8, "K"], ["A", 2, "Q"]]}).scores == (27, -7)


def test_gs_e2_the_same_cards_and_the_other_winner():
    assert score_of(KEY, {"stuck": 0, "cards": [[9, 8, "K"], ["A", 2, "Q"]]}).scores == (7, 13)


def test_gs_e3_the_winner_keeps_an_ace_the_loser_nine_and_eight():
    assert score_of(KEY, {"stuck": 1, "cards": [["A"], [9, 8]]}).scores == (1, 17)


def test_gs_e4_no_move_possible_at_the_start():
    every = [*"AA", *(pip for pip in range(2, 10) for _ in "12"), *"JJQQKK"]
    assert score_of(KEY, {"stuck": 0, "cards": [every, every]}).scores == (30, 150)
    assert sorted(GAME.score(begin(KEY, 1, lined((0, 0)))).scores) == [30, 150]


def test_gs_e5_a_loser_with_six_courts_only_or_every_numeral_only():
    courts = [*"JJQQKK"]
    numerals = [*"AA", *(pip for pip in range(2, 10) for _ in "12")]
    assert score_of(KEY, {"stuck": 0, "cards": [courts, courts]}).scores[0] == -60
    assert score_of(KEY, {"stuck": 0, "cards": [numerals, numerals]}).scores[0] == 90


def test_gs_e6_a_row_with_a_dead_card_beyond_the_gap():
    # gap 2♣ 7♦ [3♣ down] K♥ 5♣ 9♥, red to move: 7♦ or K♥; 9♥ too if 3♣ were up.
    deal = layout("-- C2 D7 C3 HK C5 H9", *(f"b {'any ' * 6}" for _ in range(6)))
    state = begin(KEY, 1, deal)
    assert set(moves(state)) == {(0, 2), (0, 4), (0, 6)}
    down = state.up & ~(1 << 3)
    assert moves(squares.next_table(state.layout, state.gap, down, 0, squares.NOWHERE)) == [(0, 2), (0, 4)]


def test_a_layout_is_seven_rows_and_who_plays_red():
    for red, colours in enumerate((("red", "black"), ("black", "red"))):
        deal = GAME.deal(random_deal(KEY, GAME.options(), 5).grid, colours)
        spread = GAME.script.cards_of(deal)
        assert [len(row) for row in spread.rows] == [7] * 7
        assert (spread.red, len(spread.cards), spread.hands, spread.stock) == (red, 48, (), ())
        assert GAME.script.deal_of(GAME.options(), spread) == deal


def test_a_random_order_of_the_pack_leaves_the_gap_anywhere():
    pack = list(cards_in(GAME.pack(GAME.options())))
    random.Random(1).shuffle(pack)
    deal = find(KEY).deal_out(GAME.options(), tuple(pack))
    assert deal.grid.index("--") == pack.index(RED_JOKER)


def test_a_move_is_called_by_its_card_and_the_square_it_left():
    assert fact(0, "move", [3, 6], "D3").as_call() == "D3g4"
    assert fact(0, "move", [0, 0]).as_call() == "??a7"
    for wrong in ("", "g4", "??h1", "T3g4", "??a8", "-"):
        assert type(fact(0, "move", [0, 0])).of_call(0, wrong) is None


EXAMPLE = (
    "C7 C9 SA CA S6 D2 H9/S8 S2 HK C6 S7 S4 --/H3 HA C4 D6 DQ S9 H6/D8 S5 H8 HJ H4 CJ D3/"
    "D9 C8 SJ DK C3 C2 D4/S3 C5 DA DJ H7 D7 H5/D5 HQ SK CQ CK H2 SQ"
)
MOVES = "D3g4 SQg1 HQb1 CQd1 D6d5 C4c5 DQe5 S6e7 H9g7 SJc3 HKc6 S8a6 D8a4 S5b4 HAb5 C9b7"


def test_gs_7_the_notation_example_scores_33_to_88():
    deal = layout(*EXAMPLE.split("/"))
    state = begin(KEY, 1, deal)
    for word in MOVES.split():
        named = type(fact(0, "move", [0, 0])).of_call(GAME.to_act(state), word)
        assert card_on(deal, *named.cell) == named.card
        state = after(KEY, state, (named.seat, "move", list(named.cell)))
    assert GAME.score(state).scores == (33, 88)
    assert GAME.score(state).stuck == 0


@pytest.mark.parametrize("colours", [("red", "black"), ("black", "red")])
def test_a_deal_goes_through_notation_and_back(colours):
    deal = GAME.deal(random_deal(KEY, GAME.options(), 9).grid, colours)
    facts = random_legal(GAME, begin(KEY, 0, deal), random.Random(9))
    line = history.write(GAME, {}, 0, deal, facts)
    news = events_of(history.read(line), (("a",), ("b",)))
    events = [NumberedEvent(at, new.event, new.private) for at, new in enumerate(news, start=1)]
    text = dumps(events, (("Ann",), ("Ben",)))
    (script,) = loads(text)
    assert (script.problems, script.differences) == ([], [])
    assert lines_of(script.state) == [line]
    assert (
        dumps(
            [NumberedEvent(at, new.event, new.private) for at, new in enumerate(script.events, start=1)],
            script.tags.names,
        )
        == text
    )


def test_a_game_without_options_says_so():
    deal = {"grid": ["--", *TENLESS], "colours": ["red", "black"]}
    line = json.dumps({"game": KEY, "options": {"target": 5}, "deal": deal, "actions": []})
    _, told = history.score_line(1, line)
    assert told["error"]["detail"] == "option 'target' is unknown; Get Stuck has none in a deal"
