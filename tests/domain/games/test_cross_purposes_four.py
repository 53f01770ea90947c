"""Cross Purposes for four: proposals, agreements, who speaks, tricks and sides."""

import pytest

from domain.games import find
from tests.kit.games.strategies import for_seeds
from tests.kit.match.tables import Table, after, begin, codes, deal_for, happened, is_misfit, random_legal

KEY = "cross_purposes"
GAME = find(KEY)
N, E, S, W = range(4)

# The bidding of the seed's example: North deals last, so West deals and North is eldest.
EXAMPLE = [
    (N, "propose", "trump", "S"),
    (E, "propose", "top", "3"),
    (S, "propose", "top", "J"),
    (W, "propose", "trump", "D"),
    (N, "propose", "top", "3"),
    (S, "propose", "trump", "C"),
    (W, "propose", "trump", "H"),
    (S, "propose", "trump", "H"),
]


def bidding(variant: str, **given):
    return begin(KEY, W, None, variant=variant, **given)


def called(state, *calls: tuple):
    """Calls as (seat, value); the dimension follows from the value."""
    actions = [(seat, "propose", "trump" if value in "CDHS" else "top", value) for seat, value in calls]
    return after(KEY, state, *actions)


def test_cp_8_four_players_sit_in_pairs_or_each_alone():
    fixed, alliance = GAME.options(variant="fixed"), GAME.options(variant="alliance")
    assert GAME.sides(fixed) == ((N, S), (E, W))
    assert GAME.sides(alliance) == ((N,), (E,), (S,), (W,))
    state = begin(KEY, W, deal_for(KEY, variant="fixed"), variant="fixed")
    assert len(GAME.view(state, S).hands[S]) == 13


def test_cp_9_from_eldest_clockwise_each_proposes_a_suit_or_a_rank():
    state = bidding("alliance")
    for seat in (N, E, S, W, N):
        assert GAME.to_act(state) == seat
        assert len(GAME.legal(state)) == 17
        value = {N: "2", E: "3", S: "4", W: "5"}[seat]
        state = called(state, (seat, value))


def test_cp_9_nobody_passes():
    state = bidding("fixed")
    assert codes(KEY, state, N, "pass") == [("CP.9", "PAS")]
    assert codes(KEY, state, E, "pass") == [("CP.9", "OOB"), ("CP.9", "PAS")]
    state = happened(KEY, state, (N, "pass"))
    assert GAME.to_act(state) == E
    assert [call.call for call in GAME.view(state, None).calls] == ["-"]


def test_cp_10_accepting_anybodys_proposal_makes_an_alliance():
    state = called(bidding("alliance"), (N, "S"), (E, "S"))
    assert GAME.view(state, None).sides == ((N, E), (S, W))
    assert GAME.view(state, None).trumps == "S"


def test_cp_11_the_other_two_go_on_until_they_agree():
    state = called(bidding("alliance"), (N, "S"), (E, "S"), (S, "8"), (W, "9"), (S, "T"), (W, "T"))
    table = GAME.view(state, None)
    assert (table.trumps, table.tops, table.sides) == ("S", "T", ((N, E), (S, W)))
    assert GAME.to_act(state) == N


def test_cp_12_fixed_partners_agree_first_then_the_other_pair():
    state = called(bidding("fixed"), (N, "S"), (E, "S"), (S, "S"))
    assert GAME.view(state, None).sides == ((N, S), (E, W))
    assert {each.dim for each in GAME.legal(state)} == {"top"}
    state = called(state, (W, "4"), (E, "4"))
    assert GAME.view(state, None).tops == "4"


def test_cp_13_eldest_leads_and_everyone_keeps_his_own_tricks():
    suits = [" ".join(letter + rank for rank in "23456789TJQKA") for letter in "CDHS"]
    state = begin(KEY, W, deal_for(KEY, *suits, variant="fixed"), variant="fixed")
    state = called(state, (N, "H"), (E, "2"), (S, "H"), (W, "2"))
    assert GAME.to_act(state) == N
    state = after(KEY, state, (N, "play", "CA"), (E, "play", "D2"), (S, "play", "H3"), (W, "play", "SA"))
    assert GAME.view(state, None).tricks == (0, 0, 1, 0)
    assert GAME.to_act(state) == S


def test_cp_13_turn_suit_and_hand_are_all_checked():
    state = begin(KEY, W, deal_for(KEY, "H2", "H3 S2", "H4", variant="fixed"), variant="fixed")
    state = called(state, (N, "S"), (E, "2"), (S, "S"), (W, "2"))
    state = after(KEY, state, (N, "play", "H2"))
    assert codes(KEY, state, E, "play", "S2") == [("CP.13", "REV")]
    assert codes(KEY, state, S, "play", "H4") == [("CP.13", "POT")]
    assert codes(KEY, state, E, "play", "H4") == [("CP.13", "NIH")]
    assert codes(KEY, state, E, "play", "H2") == [("CP.13", "DUP")]


