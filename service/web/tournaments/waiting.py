"""News on the director's board beside its tables: cases that hold a pairing, and tables that are slow."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from domain.tournament.readiness import tables_of
from projections.tournaments.rounds import RoundView
from service.desk.cases.queue import CaseRow
from service.desk.pacing import RoundPace, SlowTable, pace_of
from service.languages.spoken import translate
from service.web.tournaments.frame import Frame

FINE: Final = 120  # seconds: a shorter time is told with its seconds


class HeldTable(msgspec.Struct, frozen=True):
    """A table whose case holds what would be paired next; the case's id, None for whom another director hears it."""

    text: str
    case: str | None


class SlowLine(msgspec.Struct, frozen=True):
    """A table at which a deal took too long, in words; what the case says that is opened from it, or the open one."""

    text: str
    match: str
    deal: int
    words: str
    case: str | None


def held_tables(
    frame: Frame, waiting: Sequence[str], holding: Mapping[str, Sequence[str]], cases: Sequence[CaseRow]
) -> tuple[HeldTable, ...]:
    """The tables whose cases hold a pairing; `waiting` are their matches, `holding` the cases of each."""
    known = {each.id: each for each in cases}
    found = []
    for name in waiting:
        table = tables_of(frame.state.stage, [name]).removeprefix("table ")
        said = translate("table {table}").format(table=table)
        for case in holding[name]:
            own = case in known and not known[case].recused
            found.append(HeldTable(said, case if own else None))
    return tuple(found)


async def slow_tables(frame: Frame, rounds: Sequence[RoundView], cases: Sequence[CaseRow]) -> tuple[SlowLine, ...]:
    """The slow tables of rounds that are on, each by the deal that took longest."""
    found: list[SlowLine] = []
    for each in rounds:
        pace = await pace_of(frame.services, frame.caller, frame.loaded, each.stage + 1, each.round)
        worst: dict[str, SlowTable] = {}
        for slow in pace.slow:  # the slowest first
            worst.setdefault(slow.match, slow)
        found += [_line(pace, slow, cases) for slow in worst.values()]
    return tuple(found)


def _line(pace: RoundPace, slow: SlowTable, cases: Sequence[CaseRow]) -> SlowLine:
    took, median, behind = _minutes(slow.seconds), _minutes(slow.median), _minutes(pace.behind)
    open_ones = (
        each.id
        for each in cases
        if (each.match, each.matter, each.deal) == (slow.match, "slow", slow.deal) and each.state != "closed"
    )
    return SlowLine(
        translate(
            "Table {table} is slow: {took} for deal {deal}, the round’s median is {median}; {behind} behind the clock"
        ).format(table=slow.table, took=took, deal=slow.deal, median=median, behind=behind),
        slow.match,
        slow.deal,
        f"Deal {slow.deal} took {took}; the round’s median was {median}.",
        next(open_ones, None),
    )


def _minutes(seconds: int) -> str:
    """A time in minutes, a short one with its seconds."""
    if seconds < FINE:
        return f"{seconds // 60}:{seconds % 60:02} min"
    return f"{round(seconds / 60)} min"
