"""Swiss, groups, ladder and individual movements as stages of a tournament."""

import itertools
import random

import pytest

from domain.tournament import commands as c
from domain.tournament.formats.groups import Groups, apart
from domain.tournament.points import Terms
from tests.kit.games.strategies import for_seeds
from tests.kit.tournament.directed import Event
from tests.kit.tournament.explained import in_words, people_in

SWISS = {"kind": "swiss", "rounds": 4}


def met_twice(stage):
    """Pairs that met more than once at the table."""
    pairs = [frozenset(each.entries) for name, each in stage.pairings.items()]
    return {pair for pair in pairs if pairs.count(pair) > 1}


@for_seeds(6)
@pytest.mark.parametrize("rules", ["dutch-2026", "dutch-till-2026", "monrad"])
def test_a_swiss_has_no_rematch_and_no_second_bye(seed, rules):
    event, chance = Event({**SWISS, "rules": rules}, entries=9), random.Random(seed)
    places = event.to_the_end(chance)
    stage = event.state.stage
    assert len(stage.rounds) == 4
    assert met_twice(stage) == set()
    resting = [bye.entry for each in stage.rounds for bye in each.byes]
    assert len(resting) == len(set(resting)) == 4
    assert sorted(entry for _, entry in places) == sorted(event.state.entries)


def test_every_pairing_says_why_with_entries_for_names():
    event = Event(SWISS, entries=5)
    event.pair()
    event.play()
    paired = event.pair()
    told = [each.why for each in paired.pairings] + [bye.why for bye in paired.byes]
    people = [people_in(each) for each in told]
    assert all(people), told
    assert set().union(*people) <= set(event.state.entries)


def test_a_late_entry_stands_behind_the_others_and_has_missed_a_round():
    event = Event(SWISS, entries=4)
    event.pair()
    event.play()
    event.do(c.Enter("late", ("late",), rating=2500))
    paired = event.pair()
    assert event.state.stage.order[-1] == "late"
    seated = {entry for each in paired.pairings for entry in each.entries} | {bye.entry for bye in paired.byes}
    assert seated == set(event.state.entries)
    table = event.state.stage.format.crosstable(event.state.field(0))
    assert table.rows[-1].cells[0].outcome.value == "Z"


def test_a_requested_bye_counts_half_and_can_be_withdrawn():
    event = Event(SWISS, entries=6)
    event.do(c.GrantBye("e1", 1))
    event.do(c.GrantBye("e2", 1, "zero"))
    event.do(c.GrantBye("e2", 1, None))
    byes = {bye.entry: bye.kind for bye in event.pair().byes}
    assert byes["e1"] == "half"
    assert set(byes.values()) == {"half", "bye"}
    assert event.refused(c.GrantBye("e3", 1)).slug == "window-closed"
    event.play()
    points = {place.seed: place.values[0] for place in event.state.places_of(0)}
    assert points[1] == 0.5


def test_own_pairs_are_checked_and_what_they_break_is_named():
    event = Event(SWISS, entries=4)
    event.pair()
    event.play()
    again = (("e1", "e3"), ("e2", "e4"))
    refusal = event.refused(c.PairRound(pairs=again))
    assert (refusal.slug, "C1" in refusal.detail) == ("confirm-needed", True)
    assert "once" in event.refused(c.PairRound(pairs=(("e1", "e2"),))).detail
    paired = event.do(c.PairRound(pairs=again, knowingly=True))[-1]
    assert paired.own
    assert "C1" in in_words(paired.pairings[0].why)


def test_broken_criteria_are_explained_on_the_manual_pair_that_breaks_them():
    event = Event(SWISS, entries=5)
    event.do(c.PairRound(pairs=(("e5", None), ("e1", "e2"), ("e3", "e4"))))
    event.play()
    pairs = (("e4", None), ("e1", "e2"), ("e3", "e5"))
    paired = event.do(c.PairRound(pairs=pairs, knowingly=True))[-1]
    met, fresh = (in_words(each.why) for each in paired.pairings)
    assert met == "Paired by the director. e1 and e2 have met before, or must not meet (C1)"
    assert fresh == "Paired by the director."


def test_an_impossible_pairing_names_the_relaxed_rule():
    event = Event({"kind": "swiss", "rounds": 4}, entries=3)
    for _ in range(3):
        event.pair()
        event.play()
    paired = event.pair()
    assert "C1" in in_words(paired.pairings[0].why)
    assert paired.pairings[0].match


def test_a_swiss_does_not_wait_for_a_disputed_result_when_told_so():
    event = Event(SWISS, entries=4)
    event.pair()
    event.play()
    event.do(c.Dispute("R1.1"))
    assert "disputed" in event.refused(c.PairRound()).detail
    paired = event.do(c.PairRound(provisional=True))[-1]
    assert paired.pending == ("R1.1",)
    event.do(c.Uphold("R1.1"))
    assert event.state.stage.disputed == frozenset()


