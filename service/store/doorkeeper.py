"""The doorkeeper: looks credentials up, remembers them for a moment, and forgets them at once when one is ended."""

from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

from psycopg import errors

from domain.club.rights import rights_of
from domain.log.actor import Right
from service.store.callers import Caller
from service.store.credentials import ClubOf, Credential, Held, KnownHeld, held_by_sign_in, held_by_token, standing
from service.store.pool import Pool
from service.store.sign_ins import SIGN_IN_DAYS, enter
from service.store.together import SharedLookUps
from service.store.tokens import digest, end_sign_in

KEPT_SECONDS: Final = 5.0
MOST_KEPT: Final = 4096
UNLESS_READ_ONLY: Final = suppress(errors.DiskFull, errors.ReadOnlySqlTransaction)  # who is known still reads
_SHOWN: Final = """select hash, id::text, name, role, club_id::text, player::text, match_id::text, tournament_id::text,
    maker::text, recorded, by_owner, last_used from tokens where revoked_at is null and"""
_TOKENS: Final = f"{_SHOWN} hash = any(%s)"
_SIGN_INS: Final = """select hash, id, role, name, club_id::text,
    (select json_agg(json_build_array(club_id, player) order by created_at)
        from sign_in_people as people where people.hash = sign_ins.hash),
    (select json_agg(json_build_array(club_id, match_id, player, id) order by created_at)
        from table_seats as seats where seats.hash = sign_ins.hash and ended_at is null and good_until > now()),
    last_used
    from sign_ins where hash = any(%s) and not one_time and expires_at > now()"""


def _idle(last: datetime | None, used: datetime | None) -> bool:
    """Tells whether a use is worth a row: the last one was noted more than a minute ago."""
    return used is not None and (last is None or used - last > timedelta(minutes=1))


class Doorkeeper:
    """Looks tokens and sign-ins up, by their hashes; a look-up is remembered for a few seconds and
    forgotten at once when any is made or revoked (the notice comes over NOTIFY).

    Who comes while one look-up is under way goes with the next, so a hall that comes at once asks a few times and not
    once each. `readers` is the pool for asking again who is there already.
    """

    def __init__(self, pool: Pool, club_of: ClubOf, readers: Pool | None = None) -> None:
        self.pool = pool
        self.club_of = club_of
        self.readers = readers or pool
        self._found: dict[Credential, KnownHeld] = {}
        self._unknown: dict[Credential, KnownHeld] = {}
        self._forgotten = 0
        self._look_ups: SharedLookUps[str, Credential, dict[Credential, Held]] = SharedLookUps(self._find)

    def forget(self) -> None:
        """Look everybody up again; what is being looked up right now is not remembered."""
        self._found.clear()
        self._unknown.clear()
        self._forgotten += 1

    async def by(self, credential: Credential) -> Caller | None:
        """The caller who shows this; None when it is no good."""
        held = await self.held(credential)
        return None if held is None else await standing(held, self.club_of)

    async def held(self, credential: Credential) -> Held | None:
        """The rights that a credential holds; None when it is no good."""
        known = self.remembered(credential)
        return (await self._look_ups.ask("", credential)).get(credential) if known is None else known.held

    def remembered(self, credential: Credential) -> KnownHeld | None:
        """The answer of a moment ago, also that a credential is no good: a flood asks no database."""
        known = self._found.get(credential) or self._unknown.get(credential)
        fresh = known is not None and monotonic() - known.since < KEPT_SECONDS
        return known if fresh else None

    async def again(self, credentials: Collection[Credential]) -> dict[Credential, Caller]:
        """Those who are there already, asked again: who is not in the answer is nobody any more."""
        found = await self._read(self.readers, credentials) if credentials else {}
        return {each: await standing(held, self.club_of) for each, held in found.items()}

    async def _find(self, _: str, credentials: frozenset[Credential]) -> dict[Credential, Held]:
        forgotten, since = self._forgotten, monotonic()
        found = await self._read(self.pool, credentials, datetime.now(UTC))
        if forgotten == self._forgotten:
            for kept in (self._found, self._unknown):  # apart: those who invent some make nobody else be forgotten
                if len(kept) > MOST_KEPT:
                    kept.clear()
                for each in credentials:  # what was known of it is old
                    kept.pop(each, None)
            self._found.update({each: KnownHeld(held, since) for each, held in found.items()})
            self._unknown.update(dict.fromkeys(credentials - found.keys(), KnownHeld(None, since)))
        return found

    async def _read(
        self, pool: Pool, credentials: Collection[Credential], used: datetime | None = None
    ) -> dict[Credential, Held]:
        """One statement for all tokens and one for all sign-ins; `used` is written at most once a minute, and not while
        the database can only be read."""
        tokens = [key for kind, key in credentials if kind == "token"]
        cookies = [key for kind, key in credentials if kind == "cookie"]
        found: dict[Credential, Held] = {}
        async with pool.connection() as connection:
            if tokens:
                rows = await (await connection.execute(_TOKENS, [tokens], prepare=True)).fetchall()
                found |= {("token", row[0]): held_by_token(*row[1:11]) for row in rows}
                idle = [row[1] for row in rows if _idle(row[11], used)]
                if idle:
                    with UNLESS_READ_ONLY:
                        await connection.execute(
                            "update tokens set last_used = %s where id = any(%s::uuid[])", [used, idle]
                        )
            if cookies:
                rows = await (await connection.execute(_SIGN_INS, [cookies], prepare=True)).fetchall()
                found |= {("cookie", row[0]): held_by_sign_in(*row[:7]) for row in rows}
                idle = [row[0] for row in rows if _idle(row[7], used)]
                if idle:
                    until = (used or datetime.now(UTC)) + timedelta(days=SIGN_IN_DAYS)
                    with UNLESS_READ_ONLY:
                        await connection.execute(
                            "update sign_ins set last_used = %s, expires_at = %s where hash = any(%s)",
                            [used, until, idle],
                        )
        return found

    async def redeem(self, link: str, earlier: str | None = None) -> str | None:
        """A browser's sign-in for the owner's one-time link. People who signed in there stay, and its secret is
        renewed; None when the link was used or has ended."""
        moment = datetime.now(UTC)
        async with self.pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                "delete from sign_ins where hash = %s and one_time and expires_at > %s returning club_id, role, name",
                [digest(link), moment],
            )
            row = await cursor.fetchone()
            if row is None:
                return None
            entered = await enter(connection, earlier, moment)
            await connection.execute(
                "update sign_ins set club_id = %s, role = %s, name = %s where id = %s", [*row, entered.id]
            )
            await connection.execute("select pg_notify('lurch_tokens', '')")
        self.forget()
        return entered.cookie

    async def sign_out(self, cookie: str) -> None:
        """End a browser's sign-in."""
        async with self.pool.connection() as connection:
            await end_sign_in(connection, cookie)
        self.forget()


async def still_holds(pool: Pool, club_of: ClubOf, club: str, maker: str, roles: frozenset[str]) -> bool:
    """Tells a person, or a token, that has one of these roles in the whole club by now."""
    async with pool.connection() as connection:
        cursor = await connection.execute(f"{_SHOWN} id = %s and club_id = %s", [maker, club])
        row = await cursor.fetchone()
    rights: tuple[Right, ...] = ()
    if row is not None:
        rights = (await standing(held_by_token(*row[1:11]), club_of)).rights
    elif (state := await club_of(club)) is not None:
        rights = rights_of(state, club, maker, "own device")
    return any(each.role in roles and each.tournament is None and each.match is None for each in rights)
