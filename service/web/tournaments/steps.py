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
from domain.tournament import events as e
from domain.tournament.evolve import fold
from domain.tournament.fixtures import PlanPart, size_for
from domain.tournament.state import Stage, Tournament
from projections.tournaments.bracket import round_name
from service.desk.access import require
from service.http.caller import AnyRequest
from service.languages.spoken import N_, ntranslate, translate
from service.store import log
from service.web.labels import round_text
from service.web.numbers import number_in
from service.web.said import names_text, tables_text
from service.web.signed import signed
from service.web.tournaments.frame import frame_of, shown

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
BYES = {
    "half": N_("{name} has a half-point bye in round {round}"),
    "full": N_("{name} has a full-point bye in round {round}"),
    "zero": N_("{name} is absent in round {round}"),
    None: N_("{name} plays after all in round {round}"),
}
BECAUSE = {
    "ruled": N_("after a ruling the record of the match says: {told}"),
    "corrected": N_("after a correction the record of the match says: {told}"),
    "reopened": N_("after it was put back on the record of the match says: {told}"),
}
LEFT = {
    "withdrawn": N_("{name} left the tournament"),
    "no-show": N_("{name} did not come"),
    "excluded": N_("{name} was excluded"),
}
ORDERS = {"given": N_("by the director"), "rating": N_("by rating"), "lot": N_("by lot")}


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
                who=translate("the service") if own else devices.name_of(event.device) or translate(event.role),
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
            return translate("tournament created: {name}").format(name=event.name)
        case e.SeedsGiven() if state.at >= 0:
            said = translate("order on the qualifying line, {how}: {names}")
            return said.format(
                how=translate(ORDERS[event.how]), names=names_text([names[each] for each in event.order])
            )
        case e.SeedsGiven():
            return translate("seeds given {how}").format(how=translate(ORDERS[event.how]))
        case e.StageStarted():
            count = len(event.order)
            said = ntranslate("{stage} begun with {n} entry", "{stage} begun with {n} entries", count)
            return said.format(stage=_stage_name(state.stages[event.stage]), n=count)
        case e.TournamentFinished():
            first = [names[entry] for rank, entry in event.places if rank == 1]
            return translate("tournament finished: {names} won").format(names=names_text(first))
        case e.TournamentReopened():
            return translate("tournament reopened: the places are not final")
        case e.TournamentArchived():
            into, out = translate("tournament put into the archive"), translate("tournament taken out of the archive")
            return into if event.archived else out
    return type(event).__name__


def _of_entry(event: OfEntry, state: Tournament, names: Mapping[str, str]) -> str:
    name = names.get(event.entry, event.entry)
    match event:
        case e.EntryWithdrawn():
            return translate(LEFT[event.why]).format(name=name)
        case e.EntryReinstated():
            return translate("{name} came back").format(name=name)
        case e.EntrySubstituted():
            return translate("a substitute plays from here on: {name}").format(name=name)
        case e.EntryCheckedIn():
            said = translate("{name} is here") if event.here else translate("{name} is not here after all")
            return said.format(name=name)
        case e.FeePaid():
            said = translate("{name} has paid {amount} {currency} in all")
            return said.format(name=name, amount=f"{event.amount / 100:.2f}", currency=state.plan.currency)
        case e.ByeGranted():
            said = BYES.get(event.kind) or BYES[None]
            return translate(said).format(name=name, round=event.round)
    return translate("{name} entered").format(name=name)


def _of_round(event: OfRound, state: Tournament) -> str:
    match event:
        case e.RoundPaired():
            return _paired(event, state)
        case e.RoundUnpaired():
            return translate("pairing of {round} undone").format(round=_round(state, event.stage, event.round - 1))
        case e.RoundStarted():
            count = event.minutes or 0
            clock = ntranslate("{n} minute", "{n} minutes", count).format(n=count) if count else translate("no clock")
            called = _round(state, event.stage, event.round - 1)
            return translate("{round} started: {clock}").format(round=called, clock=clock)
    said = translate("{round} locked") if event.locked else translate("{round} opened again")
    return said.format(round=_round(state, event.stage, event.round - 1))