def test_cp_13_a_second_card_counts_for_the_same_seat():
    state = called(bidding("fixed"), (N, "S"), (E, "A"), (S, "S"), (W, "A"))
    state = happened(KEY, state, (N, "play", "H2"), (N, "play", "SA"), (E, "play", "H3"), (S, "play", "H4"))
    assert GAME.view(state, None).tricks == (1, 0, 0, 0)


def test_cp_g2_any_accepts_earlier_proposals_latest_only_the_last():
    calls = ((N, "S"), (E, "3"), (S, "J"), (W, "D"), (N, "4"), (E, "S"))
    assert GAME.view(called(bidding("alliance"), *calls), None).sides == ((N, E), (S, W))
    assert GAME.view(called(bidding("alliance", open_proposals="latest"), *calls), None).sides is None


def test_cp_g2_latest_still_takes_what_each_seat_said_last():
    state = called(bidding("alliance", open_proposals="latest"), (N, "S"), (E, "3"), (S, "J"), (W, "S"))
    assert GAME.view(state, None).sides == ((N, W), (E, S))


def test_cp_g3_acceptance_is_naming_the_value_again_and_nothing_else():
    state = called(bidding("alliance"), (N, "S"))
    assert {type(each).__name__ for each in GAME.legal(state)} == {"ValueProposed"}
    assert is_misfit(KEY, state, E, "announce", "S")


def test_cp_g4_a_seat_may_repeat_itself_unless_the_option_forbids_it():
    calls = ((N, "S"), (E, "3"), (S, "J"), (W, "D"))
    assert codes(KEY, called(bidding("alliance"), *calls), N, "propose", "trump", "S") == []
    strict = called(bidding("alliance", own_repeat=False), *calls)
    assert codes(KEY, strict, N, "propose", "trump", "S") == [("CP.g4", None)]
    assert len(GAME.legal(strict)) == 16


@for_seeds(40)
def test_cp_g4_alliance_bidding_without_repeats_ends_within_eighteen_calls(seed):
    import random

    state = bidding("alliance", own_repeat=False)
    facts = random_legal(GAME, state, random.Random(seed))
    firsts = []
    for fact in facts:
        if GAME.view(state, None).sides is not None:
            break
        firsts.append(fact)
        state = GAME.evolve(state, fact)
    assert len(firsts) <= 18


def test_cp_g5_the_next_seat_outside_the_first_pair_calls():
    state = called(bidding("alliance"), *((N, "S"), (E, "3"), (S, "J"), (W, "D"), (N, "3")))
    assert GAME.to_act(state) == S
    assert codes(KEY, state, E, "propose", "trump", "C") == [("CP.g5", "OOB")]
    state = called(state, (S, "C"))
    assert GAME.to_act(state) == W


def test_cp_g6_the_remaining_pair_names_only_the_open_dimension():
    state = called(bidding("alliance"), *((N, "S"), (E, "3"), (S, "J"), (W, "D"), (N, "3")))
    assert codes(KEY, state, S, "propose", "top", "4") == [("CP.g6", "DIM")]
    assert len(GAME.legal(state)) == 4


@pytest.mark.parametrize("latest", ["any", "latest"])
def test_cp_g6_earlier_calls_of_the_remaining_pair_still_stand(latest):
    state = bidding("alliance", open_proposals=latest)
    state = called(state, *((N, "S"), (E, "3"), (S, "J"), (W, "D"), (N, "3"), (S, "D")))
    table = GAME.view(state, None)
    assert (table.trumps, table.tops, table.sides) == ("D", "3", ((N, E), (S, W)))


def test_cp_g7_opponents_that_name_the_same_value_agree_on_nothing():
    state = called(bidding("fixed"), (N, "S"), (E, "S"))
    assert GAME.view(state, None).sides is None
    assert GAME.to_act(state) == S


@pytest.mark.parametrize("latest", ["any", "latest"])
def test_cp_e8_the_calls_pair_north_east_and_south_west(latest):
    state = after(KEY, bidding("alliance", open_proposals=latest), *EXAMPLE)
    table = GAME.view(state, None)
    assert (table.sides, table.tops, table.trumps) == (((N, E), (S, W)), "3", "H")


def test_cp_e8_in_the_fixed_game_east_would_speak_after_norths_three():
    state = after(KEY, bidding("fixed"), *EXAMPLE[:5])
    assert GAME.view(state, None).sides is None
    assert GAME.to_act(state) == E


def test_cp_8_partners_score_as_one_side_of_the_match():
    table = Table(KEY, sides=(("n", "s"), ("e", "w")), options={"variant": "fixed"})
    table.enter({"tricks": [5, 4, 1, 3]})
    assert table.race.totals == (12, 20)


def test_cp_9_the_deal_passes_left_round_four_seats():
    table = Table(KEY, sides=(("n",), ("e",), ("s",), ("w",)), options={"variant": "alliance"})
    for _ in range(5):
        table.enter({"tricks": [5, 4, 1, 3], "allies": [0, 2]}, lot=6)
    assert table.dealers == [2, 3, 0, 1, 2]
