"""Speaking for a side: who may, and how strongly. A second name tapped on one device speaks for nobody."""

from typing import Final, NamedTuple

from domain.log.actor import Actor, Strength
from domain.log.decider import Refusal
from domain.match.command import OwnActs
from domain.match.state import Match, side_of

SPEAKS: Final[tuple[Strength, ...]] = ("own device", "pin", "table")
ITSELF: Final[tuple[Strength, ...]] = ("own device", "pin")  # what proves a person


class Voice(NamedTuple):
    """The voice of a side: which, whose, how strong."""

    side: int
    person: str | None
    strength: Strength


def voice_of(match: Match, actor: Actor, own: OwnActs | None, since: int) -> Voice:
    """The voice of an actor for the own side. `since` is the last version that what is said depends on. Raises
    Refusal."""
    side = side_of(match, actor)
    if side is None or actor.role != "player":
        raise Refusal("forbidden", "only a player says so for a side: whoever keeps the score, or a program, cannot")
    if actor.strength not in SPEAKS:
        raise Refusal("forbidden", "say so on your own phone, or with your PIN: a program speaks for no side")
    check_own_device(actor, own, since)
    return Voice(side, actor.person, actor.strength)


def check_own_device(actor: Actor, own: OwnActs | None, since: int) -> None:
    """Checks that nobody else has acted on this device in the deal; a PIN that is typed proves the person. Raises
    Refusal (changed) where more was recorded than is known of the device."""
    if own is None or actor.strength == "pin":
        return
    if since > own.upto:
        raise Refusal("changed", "something was recorded meanwhile: look at it, then say so again")
    if any(who not in actor.people for _, who in own.acts):
        raise Refusal(
            "forbidden",
            "somebody else has recorded here on this device: say so on your own phone, or with your PIN",
        )
