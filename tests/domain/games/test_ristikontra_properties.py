"""Ristikontra: the invariants of the ledger over random deals, with every option and many together."""

import itertools

from hypothesis import given

from domain import codec
from domain.cards.card import mask_of
from domain.games import all_games, find
from domain.match.audit.findings import findings
from domain.notation import history
from tests.kit.games import conformance as owes
from tests.kit.games.strategies import FORMS, of_form, played_out, quick
from tests.kit.match.tables import Table, told

KEY = "ristikontra"
GAME = find(KEY)
TOGETHER = [
    {"spice": True, "cleaning": True},
    {"cleaning": True, "no_fourth_lead": True, "hand_size": 5},
    {"cleaning": True, "refill": "after_card", "no_fourth_lead": True},
    {"values": "five", "tie_break_tricks": True, "scoring_unit": "card_points", "cleaning": True},
    {
        "values": "five",
        "tie_break_tricks": True,
        "no_fourth_lead": True,
        "spice": True,
        "hand_size": 5,
        "cleaning": True,
    },
]
RK = [form for form in FORMS if form[0] == KEY] + [(KEY, given) for given in TOGETHER]


def views(states):
    return [GAME.view(state, "all") for state in states]


@given(of_form(*RK))
@quick(60)
def test_rk_i1_card_points_sum_to_all_there_are(which):
    _, options, _, _, _, states = played_out(*which)
    result = GAME.score(states[-1])
    assert sum(result.card_points) == options.total
    for earlier, later in itertools.pairwise(views(states)):
        assert all(one <= two for one, two in zip(earlier.card_points, later.card_points, strict=True))


@given(of_form(*RK))
@quick(60)
def test_rk_i2_thirteen_tricks_and_every_card_lies_in_one_of_them(which):
    _, _, _, _, _, states = played_out(*which)
    assert sum(GAME.score(states[-1]).tricks) == 13
    tables = views(states)
    assert mask_of(tables[-1].seen) == (1 << 52) - 1
    for table in tables:
        held = [card for hand in table.hands for card in hand]
        assert len(held) + len(table.seen) + table.stock == 52
        assert len(set(held) | set(table.seen)) == len(held) + len(table.seen)


@given(of_form(*RK))
@quick(60)
def test_rk_i3_the_stock_goes_down_by_four_a_trick(which):
    _, options, _, _, _, states = played_out(*which)
    for table in views(states):
        if not table.trick:
            assert table.stock == max(0, 52 - 4 * options.hand_size - 4 * sum(table.tricks))


@given(of_form(*RK))
@quick(60)
def test_rk_i4_hands_are_full_before_every_trick_of_phase_one(which):
    _, options, _, _, _, states = played_out(*which)
    for table in views(states):
        if not table.trick and table.phase == 1:
            assert [len(hand) for hand in table.hands] == [options.hand_size] * 4


@given(of_form(*RK))
@quick(60)
def test_rk_i4_game_points_go_to_at_most_one_side(which):
    _, options, _, _, _, states = played_out(*which)
    points = GAME.score(states[-1]).game_points
    assert 0 in points
    assert max(points) in (0, 1, 2)
    if options.scoring_unit == "deal_wins":
        assert GAME.score(states[-1]).scores == points


def test_rk_i4_random_deals_have_expected_rates_of_draws_and_sweeps():
    results = [GAME.score(played_out((KEY, {}), seed)[-1][-1]).card_points for seed in range(400)]
    level = sum(points == (60, 60) for points in results)
    assert level <= 12
    assert 80 <= sum(0 in points for points in results) <= 140


@given(of_form(*RK))
@quick(80)
def test_rk_4_the_last_card_of_the_rank_led_took_the_trick(which):
    _, _, _, _, _, states = played_out(*which)
    for before, after in itertools.pairwise(states):
        old, new = GAME.view(before, "all"), GAME.view(after, "all")
        if new.tricks == old.tricks:
            continue
        fallen = before.play if hasattr(before, "play") else before
        cards = [(each.seat, each.card) for each in new.last_trick]
        if not hasattr(before, "play"):  # spiced tricks were won by the card taken back
            winner = [seat for seat, card in cards if card.rank == cards[0][1].rank][-1]
            assert new.tricks[winner] == old.tricks[winner] + 1
            assert new.to_act in (winner, None)
        else:
            assert new.tricks[fallen.turn] == old.tricks[fallen.turn] + 1


