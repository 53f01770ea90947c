"""The own page of whoever is signed in: devices, a link for a further one, password and PIN."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import msgspec
from litestar import Response, get, post

from domain.log.decider import Refusal
from service.desk import own_devices, passwords, pins
from service.desk.access import check_known
from service.desk.addresses import overheard, phone_address, unreachable
from service.desk.invitations import check_overheard
from service.desk.own_devices import ShownDevice
from service.desk.services import Services
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of, check_origin, go, renewed
from service.languages.spoken import translate
from service.store import invitations, people_secrets
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.store.people_secrets import Secrets
from service.web.forms import Form, form_of, text_of
from service.web.qr import qr
from service.web.render import known_name, page


class MeInClub(msgspec.Struct, frozen=True):
    """The person that a browser holds in one club: name, devices, and what there is to sign in with."""

    club: str
    called: str
    zone: str
    person: str
    name: str
    devices: list[ShownDevice]
    password: bool
    pin: bool
    pins_off: bool


class Own(msgspec.Struct, frozen=True):
    """The person who acts on the own page: the club, the id that counts there, and who asks."""

    club: LoadedClub
    person: str
    caller: Caller


@get("/me", include_in_schema=False)
async def me_page(request: AnyRequest) -> Response[str]:
    """Shows who is signed in here, on which devices, and with what."""
    caller = await caller_of(request)
    check_known(caller)
    return renewed(request, caller, await _page(request, caller))


async def _page(request: AnyRequest, caller: Caller, error: str = "", status: int = 200) -> Response[str]:
    services = services_of(request)
    found = [await _in_club(services, caller, own) for own in await _owns(services, caller)]
    owners = await own_devices.owners_devices(services, caller.holder) if caller.owns else []
    return page("me.html", caller, status, people=found, owners=owners, error=error)


async def _owns(services: Services, caller: Caller) -> list[Own]:
    """The person in each club, by the club's name."""
    clubs = sorted({each.club for each in caller.rights if each.club is not None})
    found = []
    for club in clubs:
        person = caller.person_in(club)
        if person is not None:
            found.append(Own(await services.recorder.club(club), person, caller))
    return sorted(found, key=lambda own: own.club.state.name)


async def _in_club(services: Services, caller: Caller, own: Own) -> MeInClub:
    known = await people_secrets.read(services.pool, own.club.club, own.person)
    devices = await own_devices.devices_of(services, own.club, own.person, caller.holder)
    return _shown(own, known, devices)


def _shown(own: Own, known: Secrets, devices: list[ShownDevice]) -> MeInClub:
    player = own.club.state.players[own.person]
    off = known.pins_off_at is not None
    has = (known.password is not None, known.pin is not None)
    club = own.club.state
    name = known_name(player.name)
    return MeInClub(own.club.club, club.name, club.settings.zone, own.person, name, devices, *has, off)


Act: TypeAlias = Callable[[AnyRequest, Own, Form], Awaitable[AnyResponse]]


@post("/me", include_in_schema=False, opt=ONE_TIME_SECRET)
async def act(request: AnyRequest) -> AnyResponse:
    """Do what a button of the own page says."""
    check_origin(request)
    services, caller, form = services_of(request), await caller_of(request), await form_of(request)
    check_known(caller)
    try:
        if text_of(form, "do") == "end_owner":
            return await _end_owner(services, caller, form)
        found = ACTS.get(text_of(form, "do"))
        if found is None:
            raise Refusal("malformed", "this page has no such button: look at it again")
        return await found(request, await _own(services, caller, text_of(form, "club")), form)
    except Refusal as refusal:
        if refusal.slug == "unauthorised":
            raise
        return await _page(request, caller, refusal.detail, 403 if refusal.slug == "forbidden" else 400)


async def _own(services: Services, caller: Caller, club: str) -> Own:
    """The person that this browser itself holds in a club. Raises Refusal for anybody else, tokens and codes too."""
    own = next((each for each in await _owns(services, caller) if each.club.club == club), None)
    if own is None or caller.id is not None:
        raise Refusal("forbidden", "you are not signed in as a person of this club: ask a secretary for an invitation")
    return own


async def _end_owner(services: Services, caller: Caller, form: Form) -> AnyResponse:
    if not caller.owns:
        raise Refusal("forbidden", "only the owner ends the owner's devices")
    await own_devices.end_owner(services, text_of(form, "device"))
    return go("/me")


async def _further_device(request: AnyRequest, own: Own, form: Form) -> AnyResponse:
    """The page of a link for a further device."""
    settings, services = request.app.state.settings, services_of(request)
    address = phone_address(settings)
    if address is None:
        raise Refusal("misfit", "nobody has said yet where phones reach this service: a secretary does, under Invite")
    open_ = overheard(settings)
    check_overheard(own.club.state, own.person, open_ and not settings.plain_roles)
    device = (own.caller.holder or "").removeprefix("sign-in ")
    secret = await invitations.further_device(services.pool, own.club.club, own.person, device)
    if secret is None:
        raise Refusal("forbidden", "you are signed in no more on this device: sign in again")
    link = f"{address}/sign-in#{secret}"
    return page(
        "link.html",
        own.caller,
        secret=True,
        link=link,
        code=qr(link, translate("QR code of the link")),
        whose=own.club.state.players[own.person].name,
        role=None,
        further=True,
        back="/me",
        open=open_,
        unreachable=unreachable(settings),
    )


async def _password(request: AnyRequest, own: Own, form: Form) -> AnyResponse:
    await passwords.set_password(services_of(request), own.club, own.person, form.get("password", ""))
    return go("/me")


async def _pin(request: AnyRequest, own: Own, form: Form) -> AnyResponse:
    await pins.set_pin(services_of(request), own.club, own.person, text_of(form, "pin"))
    return go("/me")


async def _pins_on(request: AnyRequest, own: Own, form: Form) -> AnyResponse:
    await pins.turn_on(services_of(request), own.club, own.person)
    return go("/me")


async def _end(request: AnyRequest, own: Own, form: Form) -> AnyResponse:
    await own_devices.end(services_of(request), own.club, own.person, text_of(form, "device"))
    return go("/me")


ACTS: Final[dict[str, Act]] = {
    "link": _further_device,
    "password": _password,
    "pin": _pin,
    "pins_on": _pins_on,
    "end": _end,
}
