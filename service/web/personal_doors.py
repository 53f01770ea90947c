"""Pages of a club for whoever keeps its doors: invitations, the address for phones, the doors of a person."""

from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.club.rights import GRANTS
from domain.club.state import Club, Grant, same_name
from domain.log.actor import SECRETARIES, Role
from domain.log.decider import Refusal
from service.desk import own_devices, owner_person, passwords, pins
from service.desk.access import club_for, require, tournament_for
from service.desk.addresses import overheard, own_addresses, phone_address, unreachable
from service.desk.chosen_address import choose
from service.desk.clubs import club_view
from service.desk.invitations import invite, maker_of
from service.desk.services import Services
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of, check_origin, go, secret_of
from service.languages.spoken import translate
from service.store import invitations, people_secrets
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.forms import Form, form_of, line_of, text_of
from service.web.qr import qr
from service.web.render import page
from service.web.sign_in import signed_in

KEEPERS: Final = frozenset({*SECRETARIES, "director"})  # who turns PINs on again
GIVEN: Final[tuple[Role, ...]] = ("scorer", "director", "secretary")  # roles in the whole club


class Somebody(msgspec.Struct, frozen=True):
    """A person in the list of whom to invite."""

    id: str
    name: str
    roles: tuple[str, ...]


def people_of(club: Club) -> list[Somebody]:
    """The people of a club by name, each once."""
    known = [each for each in club.players.values() if each.name and club.whom(each.id) == each.id]
    shown = [Somebody(each.id, each.name or "", tuple(grant.role for grant in club.held(each.id))) for each in known]
    return sorted(shown, key=lambda each: same_name(each.name))


@get("/clubs/{club_id:uuid}/invite", include_in_schema=False)
async def invite_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """Asks whom to invite, and shows where phones reach the service."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    return _invite_page(request, caller, club)


def _invite_page(
    request: AnyRequest, caller: Caller, club: LoadedClub, error: str = "", status: int = 200
) -> Response[str]:
    state = request.app.state
    given = GRANTS[highest(caller, club.club)]
    return page(
        "invite.html",
        caller,
        status,
        club=club_view(club),
        people=people_of(club.state),
        roles=[role for role in GIVEN if role in given],
        address=phone_address(state.settings),
        addresses=() if state.address_is_set else own_addresses(state.settings),
        open=overheard(state.settings),
        plain_roles=state.settings.plain_roles,
        unreachable=unreachable(state.settings),
        error=error,
    )


def highest(caller: Caller, club: str) -> Role:
    """The role with which somebody invites: the owner's, else the secretary's."""
    return "owner" if any(each.role == "owner" and each.club in (None, club) for each in caller.rights) else "secretary"


@post("/clubs/{club_id:uuid}/invitations", include_in_schema=False, opt=ONE_TIME_SECRET)
async def make_invitation(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Make a link and show it, this one time."""
    check_origin(request)
    services, caller, settings = services_of(request), await caller_of(request), request.app.state.settings
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    form = await form_of(request)
    try:
        address = phone_address(settings)
        if address is None:
            raise Refusal("misfit", "first choose the address under which phones reach this service")
        person, grant = _person(club.state, form), _grant(form)
        if grant is not None and grant.tournament is not None:
            await _check_tournament(services, caller, club, grant.tournament)
        barred = overheard(settings) and not settings.plain_roles
        secret = await invite(services.pool, maker_of(caller, club.club), club, person, grant, barred)
    except Refusal as refusal:
        return _invite_page(request, caller, club, refusal.detail, 403 if refusal.slug == "forbidden" else 400)
    link = f"{address}/sign-in#{secret}"
    return page(
        "link.html",
        caller,
        secret=True,
        link=link,
        code=qr(link, translate("QR code of the invitation")),
        whose=club.state.players[person].name,
        role=None if grant is None else grant.role,
        further=False,
        back=f"/clubs/{club.club}/invite",
        open=overheard(settings),
        unreachable=unreachable(settings),
    )


