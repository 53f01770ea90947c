"""Invitations: a link that signs a person in, good once, with the role that it gives."""

from datetime import UTC, datetime
from typing import Final

import msgspec

from domain.club.commands import GrantRole
from domain.club.rights import at_most, rights_of
from domain.club.state import Club, Grant
from domain.log.actor import SECRETARIES, Actor, Right
from domain.log.decider import Refusal
from service.desk.requests import BusyError, own_request
from service.desk.services import Services
from service.store import invitations as rows
from service.store.callers import Caller
from service.store.invitations import Invitation, Maker
from service.store.kinds import CLUB
from service.store.loaded import LoadedClub
from service.store.log import By
from service.store.pool import Pool
from service.store.sign_ins import NewSignIn

TRIES: Final = 10
PLAIN: Final = (
    "a secretary signs in over TLS only, since others in this network could listen: set LURCH_ADDRESS to an https "
    "address, or start the service with LURCH_PLAIN_ROLES=1"
)
UNKNOWN: Final = "this link was used already, has ended, or was not copied whole: ask for a new one"
USED: Final = "this link was used already: each is good for one device. Ask for a new one"
OLD: Final = "this link is too old: ask for a new one"
GONE: Final = "the person this link was made for is not in the club under that name any more: ask for a new link"
LOST: Final = "who made this link may not give that any more: ask a secretary of the club for a new one"


class SignedIn(msgspec.Struct, frozen=True):
    """A browser that a person has signed in on: its new secret, the device, the club and the person."""

    cookie: str
    device: str
    club: str
    person: str


def maker_of(caller: Caller, club: str) -> Maker:
    """The caller as the maker of an invitation. Raises Refusal for a token or a role without a person."""
    owner = any(each.role == "owner" and each.club in (None, club) for each in caller.rights)
    person = caller.person_in(club)
    if caller.id is not None or not (owner or person):
        raise Refusal("forbidden", "invitations are made by a person: sign in as a secretary of the club")
    return Maker(person, owner)


async def invite(pool: Pool, maker: Maker, club: LoadedClub, person: str, grant: Grant | None, open_: bool) -> str:
    """The secret of a link that signs a person in and gives a role. `open_` where others could listen to it. Raises
    Refusal."""
    check(club.state, person, grant, rights_by_now(club, maker), open_)
    given = (None, None, None) if grant is None else (grant.role, grant.tournament, grant.match)
    return await rows.invite(pool, club.club, person, maker, *given)


def rights_by_now(club: LoadedClub, maker: Maker) -> tuple[Right, ...]:
    """The rights of the maker of an invitation, by now."""
    if maker.owner:
        return (Right("owner", club.club, person=maker.person, id=maker.person, strength="own device"),)
    return () if maker.person is None else rights_of(club.state, club.club, maker.person, "own device")


def check(club: Club, person: str, grant: Grant | None, rights: tuple[Right, ...], open_: bool) -> None:
    """Raises Refusal for an invitation that signs in nobody, or more than its maker holds: whoever opens it has all
    roles of that person."""
    if club.whom(person) != person or person not in club.players or club.players[person].erased:
        raise Refusal("not-found", GONE)
    if not any(each.role in SECRETARIES for each in rights):
        raise Refusal("forbidden", LOST)
    held = (*club.held(person), *(() if grant is None else (grant,)))
    for each in held:
        if at_most(Right(each.role, None, each.tournament, each.match), rights) is None:
            raise Refusal("forbidden", LOST)
    check_overheard(club, person, open_, grant)


def check_overheard(club: Club, person: str, open_: bool, grant: Grant | None = None) -> None:
    """Raises Refusal for a secretary where others could listen."""
    held = {each.role for each in (*club.held(person), *(() if grant is None else (grant,)))}
    if open_ and held & SECRETARIES:
        raise Refusal("forbidden", PLAIN)


async def redeem(services: Services, secret: str, earlier: str | None, open_: bool) -> SignedIn:
    """Sign a browser in by a link: the role first, once however often it is tried, then link and sign-in in one.
    Raises Refusal."""
    found = await rows.find(services.pool, secret)
    if found is None:
        raise Refusal("forbidden", UNKNOWN)
    if found.used_at is not None:
        raise Refusal("forbidden", USED)
    if found.expires_at <= datetime.now(UTC):
        raise Refusal("forbidden", OLD)
    if found.further:
        await _check_further(services, found, open_)
    else:
        await _grant(services, found, open_)
    entered = await rows.use(services.pool, found, earlier)
    if entered is None:
        raise Refusal("forbidden", USED)
    services.doors.forget()
    return _signed_in(found, entered)


def _signed_in(found: Invitation, entered: NewSignIn) -> SignedIn:
    return SignedIn(entered.cookie, entered.id, found.club, found.person)


async def _check_further(services: Services, found: Invitation, open_: bool) -> None:
    """Raises Refusal where the person is gone, or signed in no more where the link was made."""
    club = (await services.recorder.club(found.club)).state
    if club.whom(found.person) != found.person or not rights_of(club, found.club, found.person, "own device"):
        raise Refusal("forbidden", GONE)
    if not found.there:
        raise Refusal("forbidden", "the device that made this link is signed in no more: ask for an invitation")
    check_overheard(club, found.person, open_)


async def _grant(services: Services, found: Invitation, open_: bool) -> None:
    """Give the role of an invitation, as its maker, decided on the club as it is by now. Raises Refusal."""
    maker = Maker(found.maker, found.by_owner)
    grant = None if found.role is None else Grant(found.role, found.tournament, found.match)
    for _ in range(TRIES):
        club = await services.recorder.club(found.club)
        rights = rights_by_now(club, maker)
        try:
            check(club.state, found.person, grant, rights, open_)
        except Refusal as refusal:
            raise Refusal("forbidden", refusal.detail) from None
        if grant is None:
            return
        request = own_request(By(found.maker, "spectator"), f"invitation-{found.key}", Actor(rights=rights))
        command = GrantRole(found.person, grant.role, grant.tournament, grant.match)
        request = msgspec.structs.replace(request, expected=club.head.version)
        try:
            await services.recorder.on_stream(club.club, CLUB, command, request)
        except Refusal as refusal:
            if refusal.slug != "lost-race":
                raise
        else:
            return
    raise BusyError(found.club)
