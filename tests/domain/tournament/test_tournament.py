"""A tournament from its announcement to its places, through decide and fold."""

import random

import msgspec
import pytest

from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.formats import all_formats
from tests.kit.tournament.directed import Event

SINGLE, ROBIN = {"kind": "single", "third_place": True}, {"kind": "round-robin"}


def test_an_evening_of_eight_by_elimination():
    event = Event(SINGLE)
    event.do(c.Seed("rating"))
    paired = event.pair()
    assert [each.entries for each in paired.pairings] == [("e1", "e8"), ("e4", "e5"), ("e2", "e7"), ("e3", "e6")]
    assert [each.table for each in paired.pairings] == [1, 2, 3, 4]
    assert len({each.match for each in paired.pairings}) == 4
    event.play()
    event.pair()
    event.play()
    final = event.pair()
    assert [(each.fixture, each.entries) for each in final.pairings] == [("W3.1", ("e1", "e2")), ("C1.1", ("e4", "e3"))]
    event.play()
    places = event.do(c.Finish())[-1].places
    assert places[:4] == ((1, "e1"), (2, "e2"), (3, "e3"), (4, "e4"))
    assert [rank for rank, _ in places[4:]] == [5, 5, 5, 5]
    assert event.refused(c.Finish()).slug == "misfit"


def test_an_evening_of_eight_where_everybody_meets():
    event = Event(ROBIN)
    places = event.to_the_end()
    assert [entry for _, entry in places] == [f"e{number}" for number in range(1, 9)]
    met = {frozenset(each.entries) for each in event.state.stage.pairings.values()}
    assert len(met) == 28
    assert len(event.state.stage.rounds) == 7


def test_every_match_is_won_by_two_unless_the_stage_says_otherwise():
    assert Event(SINGLE).state.stages[0].setup.race.win_by == 2
    assert Event(SINGLE, race={"win_by": 1, "target": 50}).state.stages[0].setup.race.win_by == 1
    assert Event(SINGLE, game="garbo").state.stages[0].setup.race.win_by == 1, "two deals have no target to pass"
    assert Event(SINGLE, game="garbo", race={"target": 300}).state.stages[0].setup.race.win_by == 2


def test_the_first_round_gives_byes_to_the_best_seeds():
    event = Event(SINGLE, entries=5)
    _, paired, already = event.do(c.PairRound())
    assert [each.entries for each in paired.pairings] == [("e4", "e5")]
    assert [each.entries for each in already.pairings] == [("e2", "e3")], "both have the bye, so they need not wait"
    assert [(bye.entry, bye.kind) for bye in paired.byes] == [("e1", "rest"), ("e2", "rest"), ("e3", "rest")]
    assert event.refused(c.Enter("late", ("late",))).slug == "window-closed"
    assert event.refused(c.Seed("rating")).slug == "window-closed"


def test_pairing_twice_makes_no_second_set_of_pairings():
    event = Event(ROBIN, entries=3)
    first = event.pair()
    assert len(first.byes) == 1
    refusal = event.refused(c.PairRound())
    assert (refusal.slug, "nothing is decided yet at table 1" in refusal.detail) == ("misfit", True)
    event.play()
    second = event.pair()
    assert first.byes[0].entry != second.byes[0].entry


def test_a_draw_with_a_number_can_be_repeated_by_anybody():
    orders = {Event(SINGLE).do(c.Seed("lot", lot=lot))[-1].order for lot in (7, 7, 8)}
    assert len(orders) == 2
    assert Event(SINGLE).refused(c.Seed("lot")).slug == "malformed"
    assert Event(SINGLE).refused(c.Seed("given", ("e1", "e2"))).slug == "malformed"


@pytest.mark.parametrize(
    ("entry", "players", "said"),
    [
        ("e9", ("p1",), "in the list already, as number 1"),
        ("e9", ("p9", "p10"), "an entry is 1 player, not 2"),
        ("e1", ("p9",), "an entry with that id"),
    ],
)
def test_an_entry_that_cannot_be_is_refused(entry, players, said):
    assert said in Event(SINGLE).refused(c.Enter(entry, players)).detail


def test_partners_enter_together_and_nobody_is_their_own():
    event = Event(SINGLE, entries=0, game="ristikontra")
    event.do(c.Enter("pair", ("ann", "ben")))
    assert "own partner" in event.refused(c.Enter("x", ("cat", "cat"))).detail
    assert "in the list already" in event.refused(c.Enter("y", ("cat", "ben"))).detail


@pytest.mark.parametrize("entries", [0, 1])
@pytest.mark.parametrize("format_", [SINGLE, ROBIN])
def test_a_tournament_of_one_is_refused_with_what_to_do(entries, format_):
    refusal = Event(format_, entries=entries).refused(c.PairRound())
    assert "enter somebody" in refusal.detail


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"format_": {"kind": "swim"}}, "format"),
        ({"format_": {"kind": "single", "third": True}}, "format"),
        ({"format_": SINGLE, "game": "whist"}, "no game"),
        ({"format_": SINGLE, "game": "cross_purposes", "options": {"variant": "alliance"}}, "more sides than two"),
        ({"format_": SINGLE, "race": {"win_by": 0}}, "win_by"),
    ],
)
def test_what_cannot_be_announced_is_refused(plan, said):
    with pytest.raises(Refusal) as refusal:
        Event(entries=0, **plan)
    assert said in refusal.value.detail


