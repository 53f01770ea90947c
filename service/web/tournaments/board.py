"""The director's board: every table of the rounds that are on, what waits for somebody, and what can be done next."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.actor import DIRECTORS
from domain.tournament.state import Stage
from projections.lists import MATCHES, MatchRow
from projections.tournaments.view import rounds_on
from service.auth import require
from service.web.tournaments.frame import AnyRequest, Frame, clock_of, frame_of, shown
from service.web.tournaments.next_steps import hint_of, main_actions
from service.web.tournaments.pages import by_seed, entries_by_name, number_in

ORDER = {"contested": 0, "disputed": 0, "late": 1, "unconfirmed": 2, "on": 3, "waiting": 4, "done": 5}
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
    """The board, first or again with what was wrong; `at` is a round among all, from 1, else all that are on."""
    form = form or {}
    on = _rounds_now(frame)
    at = at or _round_with(frame, form.get("fixture"), form.get("stage"))
    chosen = [at] if at and at not in on else on
    rows = await _rows(frame, chosen)
    now = rows if chosen == on else await _rows(frame, on)
    rounds = [msgspec.to_builtins(frame.view.rounds[each - 1]) for each in chosen]
    clocks = [await clock_of(frame, each) if chosen == on else None for each in rounds]
    known = sorted(player.name for player in frame.club.state.players.values() if player.name)
    return shown(
        frame, "director", "director", status, error, found=list(zip(rounds, clocks, strict=True)), board=rows,
        form=form, at=chosen, last=len(frame.view.rounds),
        counts=counts_of(now), main=main_actions(frame, now), headline=headline(frame, now), now=chosen == on,
        names=frame.names,
        hint=hint_of(frame), tabled=_has_report_file(frame), ordered=by_seed(frame),
        by_name=entries_by_name(frame), known=known, question=question, granted=granted_in(frame),
        drawn=_now(frame).format.drawn_round_by_round, open_to_all=_takes_entries(frame),
    )  # fmt: skip


def _rounds_now(frame: Frame) -> list[int]:
    """The rounds that are on among all, from 1, those of the stage in which a result is disputed, and all in which one
    is contested."""
    on = rounds_on(frame.view)
    return [
        number for number, each in enumerate(frame.view.rounds, start=1)
        if each in on or any(
            pairing.contested or (pairing.disputed and each.stage == frame.view.at) for pairing in each.pairings
        )
    ]  # fmt: skip


async def _rows(frame: Frame, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """The tables of several rounds, what wants attention first."""
    found: list[dict[str, Any]] = []
    for number in numbers:
        round_ = msgspec.to_builtins(frame.view.rounds[number - 1])
        until = await clock_of(frame, round_)
        found += [{**row, "round": round_} for row in await tables_of(frame, round_, until)]
    return sorted(found, key=lambda row: (ORDER[row["state"]], row["pairing"]["table"]))


def _now(frame: Frame) -> Stage:
    """The stage that is on, or will be first."""
    return frame.state.stages[max(frame.state.at, 0)]


def _takes_entries(frame: Frame) -> bool:
    """Whether somebody can still enter: before the start, or late where the first stage takes that."""
    return frame.state.at < 0 or (frame.state.at == 0 and _now(frame).format.late_entry)


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
    """A row for each table of a round."""
    kept = await frame.services.lists.some(
        MATCHES, frame.loaded.club, MatchRow, [each["match"] for each in round_["pairings"]]
    )
    matches = {row.id: row for row in kept}
    now = datetime.now(UTC)
    over = until is not None and datetime.fromisoformat(until) < now
    return [_table(each, matches.get(each["match"]), now, over) for each in round_["pairings"]]


def _table(pairing: dict[str, Any], match: MatchRow | None, now: datetime, over: bool) -> dict[str, Any]:
    """What is known of a table."""
    row: dict[str, Any] = {"pairing": pairing, "state": "waiting", "text": "nothing recorded yet", "differs": ""}
    if match is not None:
        quiet = int((now - datetime.fromisoformat(match.changed_at)).total_seconds() // 60)
        score = "–".join(map(str, match.totals))
        deals = f"deal {match.deals}" if match.status == "open" else "played out"
        row |= {"state": "on", "text": f"{deals}, {score}, last entry {quiet} min ago"}
        if match.status == "finished" and pairing["status"] == "open":
            row |= {"state": "unconfirmed", "text": f"finished {score}, not yet confirmed by both sides"}
        elif quiet >= QUIET_MINUTES and pairing["status"] == "open":
            row["state"] = "late"
        row["differs"] = _differs(pairing, match)
    if over and pairing["status"] == "open" and row["state"] != "unconfirmed":
        row["state"] = "late"
        row["text"] += ", the clock has run out"
    if pairing["status"] == "decided":
        row |= {"state": "done", "text": _result(pairing)}
    if pairing["claims"] and pairing["status"] != "decided":
        row |= {"state": "unconfirmed", "text": "; ".join(_claim(pairing, each) for each in pairing["claims"])}
    if pairing["disputed"]:
        standing = _result(pairing) if pairing["how"] else row["text"]
        row |= {"state": "disputed", "text": f"⚑ disputed: {standing}"}
    if pairing["contested"]:
        row |= {"state": "contested", "text": f"⚑ contested: {_result(pairing)}", "differs": _contest(pairing)}
    return row


def _claim(pairing: dict[str, Any], claim: dict[str, Any]) -> str:
    """What one side says, while the other has not said the same."""
    name = pairing["sides"][claim["side"]]["name"]
    return f"{name} says {_said(pairing, claim)}"


def _said(pairing: dict[str, Any], told: dict[str, Any]) -> str:
    """A winner and a score in words."""
    winner = "a draw" if told["winner"] is None else f"{pairing['sides'][told['winner']]['name']} won"
    return f"{winner} {'–'.join(map(str, told['score']))}" if told["score"] else winner


def _contest(pairing: dict[str, Any]) -> str:
    """What the record of a match says against the result, and why."""
    against = pairing["contested"]
    if against["because"] == "reopened":
        return "The match was put back on and has no winner yet. Correct the result, or let it stand."
    why = {"ruled": "After a ruling", "corrected": "By now"}[against["because"]]
    return f"{why} the match says: {_said(pairing, against)}. Correct the result, or let it stand."


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
        return "The match is open again." if pairing["version"] else ""
    score = match.games if sum(match.games) > 1 else match.totals
    if match.winner == pairing["winner"] and (pairing["score"] is None or tuple(pairing["score"]) == tuple(score)):
        return ""
    names = [side["name"] for side in pairing["sides"]]
    said = "a draw" if match.winner is None else f"{names[match.winner]} as the winner"
    said += f" with {'–'.join(map(str, score))}"
    return f"The match has {said}. Correct the result, or let it stand."


def counts_of(rows: list[dict[str, Any]]) -> list[tuple[str, int, bool]]:
    """(word, how many tables, whether it wants attention)."""
    states = [row["state"] for row in rows]
    words = (("with a result", "done", False), ("on", "on", False), ("not begun", "waiting", False),
             ("unconfirmed", "unconfirmed", True), ("disputed", "disputed", True),
             ("contested", "contested", True), ("late", "late", True))  # fmt: skip
    return [(word, states.count(state), flag) for word, state, flag in words] if rows else []


def headline(frame: Frame, rows: list[dict[str, Any]]) -> str:
    """What is going on, in one line."""
    if frame.state.archived:
        return "Archived"
    if frame.state.finished:
        return "Finished: the places are final"
    if not frame.view.rounds:
        return f"{len(frame.state.active())} entries, nothing paired yet"
    left = sum(row["state"] != "done" for row in rows)
    numbers = sorted({row["round"]["round"] for row in rows}) or [frame.view.rounds[-1].round]
    called = f"Round {numbers[0]}" if len(numbers) == 1 else f"Rounds {', '.join(map(str, numbers))}"
    if left:
        return f"{called}: {left} of {len(rows)} tables still on"
    return f"{called} {'is' if len(numbers) == 1 else 'are'} over"
