"""Pages of a person who leaves: what erasing would take out and what stays, the erasure, and the record to keep."""

from typing import Final, get_args
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain import codec
from domain.club.events import ErasureReason
from domain.log.actor import SECRETARIES
from domain.log.decider import Refusal
from service.desk.access import club_for, require
from service.desk.clubs import club_view
from service.desk.exporting import ctn_of, export_of
from service.desk.foreseeing import ForeseenErasure, foreseen
from service.desk.leaving import erase_person
from service.http.answers import AnyResponse, as_file
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, go
from service.languages.spoken import N_, translated
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.forms import Form, form_of, text_of
from service.web.render import page

REASONS: Final = {
    "asked": N_("The person asked for it"),
    "law": N_("The law asks for it"),
    "mistake": N_("Entered by mistake"),
}
STRIKE: Final = "strike."
EVENTS: Final = {
    "MatchOpened": N_("the head of a record"),
    "DealStarted": N_("the head of a deal"),
    "EntryCorrected": N_("the reason of a correction"),
    "FactInserted": N_("the reason of a correction"),
    "FactWithdrawn": N_("why a card was taken back"),
    "CorrectionProposed": N_("the reason of a proposed correction"),
    "MatchSealed": N_("why a record was sealed"),
    "ResultDisputed": N_("a dispute"),
    "DisputeSettled": N_("the end of a dispute"),
    "RulingMade": N_("a ruling"),
    "IrregularityNoted": N_("an irregularity"),
    "ScoreStated": N_("a line of a score sheet"),
    "PlayerDescribed": N_("a note on a member"),
    "TournamentAnnounced": N_("the announcement of a tournament"),
    "ClubFounded": N_("the name of the club"),
    "SettingsChanged": N_("the name of the club"),
    "CaseOpened": N_("the call of a director"),
    "CaseJoined": N_("the call of a director"),
    "StatementSealed": N_("a statement"),
    "WitnessHeard": N_("what a witness said"),
    "AppealLodged": N_("an appeal"),
    "AppealHeard": N_("the decision on an appeal"),
    "CaseClosed": N_("the end of a case"),
}


@get("/clubs/{club_id:uuid}/members/{player_id:uuid}/erase", include_in_schema=False)
async def erase_page(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> Response[str]:
    """Shows what would go and what would stay, before anything is done."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    return _shown(request, caller, club, await foreseen(services.recorder, club.club, str(player_id)))


def _shown(
    request: AnyRequest,
    caller: Caller,
    club: LoadedClub,
    found: ForeseenErasure,
    form: Form | None = None,
    error: str = "",
    status: int = 200,
) -> Response[str]:
    """The page, first or again with what is wrong."""
    return page(
        "erase.html",
        caller,
        status,
        club=club_view(club),
        found=found,
        form=form or {},
        error=error,
        reasons=translated(REASONS),
        events=translated(EVENTS),
        strike=STRIKE,
        backup_days=request.app.state.settings.backup_days,
    )


@post("/clubs/{club_id:uuid}/members/{player_id:uuid}/erase", include_in_schema=False)
async def erase(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> AnyResponse:
    """Erase the person, and show what is left."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    form = await form_of(request)
    ticked = [name.removeprefix(STRIKE) for name in form if name.startswith(STRIKE)]
    try:
        reason = _reason(form)
        wanted = await asked(request, caller)
        await erase_person(services, club.club, str(player_id), reason, ticked, wanted)
    except Refusal as refusal:
        if refusal.slug not in ("malformed", "misfit"):
            raise
        found = await foreseen(services.recorder, club.club, str(player_id))
        return _shown(request, caller, club, found, form, refusal.detail, 400)
    return go(f"/clubs/{club.club}/members/{player_id}/erase")


def _reason(form: Form) -> ErasureReason:
    """The reason that was chosen by somebody who is sure. Raises Refusal."""
    reason: ErasureReason | None = next(
        (each for each in get_args(ErasureReason) if each == text_of(form, "reason")), None
    )
    if reason is None:
        raise Refusal("malformed", "choose why this person is erased")
    if not text_of(form, "sure"):
        raise Refusal("malformed", "this cannot be undone: tick that you are sure")
    return reason


@get(
    "/clubs/{club_id:uuid}/members/{player_id:uuid}/export",
    include_in_schema=False,
    query=("format",),
)
async def export(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> AnyResponse:
    """The person's own record as a file, as JSON or (`format=ctn`) the matches as CTN."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    if request.query_params.get("format") == "ctn":
        return as_file(await ctn_of(services, caller, club, str(player_id)), "text/plain; charset=utf-8", "matches.ctn")
    found = await export_of(services, caller, club, str(player_id))
    text = msgspec.json.format(codec.encode_plain(found), indent=2)
    return as_file(text, "application/json", "record.json")
