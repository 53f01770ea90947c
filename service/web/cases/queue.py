"""The queue of a club's cases as a page that follows them; the same rows stand on the director's board."""

import hashlib
from collections.abc import Mapping
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from service.desk.access import check_known, club_for
from service.desk.cases.queue import CaseRow, check_hears, rows
from service.desk.clubs import club_view
from service.http import frames
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.case_news import told_of_cases
from service.http.cookies import caller_of, credential_of
from service.http.senders import address
from service.http.streaming import FollowRequest
from service.languages.spoken import translate, translated
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.cases.told import ENDED, MATTERS, age
from service.web.following import stream_of_page
from service.web.render import known_name, page
from service.web.said import deal_text


class Row(msgspec.Struct, frozen=True):
    """A case in the queue, in words: who is concerned, what it is, where, and how long it has waited."""

    row: CaseRow
    sides: str
    what: str
    where: str
    waited: str


class ShownQueue(msgspec.Struct, frozen=True):
    """A queue as its template has it: cases that wait and that are over, the words for how one ended, and where it
    stands: a tap leads back to it."""

    waiting: list[Row]
    over: list[Row]
    ends: Mapping[str, str]
    back: str


def row_of(each: CaseRow) -> Row:
    """A row of the queue in words."""
    sides = " – ".join(" & ".join(map(known_name, side)) for side in each.sides)
    code = "" if each.code is None else f", {each.code}"
    near = translate("you are too near to it")
    what = near if each.matter is None else f"{translate(MATTERS[each.matter])}{code}"
    table = "" if each.table is None else translate("table {table}").format(table=each.table)
    deal = "" if each.deal is None else deal_text(each.deal)
    where = ", ".join(filter(None, (table or (each.fixture or ""), deal)))
    waited = translate("answered after {age}") if each.answered else translate("waits for {age}")
    return Row(each, sides, what, where, waited.format(age=age(each.waited)))


def words_of(found: list[CaseRow], back: str) -> ShownQueue:
    """The values that the template of a queue needs; `back` is where it stands: a tap leads back to it."""
    told = [row_of(each) for each in found]
    return ShownQueue(
        waiting=[each for each in told if each.row.state != "closed"],
        over=[each for each in told if each.row.state == "closed"],
        ends=translated(ENDED),
        back=back,
    )


@get("/clubs/{club_id:uuid}/cases", include_in_schema=False)
async def queue_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The cases of a club, for those who direct."""
    services, caller = services_of(request), await caller_of(request)
    club = await _club(request, caller, club_id)
    found = await rows(services.streams, caller, club, services.recorder.clock())
    return page(
        "cases/queue.html",
        caller,
        secret=True,
        club=club_view(club),
        zone=club.state.settings.zone,
        mark=mark_of(found),
        **msgspec.structs.asdict(words_of(found, f"club {club.club}")),
    )


async def _club(request: AnyRequest, caller: Caller, club_id: UUID) -> LoadedClub:
    """The club, for whom the queue is. Raises Refusal."""
    club = await club_for(services_of(request), caller, club_id)
    check_known(caller)
    check_hears(caller, club.club)
    return club


@stream_of_page("/clubs/{club_id:uuid}/cases/live")
async def queue_live(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """A mark that differs whenever a case was opened or something happened in one; what is there the page reads."""
    services, caller = services_of(request), await caller_of(request)
    await _club(request, caller, club_id)

    async def drawn(fresh: Caller) -> str:
        club = await _club(request, fresh, club_id)
        return mark_of(await rows(services.streams, fresh, club, services.recorder.clock()))

    listening = FollowRequest(
        str(club_id), None, caller, credential_of(request) if caller.known else None, address(request)
    )
    return told_of_cases(services, listening, drawn, frames.PULSE)


def mark_of(found: list[CaseRow]) -> str:
    """A stamp that changes with the queue and not with time alone; the same in every process."""
    steady = [msgspec.structs.replace(each, waited=0) for each in found]
    return hashlib.sha256(msgspec.json.encode(steady)).hexdigest()[:16]
