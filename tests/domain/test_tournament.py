"""A tournament from its announcement to its places, through decide and fold."""

import itertools
import random

import msgspec
import pytest

from domain import registry
from domain.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.decide import decide
from domain.tournament.formats import all_formats
from domain.tournament.state import Tournament, fold


class Event:
    """A tournament that decides, appends, folds, and whose log reads back as it was written."""

    def __init__(self, format_, entries=8, game="parity", stages=(), **plan):
        self.state, self.log, self.numbers = Tournament(), [], itertools.count(1)
        first = c.StagePlan(format=format_, game=game, **plan)
        self.do(c.Announce("Thursday cup", (first, *stages)))
        for number in range(1, entries + 1):
            self.do(c.Enter(f"e{number}", (f"p{number}",), rating=2000 - number))

    def do(self, command):
        news = decide(self.state, command)
        numbered = [(len(self.log) + place, new.event) for place, new in enumerate(news, start=1)]
        for _, event in numbered:
            assert registry.read_event(type(event).__name__, 1, registry.write_event(event)) == event
        self.log += numbered
        self.state = fold(self.state, numbered)
        assert self.state == fold(Tournament(), self.log)
        return [event for _, event in numbered]

    def refused(self, command):
        with pytest.raises(Refusal) as refusal:
            decide(self.state, command)
        return refusal.value

    def pair(self):
        return self.do(c.PairRound(tuple(f"m{next(self.numbers)}" for _ in range(40))))[-1]

    def open(self):
        stage = self.state.stage
        return [name for name in stage.pairings if name not in stage.decided]

    def play(self, chance=None):
        """Every open match: the better seed wins, or anybody."""
        for name in self.open():
            self.do(c.Report(name, chance.choice([0, 1]) if chance else self.better(name), score=(12, 10)))

    def better(self, name):
        sides = [self.state.stage.order.index(entry) for entry in self.state.stage.pairings[name].entries]
        return sides.index(min(sides))

    def to_the_end(self, chance=None):
        for _ in range(200):
            if self.state.at + 1 == len(self.state.stages) and self.state.stage.over():
                return self.do(c.Finish())[-1].places
            self.pair()
            self.play(chance)
        raise AssertionError("the tournament does not end")


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


def test_the_first_round_begins_the_stage_and_byes_go_to_the_best_seeds():
    event = Event(SINGLE, entries=5)
    paired = event.pair()
    assert [each.entries for each in paired.pairings] == [("e4", "e5")]
    assert paired.byes == ("e1", "e2", "e3")
    assert event.refused(c.Enter("late", ("late",))).slug == "window-closed"
    assert event.refused(c.Seed("rating")).slug == "window-closed"


def test_pairing_twice_makes_no_second_set_of_pairings():
    event = Event(ROBIN, entries=3)
    first = event.pair()
    assert len(first.byes) == 1
    refusal = event.refused(c.PairRound(("x", "y")))
    assert (refusal.slug, "nothing is decided yet at table 1" in refusal.detail) == ("misfit", True)
    event.play()
    second = event.pair()
    assert first.byes != second.byes


def test_a_draw_with_a_number_can_be_repeated_by_anybody():
    orders = {Event(SINGLE).do(c.Seed("lot", lot=lot))[-1].order for lot in (7, 7, 8)}
    assert len(orders) == 2
    assert Event(SINGLE).refused(c.Seed("lot")).slug == "malformed"
    assert Event(SINGLE).refused(c.Seed("given", ("e1", "e2"))).slug == "malformed"


@pytest.mark.parametrize(
    ("entry", "players", "said"),
    [
        ("e9", ("p1",), "has entered already"),
        ("e9", ("p9", "p10"), "1 at a time"),
        ("e1", ("p9",), "entry of that id"),
    ],
)
def test_an_entry_that_cannot_be_is_refused(entry, players, said):
    assert said in Event(SINGLE).refused(c.Enter(entry, players)).detail


def test_partners_enter_together_and_nobody_is_their_own():
    event = Event(SINGLE, entries=0, game="ristikontra")
    event.do(c.Enter("pair", ("ann", "ben")))
    assert "own partner" in event.refused(c.Enter("x", ("cat", "cat"))).detail
    assert "entered already" in event.refused(c.Enter("y", ("cat", "ben"))).detail


@pytest.mark.parametrize("entries", [0, 1])
@pytest.mark.parametrize("format_", [SINGLE, ROBIN])
def test_a_tournament_of_one_is_refused_with_what_to_do(entries, format_):
    refusal = Event(format_, entries=entries).refused(c.PairRound(("m",)))
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
    event.do(c.Report("W1.1", 1, score=(9, 12)))
    event.pair()
    assert event.state.stage.pairings["W2.1"].entries == ("e8", "e4")
    refusal = event.refused(c.Report("W1.1", 0, score=(12, 9)))
    assert (refusal.slug, refusal.extra["depends"]) == ("window-closed", ["W2.1"])
    event.do(c.Report("W1.1", 1, score=(7, 12)))  # the score alone may always be corrected
    event.do(c.UnpairRound())
    event.do(c.Report("W1.1", 0, score=(12, 9)))
    event.pair()
    assert event.state.stage.pairings["W2.1"].entries == ("e1", "e4")


def test_in_a_round_robin_a_winner_may_be_corrected_at_any_time():
    event = Event(ROBIN, entries=4)
    event.pair()
    event.play()
    event.pair()
    event.do(c.Report("R1.1", 1, score=(3, 12)))
    assert event.state.stage.places()[0].values[0] == 1
    assert event.refused(c.Report("R1.1", 1, score=(3, 12))).slug == "misfit"


def test_results_for_what_was_not_paired_are_refused():
    event = Event(SINGLE)
    assert event.refused(c.Report("W1.1", 0)).slug == "misfit"
    event.pair()
    assert event.refused(c.Report("W2.1", 0)).slug == "not-found"
    assert event.refused(c.Report("W1.1", 2)).slug == "malformed"
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
    event.do(c.Report("W1.2", 0, score=(12, 5)))
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


@pytest.mark.parametrize("kind", sorted(all_formats()))
@pytest.mark.parametrize("entries", [2, 3, 6, 9])
def test_any_format_ends_with_everybody_placed_whatever_happens(kind, entries):
    for seed in range(8):
        chance = random.Random(seed)
        event = Event({"kind": kind}, entries=entries)
        for _ in range(200):
            if event.state.at >= 0 and event.state.stage.over():
                break
            event.pair()
            while event.open():
                if chance.random() < 0.1 and len(event.state.active()) > 2:
                    event.do(c.Withdraw(chance.choice(event.state.active())))
                else:
                    event.do(c.Report(chance.choice(event.open()), chance.choice([0, 1]), score=(12, 10)))
        places = event.do(c.Finish())[-1].places
        assert sorted(entry for _, entry in places) == sorted(f"e{number}" for number in range(1, entries + 1))
        assert event.state.finished
        assert event.refused(c.Withdraw("e1")).slug == "misfit"


def test_a_format_is_one_module_with_its_own_options():
    assert set(all_formats()) == {"single", "double", "round-robin"}
    for kind in all_formats().values():
        assert kind.title
        assert msgspec.json.schema(kind)
