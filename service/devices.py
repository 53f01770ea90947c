"""The ids of devices: given to a sign-in, a token or a program by what it calls itself, remembered by this process."""

import os
from collections import OrderedDict
from datetime import datetime
from typing import Any, Final

import msgspec
from psycopg_pool import AsyncConnectionPool

from domain.club.devices import CHANCE, Devices
from service.store import devices as rows
from service.store.log import By, Device

KEPT: Final = 4096


class DeviceBook:
    """Gives ids to devices, and tells them."""

    def __init__(self, pool: AsyncConnectionPool[Any]) -> None:
        self.pool = pool
        self._keys: dict[str, Devices] = {}
        self._given: OrderedDict[tuple[str, Device], str] = OrderedDict()

    async def of(self, club: str, names: bool = False) -> Devices:
        """How the devices of a club are told; with their names as they are now, for directors."""
        known = self._keys.get(club)
        if known is None:
            known = self._keys[club] = Devices(await rows.key_of(self.pool, club))
        return msgspec.structs.replace(known, names=await rows.names(self.pool, club)) if names else known

    async def known(self, club: str, by: By) -> str | None:
        """The id that the device has which somebody acts on; one that is new has one that is nobody's."""
        if by.on is None:
            return by.device
        devices = await self.of(club)
        found = self._given.get((club, by.on)) or await rows.found(self.pool, club, self._holder(devices, by.on))
        return found or devices.fresh(os.urandom(CHANCE))

    async def placed(self, club: str, by: By, at: datetime) -> By:
        """Who records, with the id of the device; one that is new is given one."""
        if by.on is None:
            return by
        known = self._given.get((club, by.on)) or await self._give(club, by.on, at)
        return msgspec.structs.replace(by, device=known, on=None)

    async def _give(self, club: str, device: Device, at: datetime) -> str:
        devices = await self.of(club)
        fresh = devices.fresh(os.urandom(CHANCE))
        found = await rows.given(self.pool, club, self._holder(devices, device), device.name, fresh, at)
        self._given[club, device] = found
        while len(self._given) > KEPT:
            self._given.popitem(last=False)
        return found

    def _holder(self, devices: Devices, device: Device) -> bytes:
        return devices.holder(device.holder, device.name or "")

    def forget(self) -> None:
        """Ask again: a device may have been erased."""
        self._given.clear()
