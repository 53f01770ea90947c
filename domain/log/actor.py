"""The actor of a command: told to `decide` beside it, so that a right is judged on the state that is written to."""

from typing import Final, Literal, TypeAlias

import msgspec

Role: TypeAlias = Literal["owner", "director", "scorer", "player", "spectator"]
DIRECTORS: Final = frozenset({"owner", "director"})
RECORDERS: Final = frozenset({"owner", "director", "scorer"})


class Actor(msgspec.Struct, frozen=True):
    """An actor: the role that allows it, the club that it belongs to (None: every club), the person who plays (a
    player id), the one match that a token is bound to, and the device that it is done on."""

    role: Role = "spectator"
    club: str | None = None
    person: str | None = None
    match: str | None = None
    device: str | None = None

    def within(self, club: str) -> "Actor":
        """The same in that club: a stranger there may do nothing."""
        return self if self.club in (None, club) else Actor(device=self.device)

    @property
    def directs(self) -> bool:
        """A director or the owner: applies the rules of the house."""
        return self.role in DIRECTORS

    @property
    def records(self) -> bool:
        """Keeps the score: a scorer or a director."""
        return self.role in RECORDERS


SERVICE: Final = Actor("owner")  # the service itself, and a file: what was decided elsewhere is recorded as it stands
