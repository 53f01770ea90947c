"""The buttons of a case: each form is one step in it, or one in its match, and leads back to its page."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias
from uuid import UUID

import msgspec
from litestar import post
from litestar.params import FromPath

from domain.case import commands as c
from domain.case.events import AppealOutcome, Ended
from domain.log.decider import Refusal
from domain.match import commands as mc
from domain.match.mending_commands import Affirm
from domain.match.starting import deal_named
from domain.match.state import side_of
from service.desk import matches, rulings
from service.desk.access import actor_at, match_for, match_to_write
from service.desk.cases import acting
from service.desk.cases.access import case_for
from service.desk.cases.bodies import AppealBody, JoinBody
from service.desk.cases.ruling import rule
from service.desk.requests import Request
from service.desk.services import Services
from service.desk.signing import without_pin
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, check_same, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.languages.spoken import translate
from service.store.callers import Caller
from service.web.cases.page import Question, shown
from service.web.cases.whatif import command_of, words_of
from service.web.forms import Form, form_of, number_of, text_of
from service.web.moments import figures
from service.web.words import unread

LONG: Final = 4000
FROM: Final = re.compile(r"(club|tournament) ([0-9a-f-]{36})")


class Act(msgspec.Struct, frozen=True):
    """A form that was sent: who sent it, about which case, what it says, and the request for the record."""

    request: AnyRequest
    services: Services
    caller: Caller
    case: UUID
    form: Form
    wanted: Request

    @property
    def match(self) -> UUID:
        """The match that the page showed. Raises Refusal."""
        try:
            return UUID(text_of(self.form, "match"))
        except ValueError:
            raise Refusal("malformed", "this form names no match: load the page anew") from None

    @property
    def words(self) -> str | None:
        """The text that was written."""
        return words_of(self.form, "words", LONG) or None


Doing: TypeAlias = Callable[[Act], Awaitable[Any]]


async def _step(act: Act, command: c.CaseCommand) -> None:
    await acting.step(act.services, act.caller, act.case, command, act.wanted)


async def _signed(act: Act, command: c.CaseCommand) -> None:
    """A step that somebody else may sign by PIN on this device; no mark of the PIN is kept with it."""
    signer = await _signer(act)
    wanted = act.wanted
    if signer is not act.caller:
        wanted = acting.unmarked(await asked(act.request, signer, act.wanted.expected), act.case, command)
    await acting.step(act.services, signer, act.case, command, wanted)


async def _signer(act: Act) -> Caller:
    """The signer: the person who typed a PIN here, else the caller. Raises Refusal."""
    person, pin = text_of(act.form, "person") or None, text_of(act.form, "pin") or None
    return await acting.signing(act.services, act.caller, act.case, person, pin)


async def _statement(act: Act) -> None:
    await _signed(act, c.MakeStatement(side=number_of(act.form, "side"), words=act.words))


async def _open(act: Act) -> None:
    await _step(act, c.OpenStatements())


async def _witness(act: Act) -> None:
    await _step(act, c.HearWitness(person=text_of(act.form, "person"), words=act.words))


async def _take(act: Act) -> None:
    await _step(act, c.AssignRuler(person=await _me(act), instead=text_of(act.form, "instead") or None))


async def _ruler(act: Act) -> None:
    person, instead = text_of(act.form, "person"), text_of(act.form, "instead") or None
    await _step(act, c.AssignRuler(person=person, instead=instead))


async def _step_back(act: Act) -> None:
    await _step(act, c.RecuseRuler(person=await _me(act), because="asked"))


async def _me(act: Act) -> str:
    """The person who is signed in. Raises Refusal."""
    seen = await case_for(act.services, act.caller, act.case)
    own = act.caller.person_in(seen.loaded.club)
    if own is None:
        raise Refusal("misfit", "say who you are first: the club's page asks")
    return own


async def _join(act: Act) -> None:
    body = JoinBody(match=act.match, deal=number_of(act.form, "joined"), reason=act.words)
    await acting.join(act.services, act.caller, act.case, body, act.wanted)


async def _close(act: Act) -> None:
    await _step(act, c.CloseCase(ended=msgspec.convert(text_of(act.form, "ended"), Ended), words=act.words))


async def _reopen(act: Act) -> None:
    await _step(act, c.ReopenCase())


async def _appeal(act: Act) -> None:
    body = AppealBody(
        ruling=number_of(act.form, "ruling") or 0,
        match=text_of(act.form, "appealed"),
        side=number_of(act.form, "side"),
        grounds=act.words,
    )
    await _signed(act, await acting.appealing(act.services, act.caller, act.case, body))


async def _decide(act: Act) -> None:
    outcome = msgspec.convert(text_of(act.form, "outcome"), AppealOutcome)
    panel, dissent = _panel(act.form) if outcome in ("stands", "changed") else ((), ())
    command = c.HearAppeal(
        appeal=number_of(act.form, "appeal") or 0,
        panel=panel,
        outcome=outcome,
        dissent=dissent,
        words=act.words,
    )
    await _step(act, command)


def _panel(form: Form) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The people who heard an appeal, as ticked, and those of them who would have decided otherwise."""
    dissent = text_of(form, "dissent")
    ticked = tuple(name.removeprefix("panel_")[:80] for name in form if name.startswith("panel_"))
    return ticked, (dissent,) if dissent else ()


