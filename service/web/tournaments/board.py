"""The director's board: every table of the round, what waits for somebody, and what can be done next."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.actor import DIRECTORS
from domain.decider import Refusal
from domain.tournament.state import Stage
from projections.lists import MATCHES, MatchRow
from service.auth import require
from service.store import log
from service.web.tournaments.frame import AnyRequest, Frame, clock_of, frame_of, shown
from service.web.tournaments.pages import by_seed, entries_by_name, number_in

QUIET_MINUTES = 20  # a table that nothing was heard of for so long is looked at


@get("/tournaments/{tournament_id:uuid}/director", include_in_schema=False, query=("round",))
async def director_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The board."""
    frame = await frame_of(request, tournament_id)
    require(frame.caller, frame.loaded.club, DIRECTORS)
    return await board(frame, at=number_in(request, "round", len(frame.view.rounds)))


async def board(
    frame: Frame,
    status: int = 200,
    error: str = "",
    form: dict[str, Any] | None = None,
    at: int | None = None,
    question: dict[str, str] | None = None,
) -> Response[str]:
    """The board, first or again with what was wrong; `at` is a round among all, from 1, else the last."""
    form = form or {}
    at = at or _round_with(frame, form.get("fixture"), form.get("stage")) or len(frame.view.rounds)
    round_ = msgspec.to_builtins(frame.view.rounds[at - 1]) if at else None
    last = at == len(frame.view.rounds)
    until = await clock_of(frame, round_) if last else None
    rows = await tables_of(frame, round_, until)
    now = rows if last else await tables_of(frame, msgspec.to_builtins(frame.view.rounds[-1]), None)
    known = sorted(player.name for player in frame.club.state.players.values() if player.name)
    return shown(
        frame, "director", "director", status, error, round=round_, until=until, board=rows, form=form, at=at,
        counts=counts_of(now), main=main_actions(frame, now), headline=headline(frame, now), last=last,
        hint=hint_of(frame), tabled=_has_report_file(frame), ordered=by_seed(frame),
        by_name=entries_by_name(frame), known=known, question=question, granted=granted_in(frame),
        drawn=_now(frame).format.drawn, open_to_all=_takes_entries(frame),
    )  # fmt: skip


def _now(frame: Frame) -> Stage:
    """The stage that is on, or will be first."""
    return frame.state.stages[max(frame.state.at, 0)]


def _takes_entries(frame: Frame) -> bool:
    """Whether somebody can still enter: before the start, or late where the first stage takes that."""
    return frame.state.at < 0 or (frame.state.at == 0 and _now(frame).format.late)


def granted_in(frame: Frame) -> list[dict[str, Any]]:
    """The byes that were granted for rounds to come."""
    stage = _now(frame)
    return [
        {"round": number, "entry": entry, "name": frame.names[entry], "kind": kind}
        for number, byes in sorted(stage.granted.items()) if number > len(stage.rounds)
        for entry, kind in byes.items()
    ]  # fmt: skip


def _has_report_file(frame: Frame) -> bool:
    """Whether the stage that is on fits a report file: a Swiss or a round robin."""
    return frame.state.at >= 0 and frame.view.stages[frame.state.at].kind in ("swiss", "round-robin")


def _round_with(frame: Frame, fixture: str | None, stage: str | None) -> int | None:
    """The last round in which a match stands, from 1; of two stages with a match of that name, the one that is said."""
    places = [
        at for at, each in enumerate(frame.view.rounds, start=1)
        if any(pairing.fixture == fixture for pairing in each.pairings) and stage in (None, "", str(each.stage + 1))
    ]  # fmt: skip
    return places[-1] if places else None


async def tables_of(frame: Frame, round_: Any, until: str | None) -> list[dict[str, Any]]:
    """A row for each table: what wants attention first."""
    if not round_:
        return []
    kept = await frame.services.lists.some(
        MATCHES, frame.loaded.club, MatchRow, [each["match"] for each in round_["pairings"]]
    )
    matches = {row.id: row for row in kept}
    now = datetime.now(UTC)
    over = until is not None and datetime.fromisoformat(until) < now
    rows = [_table(each, matches.get(each["match"]), now, over) for each in round_["pairings"]]
    order = {"disputed": 0, "late": 1, "unconfirmed": 2, "on": 3, "waiting": 4, "done": 5}
    return sorted(rows, key=lambda row: (order[row["state"]], row["pairing"]["table"]))


