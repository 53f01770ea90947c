"""The address for phones that was chosen on a page: remembered, and good while this machine has it."""

from typing import TypeVar

import msgspec

from domain.log.decider import Refusal
from service.desk.addresses import Reached, own_addresses
from service.store import choices
from service.store.pool import Pool

ADDRESS = "address"
Settings = TypeVar("Settings", bound=Reached)


async def with_choice(pool: Pool, settings: Settings) -> Settings:
    """The settings with the address that was chosen, where none is set."""
    if settings.address:
        return settings
    chosen = await choices.read(pool, ADDRESS)
    return _with(settings, chosen) if chosen in own_addresses(settings) else settings


async def choose(pool: Pool, settings: Settings, address: str) -> Settings:
    """Remember an address of this machine. Raises Refusal for any other."""
    if address not in own_addresses(settings):
        raise Refusal("malformed", "this machine has no such address: choose one of the list, or set LURCH_ADDRESS")
    await choices.write(pool, ADDRESS, address)
    return _with(settings, address)


def _with(settings: Settings, address: str | None) -> Settings:
    assert isinstance(settings, msgspec.Struct)
    return msgspec.structs.replace(settings, address=address)
