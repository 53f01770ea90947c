"""The page of a case."""

from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.log.actor import Strength
from domain.match.state import Deal, Setup, by_side, played, ruled_scores
from domain.match.windows import Closing, closing
from service.desk.clubs import club_view
from service.desk.services import Services
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of
from service.store.callers import Caller
from service.web.cases import told
from service.web.cases.course import Course, course_of
from service.web.cases.findings import (
    ShownAffirmation,
    ShownFinding,
    ShownOpening,
    affirmations_of,
    findings_of,
    openings_of,
)
from service.web.cases.offers import Offers, offers_of
from service.web.cases.reading import Looked, Reading, reading_of, seated
from service.web.cases.whatif import WhatIf, what_if
from service.web.forms import Form, number_of
from service.web.moments import figures
from service.web.render import page
from service.web.roles import people_of
from service.web.words import SIGNALS

FIELDS: Final = (
    "version",
    "match",
    "deal",
    "at",
    "finding",
    "code",
    "offence",
    "remedy",
    "supersedes",
    "findings",
    "rule",
)
FIGURES: Final = tuple(f"{name}{side}" for name in ("score", "points") for side in range(4))


class Question(msgspec.Struct, frozen=True):
    """The question before a step is taken: the step, what it says, the fields that are sent once more, the field that
    answers it and the words of its button."""

    step: str
    says: str
    fields: Form
    ask: str
    yes: str


class ShownDeal(msgspec.Struct, frozen=True):
    """The match of a case and the deal of it that is looked at, as the page has them. Before the first deal `number` is
    None, and nothing behind it is shown."""

    stream: str
    setup: Setup
    title: str
    place: tuple[int, int, str, int] | None
    people: list[str]
    sides: list[str]
    numbers: list[int]
    signals: str
    number: int | None = None
    dealer: str = ""
    known: bool = False
    result: str | None = None
    ruled: str | None = None
    void: bool = False
    own_table: bool = False
    window: Closing | None = None
    signatures: list[tuple[str, Strength]] = msgspec.field(default_factory=list)
    findings: tuple[ShownFinding, ...] = ()
    chosen: int | None = None
    told: bool = False
    openings: tuple[ShownOpening, ...] = ()
    affirmed: list[ShownAffirmation] = msgspec.field(default_factory=list)
    at: int | None = None
    rests: tuple[int, ...] = ()
    course: Course | None = None
    what_if: WhatIf | None = None


@get(
    "/cases/{case_id:uuid}",
    include_in_schema=False,
    query=(*FIELDS, *FIGURES, "reason", "held", "exceptional", "openings"),
)
async def case_page(request: AnyRequest, case_id: FromPath[UUID]) -> Response[str]:
    """The case as whoever looks may see it; `?at=25` is the position at that entry, `?remedy=` what one would move."""
    services, caller = services_of(request), await caller_of(request)
    return await shown(request, services, caller, case_id, dict(request.query_params))


async def shown(
    request: AnyRequest,
    services: Services,
    caller: Caller,
    case: UUID,
    form: Form,
    error: str = "",
    status: int = 200,
    question: Question | None = None,
) -> Response[str]:
    """The page, first or again with what was wrong, or with what is asked before a ruling is made."""
    reading = await reading_of(services, caller, case, form)
    offers = await offers_of(reading)
    looked = reading.looked
    deal = None if looked is None else await _deal(request, reading, looked, offers)
    return page(
        "cases/case.html",
        caller,
        status,
        secret=True,
        case=reading.seen.case,
        id=reading.seen.loaded.stream,
        viewer=reading.seen.viewer,
        directs=reading.directs,
        club=club_view(reading.seen.club),
        zone=reading.zone,
        names=reading.names,
        sides=reading.sides,
        signers=[[(each, reading.names.get(each)) for each in side] for side in reading.seen.case.sides],
        own=reading.caller.person_in(reading.seen.loaded.club),
        cup=reading.cup,
        matches=[(own.stream, _between(reading, own.match.setup.sides)) for own in reading.record.matches],
        matter=told.MATTERS[told.matter_of(reading)],
        ends=told.ENDED,
        outcomes=told.OUTCOMES,
        because=told.BECAUSE,
        steps=told.steps_of(reading),
        stated=told.statements_of(reading),
        sealed=told.sealed_until(reading),
        opened=reading.opened,
        witnesses=told.witnesses_of(reading),
        rulings=told.rulings_of(reading),
        offers=offers,
        people=people_of(reading.seen.club) if reading.seen.viewer.kind != "party" else [],
        form=form,
        error=error,
        question=question,
        looked=looked,
        deal=deal,
    )


def _between(reading: Reading, sides: tuple[tuple[str, ...], ...]) -> str:
    return " – ".join(" & ".join(map(reading.called, side)) for side in sides)


async def _deal(request: AnyRequest, reading: Reading, looked: Looked, offers: Offers) -> ShownDeal:
    """The match and the deal that is looked at, as the page shows them."""
    match, form = looked.match, reading.form
    _, people, sides = seated(match, reading.names)
    head = ShownDeal(
        stream=looked.own.stream,
        setup=match.setup,
        title=match.setup.game.title,
        place=looked.own.place,
        people=people,
        sides=sides,
        numbers=[each.number for each in match.deals],
        signals=SIGNALS[match.setup.signals],
    )
    deal = looked.deal
    if deal is None:
        return head
    found = await findings_of(reading, looked, deal, people)
    number = number_of(form, "finding") or 0
    chosen = found[number] if 0 <= number < len(found) else None
    at = _at(reading, looked, deal, chosen)
    rests = () if chosen is None else chosen.finding.rests_on
    result = played(match, deal)
    ruled = ruled_scores(deal)
    wanted = await asked(request, reading.caller)
    rules = offers.rules
    return msgspec.structs.replace(
        head,
        number=deal.number,
        dealer=people[deal.dealer],
        known=deal.cards is not None,
        result=None if result is None or result.void else figures(by_side(match.setup, result.scores)),
        ruled=None if ruled is None else figures(ruled),
        void=deal.void,
        own_table=deal.own_table,
        window=closing(match, deal, looked.moment),
        signatures=[(sides[side], each.strength) for side, each in sorted(deal.signatures.items())],
        findings=found,
        chosen=None if chosen is None else number,
        told=looked.told,
        openings=openings_of(reading, looked, deal),
        affirmed=affirmations_of(reading, deal, sides) if looked.told else [],
        at=at,
        rests=rests,
        course=course_of(reading, looked, deal, at, rests),
        what_if=await what_if(reading, looked, deal, chosen, people, sides, wanted) if rules else None,
    )


def _at(reading: Reading, looked: Looked, deal: Deal, chosen: ShownFinding | None) -> int | None:
    """The entry that is looked at: that which is asked for (0: the end), else the offence, else the one that was
    called to."""
    asked_for = number_of(reading.form, "at")
    if asked_for is not None:
        return asked_for or None
    entries = {version for version, _ in deal.facts}
    if chosen is not None and chosen.finding.version in entries:
        return chosen.finding.version
    told = [each.place for each in reading.seen.case.calls if each.version not in reading.kept_back]
    places = [each for each in told if each.match == looked.own.stream]
    return next((at for each in places for at in each.at if at in entries), None)
