"""Who is asking: tokens of people and devices, sign-ins of browsers, and what each role may do."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from domain.actor import Actor, Role
from domain.decider import Refusal
from domain.match.state import Match
from service.live.together import Together
from service.recording import new_id
from service.store.log import By, Device

ROLES: Final[tuple[Role, ...]] = get_args(Role)
PREFIX: Final = "lurch_"
LINK_MINUTES: Final = 15
SIGN_IN_DAYS: Final = 30
KEPT_SECONDS: Final = 5.0
ELSEWHERE: Final = "elsewhere"  # in place of the match that a token is bound to, where another one is shown
_TOKENS: Final = """select hash, id::text, name, role, club_id::text, player::text, match_id::text, last_used
    from tokens where hash = any(%s) and revoked_at is null"""
_SIGN_INS: Final = """select hash, role, name, club_id::text from sign_ins
    where hash = any(%s) and not one_time and expires_at > now()"""


class Caller(msgspec.Struct, frozen=True):
    """One who asks. `club` None means every club (the owner's own sign-in) or, without a role, nobody; `holder` is the
    token or sign-in that a device's id is given to."""

    role: Role = "spectator"
    known: bool = False
    id: str | None = None
    name: str | None = None
    club: str | None = None
    player: str | None = None
    match: str | None = None
    holder: str | None = None

    def by(self, called: str | None = None, clock: datetime | None = None) -> By:
        """As whom this caller records, on a device that calls itself so."""
        on = None if self.holder is None else Device(self.holder, called)
        return By(actor=self.id, role=self.role, device_clock=clock, on=on)

    def actor(self, device: str | None = None) -> Actor:
        """Who acts; on which device is known once it has an id."""
        return Actor(self.role, self.club, self.player, self.match, device)


NOBODY: Final = Caller()


def digest(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


Credential: TypeAlias = tuple[Literal["token", "cookie"], bytes]


def of_token(token: str) -> Credential:
    """What a token proves itself by."""
    return "token", digest(token)


def of_cookie(cookie: str) -> Credential:
    """What a browser's sign-in proves itself by."""
    return "cookie", digest(cookie)


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


def kind_of(caller: Caller, club: str, match: Match | None = None, stream: str | None = None) -> Caller:
    """The caller without all that makes no difference to what is shown in a club, or of one match. What is shown is
    made for the kind and not for the caller, so that everybody of a kind can be shown the same, and what is left out
    here by mistake is not shown to anybody."""
    if not of_club(caller, club):
        return NOBODY
    sits = match is None or any(caller.player in players for players in match.setup.sides)
    bound = caller.match if caller.match is None or stream is None or caller.match == stream else ELSEWHERE
    return Caller(caller.role, True, club=club, player=caller.player if sits else None, match=bound)


class Found(msgspec.Struct, frozen=True):
    """A caller as last looked up, and when."""

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

    def __init__(self, pool: AsyncConnectionPool[Any], readers: AsyncConnectionPool[Any] | None = None) -> None:
        self.pool = pool
        self.readers = readers or pool
        self._found: dict[Credential, Found] = {}
        self._forgotten = 0
        self._look_ups: Together[str, Credential, dict[Credential, Caller]] = Together(self._find)

    def forget(self) -> None:
        """Look everybody up again; what is being looked up right now is not remembered."""
        self._found.clear()
        self._forgotten += 1

    async def by_token(self, token: str) -> Caller | None:
        """The caller of a token; None for one that is unknown or revoked."""
        return await self.by(of_token(token))

    async def by_cookie(self, cookie: str) -> Caller | None:
        """The caller of a browser's sign-in; None when it has ended."""
        return await self.by(of_cookie(cookie))

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
            self._found.update({each: Found(caller, moment) for each, caller in found.items()})
        return found

    async def _read(
        self, pool: AsyncConnectionPool[Any], credentials: Collection[Credential], used: datetime | None = None
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
