"""Attacks on a tournament: disputes that nobody asks about."""

import pytest

from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.decide import decide
from tests.kit.tournament.directed import Event

BRACKET = {"kind": "single"}


def two_stages():
    second = c.StagePlan(format=BRACKET, game="parity", race={"target": 15})
    return Event({"kind": "round-robin"}, 6, stages=(second,), race={"target": 15}, go_on=4)


def test_a_dispute_of_an_earlier_stage_stops_the_finish():
    event = two_stages()
    while event.state.at < 1:
        event.pair()
        event.play()
        if event.state.at == 0 and not event.open() and event.state.stage.format.over(event.state.field(0)):
            event.pair()
    name = next(iter(event.state.stages[0].decided))
    event.do(c.Dispute(name, stage=0))
    event.play()
    while not event.over():
        event.pair()
        event.play()
    assert event.refused(c.Finish())


def test_only_the_director_may_report_with_an_explicit_stage():
    event = two_stages()
    event.pair()
    name = event.open()[0]
    scorer = Actor("scorer")
    assert decide(event.state, c.Report(name, 0), scorer, event.chance())
    for stage in (0, 1):
        with pytest.raises(Refusal, match="ask the director to correct it"):
            decide(event.state, c.Report(name, 0, stage=stage), scorer, event.chance())
