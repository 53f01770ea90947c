"""Rights in a club: what a person holds there, and who may grant what. Nothing but the club's events gives a person
rights; a token or a table's code never has more than whoever made it."""

from typing import Final

from domain.club.state import Club, Grant
from domain.log.actor import Right, Role, Strength

GRANTS: Final[dict[Role, frozenset[Role]]] = {
    "owner": frozenset({"owner", "secretary", "director", "deputy", "scorer", "player", "spectator"}),
    "secretary": frozenset({"secretary", "director", "deputy", "scorer", "player", "spectator"}),
    "director": frozenset({"deputy", "scorer", "player", "spectator"}),
    "deputy": frozenset({"scorer"}),
}


def rights_of(club: Club, id: str, person: str, strength: Strength) -> tuple[Right, ...]:
    """Everything that a person may do in a club (`id`): the own seat, and the roles that were granted. An erased
    person, or one that the club does not know, may do nothing; nor may an id that counts for another one by now, whose
    doors ended with it."""
    first, *also = club.ids_of(person)
    if first != person or first not in club.players or first in club.erased or person in club.erased:
        return ()
    held = (Grant("player"), *club.held(first))
    return tuple(
        Right(each.role, id, each.tournament, each.match, first, tuple(also), first, strength) for each in held
    )


def at_most(right: Right, held: tuple[Right, ...]) -> Right | None:
    """A right as far as its maker's rights go; None where the maker holds nothing like it by now."""
    for each in sorted(held, key=lambda each: each.tournament is not None or each.match is not None):
        covers = each.role == right.role or right.role in GRANTS.get(each.role, ())
        if covers and each.tournament in (None, right.tournament) and each.match in (None, right.match):
            return right
    return None
