"""The director's board: every table of the rounds that are on, the results that wait, and the next steps."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from msgspec.structs import asdict

from domain.club.commands import GrantRole
from domain.log.actor import DIRECTORS
from domain.tournament.state import Stage
from projections.tournaments.rounds import RoundView
from projections.tournaments.view import rounds_on
from service.desk.access import require
from service.desk.cases.lookup import cases_holding
from service.desk.cases.queue import rows as cases_of
from service.desk.roles import RoleRow, ends, roles_of, would_take
from service.http.caller import AnyRequest
from service.languages.spoken import N_, ntranslate, translate
from service.store.tokens import signed_in
from service.web.cases.queue import mark_of, words_of
from service.web.forms import Form
from service.web.numbers import number_in
from service.web.roles import Choice, people_of
from service.web.tournaments.entries import by_seed
from service.web.tournaments.frame import Frame, clock_of, frame_of, shown
from service.web.tournaments.next_steps import hint_of, main_actions, waiting_for
from service.web.tournaments.pages import entries_by_name
from service.web.tournaments.tables import Row, TableState, tables_of
from service.web.tournaments.waiting import held_tables, slow_tables

ORDER = {"contested": 0, "disputed": 0, "late": 1, "unconfirmed": 2, "on": 3, "waiting": 4, "done": 5}
COUNTED: Final[tuple[tuple[str, TableState, bool], ...]] = (
    (N_("with a result"), "done", False),
    (N_("on"), "on", False),
    (N_("not begun"), "waiting", False),
    (N_("unconfirmed"), "unconfirmed", True),
    (N_("disputed"), "disputed", True),
    (N_("contested"), "contested", True),
    (N_("late"), "late", True),
)


MOST: Final = 12  # people who are offered with a button of their own


class Appointable(msgspec.Struct, frozen=True):
    """The people who can be a deputy: those signed in, for they can act at once, and everybody."""

    here: tuple[Choice, ...]
    everybody: tuple[Choice, ...]


class Granted(msgspec.Struct, frozen=True):
    """A bye for a round to come."""

    round: int
    entry: str
    name: str
    kind: str


@get("/tournaments/{tournament_id:uuid}/director", include_in_schema=False, query=("round", "table"))
async def director_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The board."""
    frame = await frame_of(request, tournament_id)
    require(frame.caller, frame.loaded.club, DIRECTORS, frame.loaded.stream)
    at = number_in(request, "round", len(frame.view.rounds))
    return await board(frame, at=at, table=request.query_params.get("table", ""))


async def board(
    frame: Frame,
    status: int = 200,
    error: str = "",
    form: Form | None = None,
    at: int | None = None,
    question: Form | None = None,
    table: str = "",
) -> Response[str]:
    """The board, first or again with what was wrong; `at` is a round among all, from 1, else all that are on; `table`
    is the match whose table was chosen."""
    form = form or {}
    on = _rounds_now(frame)
    at = at or _round_with(frame, form.get("fixture"), form.get("stage"))
    chosen = [at] if at and at not in on else on
    rows = await _rows(frame, chosen)
    now = rows if chosen == on else await _rows(frame, on)
    rounds = [frame.view.rounds[each - 1] for each in chosen]
    clocks = [await clock_of(frame, each) if chosen == on else None for each in rounds]
    cases = await cases_of(frame.services.streams, frame.caller, frame.club, frame.services.recorder.clock())
    own = [each for each in cases if each.tournament == frame.loaded.stream]
    holding = await cases_holding(frame.services.streams, frame.loaded.club, frame.loaded.stream, frame.state)
    heard = tuple(sorted(holding))
    called = words_of(own, f"tournament {frame.loaded.stream}")
    known = sorted(player.name for player in frame.club.state.players.values() if player.name)
    return shown(
        frame,
        "director",
        "director",
        status,
        error,
        question,
        found=list(zip(rounds, clocks, strict=True)),
        board=rows,
        chosen=_chosen(rows, form, table),
        form=form,
        at=chosen,
        last=len(frame.view.rounds),
        counts=[*counts_of(now), *([(translate("called"), len(called.waiting), True)] if called.waiting else [])],
        **asdict(called),
        news=mark_of(cases),
        main=main_actions(frame, now, heard),
        held=held_tables(frame, waiting_for(frame, heard), holding, cases),
        slow=await slow_tables(frame, rounds if chosen == on else (), cases),
        headline=headline(frame, now),
        now=chosen == on,
        names=frame.names,
        hint=hint_of(frame),
        tabled=_has_report_file(frame),
        ordered=by_seed(frame),
        by_name=entries_by_name(frame),
        known=known,
        granted=granted_in(frame),
        drawn=_now(frame).format.drawn_round_by_round,
        open_to_all=_takes_entries(frame),
        deputies=deputies_of(frame),
        appointable=await appointable(frame),
    )


