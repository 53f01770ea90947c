"""Who is asking: tokens of people and devices, sign-ins of browsers, and what each role may do."""

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any, Final, get_args

import msgspec
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from domain.actor import Actor, Role
from domain.decider import Refusal
from service.recording import new_id
from service.store.log import By

ROLES: Final[tuple[Role, ...]] = get_args(Role)
PREFIX: Final = "lurch_"
LINK_MINUTES: Final = 15
SIGN_IN_DAYS: Final = 30
KEPT_SECONDS: Final = 5.0


class Caller(msgspec.Struct, frozen=True):
    """One who asks. `club` None means every club (the owner's own sign-in) or, without a role, nobody."""

    role: Role = "spectator"
    known: bool = False
    id: str | None = None
    name: str | None = None
    club: str | None = None
    player: str | None = None
    match: str | None = None

    def by(self, device: str | None = None, clock: datetime | None = None) -> By:
        """As whom this caller records."""
        return By(actor=self.id, role=self.role, device=device, device_clock=clock)

    def actor(self, device: str | None = None) -> Actor:
        """Who acts."""
        return Actor(self.role, self.club, self.player, self.match, device)


NOBODY: Final = Caller()


def digest(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def of_club(caller: Caller, club: str) -> bool:
    """Whether the caller belongs to this club."""
    return caller.known and caller.club in (None, club)


def may_read(caller: Caller, club: str, public: bool) -> bool:
    """A public club is open to everybody."""
    return public or of_club(caller, club)


def check_known(caller: Caller) -> None:
    """Raises Refusal: 401 for whom we do not know."""
    if not caller.known:
        raise Refusal("unauthorised", "this needs a token: send Authorization: Bearer …")


def require(caller: Caller, club: str, allowed: frozenset[str], match: str | None = None) -> None:
    """Raises Refusal: 401 without a token, 403 for a role or scope that does not reach."""
    check_known(caller)
    if not of_club(caller, club) or caller.role not in allowed:
        raise Refusal("forbidden", f"the role `{caller.role}` may not do this here")
    if caller.match is not None and match != caller.match:
        raise Refusal("forbidden", "this token is bound to another match")


class Found(msgspec.Struct, frozen=True):
    """A caller as last looked up, and when."""

    caller: Caller
    at: datetime


class Doorkeeper:
    """Looks tokens and sign-ins up, by their hashes; a look-up is remembered for a few seconds and
    forgotten at once when any is made or revoked (the notice comes over NOTIFY)."""

    def __init__(self, pool: AsyncConnectionPool[Any]) -> None:
        self.pool = pool
        self._found: dict[tuple[str, bytes], Found] = {}
        self._forgotten = 0

    def forget(self) -> None:
        """Look everybody up again; what is being looked up right now is not remembered."""
        self._found.clear()
        self._forgotten += 1

    async def by_token(self, token: str) -> Caller | None:
        """The caller of a token; None for one that is unknown or revoked."""
        return await self._look_up("token", digest(token), self._token)

    async def by_cookie(self, cookie: str) -> Caller | None:
        """The caller of a browser's sign-in; None when it has ended."""
        return await self._look_up("cookie", digest(cookie), self._sign_in)

    async def _look_up(self, kind: str, key: bytes, find: Any) -> Caller | None:
        known = self._found.get((kind, key))
        moment = datetime.now(UTC)
        if known is not None and (moment - known.at).total_seconds() < KEPT_SECONDS:
            return known.caller
        forgotten = self._forgotten
        caller: Caller | None = await find(key)
        if caller is not None and forgotten == self._forgotten:
            if len(self._found) > 4096:
                self._found.clear()
            self._found[kind, key] = Found(caller, moment)
        return caller

    async def _token(self, key: bytes) -> Caller | None:
        statement = """select id::text, name, role, club_id::text, player::text, match_id::text, last_used
            from tokens where hash = %s and revoked_at is null"""
        async with self.pool.connection() as connection:
            row = await (await connection.execute(statement, [key], prepare=True)).fetchone()
            if row is None:
                return None
            moment = datetime.now(UTC)
            if row[6] is None or moment - row[6] > timedelta(minutes=1):
                await connection.execute("update tokens set last_used = %s where id = %s", [moment, row[0]])
        return Caller(row[2], True, row[0], row[1], row[3], row[4], row[5])

    async def _sign_in(self, key: bytes) -> Caller | None:
        statement = """select role, name, club_id::text from sign_ins
            where hash = %s and not one_time and expires_at > now()"""
        async with self.pool.connection() as connection:
            row = await (await connection.execute(statement, [key], prepare=True)).fetchone()
        return None if row is None else Caller(row[0], True, None, row[1], row[2])

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
                await _end(connection, earlier)
        self.forget()
        return cookie

    async def sign_out(self, cookie: str) -> None:
        """End a browser's sign-in."""
        async with self.pool.connection() as connection:
            await _end(connection, cookie)
        self.forget()


async def _end(connection: AsyncConnection[Any], cookie: str) -> None:
    """End a browser's sign-in, in every process."""
    await connection.execute("delete from sign_ins where hash = %s and not one_time", [digest(cookie)])
    await connection.execute("select pg_notify('lurch_tokens', '')")


async def make_link(pool: AsyncConnectionPool[Any]) -> str:
    """The secret of a one-time owner's link; it lasts for 15 minutes."""
    secret = secrets.token_urlsafe(32)
    moment = datetime.now(UTC)
    async with pool.connection() as connection:
        await connection.execute(
            "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)"
            " values (%s, null, 'owner', 'owner', true, %s, %s)",
            [digest(secret), moment, moment + timedelta(minutes=LINK_MINUTES)],
        )
    return secret


class TokenRow(msgspec.Struct, frozen=True):
    """A token in the list: everything but itself."""

    id: str
    name: str
    role: str
    club: str
    player: str | None
    match: str | None
    created_at: datetime
    last_used: datetime | None
    revoked_at: datetime | None


async def create_token(
    pool: AsyncConnectionPool[Any], club: str, role: Role, name: str, player: str | None = None,
    match: str | None = None,
) -> str:  # fmt: skip
    """A new token; only its hash is kept, so this is the one time that it is shown."""
    token = PREFIX + secrets.token_urlsafe(32)
    async with pool.connection() as connection:
        await connection.execute(
            "insert into tokens (id, club_id, hash, name, role, player, match_id, created_at)"
            " values (%s, %s, %s, %s, %s, %s, %s, %s)",
            [new_id(), club, digest(token), name, role, player, match, datetime.now(UTC)],
        )
    return token


async def list_tokens(pool: AsyncConnectionPool[Any], club: str | None) -> list[TokenRow]:
    """The tokens of a club, or of all."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "select id::text, name, role, club_id::text, player::text, match_id::text, created_at, last_used,"
            " revoked_at from tokens where %s::uuid is null or club_id = %s order by created_at",
            [club, club],
        )
        return [TokenRow(*row) for row in await cursor.fetchall()]


async def revoke_token(pool: AsyncConnectionPool[Any], token: str) -> bool:
    """Revoke by id; False when there is no such token that is still good."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "update tokens set revoked_at = %s where id = %s and revoked_at is null returning id",
            [datetime.now(UTC), token],
        )
        found = await cursor.fetchone() is not None
        await connection.execute("select pg_notify('lurch_tokens', '')")
    return found
