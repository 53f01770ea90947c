"""Devices of a person: what is signed in, when it was used last, and its end."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from domain.log.decider import Refusal
from service.desk.services import Services
from service.store import sign_ins
from service.store.loaded import LoadedClub
from service.store.sign_ins import SignInRow


class ShownDevice(msgspec.Struct, frozen=True):
    """A device in a list: what it is called, since when it is signed in, when it was used last, whether it is this
    one."""

    id: str
    name: str
    since: datetime
    last_used: datetime | None
    this: bool


async def devices_of(services: Services, club: LoadedClub, person: str, holder: str | None) -> list[ShownDevice]:
    """The devices of a person in a club; `holder` is the one that asks."""
    rows = await sign_ins.devices_of(services.pool, club.club, club.state.ids_of(person))
    return await _shown(services, club.club, rows, holder)


async def owners_devices(services: Services, holder: str | None) -> list[ShownDevice]:
    """The devices that are signed in as the owner."""
    return await _shown(services, None, await sign_ins.owners_devices(services.pool), holder)


async def _shown(
    services: Services, club: str | None, rows: Sequence[SignInRow], holder: str | None
) -> list[ShownDevice]:
    names = {} if club is None else await services.recorder.devices.called(club, [each.holder for each in rows])
    return [
        ShownDevice(each.id, names.get(each.holder, "A device"), each.since, each.last_used, each.holder == holder)
        for each in rows
    ]


async def end(services: Services, club: LoadedClub, person: str, device: str) -> None:
    """End what a person has on a device; what is open there ends at once. Raises Refusal for a device of somebody
    else."""
    if not await sign_ins.end_device(services.pool, club.club, club.state.ids_of(person), device):
        raise Refusal("misfit", "this device is signed in no more: look at the list again")
    services.doors.forget()


async def end_owner(services: Services, device: str) -> None:
    """End what the owner has on a device. Raises Refusal."""
    if not await sign_ins.end_owner(services.pool, device):
        raise Refusal("misfit", "this device is signed in no more: look at the list again")
    services.doors.forget()


async def call(services: Services, club: str, device: str, program: str) -> None:
    """Call a device that has just signed in by what its browser says of itself."""
    name = kind_of_device(program)
    await services.recorder.devices.call(club, f"sign-in {device}", name, datetime.now(UTC))


BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
MACHINES: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "Chromebook"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


def kind_of_device(program: str) -> str:
    """A browser and its machine in words, as the User-Agent of a request has them."""
    browser = next((said for sign, said in BROWSERS if sign in program), "Browser")
    machine = next((said for sign, said in MACHINES if sign in program), None)
    return browser if machine is None else f"{browser} on {machine}"
