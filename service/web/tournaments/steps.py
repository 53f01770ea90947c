"""Every step of a tournament in words: the event, the table, the players."""

from collections.abc import Mapping
from typing import TypeAlias
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from domain.log.event import instant
from domain.log.message import listed
from domain.tournament import events as e
from domain.tournament.evolve import fold
from domain.tournament.fixtures import Part, size_for
from domain.tournament.state import Stage, Tournament
from projections.tournaments.bracket import round_name
from service.desk.access import require
from service.http.caller import AnyRequest
from service.store import log
from service.web.signed import signed
from service.web.tournaments.frame import frame_of, shown
from service.web.tournaments.pages import number_in

OfEntry: TypeAlias = (
    e.EntryMade
    | e.EntryWithdrawn
    | e.EntryReinstated
    | e.EntrySubstituted
    | e.EntryCheckedIn
    | e.FeePaid
    | e.ByeGranted
)
OfRound: TypeAlias = e.RoundPaired | e.RoundUnpaired | e.RoundStarted | e.RoundLocked
OfMatch: TypeAlias = (
    e.OutcomeReported
    | e.OutcomeClaimed
    | e.OutcomeContested
    | e.OutcomeWithdrawn
    | e.OutcomeDisputed
    | e.OutcomeUpheld
    | e.TableAssigned
    | e.PairingReplaced
)
BYES = {"half": "has a half-point bye", "full": "has a full-point bye", "zero": "is absent"}
BECAUSE = {"ruled": "after a ruling", "corrected": "after a correction", "reopened": "after it was put back on"}
LEFT = {"withdrawn": "left the tournament", "no-show": "did not come", "excluded": "was excluded"}
ORDERS = {"given": "by the director", "rating": "by rating", "lot": "by lot"}


class LogStep(msgspec.Struct, frozen=True):
    """A step in words, with its time, its author and the note beside it."""

    version: int
    text: str
    recorded_at: str
    who: str
    note: str


@get("/tournaments/{tournament_id:uuid}/log", include_in_schema=False, query=("upto",))
async def log_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """Every step with its author and reason: the last hundred, or those up to a step."""
    frame = await frame_of(request, tournament_id)
    require(frame.caller, frame.loaded.club, DIRECTORS, frame.loaded.stream)
    last = frame.loaded.head.version
    upto = number_in(request, "upto", last) or last
    before = max(upto - log.PAGE, 0)
    stored = await log.read_stream(frame.services.pool, frame.loaded.club, frame.loaded.stream, before, upto)
    if not stored:
        raise Refusal("not-found", "there is nothing here")
    devices = await frame.services.recorder.devices.of(frame.loaded.club, names=True)
    state = await frame.services.streams.state_at(frame.loaded, before)
    steps = []
    for each in stored:
        event = each.event
        own = event.actor is None and event.cause is not None  # the service itself, because of that match
        steps.append(
            LogStep(
                event.version,
                text=step_text(event.data, state, frame.names, own),
                recorded_at=instant(event.recorded_at),
                who="the service" if own else devices.name_of(event.device) or event.role,
                note=(event.private or {}).get("note", ""),
            )
        )
        state = fold(state, [(event.version, event.data)])
    later = min(upto + log.PAGE, last) if upto < last else None
    return shown(frame, "log", "log", steps=steps, earlier=before or None, later=later, last=last)


def step_text(event: e.TournamentEvent, state: Tournament, names: Mapping[str, str], own: bool = False) -> str:
    """A step in words; `state` is the tournament before it, `own` says that the service took it by itself."""
    if isinstance(event, OfMatch):
        words = _of_match(event, state.stages[event.stage], names, own)
        said = f"{_table(state, event)}: {words}"
    elif isinstance(event, OfEntry):
        said = _of_entry(event, state, names)
    elif isinstance(event, OfRound):
        said = _of_round(event, state)
    else:
        said = _of_all(event, state, names)
    return f"{said[0].upper()}{said[1:]}"


def _of_all(event: e.TournamentEvent, state: Tournament, names: Mapping[str, str]) -> str:
    match event:
        case e.TournamentAnnounced():
            return f"tournament created: {event.name}"
        case e.SeedsGiven() if state.at >= 0:
            return f"order on the qualifying line, {ORDERS[event.how]}: {listed([names[each] for each in event.order])}"
        case e.SeedsGiven():
            return f"seeds given {ORDERS[event.how]}"
        case e.StageStarted():
            return f"{_stage_name(state.stages[event.stage])} begun with {len(event.order)} entries"
        case e.TournamentFinished():
            first = [names[entry] for rank, entry in event.places if rank == 1]
            return f"tournament finished: {listed(first)} won"
        case e.TournamentReopened():
            return "tournament reopened: the places are not final"
        case e.TournamentArchived():
            return "tournament put into the archive" if event.archived else "tournament taken out of the archive"
    return type(event).__name__


