"""Leaving: a person is erased in a running service, which answers without the name from then on."""

from collections.abc import Collection

from domain.club.events import ErasureReason
from service.desk import erasing
from service.desk.requests import Request
from service.desk.services import Services


async def erase_person(
    services: Services, club: str, person: str, reason: ErasureReason, ticked: Collection[str], request: Request
) -> int:
    """Erase a person; how many private rows went. Everything that this process remembers of the club is read and drawn
    again; the others hear of it. Raises Refusal."""
    try:
        return await erasing.erase(services.recorder, club, person, reason, ticked, request)
    finally:
        services.forget(club)
        services.hub.wake(club)
        services.hub.wake(club, closed=True)
        await services.lists.reach(club)
