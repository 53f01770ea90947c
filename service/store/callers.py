"""Callers: people and devices by the token or the sign-in that they show."""

from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias

import msgspec

from domain.club.rights import at_most, rights_of
from domain.club.state import Club, Grant
from domain.log.actor import DIRECTORS, RANKS, RECORDERS, SECRETARIES, Actor, Right, Role, Strength
from service.store.log import By, Device
from service.store.pool import Pool
from service.store.sign_ins import SIGN_IN_DAYS, enter
from service.store.together import SharedLookUps
from service.store.tokens import digest, end_sign_in

KEPT_SECONDS: Final = 5.0
MOST_KEPT: Final = 4096
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


class Caller(msgspec.Struct, frozen=True):
    """A person or device that asks, with all `rights` that are held: of a token, of every person who has signed in
    here, of every table whose code was shown here. `holder` is the token or sign-in that a device's id is given to,
    `sign_in` the hash of a browser's,
    `id` the token; `close` are the ids of people who are close to whoever asks."""

    known: bool = False
    id: str | None = None
    name: str | None = None
    holder: str | None = None
    sign_in: bytes | None = None
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

    def directs(self, club: str, tournament: str | None = None, match: str | None = None) -> bool:
        """Tells a director of this club, or a deputy of this tournament."""
        return self._holds(DIRECTORS, club, match, tournament)

    def administers(self, club: str) -> bool:
        """Tells a secretary of this club, or the owner."""
        return self._holds(SECRETARIES, club)

    def records(self, club: str, match: str | None = None, tournament: str | None = None) -> bool:
        """Tells who keeps the score in this club, or at this match."""
        return self._holds(RECORDERS, club, match, tournament)

    def _holds(self, roles: frozenset[str], club: str, match: str | None = None, tournament: str | None = None) -> bool:
        return any(
            each.role in roles
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


def onlooker_of(caller: Caller, club: str) -> Caller:
    """A caller as anybody who may read the club: what a wall shows is the same whoever has signed in on its device."""
    return Caller(True, rights=(Right("spectator", club),)) if of_club(caller, club) else NOBODY


def may_read(caller: Caller, club: str, public: bool) -> bool:
    """A public club is open to everybody."""
    return public or of_club(caller, club)


class Held(msgspec.Struct, frozen=True):
    """A credential as its rows say: what a token or the owner's link was made with, for whom (`maker`: and by whom;
    `recorded`: by an event too; `by_owner`: whatever the maker holds in the club), the people who signed in here by
    club, and the tables whose codes were shown here: club, match, player, id."""

    id: str | None
    name: str | None
    holder: str
    made: Right | None = None
    maker: str | None = None
    people: tuple[tuple[str, str], ...] = ()
    tables: tuple[tuple[str, str, str | None, str], ...] = ()
    recorded: bool = False
    by_owner: bool = False
    sign_in: bytes | None = None


class KnownHeld(msgspec.Struct, frozen=True):
    """The rights of a credential as last looked up, with the time; None if it is no good."""

    held: Held | None
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
    recorded: bool,
    by_owner: bool,
) -> Held:
    held: Role = "spectator" if role == "deputy" and tournament is None else role  # of nothing at all
    made = Right(held, club, tournament, match, player, id=player or id_)
    return Held(id_, name, f"token {id_}", made, maker, recorded=recorded, by_owner=by_owner)


def _of_sign_in(
    key: bytes, id_: str, role: Role, name: str, club: str | None, people: list[list[str]], tables: list[list[Any]]
) -> Held:
    made = None if role == "spectator" else Right(role, club)
    own = tuple((each[0], each[1]) for each in people or ())
    seats = tuple((each[0], each[1], each[2], each[3]) for each in tables or ())
    return Held(None, name, f"sign-in {id_}", made, None, own, seats, sign_in=key)


ClubOf: TypeAlias = Callable[[str], Awaitable[Club | None]]


async def standing(held: Held, club_of: ClubOf) -> Caller:
    """The caller that a credential makes by now: the roles of people are those of the club's events."""
    rights: list[Right] = []
    close: list[str] = []
    name = held.name
    for club, person in held.people:
        state = await club_of(club)
        if state is None:
            continue
        own = rights_of(state, club, person, "own device")
        rights += own
        name = name or (state.players[own[0].person or ""].name if own else None)
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
        given, near = await _made(held, held.made, club_of)
        rights += given
        close += near
    return Caller(True, held.id, name, held.holder, held.sign_in, tuple(rights), tuple(close))


