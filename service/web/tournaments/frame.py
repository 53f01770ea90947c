"""The frame of every page of a tournament: its caller, the tournament with its club, the tabs, the player "me"."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response
from litestar.datastructures import Cookie

from domain.tournament.doubts import NONE, Doubt
from domain.tournament.state import Tournament
from projections.merged import tournament_with
from projections.tournaments.rounds import RoundView
from projections.tournaments.view import TournamentView, calling, tournament_view
from service.desk.access import tournament_for
from service.desk.clubs import club_view
from service.desk.doubts import beside
from service.desk.pushed_here import recorded_elsewhere
from service.desk.services import Services
from service.desk.showing import names_of
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of
from service.languages.spoken import translate
from service.store import log
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedTournament
from service.web.following import told_as
from service.web.kept import NOWHERE
from service.web.labels import tournament_labelled
from service.web.render import page

ME = "lurch_me"


class Frame(msgspec.Struct, frozen=True):
    """A tournament as a page has it; `names` are what each entry is called, `beside` the doubts about results
    that do not stand in it, `elsewhere` the time at which it was brought here by a push."""

    services: Services
    caller: Caller
    loaded: LoadedTournament
    club: LoadedClub
    view: TournamentView
    names: dict[str, str]
    me: str | None
    beside: Mapping[str, Doubt] = NONE
    elsewhere: datetime | None = None
    version: str = ""  # as pages that follow are told

    @property
    def state(self) -> Tournament:
        """The tournament itself."""
        return self.loaded.tournament

    @property
    def directs(self) -> bool:
        """True where the controls of a director are there."""
        return self.caller.directs(self.loaded.club, self.loaded.stream)

    @property
    def path(self) -> str:
        """The address of the tournament."""
        return f"/tournaments/{self.loaded.stream}"


async def frame_of(request: AnyRequest, tournament: UUID) -> Frame:
    """The tournament that a page is about. Raises Refusal."""
    me = request.query_params.get("me", request.cookies.get(ME)) or None
    return await frame_for(services_of(request), await caller_of(request), tournament, me)


async def frame_for(services: Services, caller: Caller, tournament: UUID, me: str | None = None) -> Frame:
    """A tournament as a caller may see it. Raises Refusal."""
    loaded, club = await tournament_for(services, caller, tournament)
    names = names_of(club)
    state = tournament_with(club.state.firsts(), loaded.tournament)
    doubts = await beside(services.streams, loaded.club, state)
    view = tournament_labelled(tournament_view(loaded.stream, loaded.club, state, names, doubts))
    mine = me if me in loaded.tournament.entries else None
    brought = await recorded_elsewhere(services, loaded, club)
    told = await told_as(services, view.version)
    named = calling(loaded.tournament, names)
    return Frame(services, caller, loaded, club, view, named, mine, doubts, brought, told)


def tabs_of(frame: Frame) -> list[tuple[str, str, str]]:
    """(key, path behind the tournament's, text) of each page that says something."""
    found = [("round", "", translate("Pairings")), ("standings", "/standings", translate("Standings"))]
    formats = [stage.format for stage in frame.state.stages]
    if any(each.bracket for each in formats):
        found.append(("bracket", "/bracket", translate("Bracket")))
    if any(each.tiebreaks for each in formats):
        found.append(("crosstable", "/crosstable", translate("Crosstable")))
    found += [("entries", "/entries", translate("Players")), ("paper", "/paper", translate("Paper"))]
    if frame.directs:
        found += [
            ("director", "/director", translate("Director")),
            ("doors", "/doors", translate("Tables")),
            ("log", "/log", translate("Steps")),
        ]
    return found


def shown(
    frame: Frame,
    template: str,
    tab: str,
    status: int = 200,
    error: str = "",
    question: Mapping[str, str] | None = None,
    **values: Any,
) -> Response[str]:
    """A page of a tournament; the fields of `question` are sent again by the button that answers an error."""
    answer = page(
        f"tournaments/{template}.html",
        frame.caller,
        status,
        t=frame.view,
        tab=tab,
        error=error,
        question=question,
        tabs=tabs_of(frame),
        me=frame.me,
        directs=frame.directs,
        club=club_view(frame.club),
        zone=frame.club.state.settings.zone,
        elsewhere=frame.elsewhere,
        version=frame.version,
        **values,
    )
    if frame.me:
        answer.headers.update(NOWHERE)
        answer.headers.pop("ETag", None)
        answer.set_cookie(Cookie(key=ME, value=frame.me, path=frame.path, samesite="lax", max_age=86_400))
    return answer


async def clock_of(frame: Frame, round_: RoundView | None) -> str | None:
    """The instant at which a round's clock ends; None where none runs."""
    if round_ is None or not round_.minutes or not round_.clock:
        return None
    version = round_.clock
    pool = frame.services.pool
    stored = await log.read_stream(pool, frame.loaded.club, frame.loaded.stream, version - 1, version)
    if not stored:
        return None
    end = stored[0].event.recorded_at + timedelta(minutes=round_.minutes)
    return end.strftime("%Y-%m-%dT%H:%M:%SZ")
