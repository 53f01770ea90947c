"""Invitations: links that sign a person in, good once. Only hashes are kept."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from domain.log.actor import Role
from service.store.pool import Pool
from service.store.sign_ins import NewSignIn, add_person, enter
from service.store.tokens import LINK_MINUTES, digest

INVITATION_DAYS: Final = 1
KEPT_DAYS: Final = 30  # a used or old link is told as that, and not as unknown
_READ: Final = """select encode(invitations.hash, 'hex'), invitations.club_id::text, invitations.player::text, role,
    tournament_id::text, match_id::text, maker::text, by_owner, made_on is not null, expires_at, used_at,
    exists (select from sign_in_people as people where people.hash = made_on
        and people.club_id = invitations.club_id and people.player = invitations.player)
    from invitations where hash = %s"""


class Invitation(msgspec.Struct, frozen=True):
    """An invitation as its row says: whom it signs in, the role that it gives, who made it. `further` is a link for a
    further device, which is good while the person is signed in on the first one (`there`)."""

    key: str
    club: str
    person: str
    role: Role | None
    tournament: str | None
    match: str | None
    maker: str | None
    by_owner: bool
    further: bool
    expires_at: datetime
    used_at: datetime | None
    there: bool


class OpenInvitation(msgspec.Struct, frozen=True):
    """An invitation that is still good, in a list."""

    role: Role | None
    expires_at: datetime


class Maker(msgspec.Struct, frozen=True):
    """The maker of an invitation: a person of the club, the owner, or both in one."""

    person: str | None
    owner: bool


async def invite(
    pool: Pool,
    club: str,
    person: str,
    maker: Maker,
    role: Role | None = None,
    tournament: str | None = None,
    match: str | None = None,
) -> str:
    """The secret of a new invitation, good for a day."""
    secret, moment = secrets.token_urlsafe(32), datetime.now(UTC)
    async with pool.connection() as connection:
        await connection.execute("delete from invitations where expires_at < %s", [moment - timedelta(days=KEPT_DAYS)])
        await connection.execute(
            "insert into invitations (hash, club_id, player, role, tournament_id, match_id, maker, by_owner,"
            " created_at, expires_at) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                *(digest(secret), club, person, role, tournament, match, maker.person, maker.owner),
                *(moment, moment + timedelta(days=INVITATION_DAYS)),
            ],
        )
    return secret


async def further_device(pool: Pool, club: str, person: str, device: str) -> str | None:
    """The secret of a link for a further device, good for 15 minutes; None where this one is signed in no more."""
    secret, moment = secrets.token_urlsafe(32), datetime.now(UTC)
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "insert into invitations (hash, club_id, player, by_owner, made_on, created_at, expires_at)"
            " select %s, people.club_id, people.player, false, people.hash, %s, %s from sign_in_people as people"
            " join sign_ins using (hash) where id = %s and people.club_id = %s and people.player = %s returning hash",
            [digest(secret), moment, moment + timedelta(minutes=LINK_MINUTES), device, club, person],
        )
        return secret if await cursor.fetchone() is not None else None


async def find(pool: Pool, secret: str) -> Invitation | None:
    """The invitation behind a secret, used and old ones too."""
    async with pool.connection() as connection:
        row = await (await connection.execute(_READ, [digest(secret)])).fetchone()
    return None if row is None else Invitation(*row)


async def use(pool: Pool, found: Invitation, earlier: str | None) -> NewSignIn | None:
    """Use an invitation up and sign its person in, in one transaction; None where somebody was faster."""
    moment = datetime.now(UTC)
    async with pool.connection() as connection, connection.transaction():
        cursor = await connection.execute(
            "update invitations set used_at = %s where hash = decode(%s, 'hex') and used_at is null"
            " and expires_at > %s returning hash",
            [moment, found.key, moment],
        )
        if await cursor.fetchone() is None:
            return None
        entered = await enter(connection, earlier, moment)
        await add_person(connection, entered.cookie, found.club, found.person, moment)
    return entered


async def open_invitations(pool: Pool, club: str, person: str) -> list[OpenInvitation]:
    """The invitations of a person that are still good."""
    statement = (
        "select role, expires_at from invitations where club_id = %s and player = %s and made_on is null"
        " and used_at is null and expires_at > now() order by expires_at"
    )
    async with pool.connection() as connection:
        rows = await (await connection.execute(statement, [club, person])).fetchall()
    return [OpenInvitation(*row) for row in rows]


async def withdraw(pool: Pool, club: str, person: str) -> None:
    """End the invitations of a person that nobody has used."""
    async with pool.connection() as connection:
        await connection.execute(
            "delete from invitations where club_id = %s and player = %s and made_on is null and used_at is null",
            [club, person],
        )