def test_a_corrected_winner_is_free_until_somebody_depends_on_it():
    event = Event(SINGLE)
    event.pair()
    event.play()
    event.do(c.Report("W1.1", 1, score=(90, 102)))
    event.pair()
    assert event.state.stage.pairings["W2.1"].entries == ("e8", "e4")
    refusal = event.refused(c.Report("W1.1", 0, score=(102, 90)))
    assert (refusal.slug, refusal.extra["depends"]) == ("window-closed", ["W2.1"])
    event.do(c.Report("W1.1", 1, score=(70, 102)))  # the score alone may always be corrected
    event.do(c.UnpairRound())
    event.do(c.Report("W1.1", 0, score=(102, 90)))
    event.pair()
    assert event.state.stage.pairings["W2.1"].entries == ("e1", "e4")


def test_in_a_round_robin_a_winner_may_be_corrected_at_any_time():
    event = Event(ROBIN, entries=4)
    event.pair()
    event.play()
    event.pair()
    event.do(c.Report("R1.1", 1, score=(30, 102)))
    assert event.state.places_of(0)[0].values[0] == 1
    assert event.refused(c.Report("R1.1", 1, score=(30, 102))).slug == "misfit"


def test_results_for_what_was_not_paired_are_refused():
    event = Event(SINGLE)
    assert event.refused(c.Report("W1.1", 0)).slug == "misfit"
    event.pair()
    assert event.refused(c.Report("W2.1", 0)).slug == "not-found"
    assert "draw" in event.refused(c.Report("W1.1", None)).detail
    event.do(c.Report("W1.1", None, how="absent"))


def test_a_round_with_results_is_not_taken_back():
    event = Event(SINGLE)
    assert event.refused(c.UnpairRound()).slug == "misfit"
    event.pair()
    event.do(c.Report("W1.1", 0))
    assert event.refused(c.UnpairRound()).slug == "window-closed"


def test_who_withdraws_gives_walkovers_at_once_and_the_finalist_too():
    event = Event(SINGLE, entries=4)
    event.pair()
    walked = event.do(c.Withdraw("e1"))
    assert [(each.fixture, each.winner, each.how) for each in walked[1:]] == [("W1.1", 1, "walkover")]
    event.do(c.Report("W1.2", 0, score=(102, 5)))
    event.pair()
    ended = event.do(c.Withdraw("e2"))
    assert [(each.fixture, each.how) for each in ended[1:]] == [("W2.1", "walkover")]
    assert event.refused(c.Withdraw("e2")).slug == "not-found"
    event.play()
    places = {entry: rank for rank, entry in event.do(c.Finish())[-1].places}
    assert (places["e4"], places["e2"]) == (1, 2)


def test_before_the_start_who_withdraws_may_be_replaced():
    event = Event(SINGLE, entries=4)
    event.do(c.Seed("rating"))
    event.do(c.Withdraw("e2"))
    event.do(c.Enter("e9", ("p2",)))
    event.do(c.Seed("given", ("e9", "e1", "e3", "e4")))
    assert [each.entries for each in event.pair().pairings] == [("e9", "e4"), ("e1", "e3")]


def test_the_best_of_a_round_robin_go_on_to_a_knock_out():
    knock_out = c.StagePlan(format={"kind": "single"}, game="parity")
    event = Event(ROBIN, entries=5, stages=(knock_out,), go_on=2)
    places = event.to_the_end()
    assert event.state.stages[1].order == ("e1", "e2")
    assert [entry for _, entry in places] == ["e1", "e2", "e3", "e4", "e5"]
    assert [rank for rank, _ in places] == [1, 2, 3, 4, 5]


SMALL = {"swiss": {"rounds": 2}, "groups": {"groups": 2}, "ladder": {"rounds": 3}, "individual": {"rounds": 3}}
GAMES = {"individual": "ristikontra"}


@pytest.mark.parametrize("kind", sorted(all_formats()))
@pytest.mark.parametrize("entries", [4, 6, 9])
def test_any_format_ends_with_everybody_placed_whatever_happens(kind, entries):
    for seed in range(8):
        chance = random.Random(seed)
        event = Event({"kind": kind, **SMALL.get(kind, {})}, entries=entries, game=GAMES.get(kind, "parity"))
        for _ in range(200):
            if event.state.at >= 0 and event.over():
                break
            event.pair()
            while event.open():
                if chance.random() < 0.1 and len(event.state.active()) > 2:
                    event.do(c.Withdraw(chance.choice(event.state.active())))
                else:
                    event.do(c.Report(chance.choice(event.open()), chance.choice([0, 1])))
        places = event.do(c.Finish())[-1].places
        assert sorted(entry for _, entry in places) == sorted(f"e{number}" for number in range(1, entries + 1))
        assert event.state.finished
        assert event.refused(c.Withdraw("e1")).slug == "misfit"


def test_a_format_is_one_module_with_its_own_options():
    assert set(all_formats()) == {"single", "double", "round-robin", "groups", "swiss", "ladder", "individual"}
    for kind in all_formats().values():
        assert kind.title
        assert msgspec.json.schema(kind)