def test_sides_are_level_over_the_rounds_of_a_swiss():
    event = Event({"kind": "swiss", "rounds": 6}, entries=12)
    event.to_the_end()
    table = event.state.stage.format.crosstable(event.state.field(0))
    for row in table.rows:
        first = sum(bool(cell.first) for cell in row.cells if cell.outcome.played)
        assert abs(2 * first - 6) <= 2


def test_groups_are_seeded_by_snake_and_the_best_qualify():
    knock_out = c.StagePlan(format={"kind": "single"}, game="parity")
    event = Event({"kind": "groups", "groups": 2}, entries=8, stages=(knock_out,), go_on=4)
    assert Groups(groups=2).members(8) == ((1, 4, 5, 8), (2, 3, 6, 7))
    event.pair()
    assert {name[:2] for name in event.state.stage.pairings} == {"GA", "GB"}
    event.play()
    places = event.to_the_end()
    assert event.state.stages[1].order == ("e1", "e2", "e4", "e3")
    first = event.state.stages[1].pairings
    assert first["W1.1"].entries == ("e1", "e3"), "not again whom e1 met in the group"
    assert [entry for _, entry in places[:2]] == ["e1", "e2"]


@pytest.mark.parametrize("per", [1, 2, 3])
@pytest.mark.parametrize("groups", [2, 3, 4, 8])
def test_the_first_knockout_round_has_no_pairs_from_one_group(groups, per):
    if groups * per < 2:
        return
    order = list(range(1, groups * per + 1))
    own = [seed % groups for seed in order]
    seeds = apart(order, own)
    assert sorted(seeds) == order
    size = 1 << (len(seeds) - 1).bit_length()
    group = dict(zip(order, own, strict=True))
    for high in range(1, size // 2 + 1):
        low = size + 1 - high
        if low <= len(seeds):
            assert group[seeds[high - 1]] != group[seeds[low - 1]]


def test_on_a_ladder_the_challenger_who_wins_takes_the_place():
    event = Event({"kind": "ladder", "reach": 2}, entries=5)
    event.do(c.PairRound(pairs=(("e3", "e1"), ("e5", "e4"))))
    event.do(c.Report("R1.1", 0))
    event.do(c.Report("R1.2", 1))
    standing = [event.state.stage.order[place.seed - 1] for place in event.state.places_of(0)]
    assert standing == ["e3", "e1", "e2", "e4", "e5"]
    far = event.refused(c.PairRound(pairs=(("e5", "e3"),)))
    assert (far.slug, "place 5 may challenge the 2 places above" in far.detail) == ("confirm-needed", True)
    event.do(c.Enter("new", ("new",)))
    event.pair()
    event.play()
    event.do(c.Finish())


def test_partners_change_and_everybody_takes_the_points_of_the_side():
    event = Event({"kind": "individual"}, entries=8, game="ristikontra")
    event.to_the_end(random.Random(1))
    stage = event.state.stage
    assert len(stage.rounds) == 7
    partners = [frozenset(side) for each in stage.pairings.values() for side in each.sides]
    assert len(partners) == len(set(partners)) == 28, "everybody partners everybody once"
    won = dict.fromkeys(stage.order, 0)
    for name, each in stage.pairings.items():
        for entry in each.sides[stage.decided[name].winner]:
            won[entry] += 1
    for place in event.state.places_of(0):
        assert place.values[0] == won[stage.order[place.seed - 1]]


def test_sit_outs_are_shared_where_tables_of_four_are_not_full():
    event = Event({"kind": "individual", "rounds": 5}, entries=5, game="ristikontra")
    event.to_the_end()
    out = [bye.entry for each in event.state.stage.rounds for bye in each.byes]
    assert sorted(out) == ["e1", "e2", "e3", "e4", "e5"]


def test_the_standings_may_count_win_points_by_lurch():
    terms = Terms(points="win", tiebreaks=("PTS", "LG", "GD", "LOT"))
    event = Event({"kind": "round-robin"}, entries=4, terms=terms)
    while not (event.state.at >= 0 and event.over()):
        event.pair()
        for name in event.open():
            place = event.better(name)
            event.do(c.Report(name, score=((100, 0), (0, 100))[place]))
    first = event.state.places_of(0)[0]
    assert (first.seed, first.values) == (1, (9, 6, 300, first.values[3])), "three wins by double lurch at 3 each"


@pytest.mark.parametrize("codes", [("PTS", "XX"), ("PTS", "PTS")])
def test_tie_breaks_that_cannot_be_are_refused(codes):
    with pytest.raises(Exception, match="tie-break"):
        Event(SWISS, entries=0, terms=Terms(tiebreaks=codes))


def test_standings_do_not_depend_on_the_order_of_entry_of_equal_data():
    outcomes = {}
    for order in itertools.islice(itertools.permutations(range(4)), 0, 24, 5):
        event = Event({"kind": "round-robin"}, entries=0)
        for number in order:
            event.do(c.Enter(f"e{number}", (f"p{number}",), rating=1500 - number))
        event.do(c.Seed("rating"))
        places = event.to_the_end()
        outcomes[order] = places
    assert len(set(outcomes.values())) == 1
