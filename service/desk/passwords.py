"""Passwords: a person signs in with a name and a password; unknown names are answered as known ones are."""

from typing import Final

from domain.club.state import Club, same_name
from domain.log.decider import Refusal
from service.desk import hashing
from service.desk.invitations import SignedIn, check_overheard
from service.desk.services import Services
from service.desk.tries import check_wait, fits
from service.store import people_secrets as rows
from service.store.loaded import LoadedClub
from service.store.sign_ins import sign_in

LEAST: Final = 10  # characters
MOST: Final = 1000  # bytes
NOBODY: Final = "00000000-0000-0000-0000-000000000000"
WRONG: Final = "club, name and password do not go together: look at each again, or ask a secretary for a link"


async def set_password(services: Services, club: LoadedClub, person: str, password: str) -> None:
    """Set the password of a person, or (empty) take it away. Raises Refusal for one that is too short or too long."""
    if password and len(password) < LEAST:
        raise Refusal("malformed", f"a password has at least {LEAST} characters: add some")
    if _size(password) > MOST:
        raise Refusal("malformed", f"a password has at most {MOST} bytes: take a shorter one")
    await rows.write(services.pool, club.club, person, "password", await hashing.hashed(password) if password else None)


async def take_away(services: Services, club: LoadedClub, person: str) -> None:
    """Take password and PIN of a person away: whoever had that person's phone may have set them."""
    await rows.write(services.pool, club.club, person, "password", None)
    await rows.write(services.pool, club.club, person, "pin", None)


async def sign_in_by_password(
    services: Services, named: str, name: str, password: str, address: str, earlier: str | None, open_: bool
) -> SignedIn:
    """Sign a browser in by the names of club and person and the password; without a club's name the only one is meant.
    `address` is the device. Raises Refusal, the same whatever does not fit."""
    club = await _club(services, named)
    person = None if club is None else person_called(club.state, name)
    where = same_name(named) if club is None else club.club
    known = await rows.read(services.pool, NOBODY if club is None else club.club, person or NOBODY)
    mark = rows.mark(where, person or same_name(name))
    tried = await rows.begin(services.pool, "password", mark, rows.mark("address", address))
    check_wait(tried)
    typed = password if _size(password) <= MOST else ""
    right = await fits(services.pool, tried, typed, known.password, address)
    if not right or club is None or person is None:
        await rows.wrong(services.pool, tried, None, None)
        raise Refusal("forbidden", WRONG)
    if not await rows.right(services.pool, tried, club.club, person):
        raise Refusal("forbidden", WRONG)
    check_overheard(club.state, person, open_)
    entered = await sign_in(services.pool, earlier, club.club, person)
    services.doors.forget()
    return SignedIn(entered.cookie, entered.id, club.club, person)


def person_called(club: Club, name: str) -> str | None:
    """The one person of a club with this name, now or earlier; None where there is none or are several."""
    wanted = same_name(name)
    found = {club.whom(each.id) for each in club.players.values() if each.name and same_name(each.name) == wanted}
    if not found:
        found = {club.whom(each.id) for each in club.players.values() if wanted in map(same_name, each.earlier)}
    return found.pop() if len(found) == 1 else None


async def _club(services: Services, named: str) -> LoadedClub | None:
    clubs = await services.streams.clubs()
    found = [each for each in clubs if not named or same_name(each.state.name) == same_name(named)]
    return found[0] if len(found) == 1 else None


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