async def _affirm(act: Act) -> None:
    await _seen_with(act)
    versions = tuple(int(each) for each in text_of(act.form, "versions").split(" ") if each.isdecimal())
    inspected = text_of(act.form, "inspected") == "1"
    command = Affirm(deal=number_of(act.form, "deal") or 0, versions=versions, inspected=inspected)
    await matches.record(act.services, act.caller, act.match, command, act.wanted)


async def _accept(act: Act) -> None:
    await _seen_with(act)
    signer, wanted, side = await _signer(act), act.wanted, number_of(act.form, "side")
    if signer is not act.caller:
        loaded = await match_to_write(act.services, signer, act.match)
        side = side_of(loaded.match, actor_at(signer, loaded))
    deal, ruling = number_of(act.form, "deal") or 0, number_of(act.form, "ruling")
    command = mc.AcceptRuling(deal=deal, side=-1 if side is None else side, ruling=ruling)
    if signer is not act.caller:
        wanted = without_pin(await asked(act.request, signer), act.match, command)
    await matches.record(act.services, signer, act.match, command, wanted)


async def _seen_with(act: Act) -> None:
    """Raises Refusal where the case is not there for this caller, or is about no such match."""
    seen = await case_for(act.services, act.caller, act.case)
    if str(act.match) not in {each.match for each in seen.case.places()}:
        raise Refusal("misfit", "this case is about no such match")


class Asks(Exception):  # it is a question, and no error
    """The question that is asked before a ruling is made."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.says)
        self.question = question


async def _rule(act: Act) -> None:
    """A ruling is asked for once: what it does is said, and the next tap makes it."""
    await _seen_with(act)
    loaded, _ = await match_for(act.services, act.caller, act.match)
    deal = deal_named(loaded.match, number_of(act.form, "deal"))
    code, offence = text_of(act.form, "code", "OTH"), number_of(act.form, "offence")
    command = command_of(act.form, loaded.match, deal, code, offence)
    if not text_of(act.form, "sure"):
        found = await rulings.preview_of(act.services, act.caller, act.match, command, act.wanted)
        scores = translate("the score stands") if found.scores is None else figures(found.scores)
        ruled = translate("Deal {deal} is ruled {scores}. It counts at once, and both sides read the reason.")
        says = ruled.format(deal=deal.number, scores=scores)
        fields = {name: value for name, value in act.form.items() if name != "version"}
        yes = translate("Confirm: {scores}").format(scores=scores)
        raise Asks(Question("rule", says, fields, "sure", yes))
    try:
        await rule(act.services, act.caller, act.case, act.match, command, act.wanted)
    except Refusal as refusal:
        if refusal.slug != "confirm-needed":
            raise
        doubted = translate("No deal of this game gives {scores}. Is that meant? The reason has to say why.")
        says = doubted.format(scores=figures(command.scores))
        fields = {name: value for name, value in act.form.items() if name != "version"}
        raise Asks(Question("rule", says, fields, "exceptional", translate("It is meant"))) from None


STEPS: Final[Mapping[str, Doing]] = {
    "statement": _statement,
    "open": _open,
    "witness": _witness,
    "take": _take,
    "ruler": _ruler,
    "step-back": _step_back,
    "join": _join,
    "close": _close,
    "reopen": _reopen,
    "appeal": _appeal,
    "decide": _decide,
    "affirm": _affirm,
    "accept": _accept,
    "rule": _rule,
}
ON_MATCH: Final = ("affirm", "accept", "rule")  # they are built on the match, not on the version of the case


@post("/cases/{case_id:uuid}/{step:str}", include_in_schema=False)
async def act(request: AnyRequest, case_id: FromPath[UUID], step: FromPath[str]) -> AnyResponse:
    """One step; what is refused is said on the page."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    check_same(request, caller)
    await case_for(services, caller, case_id)  # a form that cannot be read is no news for a stranger
    doing = STEPS.get(step)
    if doing is None:
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    form = await form_of(request)
    try:
        version = None if step in ON_MATCH else number_of(form, "version")
        await doing(Act(request, services, caller, case_id, form, await asked(request, caller, version)))
    except Asks as asks:
        return await shown(request, services, caller, case_id, form, question=asks.question)
    except Refusal as refusal:
        status = KINDS[known_slug(refusal)].status
        return await shown(request, services, caller, case_id, form, refusal.detail, status)
    except (msgspec.MsgspecError, ValueError) as error:
        return await shown(request, services, caller, case_id, form, unread(error).detail, 400)
    return go(_from(form) or f"/cases/{case_id}{_back(form)}")


def _from(form: Form) -> str:
    """The queue or the board on which the button stood; nothing where it was the case's own page."""
    found = FROM.fullmatch(form.get("from", ""))
    if found is None:
        return ""
    return f"/clubs/{found[2]}/cases" if found[1] == "club" else f"/tournaments/{found[2]}/director"


def _back(form: Form) -> str:
    """The same deal of the same match."""
    try:
        match, deal = UUID(text_of(form, "match")), number_of(form, "deal")
    except (ValueError, Refusal):
        return ""
    return f"?match={match}&deal={deal}" if deal else ""
