"""Equity of best play, beside what was played: asked for by those who may rule, worked out while the page of the case
stands."""

from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.log.decider import Refusal
from domain.match.audit.equity import Equity, Margins
from domain.match.state import Match, by_side
from service.desk import rulings
from service.desk.clubs import club_view
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of
from service.languages.spoken import translate
from service.web.cases.offers import offers_of
from service.web.cases.reading import reading_of, seated
from service.web.forms import number_of
from service.web.moments import figures
from service.web.render import capital, page


class ShownEquity(msgspec.Struct, frozen=True):
    """Equity in words: what is missing, else rows of what is compared, the margin and the scores, and whether they are
    exact."""

    missing: str = ""
    rows: tuple[tuple[str, str, str], ...] = ()
    exact: bool = False


@get("/cases/{case_id:uuid}/equity", include_in_schema=False, query=("match", "deal", "finding", "offence"))
async def equity_page(request: AnyRequest, case_id: FromPath[UUID]) -> Response[str]:
    """A page of its own, and the part of it that a script puts beside the ruling. Raises Refusal for who may not rule
    now."""
    services, caller = services_of(request), await caller_of(request)
    form = dict(request.query_params)
    reading = await reading_of(services, caller, case_id, form)
    looked, offence = reading.looked, number_of(form, "offence")
    if looked is None or looked.deal is None or not (await offers_of(reading)).rules:
        raise Refusal("forbidden", "this is for who rules on the case")
    unnamed = translate("Name the entry at which the rule was broken: play is compared from there.")
    told = ShownEquity(unnamed)
    if offence is not None:
        try:
            stream, number = UUID(looked.own.stream), looked.deal.number
            told = said(looked.match, await rulings.equity_of(services, caller, stream, number, offence), reading.names)
        except Refusal as refusal:
            told = ShownEquity(f"{capital(refusal.detail)}.")
    return page(
        "cases/equity.html",
        caller,
        secret=True,
        club=club_view(reading.seen.club),
        case=str(case_id),
        match=looked.own.stream,
        number=looked.deal.number,
        at=offence,
        **msgspec.structs.asdict(told),
    )


def said(match: Match, found: Equity, names: dict[str, str | None]) -> ShownEquity:
    """Puts what was found into words: rows of margins with the side that is ahead, or what is missing."""
    if found.missing is not None or found.before is None or found.after is None:
        return ShownEquity(translate("It cannot be told. What is missing: {missing}.").format(missing=found.missing))
    _, people, _ = seated(match, names)
    sides = [" & ".join(people[seat] for seat in seats) for seats in found.sides]
    rows = [
        (translate("Best play from before it"), _margin(found.before, sides), _scores(match, found.before)),
        (translate("Best play from after it"), _margin(found.after, sides), _scores(match, found.after)),
    ]
    if found.table is not None:
        rows.append((translate("As it was played"), _ahead(found.table, sides), ""))
    exact = found.before.exact and found.after.exact
    return ShownEquity("", tuple(rows), exact)


def _margin(found: Margins, sides: list[str]) -> str:
    """A margin, or the two between which it lies."""
    if found.low == found.high:
        return _ahead(found.low, sides)
    low, high = _ahead(found.low, sides), _ahead(found.high, sides)
    return translate("between {low} and {high}").format(low=low, high=high)


def _ahead(margin: int, sides: list[str]) -> str:
    if not margin or len(sides) < 2:
        return translate("level") if not margin else f"{margin:+d}"
    side = sides[0] if margin > 0 else sides[1]
    return translate("{side} {points} ahead").format(side=side, points=abs(margin))


def _scores(match: Match, found: Margins) -> str:
    """The scores of one way to play on so, by side as the page has them."""
    return "" if found.scores is None else figures(by_side(match.setup, found.scores))
