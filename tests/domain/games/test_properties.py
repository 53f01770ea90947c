"""The invariants of the ledger over random complete deals, and the two ways to one score."""

import random

from hypothesis import given
from hypothesis import strategies as st

from domain import codec
from domain.cards.card import cards_in, mask_of
from domain.game.race import CountedDeal, Lurch, Race, pinned, standing, winner_of
from tests.kit.games.strategies import SEEDS, SMALL, of_form, played_out, quick
from tests.kit.match.tables import Table

CP = [form for form in SMALL if form[0] == "cross_purposes"]
CP_TWO = [form for form in CP if "variant" not in form[1]]
CP_FOUR = [form for form in CP if "variant" in form[1]]
CG = [form for form in SMALL if form[0] == "cross_game"]
PA = [form for form in SMALL if form[0] == "parity"]
DEPTH = st.booleans()


def words(facts, word: str) -> list:
    return [each for each in facts if type(each).__struct_config__.tag == word]


@given(of_form(*SMALL), DEPTH)
@quick(60)
def test_every_card_falls_exactly_once(which, known):
    game, options, _, _, facts, states = played_out(*which, known)
    fallen = [each.card for each in words(facts, "play")]
    void = game.score(states[-1]).void
    assert len(fallen) == len(set(fallen))
    assert mask_of(fallen) == (0 if void else game.pack(options))


@given(of_form(*CP_TWO), DEPTH)
@quick(40)
def test_cp_i1_each_phase_has_thirteen_tricks(which, known):
    game, options, _, _, facts, states = played_out(*which, known)
    result = game.score(states[-1])
    assert [sum(tricks) for tricks in result.phases] == [13, 13]
    raw = [(one + 1) * two for one, two in zip(*result.phases, strict=True)]
    assert raw[0] != raw[1]
    assert result.scores == tuple(s if options.scoring == "both" or s == max(raw) else 0 for s in raw)
    assert len(facts) == 56


@given(of_form(*CP_TWO), DEPTH)
@quick(40)
def test_cp_i2_each_player_declares_each_dimension_once_a_round(which, known):
    _, _, dealer, _, facts, _ = played_out(*which, known)
    calls = words(facts, "declare")
    for seat in (0, 1):
        assert sorted(call.dim for call in calls if call.seat == seat) == ["top", "trump"]
    assert [call.seat for call in calls] == [1 - dealer, dealer, dealer, 1 - dealer]


@given(of_form(*CP_FOUR), DEPTH)
@quick(60)
def test_cp_i1_four_hands_share_thirteen_tricks_and_allies_score_alike(which, known):
    game, options, _, _, _, states = played_out(*which, known)
    result = game.score(states[-1])
    assert sum(result.tricks) == 13
    assert sorted(seat for side in result.sides for seat in side) == [0, 1, 2, 3]
    if options.variant == "fixed":
        assert result.sides == ((0, 2), (1, 3))
    sides = [{result.scores[seat] for seat in side} for side in result.sides]
    assert all(len(side) == 1 for side in sides)
    assert sides[0] != sides[1]


