"""The refusal of a batch names the action that failed."""

import pytest

from domain.log.actor import SERVICE
from domain.log.decider import Refusal
from domain.match import commands as m
from domain.tournament import commands as c
from domain.tournament.orders import Orders, directed
from tests.domain.match.test_match_course import recording, trumps_named
from tests.kit.match.tables import Table, plays
from tests.kit.tournament.directed import Event

SINGLE = {"kind": "single"}
ROBIN = {"kind": "round-robin"}


def refused(event, *commands):
    with pytest.raises(Refusal) as refusal:
        directed(event.state, Orders(commands, event.chance()), SERVICE)
    return refusal.value


def test_a_refused_action_of_several_is_named_with_its_match_and_table():
    event = Event(SINGLE)
    event.pair()
    event.do(c.AssignTable("W1.2", 7))
    refusal = refused(event, c.Report("W1.1", 0), c.Report("W1.2", score=(3, 2)), c.Report("W1.3", 0))
    assert refusal.detail.startswith("action 2 of 3 (report W1.2 at table 7): ")
    assert [path for path, _ in refusal.extra["errors"]] == ["actions[1]"]


def test_an_action_that_is_refused_alone_is_said_without_a_number():
    event = Event(SINGLE)
    event.pair()
    assert not refused(event, c.Report("W1.2", score=(3, 2))).detail.startswith("action")


def test_a_refused_action_is_named_by_the_state_before_it():
    event = Event(SINGLE, entries=2)
    refusal = refused(event, c.PairRound(), c.Report("F1.1", 0), c.StartRound(), c.Report("F1.1", 0))
    assert refusal.detail.startswith("action 2 of 4 (report F1.1): ")
    again = refused(event, c.PairRound(), c.Report("W1.1", 0), c.StartRound(), c.Report("W1.1", 0))
    assert again.detail.startswith("action 4 of 4 (report W1.1 at table 1): ")


def test_a_refused_report_names_the_table_of_its_stage():
    stage = c.StagePlan(format=ROBIN, game="parity")
    event = Event(ROBIN, entries=2, stages=(stage,))
    for _ in range(2):
        event.pair()
        event.play()
    event.do(c.AssignTable("R1.1", 5))
    first = refused(event, c.StartRound(), event.wrong("R1.1", stage=0, score=(5, 5)))
    assert "(report R1.1 at table 1)" in first.detail
    assert "(report R1.1 at table 5)" in refused(event, c.StartRound(), c.Report("R1.1", score=(5, 5))).detail


def test_a_refused_entry_of_an_announcement_is_named():
    plan = c.StagePlan(format=SINGLE, game="parity")
    with pytest.raises(Refusal) as refusal:
        directed(
            Event(SINGLE).state.__class__(),
            Orders((c.Announce("Cup", (plan,)), c.Enter("one", ("Ann",)), c.Enter("two", ("Ann",)))),
            SERVICE,
        )
    assert refusal.value.detail.startswith("entry 2 of 2: ")
    assert [path for path, _ in refusal.value.extra["errors"]] == ["entries[1]"]


def test_a_refused_fact_of_several_is_named():
    table = trumps_named(Table("parity", recording="strict"))
    refusal = table.refused(recording((1, "play", "SA"), (1, "play", "SK")))
    assert refusal.detail.startswith("fact 2 of 2: ")
    assert refusal.extra["fact"] == 1
    alone = table.refused(m.RecordFacts(facts=tuple(plays((0, "SA")))))
    assert not alone.detail.startswith("fact")


def announced(format_, entries, **more):
    plan = more.pop("plan", {"format": format_, "game": "parity"})
    stages = (c.StagePlan(**plan), *more.get("stages", ()))
    enter = [c.Enter(f"e{number}", (f"p{number}",)) for number in range(entries)]
    return directed(Event(SINGLE).state.__class__(), Orders((c.Announce("Cup", stages), *enter)), SERVICE)


@pytest.mark.parametrize(("format_", "most"), [(ROBIN, 128), ({"kind": "individual"}, 100)])
def test_too_many_entries_for_a_format_are_refused_at_announcement(format_, most):
    game = "cross_purposes" if format_["kind"] == "individual" else "parity"
    plan = {"format": format_, "game": game, "options": {"variant": "fixed"} if game == "cross_purposes" else {}}
    assert len(announced(format_, most, plan=plan)) == most + 1
    with pytest.raises(Refusal, match=f"takes at most {most} entries"):
        announced(format_, most + 1, plan=plan)


def test_so_are_those_that_would_all_go_on_to_such_a_stage():
    robin = c.StagePlan(format=ROBIN, game="parity")
    swiss = {"format": {"kind": "swiss", "rounds": 1}, "game": "parity"}
    with pytest.raises(Refusal, match="stage 2: Round robin takes at most 128"):
        announced({}, 129, plan=swiss, stages=(robin,))
    assert len(announced({}, 129, plan={**swiss, "go_on": 8}, stages=(robin,))) == 130


OWN = (("e1", "e2"),)


def test_seeds_and_own_pairs_do_not_send_anybody_round_in_a_circle():
    event = Event(SINGLE, entries=2)
    assert "give the seeds in another order" in event.refused(c.PairRound(pairs=OWN)).detail
    event.do(c.Seed("given", ("e2", "e1")))  # as it was told
    event.pair()
    assert "undo its pairing first" in event.refused(c.Seed("given", ("e1", "e2"))).detail
    event.do(c.UnpairRound())  # as it was told
    event.do(c.Seed("given", ("e1", "e2")))


def test_once_it_was_played_neither_names_the_other():
    event = Event(ROBIN, entries=4)
    event.pair()
    event.play()
    pairs, seeds = event.refused(c.PairRound(pairs=OWN)).detail, event.refused(c.Seed("given", ("e1", "e2"))).detail
    assert ("seeds with which the tournament began" in pairs, "another order" in pairs) == (True, False)
    assert seeds == "the tournament has begun: its seeds stand"


def test_seeds_of_a_later_stage_are_places_and_neither_names_the_other():
    event = Event(ROBIN, entries=2, stages=(c.StagePlan(format=SINGLE, game="parity"),))
    event.pair()
    event.play()
    assert "by the places of the stage before" in event.refused(c.PairRound(pairs=OWN)).detail
    event.pair()
    assert "the places of the stage before" in event.refused(c.Seed("given", ("e1", "e2"))).detail
