"""Refusals as they are read: what a director, or whoever keeps the score, hears in situations that come up."""

from collections.abc import Iterator

from domain.match import commands as m
from domain.match.mending_commands import Correct
from domain.tournament import commands as c
from tests.kit.match.tables import Table, recording
from tests.kit.tournament.directed import Event

CROSS = {"game": "cross_game", "race": {"target": 15, "win_by": 2, "cap": 20}}


def of_tournaments() -> Iterator[str]:
    """A single elimination from its entries to its second round, and a later round."""
    event = Event({"kind": "single"}, entries=4, **CROSS)
    for command in (
        c.Enter("e5", ("p1",)),
        c.Enter("e5", ("p5", "p6")),
        c.PairRound(pairs=(("e1", "e2"),)),
        c.GrantBye("e1", 1, "half"),
        c.Finish(),
    ):
        yield event.refused(command).detail
    event.pair()
    for command in (
        c.PairRound(),
        c.Seed("rating"),
        c.Report("W1.1", score=(12, 3)),
        c.Report("W1.1", score=(15, 14)),
        c.Report("W1.1", score=(20, 20)),
        c.Report("W1.1", score=(90, 3)),
        c.Report("W1.1", how="walkover"),
        c.Report("W9.1", 0),
        c.Enter("e5", ("p5",)),
        c.Finish(),
    ):
        yield event.refused(command).detail
    event.play()
    event.pair()
    for command in (c.Seed("rating"), event.wrong("W1.1"), c.Retract("W1.1")):
        yield event.refused(command).detail


def of_matches() -> Iterator[str]:
    """A deal of Parity, recorded strictly and as it happened, and results that cannot be."""
    for mode in ("strict", "record"):
        table = Table("parity", recording=mode)
        yield table.refused(recording((0, "play", "SA"))).detail
        table.start(dealer=0)
        yield table.refused(recording((1, "play", "SA"))).detail
        table.record((1, "trump", "S"), (0, "parity", "odd"), (1, "play", "SA"))
        facts = [(0, "play", "SA"), (0, "play", "S3"), *([(1, "play", "SK")] if mode == "strict" else [])]
        for command in (
            *(recording(fact) for fact in facts),
            m.StartDeal(),
            m.EnterResult(entry={"parity": "odd", "tricks": [9, 7]}),
            Correct(version=2, now={}, note="misread"),
        ):
            yield table.refused(command).detail
