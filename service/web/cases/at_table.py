"""Words to the director from a table: a statement by the name that was tapped there, and by PIN a statement, an
acceptance of a ruling or an appeal. Of the case itself this page tells nothing."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath

from domain.case.commands import LodgeAppeal, MakeStatement
from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match import commands as mc
from domain.match.audit.catalogue import catalogue
from domain.match.decide import decide
from domain.match.state import Deal, Match, ruling_in_force, side_of
from service.desk import matches
from service.desk.access import actor_at, belongs, check_known, match_for, match_to_write
from service.desk.cases import acting, heard
from service.desk.clubs import club_view
from service.desk.doubts import appealed_in
from service.desk.requests import Request
from service.desk.services import Services
from service.desk.showing import moment_shown, names_of
from service.desk.signing import without_pin
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, check_same, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.languages.spoken import N_, translate
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedMatch
from service.web.cases.whatif import words_of
from service.web.forms import Form, form_of, number_of, text_of
from service.web.matches import may_record
from service.web.moments import figures
from service.web.render import page
from service.web.words import unread

LONG: Final = 4000
SAID: Final = {
    "statement": N_("It is with the director now, sealed until every side has stated."),
    "accept": N_("The ruling is accepted."),
    "appeal": N_("The appeal is lodged: somebody else decides it."),
}


class RulingHere(msgspec.Struct, frozen=True):
    """A ruling in force on a deal of this table, in words; the sides that may still accept it, by themselves here and
    by PIN; whether it is under appeal, and whether it is final."""

    deal: int
    version: int
    text: str
    own: int | None
    by_pin: tuple[int, ...]
    appealed: bool
    final: bool


async def _seen(services: Services, caller: Caller, match: UUID) -> tuple[LoadedMatch, LoadedClub]:
    """A match for whoever is in at its table, plays, keeps the score or directs there. Raises Refusal."""
    loaded, club = await match_for(services, caller, match)
    if not belongs(caller, loaded) and not may_record(caller, loaded):
        check_known(caller)
        raise Refusal("forbidden", "this is for those who are in at the table, its players and the director")
    return loaded, club


@get("/matches/{match_id:uuid}/case", include_in_schema=False, query=("said",))
async def table_page(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """Leads whoever has a page of the case to it; shows everybody else the table's own."""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await _seen(services, caller, match_id)
    known = await heard.heard_at(services, caller, loaded, await moment_shown(services, caller, loaded))
    if known is not None and known.page:
        return go(f"/cases/{known.case}")
    return await _shown(
        services, loaded, club, caller, known, said=translate(SAID.get(request.query_params.get("said", ""), ""))
    )


async def _shown(
    services: Services,
    loaded: LoadedMatch,
    club: LoadedClub,
    caller: Caller,
    known: heard.Heard | None,
    said: str = "",
    error: str = "",
    words: str = "",
    status: int = 200,
) -> AnyResponse:
    """The page, first or again with what was wrong; what was written stands there still, and no PIN."""
    match, names = loaded.match, names_of(club)
    actor = actor_at(caller, loaded)
    tapped = next((each.person for each in actor.rights if each.by_code and each.person is not None), None)
    appealed = await appealed_in(services.streams, loaded)
    return page(
        "cases/at_table.html",
        caller,
        status,
        secret=True,
        club=club_view(club),
        zone=club.state.settings.zone,
        match=loaded.stream,
        sides=[[(each, names.get(each)) for each in side] for side in match.setup.sides],
        tapped=None if tapped is None else names.get(tapped),
        by_name=tapped is not None,
        heard=known,
        rulings=[each for deal in match.deals if (each := _ruling(match, deal, actor, appealed)) is not None],
        said=said,
        error=error,
        words=words,
    )


def _ruling(match: Match, deal: Deal, actor: Actor, appealed: frozenset[int]) -> RulingHere | None:
    """The ruling in force on a deal; None where there is none."""
    last = ruling_in_force(deal)
    if last is None:
        return None
    known = catalogue(match.setup.game).get(last.code)
    scores = translate("the score stands") if last.scores is None else figures(last.scores)
    left = [side for side in range(len(match.setup.sides)) if side not in last.accepted]
    own = next((side for each in actor.each() if (side := side_of(match, each)) in left), None)
    return RulingHere(
        deal.number,
        last.version,
        f"{translate('An irregularity') if known is None else known.title}: {scores}",
        own if own is not None and _accepted(match, deal, own, actor) else None,
        tuple(each for each in left if _accepted(match, deal, each, _by_pin(match, each))),
        last.version in appealed,
        last.instance > 1,
    )


