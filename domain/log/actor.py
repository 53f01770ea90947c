"""The actor of a command: told to `decide` beside it, so that a right is judged on the state that is written to."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

import msgspec

Role: TypeAlias = Literal["owner", "secretary", "director", "deputy", "scorer", "player", "spectator"]
Strength: TypeAlias = Literal["own device", "pin", "table", "scorer", "timeout", "token", "file", "inspected"]
DIRECTORS: Final = frozenset({"owner", "director", "deputy"})
RECORDERS: Final = frozenset({*DIRECTORS, "scorer"})
SECRETARIES: Final = frozenset({"owner", "secretary"})
RANKS: Final[tuple[Role, ...]] = ("spectator", "player", "scorer", "deputy", "director", "secretary", "owner")


class Right(msgspec.Struct, frozen=True):
    """A right: one role with what it is for. `club` None is every club; a `tournament` or a `match` narrows it.
    `person` is whose it is (a player id), `also` the other ids of that person, `id` what stands in the log as the
    actor: the person, else the token or the seat at a table. Who came by a table's code (`by_code`) sees
    what everybody sees."""

    role: Role
    club: str | None = None
    tournament: str | None = None
    match: str | None = None
    person: str | None = None
    also: tuple[str, ...] = ()
    id: str | None = None
    strength: Strength = "token"
    by_code: bool = False


class Reach(msgspec.Struct, frozen=True):
    """The subject of a stream: a match, with the tournament that it belongs to, a tournament alone, or with neither all
    of its club. A right for one of them reaches the stream."""

    match: str | None = None
    tournament: str | None = None


class Actor(msgspec.Struct, frozen=True):
    """An actor: the role that allows it, the club that it belongs to (None: every club), the person who plays (a
    player id) with the other ids of that person, the one match or tournament that the role is for, the device, how
    strong a signature is, and who is close to the person. `rights` are all that are held: a command is decided with
    one of them."""

    role: Role = "spectator"
    club: str | None = None
    person: str | None = None
    match: str | None = None
    device: str | None = None
    tournament: str | None = None
    also: tuple[str, ...] = ()
    id: str | None = None
    strength: Strength = "token"
    by_code: bool = False
    close: tuple[str, ...] = ()
    rights: tuple[Right, ...] = ()

    def within(self, club: str) -> "Actor":
        """The same in that club: a stranger there may do nothing."""
        if self.rights:
            here = [each for each in self.rights if each.club in (None, club)]
            named = {each.role for each in here if each.club is not None and each.person is not None}
            # an owner who is a person here acts as that person
            left = tuple(each for each in here if each.club is not None or each.role not in named)
            return msgspec.structs.replace(self, rights=left, role="spectator")
        return self if self.club in (None, club) else Actor(device=self.device)

    def reaching(self, match: str | None, tournament: str | None) -> "Actor":
        """The same with the rights that reach a match, or a tournament."""
        if not self.rights:
            return self
        reach = tuple(
            each
            for each in self.rights
            if (match is None or each.match in (None, match)) and each.tournament in (None, tournament)
        )
        return msgspec.structs.replace(self, rights=reach, role="spectator")

    def reaching_any(self, places: Iterable[Reach]) -> "Actor":
        """The same with the rights that reach one of these at least."""
        if not self.rights:
            return self
        found = (each for place in places for each in self.reaching(place.match, place.tournament).rights)
        return msgspec.structs.replace(self, rights=tuple(dict.fromkeys(found)), role="spectator")

    def each(self) -> Iterator["Actor"]:
        """The actor with each right alone, the least first: who plays at a table acts there as a player."""
        if not self.rights:
            yield self
        for right in sorted(self.rights, key=lambda right: (RANKS.index(right.role), right.by_code)):
            yield self.using(right)

    def using(self, right: Right) -> "Actor":
        """The actor with one right. Whoever has signed in here is close to himself, in which role ever he acts."""
        given = {name: getattr(right, name) for name in right.__struct_fields__}
        own = [id for each in self.rights if not each.by_code and each.person for id in (each.person, *each.also)]
        return msgspec.structs.replace(self, **given, close=tuple(sorted({*self.close, *own})), rights=())

    @property
    def roles(self) -> frozenset[Role]:
        """The roles that are held: one while something is decided."""
        return frozenset(each.role for each in self.rights) or frozenset({self.role})

    @property
    def people(self) -> tuple[str, ...]:
        """All ids of the person who acts."""
        own = () if self.person is None else (self.person, *self.also)
        return own + tuple(id for each in self.rights if each.person for id in (each.person, *each.also))

    @property
    def directs(self) -> bool:
        """A director, a deputy or the owner: applies the rules of the house."""
        return bool(self.roles & DIRECTORS)

    @property
    def records(self) -> bool:
        """Keeps the score: a scorer or a director."""
        return bool(self.roles & RECORDERS)

    @property
    def administers(self) -> bool:
        """A secretary or the owner: members, settings, doors."""
        return bool(self.roles & SECRETARIES)


SERVICE: Final = Actor("owner", strength="file")  # the service itself, and a file: what was decided elsewhere