def entry_of(options, result) -> dict:
    """What a scorer would have written down."""
    entry = {"points": list(result.card_points)}
    if options.tie_break_tricks:
        entry["tricks"] = list(result.tricks)
    if options.cleaning:
        entry |= {"queens_taken": list(result.queens_taken), "cleaned": list(result.cleaned)}
    return entry


@given(of_form(*RK))
@quick(80)
def test_all_4_an_entered_result_scores_what_the_full_play_scored(which):
    _, options, _, _, _, states = played_out(*which)
    result = GAME.score(states[-1])
    again = GAME.sheet.score(options, codec.convert(entry_of(options, result), GAME.sheet.entry(options)))
    assert (again.scores, again.drops, again.game_points) == (result.scores, result.drops, result.game_points)


@given(of_form(*RK))
@quick(60)
def test_hands_known_or_not_the_same_facts_score_the_same(which):
    _, options, dealer, _, facts, states = played_out(*which)
    blind = GAME.start(options, dealer, None)
    for fact, known in zip(told(GAME, facts, states), states, strict=False):
        assert GAME.breaches(blind, fact) == ()
        assert GAME.to_act(blind) == GAME.to_act(known)
        assert GAME.view(blind, None).stock == shown_stock(known)
        blind = GAME.evolve(blind, fact)
    assert GAME.score(blind) == GAME.score(states[-1])


def shown_stock(known) -> int:
    """A draw that is known counts at once; at a table with physical cards the stock is told by the tricks."""
    drew = getattr(known, "drawn", None) is not None
    return GAME.view(known, None).stock + drew


@given(of_form(*RK))
@quick(30)
def test_a_match_recorded_fact_by_fact_scores_as_the_deal_does(which):
    _, _, dealer, deal, facts, states = played_out(*which)
    table = Table(KEY, sides=(("n", "s"), ("e", "w")), recording="strict", options=dict(which[0][1]))
    table.start(dealer=dealer, deal=deal)
    table.record(*facts)
    result = GAME.score(states[-1])
    assert GAME.score(table.match.deals[0].table) == result
    assert table.race.totals == result.scores
    assert findings(table.match) == ()


@given(of_form(*RK))
@quick(40)
def test_a_deal_as_a_history_is_read_back_and_scored(which):
    form, _ = which
    given = {name: value for name, value in form[1].items() if name != "scoring_unit"}
    _, _, dealer, deal, facts, states = played_out((KEY, given), which[1])
    line = history.write(GAME, given, dealer, deal, facts)
    game, answer = history.score_line(1, line)
    result = GAME.score(states[-1])
    assert (game, answer["complete"], answer["scores"]) == (KEY, True, result.scores)
    assert len(answer["scores"]) == 2


@given(of_form(*[(KEY, given) for given in TOGETHER]))
@quick(12)
def test_options_together_keep_the_protocol(which):
    (_, given), seed = which
    options = codec.convert(given, GAME.options)
    owes.whole_check(GAME, options, all_games().values(), seed)


@given(of_form(*RK))
@quick(60)
def test_rk_13_a_last_king_never_falls_while_the_stock_lasts(which):
    _, options, _, _, _, states = played_out(*which)
    if options.cleaning:
        for table in views(states):
            lying = [card for card in table.seen if card.rank == "K"]
            assert len(lying) < 4 or table.phase == 2


@given(of_form(*RK))
@quick(40)
def test_rk_9_a_fourth_lead_of_a_rank_is_dark_or_forced(which):
    _, options, _, _, facts, states = played_out(*which)
    if not options.no_fourth_lead:
        return
    leads = []
    for fact, state, after in zip(facts, states, states[1:], strict=False):
        table = GAME.view(state, "all")
        if not hasattr(fact, "card") or hasattr(fact, "spice") or table.trick or not GAME.view(after, None).trick:
            continue
        card = GAME.view(after, None).trick[0].card
        leads.append((fact.seat, card.rank))
        ranks = {each.rank for each in table.hands[fact.seat] if each.rank != "K" or not options.cleaning}
        if len(leads) > 3 and len(set(leads[-4:])) == 1 and fact.card is not None:
            assert ranks <= {card.rank}
