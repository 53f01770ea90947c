"""The next steps that the director's board offers, the likeliest first."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from domain.log.decider import Refusal
from domain.tournament.commands import PairRound
from domain.tournament.readiness import held_in, holds_next, ready
from domain.tournament.signatures import not_final
from domain.tournament.state import Tournament
from projections.tournaments.view import rounds_on
from service.web.tournaments.frame import Frame
from service.web.tournaments.tables import Row


class NextStep(msgspec.Struct, frozen=True):
    """A button of the board: the action it takes, its text and look, and the members that it carries along."""

    do: str
    text: str
    kind: str = ""
    fields: Mapping[str, str | int] = {}


PAIR: Final = NextStep("pair_round", "Pair the next round")
PROVISIONALLY: Final[Mapping[str, str | int]] = {"provisional": "true"}


def main_actions(frame: Frame, rows: Sequence[Row], heard: Sequence[str] = ()) -> list[NextStep]:
    """The one or two things that come next, the likeliest first; `heard` are the matches about which a case is open."""
    state = frame.state
    if state.finished:
        return _at_the_end(state)
    open_ones = [row for row in rows if row.state != "done"]
    last = state.at + 1 == len(state.stages)
    over = state.at >= 0 and state.stage.format.over(state.field(state.at))
    if over and last and not open_ones:
        if any(not_final(state, number) for number in range(len(state.stages))):
            return [NextStep("finish", "Finish, with results that are not final", "secondary", {"early": "true"})]
        return [NextStep("finish", "Finish the tournament")]
    if state.at < 0:
        return [msgspec.structs.replace(PAIR, text="Pair the first round")]
    if open_ones:
        return _while_on(frame, heard)
    if frame.view.stages[state.at].level:
        return [NextStep("seed", "Draw a lot for the qualifying line", fields={"how": "lot"})]
    return _between_rounds(frame, over, last, heard)


def waiting_for(frame: Frame, heard: Sequence[str]) -> tuple[str, ...]:
    """The matches whose case holds what would be paired next, by their names in the plan."""
    state = frame.state
    if state.at < 0 or state.finished:
        return ()
    if state.stage.format.over(state.field(state.at)):
        return held_in(state.stage, heard) if state.at + 1 < len(state.stages) else ()
    return holds_next(state.stage, heard)


def _at_the_end(state: Tournament) -> list[NextStep]:
    """Steps of a tournament whose places are final."""
    if state.archived:
        return [NextStep("archive", "Take out of the archive", "secondary", {"archived": "false"})]
    again = NextStep("reopen", "Reopen the tournament", "secondary")
    return [again, NextStep("archive", "Archive", "secondary", {"archived": "true"})]


def _between_rounds(frame: Frame, over: bool, last: bool, heard: Sequence[str]) -> list[NextStep]:
    """Steps while no table is on: `over` is true for a stage that is played out, `last` for the last one."""
    state = frame.state
    following = "" if last else frame.view.stages[state.at + 1].name
    held = bool(waiting_for(frame, heard))
    if over:
        begin = msgspec.structs.replace(PAIR, text=f"Begin {following}")
        return [_provisional(begin) if held else begin]
    found = _pairing(state, heard) if held else [PAIR]
    if not last:
        now = NextStep("pair_round", f"Begin {following} now", "secondary", {"early": "true"})
        found.append(_provisional(now) if held else now)
    elif state.stage.format.may_end(state.field(state.at)):
        found.append(NextStep("finish", "End the tournament now", "secondary"))
    return found


def _pairing(state: Tournament, heard: Sequence[str]) -> list[NextStep]:
    """The offers to pair where a case holds something: what is ready beside it, and everything, provisionally."""
    found = []
    if count := _ready(state, heard):
        found.append(msgspec.structs.replace(PAIR, text=f"Pair what is ready: {_tables(count)}"))
    return [*found, _provisional(PAIR)]


def _provisional(step: NextStep) -> NextStep:
    """The same step, taken while a case is open about a match that it hangs on."""
    fields = {**step.fields, **PROVISIONALLY}
    return msgspec.structs.replace(step, text=f"{step.text}, provisionally", kind="secondary", fields=fields)


def _while_on(frame: Frame, heard: Sequence[str]) -> list[NextStep]:
    """Steps while tables are on."""
    state = frame.state
    found = []
    if count := _ready(state, heard):
        found.append(msgspec.structs.replace(PAIR, text=f"Pair what is ready: {_tables(count)}"))
    if waiting_for(frame, heard) and _ready(state, (), provisional=True) > count:
        found.append(_provisional(PAIR))
    fresh = [each for each in rounds_on(frame.view) if not each.clock and each.status != "decided"]
    for each in fresh:
        text = "Start the round" if len(fresh) == 1 else f"Start round {each.round}"
        found.append(NextStep("start_round", text, fields={"round": each.round}))
    if _late(state):
        found.append(NextStep("pair_round", "Add tables for late entries", "secondary", {"added": "true"}))
    if state.stage.format.drawn_round_by_round:
        found.append(NextStep("pair_round", "Pair now, with results missing", "secondary", PROVISIONALLY))
    return found


def _ready(state: Tournament, heard: Sequence[str], provisional: bool = False) -> int:
    """The number of matches that can be paired beside those that are on."""
    stage = state.stage
    if not stage.side_by_side:
        return 0
    command = PairRound(held=tuple(heard), provisional=provisional)
    try:
        return sum(len(each.fixtures) for each in ready(stage, state.field(state.at), command))
    except Refusal:
        return 0


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"


def _late(state: Tournament) -> bool:
    """True where tables can be added to the round that is on."""
    stage = state.stage
    if not stage.format.drawn_round_by_round or stage.rounds[-1].locked:
        return False
    try:
        return bool(stage.format.further(state.field(state.at)).fixtures)
    except Refusal:
        return False


def hint_of(frame: Frame) -> str:
    """Advice before the first round."""
    state = frame.state
    if state.at >= 0 or len(state.entries) < 2:
        return ""
    return "" if state.seeds else "No seeds yet: entries stand in the order of arrival."
