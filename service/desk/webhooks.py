"""Webhooks as every door makes, tries and ends them; who keeps them is asked here."""

from difflib import get_close_matches
from uuid import UUID

from domain.log.decider import Refusal
from domain.registry import open_types
from service.desk.access import club_for, require
from service.desk.requests import Request, key_reused
from service.desk.services import Services
from service.store import log
from service.store import webhooks as rows
from service.store.callers import Caller
from service.store.ids import new_id
from service.store.loaded import LoadedClub
from service.store.restored import restored_at
from service.store.webhooks import Webhook
from service.webhooks.courier import KEEPERS
from service.webhooks.places import PlaceError
from service.webhooks.signing import make_secret


async def kept_by(services: Services, caller: Caller, club_id: UUID) -> LoadedClub:
    """A club, for who keeps its webhooks: a director, a secretary, the owner. Raises Refusal."""
    club = await club_for(services, caller, club_id)
    require(caller, club.club, KEEPERS)
    return club


def maker_of(caller: Caller, club: str) -> str | None:
    """The maker who answers for a webhook: a token, else the person whose role allows it; nobody for the owner's own
    door."""
    if caller.owns:
        return None
    return caller.id or caller.person_in(club)


async def webhook_for(services: Services, club: str, webhook: UUID) -> Webhook:
    """A webhook of this club. Raises Refusal."""
    found = await rows.find(services.pool, club, str(webhook))
    if found is None:
        raise not_there()
    return found


def not_there() -> Refusal:
    """There is none of that id in this club."""
    return Refusal("not-found", "the club has no such webhook")


def check_types(types: list[str] | None) -> None:
    """Raises Refusal for a type of event that there is not."""
    known = open_types()
    for each in types or ():
        if each not in known:
            near = ", ".join(get_close_matches(each, known, 4, 0.3)) or "none that is like it"
            raise Refusal("unknown-option", f"there is no type of event {each!r}; there are {near}, among others")


async def made_before(services: Services, club: str, wanted: Request) -> Webhook | None:
    """The webhook made under this key. Raises Refusal when the key belongs to something else."""
    if not wanted.chosen:
        return None
    found = await rows.made_with(services.pool, club, wanted.command_id)
    if found is None:
        if await log.find_command(services.pool, club, wanted.command_id) is not None:
            raise key_reused()
        return None
    hook, fingerprint = found
    if fingerprint != wanted.fingerprint:
        raise key_reused()
    return hook


async def make(
    services: Services, club: str, url: str, types: list[str] | None, wanted: Request, maker: str | None
) -> Webhook:
    """Makes a webhook for events from now on. Raises Refusal."""
    before = await made_before(services, club, wanted)
    if before is not None:
        return before
    check_types(types)
    try:
        await services.courier.sender.check(url)
    except PlaceError as error:
        raise Refusal("malformed", str(error)) from None
    key = wanted.command_id if wanted.chosen else None
    made = await rows.create(
        services.pool,
        club,
        new_id(),
        url,
        make_secret(),
        types,
        services.courier.clock(),
        key,
        wanted.fingerprint,
        maker,
    )
    found = made or await made_before(services, club, wanted)
    if found is None:
        raise Refusal("misfit", f"the club has {rows.MOST} webhooks, which is the most: delete one first")
    return found


async def enable(services: Services, club: str, webhook: UUID, skip: bool, maker: str | None) -> Webhook:
    """Tries again now, from where it stopped or with `skip` from now on. Raises Refusal."""
    if await restored_at(services.pool) is not None:
        raise Refusal(
            "misfit",
            "this service was restored from a copy, and the old machine may still send: first its owner says on the "
            "page of copies that the old machine is gone",
        )
    hook = await rows.enable(services.pool, club, str(webhook), skip, services.courier.clock(), maker)
    if hook is None:
        raise not_there()
    services.hub.stirred.set()
    return hook


async def remove(services: Services, club: str, webhook: UUID) -> None:
    """Sends nothing more, and forgets the secret. Raises Refusal."""
    if not await rows.delete(services.pool, club, str(webhook)):
        raise not_there()
