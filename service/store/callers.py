"""Callers: people and devices by the token or the sign-in that they show."""

import secrets
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias

import msgspec

from domain.club.rights import at_most, rights_of
from domain.club.state import Club
from domain.log.actor import DIRECTORS, RANKS, RECORDERS, SECRETARIES, Actor, Right, Role, Strength
from service.store.log import By, Device
from service.store.pool import Pool
from service.store.together import SharedLookUps
from service.store.tokens import digest, end_sign_in

SIGN_IN_DAYS: Final = 90  # renewed by use
KEPT_SECONDS: Final = 5.0
_TOKENS: Final = """select hash, id::text, name, role, club_id::text, player::text, match_id::text, tournament_id::text,
    maker::text, last_used from tokens where hash = any(%s) and revoked_at is null"""
_SIGN_INS: Final = """select hash, role, name, club_id::text,
    (select json_agg(json_build_array(club_id, player) order by created_at)
        from sign_in_people as people where people.hash = sign_ins.hash),
    (select json_agg(json_build_array(club_id, match_id, player, id) order by created_at)
        from table_seats as seats where seats.hash = sign_ins.hash and ended_at is null and good_until > now()),
    last_used
    from sign_ins where hash = any(%s) and not one_time and expires_at > now()"""


class Caller(msgspec.Struct, frozen=True):
    """A person or device that asks, with all `rights` that are held: of a token, of every person who has signed in
    here, of every table whose code was shown here. `holder` is the token or sign-in that a device's id is given to,
    `id` the token; `close` are the ids of people who are close to whoever asks."""

    known: bool = False
    id: str | None = None
    name: str | None = None
    holder: str | None = None
    rights: tuple[Right, ...] = ()
    close: tuple[str, ...] = ()

    @property
    def role(self) -> Role:
        """The highest role that is held anywhere: to be shown, not to be asked."""
        return max((each.role for each in self.rights), key=RANKS.index, default="spectator")

    @property
    def owns(self) -> bool:
        """The owner of the service, at the owner's own door."""
        return any(each.role == "owner" and each.club is None for each in self.rights)

    @property
    def people(self) -> tuple[str, ...]:
        """The people who have signed in here themselves, in any club."""
        return tuple(sorted({each.person for each in self.rights if each.person is not None and not each.by_code}))

    def person_in(self, club: str) -> str | None:
        """The person that this is in a club."""
        own = (each.person for each in self.rights if each.club == club and not each.by_code)
        return next((person for person in own if person is not None), None)

    def directs(self, club: str, tournament: str | None = None) -> bool:
        """Tells a director of this club, or a deputy of this tournament."""
        return any(
            each.role in DIRECTORS and each.club in (None, club) and each.tournament in (None, tournament)
            for each in self.rights
        )

    def administers(self, club: str) -> bool:
        """Tells a secretary of this club, or the owner."""
        return any(each.role in SECRETARIES and each.club in (None, club) for each in self.rights)

    def records(self, club: str, match: str | None = None, tournament: str | None = None) -> bool:
        """Tells who keeps the score in this club, or at this match."""
        return any(
            each.role in RECORDERS
            and each.club in (None, club)
            and each.match in (None, match)
            and each.tournament in (None, tournament)
            for each in self.rights
        )

    def by(self, called: str | None = None, clock: datetime | None = None) -> By:
        """The caller as the one who records, on a device with this name; the role is known when it is decided. A
        sign-in is one device, whatever it calls itself."""
        on = None if self.holder is None else Device(self.holder, called if self.id is not None else None)
        return By(actor=self.id, role=self.role, device_clock=clock, on=on)

    def actor(self, device: str | None = None) -> Actor:
        """The caller as an actor with all rights; `device` is known once it has an id."""
        return Actor(device=device, close=self.close, rights=self.rights)


NOBODY: Final = Caller()


Credential: TypeAlias = tuple[Literal["token", "cookie"], bytes]


def of_token(token: str) -> Credential:
    """The credential of a token."""
    return "token", digest(token)


def of_cookie(cookie: str) -> Credential:
    """The credential of a browser's sign-in."""
    return "cookie", digest(cookie)


def of_club(caller: Caller, club: str) -> bool:
    """Tell a caller of this club; the owner belongs to every club, who came by a table's code to that table."""
    return caller.known and any(each.club in (None, club) and not each.by_code for each in caller.rights)


def may_read(caller: Caller, club: str, public: bool) -> bool:
    """A public club is open to everybody."""
    return public or of_club(caller, club)


class Held(msgspec.Struct, frozen=True):
    """A credential as its rows say: what a token or the owner's link was made with, for whom (`maker`: and by whom),
    the people who signed in here by club, and the tables whose codes were shown here: club, match, player, id."""

    id: str | None
    name: str | None
    holder: str
    made: Right | None = None
    maker: str | None = None
    people: tuple[tuple[str, str], ...] = ()
    tables: tuple[tuple[str, str, str | None, str], ...] = ()


class KnownHeld(msgspec.Struct, frozen=True):
    """What a credential holds as last looked up, with the time."""

    held: Held
    at: datetime


