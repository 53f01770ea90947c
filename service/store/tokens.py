"""Tokens of people and devices, sign-ins of browsers and their links: made, listed, ended. Only hashes are kept."""

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from typing import Final, get_args

import msgspec

from domain.log.actor import Role
from service.store.ids import new_id
from service.store.pool import Connection, Pool

ROLES: Final[tuple[Role, ...]] = get_args(Role)
PREFIX: Final = "lurch_"
LINK_MINUTES: Final = 15


def digest(secret: str) -> bytes:
    """The hash that is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


async def end_sign_in(connection: Connection, cookie: str) -> None:
    """End a browser's sign-in, in every process."""
    await connection.execute("delete from sign_ins where hash = %s and not one_time", [digest(cookie)])
    await connection.execute("select pg_notify('lurch_tokens', '')")


async def make_link(pool: Pool) -> str:
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


async def role_of_link(pool: Pool, link: str) -> str | None:
    """The role of a one-time link that is still good."""
    statement = "select role from sign_ins where hash = %s and one_time and expires_at > now()"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [digest(link)])).fetchone()
    return None if row is None else row[0]


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
    pool: Pool,
    club: str,
    role: Role,
    name: str,
    player: str | None = None,
    match: str | None = None,
) -> str:
    """A new token; only its hash is kept, so this is the one time that it is shown."""
    token = PREFIX + secrets.token_urlsafe(32)
    async with pool.connection() as connection:
        await connection.execute(
            "insert into tokens (id, club_id, hash, name, role, player, match_id, created_at)"
            " values (%s, %s, %s, %s, %s, %s, %s, %s)",
            [new_id(), club, digest(token), name, role, player, match, datetime.now(UTC)],
        )
    return token


async def list_tokens(pool: Pool, club: str | None) -> list[TokenRow]:
    """The tokens of a club, or of all."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "select id::text, name, role, club_id::text, player::text, match_id::text, created_at, last_used,"
            " revoked_at from tokens where %s::uuid is null or club_id = %s order by created_at",
            [club, club],
        )
        return [TokenRow(*row) for row in await cursor.fetchall()]


async def revoke_token(pool: Pool, token: str) -> bool:
    """Revoke by id; False when there is no such token that is still good."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "update tokens set revoked_at = %s where id = %s and revoked_at is null returning id",
            [datetime.now(UTC), token],
        )
        found = await cursor.fetchone() is not None
        await connection.execute("select pg_notify('lurch_tokens', '')")
    return found
