"""Replay: the table at any event, a timeline to step through, and links that open at one."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from msgspec.structs import asdict

from domain.log.decider import Refusal
from domain.match.mending import deal_with
from domain.match.sight import sight_of
from domain.match.state import Match, by_side
from projections.match import TimelineEvent
from projections.mending_view import windows_of
from service.desk.access import actor_at, match_for
from service.desk.best_play import best_at, may_be_told
from service.desk.pushed_here import recorded_elsewhere
from service.desk.showing import moment_shown
from service.desk.sight import ClubSight
from service.desk.timeline import timeline
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of
from service.store import log
from service.store.loaded import LoadedMatch
from service.web.matches import table_values
from service.web.moments import Teller, figures
from service.web.reasons import reasons_of
from service.web.render import page, plain, seat_text

NEAR: Final = 50  # events among which the tricks next to the one that is shown are looked for


def starts_of(match: Match, moments: Sequence[TimelineEvent]) -> list[int]:
    """The versions at which deals begin, and tricks among these moments."""
    found = {1, *(deal.version for deal in match.deals)}
    for before, moment in pairwise(moments):
        if moment.trick and (moment.deal, moment.trick) != (before.deal, before.trick):
            found.add(moment.version)
    return sorted(found)


def steps(starts: list[int], at: int, last: int) -> dict[str, int | None]:
    """The versions that the buttons lead to: one fact or one trick, back or on."""
    return {
        "first": 1 if at > 1 else None,
        "back": at - 1 if at > 1 else None,
        "on": at + 1 if at < last else None,
        "last": last if at < last else None,
        "trick_back": max((v for v in starts if v < at), default=None),
        "trick_on": min((v for v in starts if v > at), default=None),
    }


def _mendable(match: Match, at: int) -> int | None:
    """The deal in which the entry at a version can be put right; None for one that is no entry in force."""
    try:
        begins = any(deal.version == at for deal in match.deals)
        return deal_with(match, at, inserting=begins).number
    except Refusal:
        return None


class BestSaid(msgspec.Struct, frozen=True):
    """Best play at a moment, in words: what keeps everything, how it ends, and what was played instead, if anything."""

    best: tuple[str, ...]
    ends: str
    played: str
    kept: bool


async def _best(loaded: LoadedMatch, past: Match, people: list[str]) -> BestSaid | None:
    """Best play from the table of then beside what was played; None where hands are not known, or nobody acts."""
    match, number = loaded.match, past.deals[-1].number
    found = await best_at(loaded.stream, match, past)
    if found is None:
        return None
    key = match.setup.game.key
    own = [fact for version, fact in match.deals[number - 1].facts if version > past.version]
    low, high = found.margin
    ends = f"between {low:+d} and {high:+d}" if low != high else f"{low:+d}"
    if found.scores is not None:
        ends = figures(by_side(match.setup, found.scores))
    said = tuple(seat_text(key, plain(each), people) for each in found.best)
    played = seat_text(key, plain(own[0]), people) if own else ""
    return BestSaid(said, ends, played, bool(own) and own[0] in found.best)


@get("/matches/{match_id:uuid}/replay", include_in_schema=False, query=("at", "best"))
async def replay_page(request: AnyRequest, match_id: FromPath[UUID]) -> Response[str]:
    """`?at=17` opens at version 17, with the hundred events of the timeline around it; `best` asks for best play from
    there, where it may be told."""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match_id)
    last = loaded.head.version
    wanted = request.query_params.get("at", str(last))
    if not (wanted.isascii() and wanted.isdecimal() and len(wanted) <= 9):
        raise Refusal("malformed", "a step of the replay is a number, like 17")
    at = min(max(int(wanted), 1), last)
    past = await services.streams.match_at(loaded, at)
    assert past is not None
    before = (at - 1) // log.PAGE * log.PAGE
    stored = await log.read_stream(services.pool, loaded.club, loaded.stream, before, min(before + log.PAGE, last))
    moments = await timeline(services, loaded, loaded.match, max(at - NEAR, 0), at + NEAR)
    sight = ClubSight(services, caller, loaded.club)
    events = [plain(await sight.view(each)) for each in stored]
    told = await reasons_of(services, caller, loaded)
    moment = await moment_shown(services, caller, loaded)
    values = msgspec.structs.replace(table_values(caller, loaded, club, past, moment=moment), replaying=True)
    teller = Teller(loaded.match, values.match.sides, values.people, events)
    solves = may_be_told(loaded.match, past, sight_of(loaded.match, actor_at(caller, loaded), moment))
    asks = solves and "best" in request.query_params
    return page(
        "replay.html",
        caller,
        at=at,
        events=events,
        moment=teller.say,
        mendable=_mendable(loaded.match, at) if values.may_record or values.belongs else None,
        windows={each.deal: each for each in windows_of(loaded.match, moment)},
        steps=steps(starts_of(loaded.match, moments), at, last),
        now=events[at - 1 - before],
        last=last,
        earlier=before or None,
        later=before + log.PAGE + 1 if before + log.PAGE < last else None,
        title=loaded.match.setup.game.title,
        trick=next((each.trick for each in moments if each.version == at), 0),
        solves=solves,
        best=await _best(loaded, past, values.people) if asks else None,
        asked_best=asks,
        elsewhere=await recorded_elsewhere(services, loaded, club),
        reasons={each.version: each.words for each in told},
        **asdict(values),
    )