def _person(club: Club, form: Form) -> str:
    """The person of an invitation, by id or by name. Raises Refusal."""
    if person := text_of(form, "player"):
        return person
    name = line_of(form, "name")
    found = [each.id for each in people_of(club) if same_name(each.name) == same_name(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise Refusal("malformed", f"{len(found)} people here are called {name!r}: take the right one from the list")
    raise Refusal("malformed", f"nobody here is called {name!r}: add the name to the club's members first")


def _grant(form: Form) -> Grant | None:
    """The role of an invitation, if it gives one. Raises Refusal."""
    role = text_of(form, "role")
    if not role:
        return None
    if role not in (*GIVEN, "deputy"):
        raise Refusal("malformed", "an invitation gives one of the roles of the list")
    tournament = text_of(form, "tournament") or None
    if (role == "deputy") != (tournament is not None):
        raise Refusal("malformed", "a deputy is for one tournament: invite from its page")
    return Grant(role, None if tournament is None else str(_uuid(tournament)))


async def _check_tournament(services: Services, caller: Caller, club: LoadedClub, tournament: str) -> None:
    """Raises Refusal for a tournament of another club."""
    loaded, _ = await tournament_for(services, caller, UUID(tournament))
    if loaded.club != club.club:
        raise Refusal("not-found", "there is no such tournament: take it from the list")


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Refusal("malformed", "there is no such tournament: take it from the list") from None


@post("/clubs/{club_id:uuid}/address", include_in_schema=False)
async def choose_address(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Remember under which of the machine's addresses phones reach the service."""
    check_origin(request)
    services, caller, state = services_of(request), await caller_of(request), request.app.state
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    if state.address_is_set:
        raise Refusal("misfit", "the address is set as LURCH_ADDRESS: change it there")
    unset = msgspec.structs.replace(state.settings, address=None)
    try:
        address = await choose(services.pool, unset, text_of(await form_of(request), "address"))
    except Refusal as refusal:
        return _invite_page(request, caller, club, refusal.detail, 400)
    state.settings = msgspec.structs.replace(unset, address=address)
    return go(f"/clubs/{club.club}/invite")


@post("/clubs/{club_id:uuid}/who", include_in_schema=False)
async def owner_is(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """The owner says who that is in the club."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, frozenset({"owner"}))
    name = line_of(await form_of(request), "name")
    return await signed_in(request, await owner_person.be(services, caller, club, name, secret_of(request)))


@get("/clubs/{club_id:uuid}/players/{player_id:uuid}/doors", include_in_schema=False)
async def doors_page(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> Response[str]:
    """Shows how a person comes in: devices, open invitations, PIN."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, KEEPERS)
    return await _doors_page(services, caller, club, _known(club.state, player_id))


async def _doors_page(
    services: Services, caller: Caller, club: LoadedClub, person: str, error: str = "", status: int = 200
) -> Response[str]:
    known = await people_secrets.read(services.pool, club.club, person)
    keeps = caller.administers(club.club)
    return page(
        "doors.html",
        caller,
        status,
        club=club_view(club),
        zone=club.state.settings.zone,
        person=person,
        whose=club.state.players[person].name,
        keeps=keeps,
        devices_here=await own_devices.devices_of(services, club, person, caller.holder) if keeps else [],
        waiting=await invitations.open_invitations(services.pool, club.club, person) if keeps else [],
        has_pin=known.pin is not None,
        has_password=known.password is not None,
        pins_off=known.pins_off_at is not None,
        error=error,
    )


def _known(club: Club, player: UUID) -> str:
    """The id that counts of a person of the club. Raises Refusal."""
    person = club.whom(str(player))
    if person not in club.players or club.players[person].erased:
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    return person


@post("/clubs/{club_id:uuid}/players/{player_id:uuid}/doors", include_in_schema=False)
async def act(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> AnyResponse:
    """End a device or the invitations of a person, take password and PIN away, or turn PINs on again."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, KEEPERS)
    person, form = _known(club.state, player_id), await form_of(request)
    what = text_of(form, "do")
    if what != "pins_on":
        require(caller, club.club, SECRETARIES)
    try:
        match what:
            case "pins_on":
                await pins.turn_on(services, club, person)
            case "withdraw":
                await invitations.withdraw(services.pool, club.club, person)
            case "take_away":
                await passwords.take_away(services, club, person)
            case "end":
                await own_devices.end(services, club, person, text_of(form, "device"))
            case _:
                raise Refusal("malformed", "this page has no such button: look at it again")
    except Refusal as refusal:
        return await _doors_page(services, caller, club, person, refusal.detail, 400)
    return go(f"/clubs/{club.club}/players/{person}/doors")
