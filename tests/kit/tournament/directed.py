"""A tournament directed by commands."""

import itertools

import pytest

from domain import registry
from domain.log.actor import SERVICE
from domain.log.decider import Refusal
from domain.log.upcast import UPCASTERS
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide import decide
from domain.tournament.evolve import fold
from domain.tournament.state import Tournament


class Event:
    """A tournament that runs commands, folds their events, and checks that its log reads back unchanged."""

    def __init__(self, format_, entries=8, game="parity", stages=(), **plan):
        self.state, self.log, self.numbers = Tournament(), [], itertools.count(1)
        first = c.StagePlan(format=format_, game=game, **plan)
        self.do(c.Announce("Thursday cup", (first, *stages)))
        for number in range(1, entries + 1):
            self.do(c.Enter(f"e{number}", (f"p{number}",), rating=2000 - number))

    def do(self, command):
        news = decide(self.state, command, SERVICE, self.chance())
        numbered = [(len(self.log) + place, new.event) for place, new in enumerate(news, start=1)]
        for _, event in numbered:
            kind = type(event).__name__
            assert registry.read_event(kind, UPCASTERS.current(kind), registry.write_event(event)) == event
        self.log += numbered
        self.state = fold(self.state, numbered)
        assert self.state == fold(Tournament(), self.log)
        return [event for _, event in numbered]

    def chance(self):
        return c.Chance(tuple(f"m{next(self.numbers)}" for _ in range(40)), 7)

    def refused(self, command):
        with pytest.raises(Refusal) as refusal:
            decide(self.state, command, SERVICE, self.chance())
        return refusal.value

    def pair(self):
        return self.do(c.PairRound())[-1]

    def paired(self, **more):
        """Pair; return the matches by round of the plan."""
        events = self.do(c.PairRound(**more))
        return [[each.fixture for each in event.pairings] for event in events if isinstance(event, e.RoundPaired)]

    def open(self):
        stage = self.state.stage
        return [name for name in stage.pairings if name not in stage.decided]

    def play(self, chance=None):
        """Report every open match: the better seed wins, or a random side."""
        for name in self.open():
            self.do(c.Report(name, chance.choice([0, 1]) if chance else self.better(name)))

    def better(self, name):
        sides = [self.state.stage.order.index(entry) for entry in self.state.stage.pairings[name].entries]
        return sides.index(min(sides))

    def wrong(self, name, **more):
        """Return the command that reports the opposite result."""
        return c.Report(name, 1 - self.state.stage.decided[name].winner, **more)

    def over(self):
        state = self.state
        return state.at + 1 == len(state.stages) and state.stage.format.over(state.field(state.at))

    def to_the_end(self, chance=None):
        for _ in range(200):
            if self.over():
                return self.do(c.Finish())[-1].places
            self.pair()
            self.play(chance)
        raise AssertionError("the tournament does not end")