def _table(pairing: dict[str, Any], match: MatchRow | None, now: datetime, over: bool) -> dict[str, Any]:
    """What is known of a table."""
    row: dict[str, Any] = {"pairing": pairing, "state": "waiting", "text": "nothing recorded yet", "differs": ""}
    if match is not None:
        quiet = int((now - datetime.fromisoformat(match.changed_at)).total_seconds() // 60)
        score = "–".join(map(str, match.totals))
        deals = f"deal {match.deals}" if match.status == "open" else "played out"
        row |= {"state": "on", "text": f"{deals}, {score}, last entry {quiet} min ago"}
        if match.status == "finished" and pairing["status"] == "open":
            row |= {"state": "unconfirmed", "text": f"finished {score}, not confirmed by both sides"}
        elif quiet >= QUIET_MINUTES and pairing["status"] == "open":
            row["state"] = "late"
        row["differs"] = _differs(pairing, match)
    if over and pairing["status"] == "open" and row["state"] != "unconfirmed":
        row["state"] = "late"
        row["text"] += ", the clock has run out"
    if pairing["status"] == "decided":
        row |= {"state": "done", "text": _result(pairing)}
    if pairing["disputed"]:
        row |= {"state": "disputed", "text": f"⚑ disputed: {_result(pairing)}"}
    return row


def _result(pairing: dict[str, Any]) -> str:
    if pairing["how"] == "absent":
        return "both absent"
    winner = "drawn" if pairing["winner"] is None else f"{pairing['sides'][pairing['winner']]['name']} won"
    score = "–".join(map(str, pairing["score"])) if pairing["score"] else ""
    return f"✓ {winner} {'without play' if pairing['how'] == 'walkover' else score}".strip()


def _differs(pairing: dict[str, Any], match: MatchRow) -> str:
    """Where the match says something else than the result that stands."""
    if pairing["how"] != "played" or match.status == "void":
        return ""
    if match.status == "open":
        return "The record of the match is open again." if pairing["version"] else ""
    score = match.games if sum(match.games) > 1 else match.totals
    if match.winner == pairing["winner"] and pairing["score"] in (None, list(score)):
        return ""
    names = [side["name"] for side in pairing["sides"]]
    said = "a draw" if match.winner is None else f"{names[match.winner]} as the winner"
    said += f" with {'–'.join(map(str, score))}"
    return f"The record of the match has {said}: correct the result, or let it stand."


def counts_of(rows: list[dict[str, Any]]) -> list[tuple[str, int, bool]]:
    """(word, how many tables, whether it wants attention)."""
    states = [row["state"] for row in rows]
    words = (("confirmed", "done", False), ("on", "on", False), ("not begun", "waiting", False),
             ("unconfirmed", "unconfirmed", True), ("disputed", "disputed", True), ("late", "late", True))  # fmt: skip
    return [(word, states.count(state), flag) for word, state, flag in words] if rows else []


def headline(frame: Frame, rows: list[dict[str, Any]]) -> str:
    """What is going on, in one line."""
    if frame.state.archived:
        return "Archived"
    if frame.state.finished:
        return "Finished: the places are final"
    if not frame.view.rounds:
        return f"{len(frame.state.active())} entries, nothing paired yet"
    left, number = sum(row["state"] != "done" for row in rows), frame.view.rounds[-1].round
    return f"Round {number}: {left} of {len(rows)} tables still on" if left else f"Round {number} is over"


def main_actions(frame: Frame, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The one or two things that come next, the likeliest first."""
    state = frame.state
    if state.finished:
        text = "Take out of the archive" if state.archived else "Archive"
        fields = {"archived": "false" if state.archived else "true"}
        away = {"do": "archive", "text": text, "kind": "secondary", "fields": fields}
        again = {"do": "reopen", "text": "Reopen: the places are not final", "fields": {}, "kind": "secondary"}
        return [away] if state.archived else [again, away]
    open_ones = [row for row in rows if row["state"] != "done"]
    last = state.at + 1 == len(state.stages)
    over = state.at >= 0 and state.stage.format.over(state.field(state.at))
    pair = {"do": "pair_round", "text": "Pair the next round", "fields": {}, "kind": ""}
    if over and last and not open_ones:
        return [{"do": "finish", "text": "Finish: make the places final", "fields": {}, "kind": ""}]
    if state.at < 0:
        return [{**pair, "text": "Pair the first round"}]
    if not open_ones:
        found = [{**pair, "text": f"Begin {frame.view.stages[state.at + 1].name}" if over else pair["text"]}]
        if not over and not last:
            following = frame.view.stages[state.at + 1].name
            fields = {"early": "true"}
            found.append({"do": "pair_round", "text": f"Begin {following} now", "fields": fields, "kind": "secondary"})
        if state.stage.format.may_end(state.field(state.at)) and last:
            found.append({"do": "finish", "text": "Finish", "fields": {}, "kind": "secondary"})
        return found
    found = []
    if not frame.view.rounds[-1].clock:
        found.append({"do": "start_round", "text": "Start the round", "fields": {}, "kind": ""})
    if state.stage.format.drawn:
        provisional = {"text": "Pair provisionally, without waiting", "fields": {"provisional": "true"}}
        found.append({**pair, **provisional, "kind": "secondary"})
    return found


def hint_of(frame: Frame) -> str:
    """What would help before the first round."""
    state = frame.state
    if state.at >= 0 or len(state.entries) < 2:
        return ""
    return "" if state.seeds else "No seeds yet: entries are in the order in which they came."


@get("/tournaments/{tournament_id:uuid}/log", include_in_schema=False)
async def log_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """Every step, who took it, and why."""
    frame = await frame_of(request, tournament_id)
    require(frame.caller, frame.loaded.club, DIRECTORS)
    stored = await log.read_stream(frame.services.pool, frame.loaded.club, frame.loaded.stream)
    if not stored:
        raise Refusal("not-found", "there is nothing here")
    steps = [
        {
            "version": each.event.version, "text": step_text(each.event.data, frame.names),
            "recorded_at": each.event.recorded_at.strftime("%Y-%m-%d %H:%M:%S"),
            "who": each.event.device or each.event.role, "note": (each.event.private or {}).get("note", ""),
        }
        for each in stored
    ]  # fmt: skip
    return shown(frame, "log", "log", steps=steps)


def step_text(event: Any, names: dict[str, str]) -> str:
    """An event of a tournament in words."""
    kind = type(event).__name__
    told = "".join(f" {char.lower()}" if char.isupper() else char for char in kind).strip()
    parts = [f"round {event.round}"] if hasattr(event, "round") else []
    if hasattr(event, "fixture"):
        parts.append(event.fixture)
    if getattr(event, "entry", None) in names:
        parts.append(names[event.entry])
    if hasattr(event, "winner"):
        parts.append({None: "no winner", 0: "first side won", 1: "second side won"}[event.winner])
        if event.score:
            parts.append(f"{event.score[0]}–{event.score[1]}")
    return f"{told.capitalize()}: {', '.join(parts)}" if parts else told.capitalize()
