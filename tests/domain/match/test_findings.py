"""The audit: what the record proves, by known hands or by a card that falls later."""

import random

import pytest

from domain.games import all_games
from domain.match.audit.findings import findings, first_breach
from domain.match.mending_commands import Correct
from tests.kit.games.strategies import FORM_IDS, FORMS, played_out, setup
from tests.kit.match.tables import Table, deal_for, told

every_form = pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)


def table_of(form, dealer: int) -> Table:
    """A match with a first deal whose hands nobody typed."""
    game, options = setup(form)
    sides = tuple(tuple(f"p{seat}" for seat in side) for side in game.sides(options))
    table = Table(game.key, sides=sides, options=dict(form[1]))
    table.start(dealer=dealer)
    return table


def proven(table: Table) -> list[tuple]:
    return [(found.rule, found.code, found.version, found.proof) for found in findings(table.match)]


@every_form
def test_legal_play_with_hands_unknown_gives_no_finding(form):
    for seed in (1, 2, 3):
        game, _, dealer, _, facts, states = played_out(form, seed)
        facts = [fact for fact in told(game, facts, states) if type(fact).__struct_config__.tag != "announce"]
        table = table_of(form, dealer)
        table.record(*facts)
        assert {found.code for found in findings(table.match)} <= {"LAP"}, seed  # a lapsed claim breaks no rule


@pytest.mark.parametrize("form", [form for form in FORMS if form[0] in ("cross_purposes", "parity")][:16:3])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_revoke_is_proven_when_the_held_card_falls(form, seed):
    game, _, dealer, _, facts, states = played_out(form, seed)
    wanted = None
    for place, state in enumerate(states[:-1]):
        duty = game.duty(state)
        hand = game.view(state, "all").hands[game.to_act(state)]
        if duty is None or not duty.masks:
            continue
        mask = duty.masks[0][0]
        follows = [card for card in hand if mask >> card & 1]
        others = [card for card in hand if not mask >> card & 1]
        if follows and others:
            wanted = (place, others[0], duty.masks[0][1])
            break
    assert wanted is not None
    place, card, rule = wanted
    chance, state, table = random.Random(seed), states[place], table_of(form, dealer)
    revoke = type(facts[place])(facts[place].seat, card)
    played = [*facts[:place], revoke]
    state = game.evolve(state, revoke)
    while game.to_act(state) is not None:
        fact = chance.choice(game.legal(state))
        played.append(fact)
        state = game.evolve(state, fact)
    table.record(*played)
    version = table.match.deals[0].facts[place][0]
    assert [found[:3] for found in proven(table)] == [(rule, "REV", version)]
    assert proven(table)[0][3] > version


def cross_purposes() -> Table:
    table = Table("cross_purposes")
    table.start(dealer=0)
    table.record((1, "declare", "trump", "S"), (0, "declare", "top", "A"))
    return table


def test_cp_5_the_proof_names_the_revoke_and_the_proving_card():
    table = cross_purposes()
    revoke = table.record((1, "play", "H2"), (0, "play", "C2"))
    assert proven(table) == []
    proof = table.record((1, "play", "D2"), (0, "play", "D3"), (0, "play", "H3"))
    assert proven(table) == [("CP.5", "REV", revoke, proof)]


def test_cp_6_cards_of_the_second_phase_prove_nothing_about_the_first():
    table = cross_purposes()
    table.record((1, "play", "H2"), (0, "play", "C2"))
    suits = [(seat, "play", letter + rank) for rank in "3456789TJQKA" for seat, letter in ((1, "D"), (0, "C"))]
    table.record(*suits)
    table.record((0, "declare", "trump", "S"), (1, "declare", "top", "A"), (0, "play", "H3"))
    assert proven(table) == []


def test_cp_5_a_second_card_to_a_trick_is_out_of_turn():
    table = cross_purposes()
    twice = table.record((1, "play", "H2"), (1, "play", "C2"))
    table.record((1, "play", "H3"))
    assert proven(table) == [("CP.5", "POT", twice, None)]


