"""Rights in a club: what a person holds there, and who may grant what. Nothing but the club's events gives a person
rights; a token or a table's code never has more than whoever made it."""

from typing import Final

from domain.club.state import Club, Grant
from domain.log.actor import Actor, Right, Role, Strength
from domain.log.decider import Refusal

GRANTS: Final[dict[Role, frozenset[Role]]] = {
    "owner": frozenset({"owner", "secretary", "director", "deputy", "scorer", "player", "spectator"}),
    "secretary": frozenset({"secretary", "director", "deputy", "scorer", "player", "spectator"}),
    "director": frozenset({"deputy", "scorer", "player", "spectator"}),
    "deputy": frozenset({"scorer"}),
}
OWN: Final[frozenset[Strength]] = frozenset({"own device", "pin"})  # a person who is there, and no program


def rights_of(club: Club, id: str, person: str, strength: Strength) -> tuple[Right, ...]:
    """Everything that a person may do in a club (`id`): the own seat, and the roles that were granted. An erased
    person, or one that the club does not know, may do nothing; nor may an id that counts for another one by now, whose
    doors ended with it."""
    first, *also = club.ids_of(person)
    if first != person or first not in club.players or club.erased & {first, *also, person}:
        return ()
    held = (Grant("player"), *club.held(first))
    return tuple(
        Right(each.role, id, each.tournament, each.match, first, tuple(also), first, strength) for each in held
    )


def at_most(right: Right, held: tuple[Right, ...]) -> Right | None:
    """A right as far as its maker's rights go; None where the maker holds nothing like it by now. A right that acts for
    a person is had of that person, or of somebody who grants its role."""
    for each in held:
        given = right.role in GRANTS.get(each.role, ())
        own = each.role == right.role and right.person in (None, each.person, *each.also)
        if (given or own) and each.tournament in (None, right.tournament) and each.match in (None, right.match):
            return right
    return None


def check_still_held(club: Club, actor: Actor) -> None:
    """Raises Refusal for a person whose role ended while the command was on its way."""
    if actor.strength not in OWN or actor.person is None or actor.role in ("owner", "player", "spectator"):
        return
    if Grant(actor.role, actor.tournament, actor.match) not in club.held(actor.person):
        raise Refusal("forbidden", f"you are no longer a {actor.role} here: load the page anew")
