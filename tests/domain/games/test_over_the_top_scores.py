"""Over the Top: results entered without cards, and the invariants of the ledger over random deals."""

import itertools

import pytest
from hypothesis import given

from domain import codec
from domain.cards.card import mask_of
from domain.game.script import NotedSection
from domain.game.sheet import EntryError
from domain.games import find
from domain.games.over_the_top.counting import TOP, counting, counts_of, total_of, trick_points
from domain.notation.history import read, score, write
from tests.kit.games.strategies import FORMS, of_form, played_out, quick
from tests.kit.match.tables import Table, options_of, score_of

KEY = "over_the_top"
GAME = find(KEY)
OT = [form for form in FORMS if form[0] == KEY]
TRICKS = [
    [0, 7],
    [0, 31],
    [1, 12],
    [0, 7],
    [1, 4],
    [0, 17],
    [1, 5],
    [1, 17],
    [1, 20],
    [1, 19],
    [0, 15],
    [0, 14],
    [0, 20],
]


def refused(entry: dict) -> str:
    with pytest.raises(EntryError) as error:
        score_of(KEY, entry)
    return error.value.rule


def whole_tricks(states: list):
    """The view before each trick's last fact, and the trick as it then lies there."""
    for before, now in itertools.pairwise(states):
        old, new = GAME.view(before, "all"), GAME.view(now, "all")
        if sum(new.tricks) > sum(old.tricks):
            yield old, new


def test_all_4_a_result_is_entered_by_tricks_or_by_totals():
    by_trick = score_of(KEY, {"tricks": TRICKS})
    assert by_trick.scores == score_of(KEY, {"totals": [111, 77]}).scores == (111, 77)
    assert by_trick.tricks == (7, 6)
    assert by_trick.taken[1] == (0, 31)


def test_all_4_one_of_the_two_is_given_and_only_one():
    assert refused({}) == "OT.i4"
    assert refused({"tricks": TRICKS, "totals": [111, 77]}) == "OT.i4"
    with pytest.raises(ValueError, match="unknown"):
        score_of(KEY, {"points": [1, 2]})
    with pytest.raises(ValueError, match="<= 1"):
        score_of(KEY, {"tricks": [[2, 7], *TRICKS[1:]]})


def test_ot_i1_points_lie_between_the_lowest_half_and_the_pack():
    assert refused({"totals": [200, 181]}) == "OT.i1"
    assert refused({"totals": [100, 23]}) == "OT.i1"
    assert refused({"tricks": [[0, 4]] * 13}) == "OT.i1"
    assert score_of(KEY, {"totals": [190, 190]}).scores == (190, 190)
    assert score_of(KEY, {"totals": [0, 124]}).scores == (0, 124)


@given(of_form(*OT))
@quick(60)
def test_ot_i1_each_card_is_played_once(which):
    _, _, _, _, facts, states = played_out(*which)
    fallen = [each.card for each in facts if hasattr(each, "card")]
    assert len(fallen) == len(set(fallen)) == 52
    assert mask_of(fallen) == mask_of(GAME.view(states[-1], None).seen)


@given(of_form(*OT))
@quick(60)
def test_ot_i2_no_suit_stands_twice_in_a_trick(which):
    states = played_out(*which)[-1]
    for _, new in whole_tricks(states):
        suits = [each.card.suit for each in new.last_trick]
        assert len(suits) == len(set(suits))


@given(of_form(*OT))
@quick(60)
def test_ot_i3_thirteen_tricks_unless_one_ended_short(which):
    states = played_out(*which)[-1]
    sizes = [len(new.last_trick) for _, new in whole_tricks(states)]
    assert sum(sizes) == 52
    assert (len(sizes) == 13) == (set(sizes) == {4})
    assert all(len(new.passed) == 0 for _, new in whole_tricks(states))


def test_ot_i3_an_entry_has_thirteen_tricks_or_more():
    assert refused({"tricks": TRICKS[1:]}) == "OT.i3"
    assert score_of(KEY, {"tricks": [*TRICKS, [1, 2]]}).scores == (111, 79)


@given(of_form(*OT))
@quick(60)
def test_ot_i4_the_points_of_the_tricks_sum_to_the_scores(which):
    states = played_out(*which)[-1]
    result, sums = GAME.score(states[-1]), [0, 0]
    for old, new in whole_tricks(states):
        gains = [now - was for was, now in zip(old.points, new.points, strict=True)]
        (winner,) = [seat for seat in (0, 1) if new.tricks[seat] > old.tricks[seat]]
        assert gains[1 - winner] == 0
        sums[winner] += gains[winner]
    assert tuple(sums) == result.scores == GAME.script.section_sums(states[-1])[0]
    assert sum(result.tricks) == len(result.taken)


RANGE = {"below": (4, 22), "at": (21, 42), "above": (12, 22)}