def test_cp_5_a_card_typed_twice_proves_no_revoke():
    table = cross_purposes()
    table.record((1, "play", "H2"), (0, "play", "C2"), (1, "play", "D2"), (0, "play", "D3"))
    table.record((0, "play", "H2"), it_happened=True)
    assert [code for _, code, _, _ in proven(table)] == ["DUP"]


def test_cp_5_with_hands_known_the_revoke_is_found_at_once():
    table = Table("cross_purposes")
    table.start(dealer=0, deal=deal_for("cross_purposes", "H3 C2", "H2"))
    table.record((1, "declare", "trump", "S"), (0, "declare", "top", "A"), (1, "play", "H2"))
    version = table.record((0, "play", "C2"))
    assert proven(table) == [("CP.5", "REV", version, None)]


def strict_cross_game() -> Table:
    """Cross Game with hands unknown, spades trumps, the stock gone, seat 0 on lead."""
    table = Table("cross_game")
    table.start(dealer=1)
    table.record((0, "bid", 1), (1, "pass"))
    for mine, other in (("SA", "C9"), ("ST", "CJ"), ("SK", "CQ"), ("HA", "H9")):
        table.record((0, "play", mine), (1, "play", other))
    return table


def test_cg_6_a_revoke_is_possible_only_after_the_stock():
    table = strict_cross_game()
    revoke = table.record((0, "play", "DA"), (1, "play", "CK"))
    proof = table.record((0, "play", "CA"), (1, "play", "D9"))
    assert proven(table) == [("CG.6", "REV", revoke, proof)]


def test_cg_6_a_trump_that_was_held_back_is_proven_too():
    table = strict_cross_game()
    kept = table.record((0, "play", "DA"), (1, "play", "CK"))
    proof = table.record((0, "play", "HT"), (1, "play", "SJ"))
    assert proven(table) == [("CG.6", "FTT", kept, proof)]


def test_cg_6_one_who_could_have_followed_did_not_have_to_trump():
    table = strict_cross_game()
    revoke = table.record((0, "play", "DA"), (1, "play", "CK"))
    table.record((0, "play", "HT"), (1, "play", "SJ"))
    table.record((1, "play", "D9"))
    assert [(rule, code, version) for rule, code, version, _ in proven(table)] == [("CG.6", "REV", revoke)]


def test_cg_7_an_opponent_playing_an_announced_card_is_found():
    table = Table("cross_game")
    table.start(dealer=1)
    table.record((0, "bid", 1), (1, "pass"), (0, "announce", "S"), (0, "play", "SK"))
    table.record((1, "play", "SQ"))
    assert ("CG.7", "KQF") in [(rule, code) for rule, code, _, _ in proven(table)]


def test_cg_7_an_announcement_out_of_turn_gives_the_leader_nothing():
    table = Table("cross_game")
    table.start(dealer=1)
    table.record((0, "bid", 1), (1, "pass"), (1, "announce", "S"), (0, "play", "SK"))
    assert [each.seat for each in table.match.setup.game.view(table.match.deals[0].table, None).announcements] == []


def test_cg_g3_a_draw_that_is_not_due_is_found():
    table = strict_cross_game()
    version = table.record((1, "draw"), (0, "draw", "HK"))
    assert ("CG.g3", "DRW", version, None) in proven(table)


def test_findings_stand_in_the_order_of_the_events_and_follow_corrections():
    table = cross_purposes()
    version = table.record((0, "play", "C2"))
    table.record((1, "play", "H2"))
    assert [found[1] for found in proven(table)] == ["LOT"]
    table.do(Correct(version=version, now={"seat": 1, "do": "play", "card": "C2"}, note="slip"))
    assert "LOT" not in [found[1] for found in proven(table)]


def test_first_breach_tells_the_place_of_the_first_refused_fact():
    form = ("parity", {})
    game, options, dealer, deal, facts, _ = played_out(form, 1)
    start = game.start(options, dealer, deal)
    assert first_breach(game, start, facts)[1:] == (len(facts), ())
    wrong = [*facts[:7], facts[3], *facts[7:]]
    assert first_breach(game, start, wrong)[1] == 7


@pytest.mark.parametrize("key", list(all_games()))
def test_nothing_is_found_in_a_deal_without_facts(key):
    assert findings(table_of((key, {}), 0).match) == ()
