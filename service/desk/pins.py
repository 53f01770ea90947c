"""PINs: a person signs with four to six digits on a shared device, for one request."""

import re
from typing import Final

import msgspec

from domain.club.rights import rights_of
from domain.log.decider import Refusal
from service.desk import hashing
from service.desk.services import Services
from service.desk.tries import check_wait, fits
from service.store import people_secrets as rows
from service.store.callers import Caller
from service.store.loaded import LoadedClub

PIN: Final = re.compile(r"[0-9]{4,6}\Z", re.ASCII)
WRONG: Final = "this PIN is not right. A PIN is set under Me, on a device of one's own"
OFF: Final = (
    "PINs of this person are off after too many wrong ones: turn them on under Me on a device of one's own, or ask the "
    "director"
)


async def with_pin(services: Services, caller: Caller, club: str, person: str, pin: str) -> Caller:
    """The caller with the right of a person whose PIN was typed on this device, for this request alone. Raises
    Refusal: `forbidden` for a wrong one, `too-many-requests` (with `retry_after`) while the person is delayed here."""
    if caller.holder is None:
        raise Refusal("unauthorised", "a PIN signs on a device that has come in: scan the table's code first")
    if not any(each.club in (None, club) for each in caller.rights):
        raise Refusal("forbidden", WRONG)
    state = (await services.recorder.club(club)).state
    own = [each for each in rights_of(state, club, person, "pin") if each.role == "player"]
    first = own[0].person if own else None
    known = rows.Secrets() if first is None else await rows.read(services.pool, club, first)
    if known.pins_off_at is not None:
        raise Refusal("forbidden", OFF)
    tried = await rows.begin(services.pool, "pin", rows.mark(club, first or person), rows.mark(caller.holder))
    check_wait(tried)
    right = await fits(services.pool, tried, pin[:20], known.pin, caller.holder)
    if not right or first is None:
        await rows.wrong(services.pool, tried, club, first)
        raise Refusal("forbidden", WRONG)
    if not await rows.right(services.pool, tried, club, first):
        raise Refusal("forbidden", OFF)
    close = tuple(sorted({*caller.close, *state.close_to(first)}))
    return msgspec.structs.replace(caller, rights=(*caller.rights, own[0]), close=close)


async def set_pin(services: Services, club: LoadedClub, person: str, pin: str) -> None:
    """Set the PIN of a person, or (empty) take it away. Raises Refusal for anything but four to six digits."""
    if pin and not PIN.match(pin):
        raise Refusal("malformed", "a PIN has four to six digits")
    await rows.write(services.pool, club.club, person, "pin", await hashing.hashed(pin) if pin else None)


async def turn_on(services: Services, club: LoadedClub, person: str) -> None:
    """Turn PINs of a person on again."""
    await rows.turn_on(services.pool, club.club, person)
