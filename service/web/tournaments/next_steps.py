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
from service.languages.spoken import translate
from service.web.said import tables_text
from service.web.tournaments.frame import Frame
from service.web.tournaments.tables import Row


class NextStep(msgspec.Struct, frozen=True):
    """A button of the board: the action it takes, its text and look, and the members that it carries along."""

    do: str
    text: str
    kind: str = ""
    fields: Mapping[str, str | int] = {}


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
            return [
                NextStep("finish", translate("Finish, with results that are not final"), "secondary", {"early": "true"})
            ]
        return [NextStep("finish", translate("Finish the tournament"))]
    if state.at < 0:
        return [_pair(translate("Pair the first round"))]
    if open_ones:
        return _while_on(frame, heard)
    if frame.view.stages[state.at].level:
        return [NextStep("seed", translate("Draw a lot for the qualifying line"), fields={"how": "lot"})]
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
        return [NextStep("archive", translate("Take out of the archive"), "secondary", {"archived": "false"})]
    again = NextStep("reopen", translate("Reopen the tournament"), "secondary")
    return [again, NextStep("archive", translate("Archive"), "secondary", {"archived": "true"})]


def _between_rounds(frame: Frame, over: bool, last: bool, heard: Sequence[str]) -> list[NextStep]:
    """Steps while no table is on: `over` is true for a stage that is played out, `last` for the last one."""
    state = frame.state
    following = "" if last else frame.view.stages[state.at + 1].name
    held = bool(waiting_for(frame, heard))
    if over:
        begin = _pair(translate("Begin {following}").format(following=following))
        return [_provisional(begin) if held else begin]
    found = _pairing(state, heard) if held else [_pair()]
    if not last:
        text = translate("Begin {following} now").format(following=following)
        now = NextStep("pair_round", text, "secondary", {"early": "true"})
        found.append(_provisional(now) if held else now)
    elif state.stage.format.may_end(state.field(state.at)):
        found.append(NextStep("finish", translate("End the tournament now"), "secondary"))
    return found


def _pairing(state: Tournament, heard: Sequence[str]) -> list[NextStep]:
    """The offers to pair where a case holds something: what is ready beside it, and everything, provisionally."""
    found = []
    if count := _ready(state, heard):
        found.append(_pair_ready(count))
    return [*found, _provisional(_pair())]


def _pair(text: str = "") -> NextStep:
    return NextStep("pair_round", text or translate("Pair the next round"))


def _pair_ready(count: int) -> NextStep:
    return _pair(translate("Pair what is ready: {tables}").format(tables=tables_text(count)))


def _provisional(step: NextStep) -> NextStep:
    """The same step, taken while a case is open about a match that it hangs on."""
    fields = {**step.fields, **PROVISIONALLY}
    text = translate("{text}, provisionally").format(text=step.text)
    return msgspec.structs.replace(step, text=text, kind="secondary", fields=fields)


def _while_on(frame: Frame, heard: Sequence[str]) -> list[NextStep]:
    """Steps while tables are on."""
    state = frame.state
    found = []
    if count := _ready(state, heard):
        found.append(_pair_ready(count))
    if waiting_for(frame, heard) and _ready(state, (), provisional=True) > count:
        found.append(_provisional(_pair()))
    fresh = [each for each in rounds_on(frame.view) if not each.clock and each.status != "decided"]
    for each in fresh:
        one, this = translate("Start the round"), translate("Start round {round}").format(round=each.round)
        text = one if len(fresh) == 1 else this
        found.append(NextStep("start_round", text, fields={"round": each.round}))
    if _late(state):
        found.append(NextStep("pair_round", translate("Add tables for late entries"), "secondary", {"added": "true"}))
    if state.stage.format.drawn_round_by_round:
        found.append(NextStep("pair_round", translate("Pair now, with results missing"), "secondary", PROVISIONALLY))
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
    return "" if state.seeds else translate("No seeds yet: entries stand in the order of arrival.")
