"""Callers: people and devices by the token or the sign-in that they show."""

import secrets
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

import msgspec

from domain.log.actor import Actor, Role
from service.store.log import By, Device
from service.store.pool import Pool
from service.store.together import SharedLookUps
from service.store.tokens import digest, end_sign_in

SIGN_IN_DAYS: Final = 30
KEPT_SECONDS: Final = 5.0
_TOKENS: Final = """select hash, id::text, name, role, club_id::text, player::text, match_id::text, last_used
    from tokens where hash = any(%s) and revoked_at is null"""
_SIGN_INS: Final = """select hash, role, name, club_id::text from sign_ins
    where hash = any(%s) and not one_time and expires_at > now()"""


class Caller(msgspec.Struct, frozen=True):
    """A person or device that asks. `club` None means every club (the owner's own sign-in), or none without a role;
    `holder` is the token or sign-in that a device's id is given to."""

    role: Role = "spectator"
    known: bool = False
    id: str | None = None
    name: str | None = None
    club: str | None = None
    player: str | None = None
    match: str | None = None
    holder: str | None = None

    def by(self, called: str | None = None, clock: datetime | None = None) -> By:
        """The caller as the one who records, on a device with this name."""
        on = None if self.holder is None else Device(self.holder, called)
        return By(actor=self.id, role=self.role, device_clock=clock, on=on)

    def actor(self, device: str | None = None) -> Actor:
        """The caller as an actor; `device` is known once it has an id."""
        return Actor(self.role, self.club, self.player, self.match, device)


NOBODY: Final = Caller()


Credential: TypeAlias = tuple[Literal["token", "cookie"], bytes]


def of_token(token: str) -> Credential:
    """The credential of a token."""
    return "token", digest(token)


def of_cookie(cookie: str) -> Credential:
    """The credential of a browser's sign-in."""
    return "cookie", digest(cookie)


def of_club(caller: Caller, club: str) -> bool:
    """Tell a caller of this club; the owner belongs to every club."""
    return caller.known and caller.club in (None, club)


def may_read(caller: Caller, club: str, public: bool) -> bool:
    """A public club is open to everybody."""
    return public or of_club(caller, club)


class KnownCaller(msgspec.Struct, frozen=True):
    """A caller as last looked up, with the time."""

    caller: Caller
    at: datetime


def _of_token(id_: str, name: str, role: Role, club: str, player: str | None, match: str | None) -> Caller:
    return Caller(role, True, id_, name, club, player, match, f"token {id_}")


def _of_sign_in(key: bytes, role: Role, name: str, club: str | None) -> Caller:
    return Caller(role, True, None, name, club, holder=f"sign-in {key.hex()}")


class Doorkeeper:
    """Looks tokens and sign-ins up, by their hashes; a look-up is remembered for a few seconds and
    forgotten at once when any is made or revoked (the notice comes over NOTIFY).

    Who comes while one look-up is under way goes with the next, so a hall that comes at once asks a few times and not
    once each. `readers` is the pool for asking again who is there already.
    """

    def __init__(self, pool: Pool, readers: Pool | None = None) -> None:
        self.pool = pool
        self.readers = readers or pool
        self._found: dict[Credential, KnownCaller] = {}
        self._forgotten = 0
        self._look_ups: SharedLookUps[str, Credential, dict[Credential, Caller]] = SharedLookUps(self._find)

    def forget(self) -> None:
        """Look everybody up again; what is being looked up right now is not remembered."""
        self._found.clear()
        self._forgotten += 1

    async def by(self, credential: Credential) -> Caller | None:
        """The caller who shows this; None when it is no good."""
        known = self._found.get(credential)
        if known is not None and (datetime.now(UTC) - known.at).total_seconds() < KEPT_SECONDS:
            return known.caller
        return (await self._look_ups.ask("", credential)).get(credential)

    async def again(self, credentials: Collection[Credential]) -> dict[Credential, Caller]:
        """Those who are there already, asked again: who is not in the answer is nobody any more."""
        return await self._read(self.readers, credentials) if credentials else {}

    async def _find(self, _: str, credentials: frozenset[Credential]) -> dict[Credential, Caller]:
        forgotten, moment = self._forgotten, datetime.now(UTC)
        found = await self._read(self.pool, credentials, moment)
        if forgotten == self._forgotten:
            if len(self._found) > 4096:
                self._found.clear()
            self._found.update({each: KnownCaller(caller, moment) for each, caller in found.items()})
        return found

    async def _read(
        self, pool: Pool, credentials: Collection[Credential], used: datetime | None = None
    ) -> dict[Credential, Caller]:
        """One statement for all tokens and one for all sign-ins; `used` is written at most once a minute."""
        tokens = [key for kind, key in credentials if kind == "token"]
        cookies = [key for kind, key in credentials if kind == "cookie"]
        found: dict[Credential, Caller] = {}
        async with pool.connection() as connection:
            if tokens:
                rows = await (await connection.execute(_TOKENS, [tokens], prepare=True)).fetchall()
                found |= {("token", row[0]): _of_token(*row[1:7]) for row in rows}
                idle = [row[1] for row in rows if used and (row[7] is None or used - row[7] > timedelta(minutes=1))]
                if idle:
                    await connection.execute(
                        "update tokens set last_used = %s where id = any(%s::uuid[])", [used, idle]
                    )
            if cookies:
                rows = await (await connection.execute(_SIGN_INS, [cookies], prepare=True)).fetchall()
                found |= {("cookie", row[0]): _of_sign_in(*row) for row in rows}
        return found

    async def redeem(self, link: str, earlier: str | None = None) -> str | None:
        """A browser's sign-in for a one-time link, in the place of its earlier one; None when the link was used or has
        ended."""
        cookie = secrets.token_urlsafe(32)
        moment = datetime.now(UTC)
        async with self.pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                "delete from sign_ins where hash = %s and one_time and expires_at > %s returning club_id, role, name",
                [digest(link), moment],
            )
            row = await cursor.fetchone()
            if row is None:
                return None
            await connection.execute("delete from sign_ins where expires_at < %s", [moment])
            await connection.execute(
                "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)"
                " values (%s, %s, %s, %s, false, %s, %s)",
                [digest(cookie), *row, moment, moment + timedelta(days=SIGN_IN_DAYS)],
            )
            if earlier:
                await end_sign_in(connection, earlier)
        self.forget()
        return cookie

    async def sign_out(self, cookie: str) -> None:
        """End a browser's sign-in."""
        async with self.pool.connection() as connection:
            await end_sign_in(connection, cookie)
        self.forget()
