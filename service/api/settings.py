"""The settings of a club over HTTP, and the house rules of its games."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from service.api.clubs import AsOfClub
from service.desk.access import club_for
from service.desk.as_of import club_at, position_of
from service.desk.bodies import Page
from service.desk.settings import (
    HouseRulesBody,
    RulesAnswer,
    SettingsAnswer,
    SettingsBody,
    SettingsView,
    adopt_rules,
    change_settings,
    rules_of,
    settings_view,
)
from service.http.answers import as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of

OfGame = Annotated[str | None, QueryParameter(name="game", max_length=40, description="a game's key; else all games")]


class SettingsController(Controller):
    """How a club does things."""

    path = "/clubs/{club_id:uuid}"
    tags = ["settings"]

    @get("/settings", operation_id="readSettings", summary="The settings of a club")
    async def settings(
        self, request: AnyRequest, club_id: FromPath[UUID], moment: AsOfClub = None
    ) -> Response[SettingsView]:
        """Now, or as of a position of its log or a time."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(settings_view(await club_at(services, club, await position_of(services, club, moment))))

    @post("/settings", operation_id="changeSettings", summary="Change settings: those that are given, and no other")
    async def change(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[SettingsBody]
    ) -> Response[SettingsAnswer]:
        """For secretaries and the owner; it takes effect at once. A refusal `lost-race` holds what stands `now` and
        `yours`."""
        services, caller = services_of(request), await caller_of(request)
        done, changed = await change_settings(services, caller, club_id, data, await asked(request, caller))
        answer = SettingsAnswer(done.last, changed, settings_view(done.loaded))
        return as_json(answer, 201 if done.last >= done.first else 200)

    @get("/house-rules", operation_id="listHouseRules", summary="The house rules of a club, the newest first")
    async def house_rules(
        self, request: AnyRequest, club_id: FromPath[UUID], game: OfGame = None, moment: AsOfClub = None
    ) -> Response[Page]:
        """With the time from which they were in force. A match says with `house` which of them it was opened by."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        past = await club_at(services, club, await position_of(services, club, moment))
        return as_json(Page(tuple(await rules_of(services, past, game)), None))

    @post("/house-rules", operation_id="adoptHouseRules", summary="Adopt house rules for a game")
    async def adopt(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[HouseRulesBody]
    ) -> Response[RulesAnswer]:
        """For secretaries and the owner. They replace the earlier ones of that game; matches that are open and stages
        that were announced keep theirs."""
        services, caller = services_of(request), await caller_of(request)
        done = await adopt_rules(services, caller, club_id, data, await asked(request, caller))
        now = next(iter(await rules_of(services, done.loaded, data.game)), None)
        return as_json(RulesAnswer(done.last, now), 201 if done.last >= done.first else 200)