def place_of(total: int) -> str:
    return "below" if total < TOP else "at" if total == TOP else "above"


@given(of_form(*OT))
@quick(60)
def test_ot_i5_the_points_of_a_trick_lie_within_their_range(which):
    states = played_out(*which)[-1]
    how = counting(options_of(KEY, **which[0][1]))
    for old, new in whole_tricks(states):
        fallen = [each.card for each in new.last_trick]
        low, high = RANGE[place_of(total_of(counts_of(fallen, how)[-1]))]
        if len(fallen) == 4:
            assert low <= sum(new.points) - sum(old.points) <= high, fallen


@pytest.mark.parametrize("form", OT)
def test_ot_i5_no_ranks_at_all_make_a_trick_outside_the_range(form):
    how, found = counting(options_of(KEY, **form[1])), {where: set() for where in RANGE}
    for ranks in itertools.product(range(13), repeat=4):
        total = total_of(counts_of(ranks, how)[-1])
        found[place_of(total)].add(trick_points(total, ranks))
    for where, (low, high) in RANGE.items():
        assert low <= min(found[where])
        assert max(found[where]) <= high
        assert form[1] or (min(found[where]), max(found[where])) == (low, high)


def test_ot_i5_an_entered_trick_outside_the_range_is_refused():
    assert refused({"tricks": [[0, 3], *TRICKS[1:]]}) == "OT.i5"
    assert refused({"tricks": [*TRICKS[1:], [0, 43]]}) == "OT.i5"
    assert refused({"tricks": [*TRICKS, [0, 1]]}) == "OT.i5"


@pytest.mark.parametrize("form", OT)
def test_ot_i6_the_running_total_stays_within_its_range(form):
    how = counting(options_of(KEY, **form[1]))
    totals = {total_of(count) for row in how.after.values() for count in row}
    assert min(totals) >= -22
    assert max(totals) <= 44
    if not form[1]:
        assert (min(totals), max(totals)) == (-22, 44)


@given(of_form(*OT))
@quick(60)
def test_all_4_an_entered_result_scores_what_the_full_play_scored(which):
    game, options, _, _, _, states = played_out(*which)
    result = game.score(states[-1])
    for entry in ({"tricks": [list(each) for each in result.taken]}, {"totals": list(result.scores)}):
        again = game.sheet.score(options, codec.convert(entry, game.sheet.entry(options)))
        assert again.scores == result.scores


@given(of_form(*OT))
@quick(40)
def test_hands_known_or_not_the_same_facts_score_the_same(which):
    game, options, dealer, _, facts, states = played_out(*which)
    blind = game.start(options, dealer, None)
    for fact, known in zip(facts, states, strict=False):
        assert game.view(blind, None).stock == game.view(known, None).stock
        assert game.to_act(blind) == game.to_act(known)
        assert game.breaches(blind, fact) == ()
        blind = game.evolve(blind, fact)
    assert game.score(blind) == game.score(states[-1])


@given(of_form(*OT))
@quick(20)
def test_a_match_recorded_fact_by_fact_scores_as_the_deal_does(which):
    game, _, dealer, deal, facts, states = played_out(*which)
    table = Table(KEY, recording="strict", options=dict(which[0][1]))
    table.start(dealer=dealer, deal=deal)
    table.record(*facts)
    assert table.race.totals == game.score(states[-1]).scores


@given(of_form(*OT))
@quick(40)
def test_a_history_line_goes_round_and_scores(which):
    game, _, dealer, deal, facts, states = played_out(*which)
    line = write(game, dict(which[0][1]), dealer, deal, facts)
    history = read(line)
    assert (history.deal, history.facts) == (deal, facts)
    answer = score(history)
    assert (answer["complete"], answer["scores"]) == (True, game.score(states[-1]).scores)
    assert write(game, history.given, history.dealer, history.deal, history.facts) == line


def test_a_history_that_breaks_a_rule_names_the_rule_and_the_action():
    game, _, dealer, deal, facts, _ = played_out((KEY, {}), 3)
    assert score(read(write(game, {}, dealer, deal, []))) == {"complete": False, "scores": None, "actions": 0}
    error = score(read(write(game, {}, dealer, deal, [facts[0], facts[0]])))["error"]
    assert (error["rule"], error["code"], error["action"]) == ("OT.2", "POT", 1)


def test_notation_reads_totals_and_writes_them():
    options = GAME.options()
    assert GAME.script.entry_read(options, (), ((104, 84),)) == {"totals": [104, 84]}
    assert GAME.script.entry_read(options, (), ()) is None
    entry = codec.convert({"totals": [104, 84]}, GAME.sheet.entry(options))
    assert GAME.script.entry_noted(options, 0, entry) == (NotedSection((), (104, 84)),)
    by_trick = codec.convert({"tricks": TRICKS}, GAME.sheet.entry(options))
    assert GAME.script.entry_noted(options, 0, by_trick) is None
