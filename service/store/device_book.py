"""The ids of devices: given to a sign-in, a token or a program by what it calls itself, remembered by this process."""

from collections import OrderedDict
from collections.abc import Collection
from datetime import datetime
from typing import Final

import msgspec

from domain.club.devices import CHANCE, Devices
from service.store import devices as rows
from service.store.ids import chance
from service.store.log import By, Device
from service.store.pool import Pool

KEPT: Final = 4096


class DeviceBook:
    """Gives ids to devices, and remembers them."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._keys: dict[str, Devices] = {}
        self._given: OrderedDict[tuple[str, Device], str] = OrderedDict()

    async def of(self, club: str, names: bool = False) -> Devices:
        """The devices of a club; with `names` also their names as they are now, for directors."""
        known = self._keys.get(club)
        if known is None:
            known = self._keys[club] = Devices(await rows.key_of(self.pool, club))
        return msgspec.structs.replace(known, names=await rows.names_of(self.pool, club)) if names else known

    async def known(self, club: str, by: By) -> str | None:
        """The id of the acting device; a new device gets an id here that nothing else has and that is not kept."""
        if by.on is None:
            return by.device
        devices = await self.of(club)
        found = self._given.get((club, by.on)) or await rows.id_of(self.pool, club, self._holder(devices, by.on))
        return found or devices.new_id(chance(CHANCE))

    async def placed(self, club: str, by: By, at: datetime) -> By:
        """The recording party with the id of its device; a new device is given one."""
        if by.on is None:
            return by
        known = self._given.get((club, by.on)) or await self._give(club, by.on, at)
        return msgspec.structs.replace(by, device=known, on=None)

    async def call(self, club: str, holder: str, name: str, at: datetime) -> None:
        """Give a device that has none an id, and a name: of what kind it is."""
        devices = await self.of(club)
        fresh = devices.new_id(chance(CHANCE))
        await rows.give_id(self.pool, club, devices.holder(holder, ""), name, fresh, at)

    async def called(self, club: str, holders: Collection[str]) -> dict[str, str]:
        """The names of devices by holder, of those that have one."""
        devices = await self.of(club)
        marks = {devices.holder(holder, ""): holder for holder in holders}
        names = await rows.names_by_holder(self.pool, club, tuple(marks))
        return {marks[mark]: name for mark, name in names.items()}

    async def _give(self, club: str, device: Device, at: datetime) -> str:
        devices = await self.of(club)
        fresh = devices.new_id(chance(CHANCE))
        found = await rows.give_id(self.pool, club, self._holder(devices, device), device.name, fresh, at)
        self._given[club, device] = found
        while len(self._given) > KEPT:
            self._given.popitem(last=False)
        return found

    def _holder(self, devices: Devices, device: Device) -> bytes:
        return devices.holder(device.holder, device.name or "")

    def forget(self) -> None:
        """Ask again: a device may have been erased."""
        self._given.clear()
