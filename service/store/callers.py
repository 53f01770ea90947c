"""Callers: people and devices that ask, with the rights that they hold."""

from datetime import datetime
from typing import Final

import msgspec

from domain.log.actor import DIRECTORS, RANKS, RECORDERS, SECRETARIES, Actor, Right, Role
from service.store.log import By, Device


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


def of_club(caller: Caller, club: str) -> bool:
    """Tell a caller of this club; the owner belongs to every club, who came by a table's code to that table."""
    return caller.known and any(each.club in (None, club) and not each.by_code for each in caller.rights)


def onlooker_of(caller: Caller, club: str) -> Caller:
    """A caller as anybody who may read the club: what a wall shows is the same whoever has signed in on its device."""
    return Caller(True, rights=(Right("spectator", club),)) if of_club(caller, club) else NOBODY


def may_read(caller: Caller, club: str, public: bool) -> bool:
    """A public club is open to everybody."""
    return public or of_club(caller, club)