def _by_pin(match: Match, side: int) -> Actor:
    """A person of a side who has typed a PIN."""
    person = match.setup.sides[side][0]
    return Actor("player", person=person, id=person, strength="pin")


def _accepted(match: Match, deal: Deal, side: int, actor: Actor) -> bool:
    """Tells whether an acceptance of the ruling in force would be taken."""
    last = ruling_in_force(deal)
    command = mc.AcceptRuling(deal=deal.number, side=side, ruling=None if last is None else last.version)
    for each in actor.each():
        try:
            decide(match, command, each)
        except Refusal:
            continue
        return True
    return False


class Said(msgspec.Struct, frozen=True):
    """A form that was sent from a table: by whom, who signs it, what it says."""

    request: AnyRequest
    services: Services
    signer: Caller
    match: UUID
    form: Form
    pinned: bool

    async def wanted(self) -> Request:
        """The request for the record."""
        return await asked(self.request, self.signer)

    @property
    def words(self) -> str | None:
        """The words that were written."""
        return words_of(self.form, "words", LONG) or None


async def _statement(said: Said) -> None:
    wanted = await said.wanted()
    if said.pinned:
        wanted = acting.unmarked(wanted, said.match, MakeStatement(words=said.words))
    await heard.state(said.services, said.signer, said.match, said.words, wanted)


async def _accept(said: Said) -> None:
    loaded = await match_to_write(said.services, said.signer, said.match)
    own = side_of(loaded.match, actor_at(said.signer, loaded))
    deal, ruling = number_of(said.form, "deal") or 0, number_of(said.form, "ruling")
    command = mc.AcceptRuling(deal=deal, side=-1 if own is None else own, ruling=ruling)
    wanted = without_pin(await said.wanted(), said.match, command) if said.pinned else await said.wanted()
    await matches.record(said.services, said.signer, said.match, command, wanted)


async def _appeal(said: Said) -> None:
    if not said.pinned:
        raise Refusal("forbidden", "an appeal is lodged on your own phone, or with your PIN")
    ruling = number_of(said.form, "ruling") or 0
    about = LodgeAppeal(match=str(said.match), ruling=ruling, words=said.words)
    wanted = acting.unmarked(await said.wanted(), said.match, about)
    await heard.appeal(said.services, said.signer, said.match, ruling, said.words, wanted)


Saying: TypeAlias = Callable[[Said], Awaitable[None]]
STEPS: Final[Mapping[str, Saying]] = {"statement": _statement, "accept": _accept, "appeal": _appeal}


@post("/matches/{match_id:uuid}/case/{step:str}", include_in_schema=False)
async def say(request: AnyRequest, match_id: FromPath[UUID], step: FromPath[str]) -> AnyResponse:
    """One of the three; what is refused is said on the page."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    check_same(request, caller)
    loaded, club = await _seen(services, caller, match_id)
    doing = STEPS.get(step)
    if doing is None:
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    form = await form_of(request)
    try:
        signer = await _signer(services, caller, loaded, form)
        await doing(Said(request, services, signer, match_id, form, signer is not caller))
    except Refusal as refusal:
        error, status = refusal.detail, KINDS[known_slug(refusal)].status
    except (msgspec.MsgspecError, ValueError) as wrong:
        error, status = unread(wrong).detail, 400
    else:
        return go(f"/matches/{match_id}/case?said={step}")
    known = await heard.heard_at(services, caller, loaded, await moment_shown(services, caller, loaded))
    return await _shown(services, loaded, club, caller, known, error=error, words=_kept(form), status=status)


async def _signer(services: Services, caller: Caller, loaded: LoadedMatch, form: Form) -> Caller:
    """The signer: the person who typed a PIN here, else the caller. Raises Refusal."""
    pin, person = text_of(form, "pin"), text_of(form, "person")
    if not pin:
        return caller
    if not any(person in side for side in loaded.match.setup.sides):
        raise Refusal("malformed", "say whose PIN it is: somebody who plays at this table")
    return await acting.alone(services, caller, loaded.club, person, pin)


def _kept(form: Form) -> str:
    """The words that were written, where they can be read."""
    try:
        return words_of(form, "words", LONG)
    except Refusal:
        return ""
