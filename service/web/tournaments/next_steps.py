"""What the director's board offers next, the likeliest first."""

from typing import Any

from domain.decider import Refusal
from domain.tournament.readiness import ready
from domain.tournament.state import Tournament
from projections.tournaments.view import rounds_on
from service.web.tournaments.frame import Frame


def main_actions(frame: Frame, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The one or two things that come next, the likeliest first."""
    state = frame.state
    if state.finished:
        text = "Take out of the archive" if state.archived else "Archive"
        fields = {"archived": "false" if state.archived else "true"}
        away = {"do": "archive", "text": text, "kind": "secondary", "fields": fields}
        again = {"do": "reopen", "text": "Reopen the tournament", "fields": {}, "kind": "secondary"}
        return [away] if state.archived else [again, away]
    open_ones = [row for row in rows if row["state"] != "done"]
    last = state.at + 1 == len(state.stages)
    over = state.at >= 0 and state.stage.format.over(state.field(state.at))
    pair = {"do": "pair_round", "text": "Pair the next round", "fields": {}, "kind": ""}
    if over and last and not open_ones:
        return [{"do": "finish", "text": "Finish the tournament", "fields": {}, "kind": ""}]
    if state.at < 0:
        return [{**pair, "text": "Pair the first round"}]
    level = frame.view.stages[state.at].level
    if not open_ones and level:
        text = "Draw a lot for the qualifying line"
        return [{"do": "seed", "text": text, "fields": {"how": "lot"}, "kind": ""}]
    if not open_ones:
        found = [{**pair, "text": f"Begin {frame.view.stages[state.at + 1].name}" if over else pair["text"]}]
        if not over and not last:
            following = frame.view.stages[state.at + 1].name
            fields = {"early": "true"}
            found.append({"do": "pair_round", "text": f"Begin {following} now", "fields": fields, "kind": "secondary"})
        if state.stage.format.may_end(state.field(state.at)) and last:
            found.append({"do": "finish", "text": "End the tournament now", "fields": {}, "kind": "secondary"})
        return found
    found = [{**pair, "text": f"Pair what is ready: {_tables(count)}"}] if (count := _ready(state)) else []
    fresh = [each for each in rounds_on(frame.view) if not each.clock and each.status != "decided"]
    for each in fresh:
        text = "Start the round" if len(fresh) == 1 else f"Start round {each.round}"
        found.append({"do": "start_round", "text": text, "fields": {"round": each.round}, "kind": ""})
    if _late(state):
        fields = {"added": "true"}
        text = "Add tables for late entries"
        found.append({"do": "pair_round", "text": text, "fields": fields, "kind": "secondary"})
    if state.stage.format.drawn_round_by_round:
        provisional = {"text": "Pair now, with results missing", "fields": {"provisional": "true"}}
        found.append({**pair, **provisional, "kind": "secondary"})
    return found


def _ready(state: Tournament) -> int:
    """How many matches can be paired beside those that are on."""
    stage = state.stage
    if not stage.side_by_side:
        return 0
    try:
        return sum(len(each.fixtures) for each in ready(stage, state.field(state.at), provisional=False))
    except Refusal:
        return 0


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"


def _late(state: Tournament) -> bool:
    """Whether tables can be added to the round that is on."""
    stage = state.stage
    if not stage.format.drawn_round_by_round or stage.rounds[-1].locked:
        return False
    try:
        return bool(stage.format.further(state.field(state.at)).fixtures)
    except Refusal:
        return False


def hint_of(frame: Frame) -> str:
    """What would help before the first round."""
    state = frame.state
    if state.at >= 0 or len(state.entries) < 2:
        return ""
    return "" if state.seeds else "No seeds yet: entries stand in the order of arrival."