@given(of_form(*CG), DEPTH)
@quick(60)
def test_cg_i1_card_points_tricks_and_announcements_keep_their_sums(which, known):
    game, _, _, _, facts, states = played_out(*which, known)
    result = game.score(states[-1])
    if result.void:
        assert [type(each).__name__ for each in facts] == ["Passed", "Passed"]
        return
    assert sum(result.card_points) == 120
    assert sum(result.tricks) == 12
    assert sum(result.announcements) <= 100
    (totals,) = game.script.section_sums(states[-1])
    assert sum(totals) == 120 + sum(result.announcements)
    assert result.cross_points == tuple(total // 33 for total in totals)
    assert 2 <= sum(result.cross_points) <= 6
    bidder, bid = result.bidder, result.bid
    made = result.cross_points[bidder]
    assert result.scores[bidder] == (made if made >= bid else -bid)
    assert result.scores[1 - bidder] == result.cross_points[1 - bidder]


@given(of_form(*CG))
@quick(40)
def test_cg_i3_a_suit_is_shown_once(which):
    game, _, _, _, _, states = played_out(*which)
    last = game.view(states[-1], None)
    suits = [shown.suit for shown in getattr(last, "announcements", ())]
    assert len(suits) == len(set(suits))


@given(of_form(*CG))
@quick(20)
def test_cg_g2_hands_hold_eight_cards_while_the_stock_lasts(which):
    game, _, _, _, _, states = played_out(*which)
    for state in states:
        table = game.view(state, "all")
        if table.phase == 1 and not table.trick:
            assert [len(hand) for hand in table.hands] == [8, 8]
        held = sum(len(hand) for hand in table.hands)
        assert held + table.stock + len(table.seen) == 24


@given(of_form(*PA), DEPTH)
@quick(40)
def test_pa_i1_fifteen_tricks_and_one_scorer_with_the_parity(which, known):
    game, _, _, _, facts, states = played_out(*which, known)
    result = game.score(states[-1])
    assert sum(result.tricks) == 15
    assert len(facts) == 32
    wanted = 1 if words(facts, "parity")[0].parity == "odd" else 0
    for tricks, score in zip(result.tricks, result.scores, strict=True):
        assert score == (10 + tricks if tricks % 2 == wanted else 0)
    assert result.scores.count(0) == 1


@given(of_form(*SMALL))
@quick(40)
def test_the_winner_of_a_trick_had_the_highest_card_of_it(which):
    game, _, _, _, facts, states = played_out(*which)
    for fact, before, after in zip(facts, states, states[1:], strict=False):
        table = game.view(after, None)
        if not words([fact], "play") or table.trick or not table.last_trick or table.to_act is None:
            continue
        suits = {each.card.suit for each in table.last_trick}
        if len(suits) == 1 and game.key == "parity":
            ranks = "25TJQKA"
            best = max(table.last_trick, key=lambda each: ranks.find(each.card.rank))
            if game.view(before, None).tricks != table.tricks and "X" not in suits:
                assert table.to_act == best.seat


def entry_of(game, options, result) -> dict:
    """The result of a full deal as a scorer would have written it down."""
    if game.key == "parity":
        return {"parity": result.parity, "tricks": list(result.tricks)}
    if game.key == "cross_game":
        if result.void:
            return {"void": True}
        return {"bidder": result.bidder, "bid": result.bid, "cross_points": list(result.cross_points)}
    if options.variant == "two":
        return {"phases": [list(tricks) for tricks in result.phases]}
    return {"tricks": list(result.tricks), "allies": list(result.sides[0])}


@given(of_form(*SMALL))
@quick(60)
def test_all_4_an_entered_result_scores_what_the_full_play_scored(which):
    game, options, _, _, _, states = played_out(*which)
    result = game.score(states[-1])
    entry = codec.convert(entry_of(game, options, result), game.sheet.entry(options))
    again = game.sheet.score(options, entry)
    assert (again.scores, again.void) == (result.scores, result.void)


@given(of_form(*CG))
@quick(30)
def test_all_4_card_points_with_announcements_score_what_the_full_play_scored(which):
    game, options, _, _, _, states = played_out(*which)
    result, table = game.score(states[-1]), game.view(states[-1], None)
    if result.void:
        return
    suits = [[shown.suit for shown in table.announcements if shown.seat == seat] for seat in (0, 1)]
    entry = {"bidder": result.bidder, "bid": result.bid, "card_points": list(result.card_points)}
    entry |= {"announcements": suits, "trumps": table.trumps}
    assert game.sheet.score(options, codec.convert(entry, game.sheet.entry(options))).scores == result.scores


@given(of_form(*SMALL))
@quick(40)
def test_hands_known_or_not_the_same_facts_score_the_same(which):
    game, options, dealer, _, facts, states = played_out(*which)
    if game.key == "cross_game" and options.announce == "automatic":
        return
    blind = game.start(options, dealer, None)
    for fact in facts:
        assert game.breaches(blind, fact) == ()
        blind = game.evolve(blind, fact)
    assert game.score(blind) == game.score(states[-1])


@given(of_form(*SMALL))
@quick(30)
def test_a_match_recorded_fact_by_fact_scores_as_the_deal_does(which):
    game, options, dealer, deal, facts, states = played_out(*which)
    sides = tuple(tuple(f"p{seat}" for seat in side) for side in game.sides(options))
    table = Table(game.key, sides=sides, recording="strict", options=dict(which[0][1]))
    table.start(dealer=dealer, deal=deal)
    table.record(*facts)
    result = game.score(states[-1])
    assert game.score(table.match.deals[0].table) == result
    assert table.race.totals == tuple(0 if result.void else result.scores[side[0]] for side in game.sides(options))


DEALS = st.lists(st.tuples(st.integers(-6, 12), st.integers(-6, 12)), max_size=30)


@given(DEALS, st.integers(5, 30), st.integers(1, 3), st.sampled_from([None, 0, 3]))
@quick(150)
def test_all_2_a_race_ends_with_the_first_deciding_deal(deals, target, win_by, above):
    race = Race(target=target, win_by=win_by, cap=None if above is None else target + above)
    totals, decided = (0, 0), None
    for deal in deals:
        if decided is None:
            totals = (totals[0] + deal[0], totals[1] + deal[1])
            decided = winner_of(race, totals)
    found = standing(race, 2, [CountedDeal(deal) for deal in deals])
    assert (found.winner, found.finished, found.totals) == (decided, decided is not None, totals)
    if decided is not None:
        lead = totals[decided] - totals[1 - decided]
        assert totals[decided] >= target
        assert lead >= win_by or (race.cap is not None and totals[decided] >= race.cap and lead >= 1)


@given(DEALS, SEEDS)
@quick(60)
def test_lu_levels_never_rise_with_the_total(deals, seed):
    race = pinned(Race(target=100, lurch=Lurch(("2/3", "1/2", 1), (1, 2, 3, 4))))
    chance = random.Random(seed)
    scores = [(chance.randrange(-20, 60), chance.randrange(-20, 60)) for _ in deals]
    found = standing(race, 2, [CountedDeal(deal) for deal in scores])
    for status, total in zip(found.lurch, found.totals, strict=True):
        assert status.level == (total < 66) + (total < 50) + (total < 1)
        assert (status.to_save is None) == (status.level == 0)


@given(SEEDS)
@quick(20)
def test_a_bit_set_is_its_cards(seed):
    mask = random.Random(seed).getrandbits(54)
    assert mask_of(cards_in(mask)) == mask
