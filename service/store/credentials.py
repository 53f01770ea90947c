"""Credentials: what a token, or a browser's sign-in, holds, and the caller that it makes by now."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeAlias

import msgspec

from domain.club.rights import at_most, rights_of
from domain.club.state import Club, Grant
from domain.log.actor import Right, Role, Strength
from service.store.callers import Caller
from service.store.tokens import digest

Credential: TypeAlias = tuple[Literal["token", "cookie"], bytes]


def of_token(token: str) -> Credential:
    """The credential of a token."""
    return "token", digest(token)


def of_cookie(cookie: str) -> Credential:
    """The credential of a browser's sign-in."""
    return "cookie", digest(cookie)


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
    """The rights of a credential as last looked up, None if it is no good; `since` by the monotonic clock, for the
    machine's own may be put back."""

    held: Held | None
    since: float


def held_by_token(
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
    """The rights of a token by the columns of its row."""
    held: Role = "spectator" if role == "deputy" and tournament is None else role  # of nothing at all
    made = Right(held, club, tournament, match, player, id=player or id_)
    return Held(id_, name, f"token {id_}", made, maker, recorded=recorded, by_owner=by_owner)


def held_by_sign_in(
    key: bytes, id_: str, role: Role, name: str, club: str | None, people: list[list[str]], tables: list[list[Any]]
) -> Held:
    """The rights of a browser's sign-in by the columns of its row."""
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


def _of(made: Right, person: Right) -> Right:
    """The right that a token was made with, under the ids that its person has by now."""
    return msgspec.structs.replace(made, person=person.person, also=person.also, id=person.person)