def _chosen(rows: Sequence[Row], form: Form, table: str) -> str:
    """The match whose details are shown: the one that a form comes back for, else the one that was asked for."""
    named = form.get("fixture"), form.get("stage")
    for row in rows:
        pairing = row.pairing
        if named[0] == pairing.fixture and named[1] in (None, "", str(row.round.stage + 1)):
            return pairing.match
    return table if any(row.pairing.match == table for row in rows) else ""


def deputies_of(frame: Frame) -> list[tuple[RoleRow, bool]]:
    """The deputies of the tournament, and whether each can be ended by whoever looks."""
    here = [row for row in roles_of(frame.club) if (row.role, row.tournament) == ("deputy", frame.loaded.stream)]
    return [(row, ends(frame.caller, frame.club, row)) for row in here]


async def appointable(frame: Frame) -> Appointable | None:
    """The people who can be appointed a deputy on the spot; None for a caller who appoints none."""
    stream, state = frame.loaded.stream, frame.club.state
    trial = next(iter(state.players), "")
    if frame.state.archived or not would_take(frame.caller, frame.club, GrantRole(trial, "deputy", stream)):
        return None
    directing = {row.person for row in roles_of(frame.club) if row.role == "director" or row.tournament == stream}
    free = [each for each in people_of(frame.club) if each.id not in directing]
    here = [state.whom(each) for each in await signed_in(frame.services.pool, frame.loaded.club)]
    named = {each.id: each for each in free}
    return Appointable(tuple(named[each] for each in here if each in named)[:MOST], tuple(free))


def _rounds_now(frame: Frame) -> list[int]:
    """The rounds that are on among all, from 1, those of the stage in which a result is disputed, and all in which one
    is contested."""
    on = rounds_on(frame.view)
    return [number for number, each in enumerate(frame.view.rounds, start=1) if each in on or _waits(frame, each)]


def _waits(frame: Frame, round_: RoundView) -> bool:
    """True for a round with a contested result, or with a disputed one in the stage that is on."""
    here = round_.stage == frame.view.at
    return any(pairing.contested or (pairing.disputed and here) for pairing in round_.pairings)


async def _rows(frame: Frame, numbers: Sequence[int]) -> list[Row]:
    """The tables of several rounds, those that want attention first."""
    found: list[Row] = []
    for number in numbers:
        round_ = frame.view.rounds[number - 1]
        found += await tables_of(frame, round_, await clock_of(frame, round_))
    return sorted(found, key=lambda row: (ORDER[row.state], row.pairing.table))


def _now(frame: Frame) -> Stage:
    """The stage that is on, or will be first."""
    return frame.state.stages[max(frame.state.at, 0)]


def _takes_entries(frame: Frame) -> bool:
    """True while entries are taken: before the start, or late where the first stage takes that."""
    return frame.state.at < 0 or (frame.state.at == 0 and _now(frame).format.late_entry)


def granted_in(frame: Frame) -> list[Granted]:
    """The byes that were granted for rounds to come."""
    stage = _now(frame)
    return [
        Granted(number, entry, frame.names[entry], kind)
        for number, byes in sorted(stage.granted.items())
        if number > len(stage.rounds)
        for entry, kind in byes.items()
    ]


def _has_report_file(frame: Frame) -> bool:
    """True where the stage that is on fits a report file."""
    return frame.state.at >= 0 and bool(_now(frame).format.report_system)


def _round_with(frame: Frame, fixture: str | None, stage: str | None) -> int | None:
    """The last round in which a match stands, from 1; of two stages with a match of that name, the one that is said."""
    places = [
        at
        for at, each in enumerate(frame.view.rounds, start=1)
        if any(pairing.fixture == fixture for pairing in each.pairings) and stage in (None, "", str(each.stage + 1))
    ]
    return places[-1] if places else None


def counts_of(rows: list[Row]) -> list[tuple[str, int, bool]]:
    """(word, number of tables, true for a word that wants attention)."""
    states = [row.state for row in rows]
    return [(translate(word), states.count(state), flag) for word, state, flag in COUNTED] if rows else []


def headline(frame: Frame, rows: list[Row]) -> str:
    """The state of the tournament in one line."""
    if frame.state.archived:
        return translate("Archived")
    if frame.state.finished:
        return translate("Finished: the places are final")
    if not frame.view.rounds:
        count = len(frame.state.active())
        said = ntranslate("{n} entry, nothing paired yet", "{n} entries, nothing paired yet", count)
        return said.format(n=count)
    left = sum(row.state != "done" for row in rows)
    numbers = sorted({row.round.round for row in rows}) or [frame.view.rounds[-1].round]
    several = translate("Rounds {numbers}").format(numbers=", ".join(map(str, numbers)))
    called = translate("Round {number}").format(number=numbers[0]) if len(numbers) == 1 else several
    if left:
        said = translate("{called}: {left} of {count} tables still on")
        return said.format(called=called, left=left, count=len(rows))
    return ntranslate("{called} is over", "{called} are over", len(numbers)).format(called=called)