async def _made(held: Held, made: Right, club_of: ClubOf) -> tuple[tuple[Right, ...], tuple[str, ...]]:
    """The rights that a token or the owner's link gives: never more than its maker holds by now, nor than the log says
    that it was given; and everybody who is close to its person, or to its maker, who is no neutral hand by way of a
    program."""
    plain = not held.recorded and made.person is None and held.maker is None
    state = None if plain or made.club is None else await club_of(made.club)
    if state is None or made.club is None:
        return (made,), ()
    if held.recorded and Grant(made.role, made.tournament, made.match) not in state.tokens.get(held.id or "", ()):
        return (), ()
    if made.person is not None:
        own = rights_of(state, made.club, made.person, "token")
        if not own or (held.recorded and made.role != "spectator" and at_most(_of(made, own[0]), own) is None):
            return (), ()
        made = _of(made, own[0])
    theirs = () if held.maker is None else rights_of(state, made.club or "", held.maker, "token")
    if held.maker is not None and not held.by_owner and at_most(made, theirs) is None:
        return (), ()
    people = [person for person in (made.person, held.maker) if person is not None]
    near = [id for person in people for id in (*state.ids_of(person), *state.close_to(person))]
    return (made,), tuple(near)


async def still_holds(pool: Pool, club_of: ClubOf, club: str, maker: str, roles: frozenset[str]) -> bool:
    """Tells a person, or a token, that has one of these roles in the whole club by now."""
    async with pool.connection() as connection:
        cursor = await connection.execute(f"{_SHOWN} id = %s and club_id = %s", [maker, club])
        row = await cursor.fetchone()
    rights: tuple[Right, ...] = ()
    if row is not None:
        rights = (await standing(_of_token(*row[1:11]), club_of)).rights
    elif (state := await club_of(club)) is not None:
        rights = rights_of(state, club, maker, "own device")
    return any(each.role in roles and each.tournament is None and each.match is None for each in rights)


def _of(made: Right, person: Right) -> Right:
    """The right that a token was made with, under the ids that its person has by now."""
    return msgspec.structs.replace(made, person=person.person, also=person.also, id=person.person)


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
        fresh = known is not None and (datetime.now(UTC) - known.at).total_seconds() < KEPT_SECONDS
        return known if fresh else None

    async def again(self, credentials: Collection[Credential]) -> dict[Credential, Caller]:
        """Those who are there already, asked again: who is not in the answer is nobody any more."""
        found = await self._read(self.readers, credentials) if credentials else {}
        return {each: await standing(held, self.club_of) for each, held in found.items()}

    async def _find(self, _: str, credentials: frozenset[Credential]) -> dict[Credential, Held]:
        forgotten, moment = self._forgotten, datetime.now(UTC)
        found = await self._read(self.pool, credentials, moment)
        if forgotten == self._forgotten:
            for kept in (self._found, self._unknown):  # apart: those who invent some make nobody else be forgotten
                if len(kept) > MOST_KEPT:
                    kept.clear()
            self._found.update({each: KnownHeld(held, moment) for each, held in found.items()})
            self._unknown.update(dict.fromkeys(credentials - found.keys(), KnownHeld(None, moment)))
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
                found |= {("token", row[0]): _of_token(*row[1:11]) for row in rows}
                idle = [row[1] for row in rows if _idle(row[11], used)]
                if idle:
                    await connection.execute(
                        "update tokens set last_used = %s where id = any(%s::uuid[])", [used, idle]
                    )
            if cookies:
                rows = await (await connection.execute(_SIGN_INS, [cookies], prepare=True)).fetchall()
                found |= {("cookie", row[0]): _of_sign_in(*row[:7]) for row in rows}
                idle = [row[0] for row in rows if _idle(row[7], used)]
                if idle:
                    await connection.execute(
                        "update sign_ins set last_used = %s, expires_at = %s where hash = any(%s)",
                        [used, (used or datetime.now(UTC)) + timedelta(days=SIGN_IN_DAYS), idle],
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