def _paired(event: e.RoundPaired, state: Tournament) -> str:
    """`Round 2 paired: 4 tables, with results missing`."""
    stage = state.stages[event.stage]
    part = stage.part_of(event.pairings[0].fixture) if event.pairings else "round"
    place = stage.place_of(part, event.round) if event.added else len(stage.rounds)
    called = _round_called(stage, len(stage.rounds) if place is None else place, part, event.round)
    tables = tables_text(len(event.pairings))
    called = f"{_prefix(state, stage)}{called}"
    if event.added:
        return translate("{called}: {tables} added").format(called=called, tables=tables)
    by_hand, missing = translate("written by the director"), translate("with results missing")
    how = by_hand if event.own else missing if event.pending else ""
    said = translate("{called} paired: {tables}").format(called=called, tables=tables)
    return f"{said}, {how}" if how else said


def _of_match(event: OfMatch, stage: Stage, names: Mapping[str, str], own: bool) -> str:
    pairing = stage.pairings.get(event.fixture)
    sides = (
        [_side(each, names) for each in pairing.sides]
        if pairing
        else [translate("the first side"), translate("the second side")]
    )
    match event:
        case e.OutcomeReported():
            return _result(event, sides)
        case e.OutcomeClaimed():
            how = f" ({signed(event.strength, sides[event.side])})" if event.strength else ""
            said = translate("{side} says: {told}")
            return said.format(side=sides[event.side], told=_told(event, sides)) + how
        case e.OutcomeContested():
            return translate(BECAUSE[event.because]).format(told=_told(event, sides))
        case e.OutcomeWithdrawn():
            by_itself = translate("result withdrawn (by the service, because the table undid it)")
            return by_itself if own else translate("result withdrawn")
        case e.OutcomeDisputed():
            return translate("result disputed")
        case e.OutcomeUpheld():
            return translate("the result stands")
        case e.TableAssigned():
            said = translate("{sides} moved to table {table}")
            if event.feature:
                said = translate("{sides} moved to table {table}, the feature table")
            return said.format(sides=" – ".join(sides), table=event.table)
    if event.pairing is None:
        return translate("pairing undone until both sides are known")
    return translate("now {sides}").format(sides=" – ".join(_side(each, names) for each in event.pairing.sides))


def _result(event: e.OutcomeReported, sides: list[str]) -> str:
    if event.how == "absent":
        return translate("both absent")
    if event.how == "walkover" and event.winner is not None:
        return translate("walkover for {side}").format(side=sides[event.winner])
    return _told(event, sides)


def _told(event: e.OutcomeReported | e.OutcomeClaimed | e.OutcomeContested, sides: list[str]) -> str:
    """A winner with the score by name: `Annie 15 – Benny 3`."""
    if event.score is not None:
        return f"{sides[0]} {event.score[0]} – {sides[1]} {event.score[1]}"
    if event.winner is None:
        return translate("no winner")
    return translate("{side} won").format(side=sides[event.winner])


def _table(state: Tournament, event: OfMatch) -> str:
    """The place of a match: `round 1, table 1`; of a bracket the round has the name that people call it."""
    stage = state.stages[event.stage]
    place, pairing = stage.round_of(event.fixture), stage.pairings.get(event.fixture)
    if place is None or pairing is None:
        return _prefix(state, stage) + translate("match {fixture}").format(fixture=event.fixture)
    called = _round_called(stage, place, stage.part_of(event.fixture), stage.rounds[place].number)
    return _prefix(state, stage) + translate("{called}, table {table}").format(called=called, table=pairing.table)


def _round(state: Tournament, number: int, place: int) -> str:
    """A round by its place from 0, behind the stage where there are several."""
    stage = state.stages[number]
    here = stage.rounds[place]
    return f"{_prefix(state, stage)}{_round_called(stage, place, here.part, here.number)}"


def _round_called(stage: Stage, place: int, part: PlanPart, number: int) -> str:
    """A round as people call it: `round 2`, `Semi-finals`, `Third place`."""
    if not stage.format.bracket:
        return translate("round {number}").format(number=place + 1)
    return round_text(round_name(part, number, size_for(len(stage.order))))


def _prefix(state: Tournament, stage: Stage) -> str:
    return f"{_stage_name(stage)}, " if len(state.stages) > 1 else ""


def _stage_name(stage: Stage) -> str:
    return stage.setup.name or translate(stage.format.title)


def _side(side: tuple[str, ...], names: Mapping[str, str]) -> str:
    return " & ".join(names.get(entry, entry) for entry in side)
