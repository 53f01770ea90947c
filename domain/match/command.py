"""The command on a match, with what each one may carry: words, strength, moment, the acts of a device."""

import msgspec

from domain.log.actor import Strength
from domain.match.windows import Moment


class CommandOnMatch(msgspec.Struct, frozen=True):
    """A command on a match. `note` is a reason or comment: private words of a person. `asks` is the least strength that
    the club or the tournament of the match asks for. `moment` is now, with the times that say in which window a deal
    is; None where nobody keeps time (a file)."""

    note: str | None = None
    asks: Strength | None = None
    moment: Moment | None = None


class OwnActs(msgspec.Struct, frozen=True):
    """The acts of one device in a match, up to a version of it: each as version and actor. The fold knows no devices,
    so they come with the command. `spoke` are the people who have said on it, in the match's tournament, how the match
    ended."""

    upto: int
    acts: tuple[tuple[int, str | None], ...] = ()
    spoke: tuple[str | None, ...] = ()