def _of_token(
    id_: str,
    name: str,
    role: Role,
    club: str,
    player: str | None,
    match: str | None,
    tournament: str | None,
    maker: str | None,
) -> Held:
    made = Right(role, club, tournament, match, player, id=player or id_)
    return Held(id_, name, f"token {id_}", made, maker)


def _of_sign_in(
    key: bytes, role: Role, name: str, club: str | None, people: list[list[str]], tables: list[list[Any]]
) -> Held:
    made = None if role == "spectator" else Right(role, club)
    own = tuple((each[0], each[1]) for each in people or ())
    seats = tuple((each[0], each[1], each[2], each[3]) for each in tables or ())
    return Held(None, name, f"sign-in {key.hex()}", made, None, own, seats)


ClubOf: TypeAlias = Callable[[str], Awaitable[Club | None]]


async def standing(held: Held, club_of: ClubOf) -> Caller:
    """The caller that a credential makes by now: the roles of people are those of the club's events."""
    rights: list[Right] = []
    close: list[str] = []
    for club, person in held.people:
        state = await club_of(club)
        if state is None:
            continue
        own = rights_of(state, club, person, "own device")
        rights += own
        close += state.close_to(person) if own else ()
        if own and held.made is not None and held.made.role == "owner":  # the owner is a person here
            first = own[0]
            rights.append(Right("owner", club, None, None, first.person, first.also, first.id, "own device"))
    for club, match, player, id_ in held.tables:
        role: Role = "scorer" if player is None else "player"
        also: tuple[str, ...] = ()
        if player is not None and (state := await club_of(club)) is not None:
            also = tuple(each for each in state.ids_of(player) if each != player)
        strength: Strength = "scorer" if player is None else "table"
        rights.append(Right(role, club, None, match, player, also, player or id_, strength, by_code=True))
    if held.made is not None:
        rights += await _made(held, held.made, club_of)
    return Caller(True, held.id, held.name, held.holder, tuple(rights), tuple(close))


async def _made(held: Held, made: Right, club_of: ClubOf) -> list[Right]:
    """What a token or the owner's link gives: never more than its maker holds by now."""
    state = await club_of(made.club) if made.club is not None and (made.person or held.maker) else None
    if state is None or made.club is None:
        return [made]
    if held.maker is not None:
        kept = at_most(made, rights_of(state, made.club, held.maker, "token"))
        if kept is None:
            return []
    if made.person is None:
        return [made]
    if made.person in state.erased:
        return []
    first, *also = state.ids_of(made.person)
    return [msgspec.structs.replace(made, person=first, also=tuple(also), id=first)]


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
        self._forgotten = 0
        self._look_ups: SharedLookUps[str, Credential, dict[Credential, Held]] = SharedLookUps(self._find)

    def forget(self) -> None:
        """Look everybody up again; what is being looked up right now is not remembered."""
        self._found.clear()
        self._forgotten += 1

    async def by(self, credential: Credential) -> Caller | None:
        """The caller who shows this; None when it is no good."""
        known = self._found.get(credential)
        if known is not None and (datetime.now(UTC) - known.at).total_seconds() < KEPT_SECONDS:
            return await standing(known.held, self.club_of)
        held = (await self._look_ups.ask("", credential)).get(credential)
        return None if held is None else await standing(held, self.club_of)

    async def again(self, credentials: Collection[Credential]) -> dict[Credential, Caller]:
        """Those who are there already, asked again: who is not in the answer is nobody any more."""
        found = await self._read(self.readers, credentials) if credentials else {}
        return {each: await standing(held, self.club_of) for each, held in found.items()}

    async def _find(self, _: str, credentials: frozenset[Credential]) -> dict[Credential, Held]:
        forgotten, moment = self._forgotten, datetime.now(UTC)
        found = await self._read(self.pool, credentials, moment)
        if forgotten == self._forgotten:
            if len(self._found) > 4096:
                self._found.clear()
            self._found.update({each: KnownHeld(held, moment) for each, held in found.items()})
        return found

    async def _read(
        self, pool: Pool, credentials: Collection[Credential], used: datetime | None = None
    ) -> dict[Credential, Held]:
        """One statement for all tokens and one for all sign-ins; `used` is written at most once a minute."""
        tokens = [key for kind, key in credentials if kind == "token"]
        cookies = [key for kind, key in credentials if kind == "cookie"]
        found: dict[Credential, Held] = {}
        async with pool.connection() as connection:
            if tokens:
                rows = await (await connection.execute(_TOKENS, [tokens], prepare=True)).fetchall()
                found |= {("token", row[0]): _of_token(*row[1:9]) for row in rows}
                idle = [row[1] for row in rows if _idle(row[9], used)]
                if idle:
                    await connection.execute(
                        "update tokens set last_used = %s where id = any(%s::uuid[])", [used, idle]
                    )
            if cookies:
                rows = await (await connection.execute(_SIGN_INS, [cookies], prepare=True)).fetchall()
                found |= {("cookie", row[0]): _of_sign_in(*row[:6]) for row in rows}
                idle = [row[0] for row in rows if _idle(row[6], used)]
                if idle:
                    await connection.execute(
                        "update sign_ins set last_used = %s, expires_at = %s where hash = any(%s)",
                        [used, (used or datetime.now(UTC)) + timedelta(days=SIGN_IN_DAYS), idle],
                    )
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
