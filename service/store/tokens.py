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


async def signed_in(pool: Pool, club: str) -> list[str]:
    """The people of a club who are signed in on a device, the one who used it last first."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "select people.player::text from sign_in_people people join sign_ins on sign_ins.hash = people.hash"
            " where people.club_id = %s and not one_time and expires_at > now() group by people.player"
            " order by max(coalesce(sign_ins.last_used, sign_ins.created_at)) desc",
            [club],
        )
        return [row[0] for row in await cursor.fetchall()]


async def role_of_link(pool: Pool, link: str) -> str | None:
    """The role of a one-time link that is still good."""
    statement = "select role from sign_ins where hash = %s and one_time and expires_at > now()"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [digest(link)])).fetchone()
    return None if row is None else row[0]


class TokenRow(msgspec.Struct, frozen=True):
    """A token in the list: everything but itself. `maker` is the person who made it, `made_with` the token; `recorded`
    where it is good only while the log says what it was given, `by_owner` where it does not hang on what the maker
    holds in the club."""

    id: str
    name: str
    role: Role
    club: str
    player: str | None
    match: str | None
    created_at: datetime
    last_used: datetime | None
    revoked_at: datetime | None
    tournament: str | None = None
    maker: str | None = None
    made_with: str | None = None
    recorded: bool = False
    by_owner: bool = False


_COLUMNS: Final = """id::text, name, role, club_id::text, player::text, match_id::text, created_at, last_used,
    revoked_at, tournament_id::text, maker::text, made_with::text, recorded, by_owner"""


def new_secret() -> str:
    """A token itself, to be shown this one time."""
    return PREFIX + secrets.token_urlsafe(32)


async def insert(pool: Pool, row: TokenRow, secret: str) -> None:
    """The row of a token; only its hash is kept. One that was made with another one has that one's maker, where it has
    none of its own."""
    async with pool.connection() as connection:
        await connection.execute(
            "insert into tokens (id, club_id, hash, name, role, player, match_id, tournament_id, created_at, maker,"
            " made_with, recorded, by_owner) values (%s, %s, %s, %s, %s, %s, %s, %s, %s,"
            " coalesce(%s, (select maker from tokens where id = %s)), %s, %s,"
            " %s or coalesce((select by_owner from tokens where id = %s and %s::uuid is null), false))",
            [
                *(row.id, row.club, digest(secret), row.name, row.role, row.player, row.match, row.tournament),
                *(row.created_at, row.maker, row.made_with, row.made_with, row.recorded),
                *(row.by_owner, row.made_with, row.maker),
            ],
        )


async def forget_token(pool: Pool, token: str) -> None:
    """Takes out the row of a token whose making was refused."""
    async with pool.connection() as connection:
        await connection.execute("delete from tokens where id = %s", [token])


async def create_token(
    pool: Pool,
    club: str,
    role: Role,
    name: str,
    player: str | None = None,
    match: str | None = None,
    tournament: str | None = None,
) -> str:
    """A new token whose row alone gives the right, as before roles stood in the log."""
    secret = new_secret()
    row = TokenRow(new_id(), name, role, club, player, match, datetime.now(UTC), None, None, tournament)
    await insert(pool, row, secret)
    return secret


async def list_tokens(pool: Pool, club: str | None) -> list[TokenRow]:
    """The tokens of a club, or of all."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            f"select {_COLUMNS} from tokens where %s::uuid is null or club_id = %s order by created_at",  # noqa: S608  # the columns are ours
            [club, club],
        )
        return [TokenRow(*row) for row in await cursor.fetchall()]


async def with_those_made(pool: Pool, token: str) -> list[TokenRow]:
    """A token with all that were made with it, and with those; none where there is no such token."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            f"""with recursive made as (
                select t.* from tokens t where t.id = %s
                union select t.* from tokens t join made on t.made_with = made.id
            ) select {_COLUMNS} from made order by created_at""",  # noqa: S608  # as above
            [token],
        )
        return [TokenRow(*row) for row in await cursor.fetchall()]


async def revoke_token(pool: Pool, token: str) -> bool:
    """Revoke by id; False when there is no such token that is still good."""
    return await revoke_tokens(pool, [token])


async def revoke_tokens(pool: Pool, found: list[str]) -> bool:
    """Revoke tokens by their ids; False when none of them was still good."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "update tokens set revoked_at = %s where id = any(%s::uuid[]) and revoked_at is null returning id",
            [datetime.now(UTC), found],
        )
        ended = await cursor.fetchone() is not None
        await connection.execute("select pg_notify('lurch_tokens', '')")
    return ended