def _of_entry(event: OfEntry, state: Tournament, names: Mapping[str, str]) -> str:
    name = names.get(event.entry, event.entry)
    match event:
        case e.EntryWithdrawn():
            return f"{name} {LEFT[event.why]}"
        case e.EntryReinstated():
            return f"{name} came back"
        case e.EntrySubstituted():
            return f"a substitute plays from here on: {name}"
        case e.EntryCheckedIn():
            return f"{name} is here" if event.here else f"{name} is not here after all"
        case e.FeePaid():
            return f"{name} has paid {event.amount / 100:.2f} {state.plan.currency} in all"
        case e.ByeGranted():
            return f"{name} {BYES.get(event.kind or '', 'plays after all')} in round {event.round}"
    return f"{name} entered"


def _of_round(event: OfRound, state: Tournament) -> str:
    match event:
        case e.RoundPaired():
            return _paired(event, state)
        case e.RoundUnpaired():
            return f"pairing of {_round(state, event.stage, event.round - 1)} undone"
        case e.RoundStarted():
            clock = f"{event.minutes} minutes" if event.minutes else "no clock"
            return f"{_round(state, event.stage, event.round - 1)} started: {clock}"
    done = "locked" if event.locked else "opened again"
    return f"{_round(state, event.stage, event.round - 1)} {done}"


def _paired(event: e.RoundPaired, state: Tournament) -> str:
    """`Round 2 paired: 4 tables, with results missing`."""
    stage = state.stages[event.stage]
    part = stage.part_of(event.pairings[0].fixture) if event.pairings else "round"
    place = stage.place_of(part, event.round) if event.added else len(stage.rounds)
    called = _round_called(stage, len(stage.rounds) if place is None else place, part, event.round)
    tables = "1 table" if len(event.pairings) == 1 else f"{len(event.pairings)} tables"
    if event.added:
        return f"{_prefix(state, stage)}{called}: {tables} added"
    how = ", written by the director" if event.own else ", with results missing" if event.pending else ""
    return f"{_prefix(state, stage)}{called} paired: {tables}{how}"


def _of_match(event: OfMatch, stage: Stage, names: Mapping[str, str], own: bool) -> str:
    pairing = stage.pairings.get(event.fixture)
    sides = [_side(each, names) for each in pairing.sides] if pairing else ["the first side", "the second side"]
    match event:
        case e.OutcomeReported():
            return _result(event, sides)
        case e.OutcomeClaimed():
            how = f" ({signed(event.strength, sides[event.side])})" if event.strength else ""
            return f"{sides[event.side]} says: {_told(event, sides)}{how}"
        case e.OutcomeContested():
            return f"{BECAUSE[event.because]} the record of the match says: {_told(event, sides)}"
        case e.OutcomeWithdrawn():
            return "result withdrawn (by the service, because the table undid it)" if own else "result withdrawn"
        case e.OutcomeDisputed():
            return "result disputed"
        case e.OutcomeUpheld():
            return "the result stands"
        case e.TableAssigned():
            watched = ", the feature table" if event.feature else ""
            return f"{' – '.join(sides)} moved to table {event.table}{watched}"
    if event.pairing is None:
        return "pairing undone until both sides are known"
    return f"now {' – '.join(_side(each, names) for each in event.pairing.sides)}"


def _result(event: e.OutcomeReported, sides: list[str]) -> str:
    if event.how == "absent":
        return "both absent"
    if event.how == "walkover" and event.winner is not None:
        return f"walkover for {sides[event.winner]}"
    return _told(event, sides)


def _told(event: e.OutcomeReported | e.OutcomeClaimed | e.OutcomeContested, sides: list[str]) -> str:
    """A winner with the score by name: `Annie 15 – Benny 3`."""
    if event.score is not None:
        return f"{sides[0]} {event.score[0]} – {sides[1]} {event.score[1]}"
    return "no winner" if event.winner is None else f"{sides[event.winner]} won"


def _table(state: Tournament, event: OfMatch) -> str:
    """The place of a match: `round 1, table 1`; of a bracket the round has the name that people call it."""
    stage = state.stages[event.stage]
    place, pairing = stage.round_of(event.fixture), stage.pairings.get(event.fixture)
    if place is None or pairing is None:
        return f"{_prefix(state, stage)}match {event.fixture}"
    called = _round_called(stage, place, stage.part_of(event.fixture), stage.rounds[place].number)
    return f"{_prefix(state, stage)}{called}, table {pairing.table}"


def _round(state: Tournament, number: int, place: int) -> str:
    """A round by its place from 0, behind the stage where there are several."""
    stage = state.stages[number]
    here = stage.rounds[place]
    return f"{_prefix(state, stage)}{_round_called(stage, place, here.part, here.number)}"


def _round_called(stage: Stage, place: int, part: Part, number: int) -> str:
    """A round as people call it: `round 2`, `Semi-finals`, `Third place`."""
    if not stage.format.bracket:
        return f"round {place + 1}"
    return round_name(part, number, size_for(len(stage.order)))


def _prefix(state: Tournament, stage: Stage) -> str:
    return f"{_stage_name(stage)}, " if len(state.stages) > 1 else ""


def _stage_name(stage: Stage) -> str:
    return stage.setup.name or stage.format.title


def _side(side: tuple[str, ...], names: Mapping[str, str]) -> str:
    return " & ".join(names.get(entry, entry) for entry in side)
