"""The wall of a club's evening: one address that shows what runs, as anybody may see it, and follows it."""

from collections.abc import Hashable, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.game.protocol import Played
from domain.match.state import Match
from projections.tournaments.view import rounds_on
from service.desk.access import club_for
from service.desk.clubs import NamedRow, club_view, matches_of, named
from service.desk.delays import events_seen, match_seen
from service.desk.lists import soon
from service.desk.services import Services
from service.desk.who_is_in import TableView
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of
from service.languages.spoken import translate
from service.live.feed import Feed
from service.store.callers import Caller, onlooker_of
from service.store.glance import Glance
from service.store.loaded import LoadedClub
from service.web.clubs import newest, titles
from service.web.doors.scanning import only_here, scanned_at, typed_at
from service.web.evenings import evening_of
from service.web.following import Draw, followed, stream_of_page, told_as
from service.web.numbers import number_in
from service.web.qr import picture
from service.web.render import page
from service.web.slides import SECONDS, Slide, code_slides, paged, slides_of
from service.web.tournaments.frame import Frame, clock_of, frame_for
from service.web.tournaments.show import coded

LOOKED_AT: Final = 100  # matches that an evening is looked for among


class LiveTable(msgspec.Struct, frozen=True):
    """A table that is on: its match, the tricks of the deal by seat, and the cards that lie there, or lay last."""

    row: NamedRow
    tricks: tuple[int, ...] = ()
    cards: tuple[Played, ...] = ()


class Wall(msgspec.Struct, frozen=True):
    """The slides of an evening, with the tournament of each that has one, and the tables whose codes are shown."""

    slides: list[tuple[Slide, Frame | None]]
    codes: list[TableView]


@get("/clubs/{club_id:uuid}/wall", include_in_schema=False, query=("slide",), opt=ONE_TIME_SECRET)
async def wall_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The next slide of the evening; with no slide named the first."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    onlooker = onlooker_of(caller, club.club)
    version = await _version(services, onlooker, club)
    wall = await _wall(services, caller, onlooker, club)
    slides = wall.slides or [(Slide("quiet", translate("Tonight")), None)]
    at = ((number_in(request, "slide", 10_000) or 1) - 1) % len(slides)
    slide, frame = slides[at]
    links = {each.match: scanned_at(request, each.secret) for each in wall.codes}
    return page(
        "wall.html",
        onlooker,
        secret=bool(wall.codes),
        club=club_view(club),
        slide=slide,
        at=at + 1,
        of=len(slides),
        next=(at + 1) % len(slides) + 1,
        seconds=SECONDS,
        until=None if frame is None else await _until(frame, slide),
        zone=club.state.settings.zone,
        titles=titles(),
        version=version,
        me=None,
        qr={match: picture(link) for match, link in links.items() if link is not None},
        typed_at=typed_at(request),
        only_here=only_here(request),
    )


@stream_of_page("/clubs/{club_id:uuid}/wall/live")
async def wall_live(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """A number, again whenever there is more that anybody may see."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)

    async def now(feed: Feed, caller: Caller) -> tuple[Hashable, Draw]:
        at = services.recorder.clock()
        seen = await events_seen(services.streams, onlooker_of(caller, club.club), club.club, at, feed.position)
        told = await told_as(services, seen)
        return told, lambda: told

    return followed(request, services, caller, club.club, None, now, steward=True)


async def _version(services: Services, onlooker: Caller, club: LoadedClub) -> str:
    """The number of events that anybody may see, as it is told."""
    reached = await services.lists.reach(club.club, steward=True, until=soon())
    at = services.recorder.clock()
    seen = await events_seen(services.streams, onlooker, club.club, at, reached.position + reached.behind)
    return await told_as(services, seen)


async def _until(frame: Frame, slide: Slide) -> str | None:
    """The instant at which the round of a slide ends, or that which is on."""
    round_ = slide.round or next(reversed(rounds_on(frame.view)), None)
    return None if frame.state.finished else await clock_of(frame, round_)


async def _wall(services: Services, caller: Caller, onlooker: Caller, club: LoadedClub) -> Wall:
    """Gathers what runs tonight: codes where this device shows them, tables, then each tournament, then results."""
    until = soon()
    found = await matches_of(services, onlooker, club, "", LOOKED_AT, until=until)
    rows = await named(services.streams, found.rows, club)
    cups = await newest(services, onlooker, club, until)
    evening = evening_of(rows, cups, club.state.settings.zone, datetime.now(UTC), None)
    live = [row for row in evening.matches if row.status == "open" and row.deals]
    over = [row for row in evening.matches if row.status == "finished"]
    slides: list[tuple[Slide, Frame | None]] = []
    codes: list[TableView] = []
    frames = [await frame_for(services, onlooker, UUID(each.id)) for each in evening.running if each.status == "on"]
    for frame in frames:
        tables = await coded(frame, caller) or []
        codes += tables
        slides += [(each, frame) for each in code_slides(tables)]
    shown = await _shown(services, onlooker, club, live)
    slides += [(each, None) for each in _side_by_side("tables", translate("On the tables"), shown)]
    for frame in frames:
        own = (msgspec.structs.replace(each, of=frame.view.name) for each in slides_of(frame))
        slides += [(each, frame) for each in own]
    slides += [(each, None) for each in _side_by_side("results", translate("Results of tonight"), over)]
    return Wall(slides, codes)


def _side_by_side(kind: str, title: str, rows: Sequence[Any]) -> list[Slide]:
    """Slides of tiles: below each other while they are few, else two by two."""
    return [msgspec.structs.replace(each, across=1 + (len(each.rows) > 3)) for each in paged(Slide(kind, title, rows))]


async def _shown(services: Services, onlooker: Caller, club: LoadedClub, rows: Sequence[NamedRow]) -> list[LiveTable]:
    """Tables as anybody may see them now."""
    glance = Glance(services.streams)
    delayed = (row.tournament for row in rows if row.delay == "round")
    await glance.look_at(club.club, [*(row.id for row in rows), *filter(None, delayed)])
    return [await _live(services, glance, onlooker, row) for row in rows]


async def _live(services: Services, glance: Glance, onlooker: Caller, row: NamedRow) -> LiveTable:
    """A table as anybody may see it now."""
    known = await glance.match(row.id)
    if known is None:
        return LiveTable(row)
    shown = (await match_seen(glance, onlooker, known, services.recorder.clock())).match
    assert isinstance(shown, Match)
    deal = shown.deals[-1] if shown.deals else None
    if deal is None or deal.depth == "summary":
        return LiveTable(row)
    table = shown.setup.game.view(deal.table, None)
    return LiveTable(row, table.tricks, table.trick or table.last_trick)
