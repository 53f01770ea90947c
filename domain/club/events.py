"""Events of a club. Names of people are private and stand beside the event."""

import msgspec


class ClubEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a club."""


class ClubFounded(ClubEvent, frozen=True):
    """A club began. A `public` club can be read by everybody."""

    name: str
    public: bool


class PlayerRegistered(ClubEvent, frozen=True):
    """A person was registered; the name is private. A visitor came in with a match."""

    player: str
    visitor: bool


OWN_EVENTS: tuple[type[ClubEvent], ...] = (ClubFounded, PlayerRegistered)
