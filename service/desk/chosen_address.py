"""The address for phones that was chosen on a page: remembered, and good while this machine has it."""

from typing import Final

from domain.log.decider import Refusal
from service.desk.addresses import Reached, own_addresses
from service.store import choices
from service.store.pool import Pool

ADDRESS: Final = "address"


async def known_address(pool: Pool, settings: Reached) -> str | None:
    """The address that is set, else the one that was chosen."""
    if settings.address:
        return settings.address
    chosen = await choices.read(pool, ADDRESS)
    return chosen if chosen in own_addresses(settings) else None


async def choose(pool: Pool, settings: Reached, address: str) -> str:
    """Remember an address of this machine. Raises Refusal for any other."""
    if address not in own_addresses(settings):
        raise Refusal("malformed", "this machine has no such address: choose one of the list, or set LURCH_ADDRESS")
    await choices.write(pool, ADDRESS, address)
    return address
