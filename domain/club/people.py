"""Decisions about people: who comes in, how each is called, who is a member, and what is kept beside the name."""

from collections.abc import Mapping
from typing import Final

from domain.club.commands import ChangeMembership, DescribePlayer, RegisterMember, RenamePlayer
from domain.club.events import MembershipChanged, PlayerDescribed, PlayerRegistered, PlayerRenamed
from domain.club.names import bearers, checked_name
from domain.club.state import Club, Player, same_name
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden, lost_race

MOST_IDS: Final = 10
LONGEST_ID: Final = 40
LONGEST_NOTE: Final = 1000
HIGHEST: Final = 5000


def registered(club: Club, command: RegisterMember, actor: Actor) -> list[New]:
    """A person is registered. Raises Refusal, also where somebody is called so already and `another` is not said."""
    check_may_name(actor)
    name = checked_name(command.name)
    _check_another(club, name, command.another, None)
    return [New(PlayerRegistered(command.player, command.visitor), {"name": name})]


def renamed(club: Club, command: RenamePlayer, actor: Actor) -> list[New]:
    """A person is called something else; none where he is called so already. Raises Refusal, as above, and for a
    person who was changed meanwhile."""
    check_may_name(actor)
    known = _known(club, command.player, command.expected)
    name = checked_name(command.name)
    if name == known.name:
        return []
    respelt = known.name is not None and same_name(name) == same_name(known.name)
    _check_another(club, name, command.another or respelt, known.id)
    return [New(PlayerRenamed(known.id), {"name": name})]


def membership(club: Club, command: ChangeMembership, actor: Actor) -> list[New]:
    """A visitor becomes a member, or the other way round; none where that stands. Raises Refusal."""
    check_keeps_people(actor)
    known = _known(club, command.player, command.expected)
    return [] if known.visitor is command.visitor else [New(MembershipChanged(known.id, command.visitor))]


def described(club: Club, command: DescribePlayer, actor: Actor) -> list[New]:
    """The event that keeps this of a person beside the name; none where it is kept already. Raises Refusal."""
    check_keeps_people(actor)
    known = _known(club, command.player, command.expected)
    note, ids = _checked_note(command.note), checked_ids(command.ids)
    if command.rating is not None and not 0 <= command.rating <= HIGHEST:
        raise Refusal("malformed", f"a rating is a number from 0 to {HIGHEST}")
    for body, number in ids.items():
        holder = holder_of(club, body, number)
        if holder is not None and holder.id != known.id:
            raise Refusal("misfit", f"{holder.name} has {body} {number} already: are they one person?")
    if (note, ids, command.rating) == (known.note, dict(known.ids), known.rating):
        return []
    return [New(PlayerDescribed(known.id), {"note": note, "ids": ids, "rating": command.rating})]


def holder_of(club: Club, body: str, number: str) -> Player | None:
    """The person whom another body knows by this id; an id of somebody who was merged is that of the one he counts
    for."""
    wanted = same_name(body), same_name(number)
    for each in club.players.values():
        if any((same_name(one), same_name(id)) == wanted for one, id in each.ids.items()):
            return club.players.get(club.whom(each.id))
    return None


def checked_ids(ids: Mapping[str, str]) -> dict[str, str]:
    """Ids by body as they are kept. Raises Refusal."""
    kept = {body.strip(): id.strip() for body, id in ids.items()}
    if len(kept) > MOST_IDS or len({same_name(body) for body in kept}) < len(ids):
        raise Refusal("malformed", f"ids of other bodies: one of each body, and {MOST_IDS} at most")
    for text in (text for pair in kept.items() for text in pair):
        if not (0 < len(text) <= LONGEST_ID and text.isprintable()):
            raise Refusal("malformed", f"ids of other bodies: a body and its id have 1 to {LONGEST_ID} characters each")
    if any(mark in body + id for body, id in kept.items() for mark in "=;"):
        raise Refusal("malformed", "ids of other bodies: a body and its id have no `=` and no `;` in them")
    return kept


def check_may_name(actor: Actor) -> None:
    """Raises Refusal unless the actor brings people in and mends names: secretary, owner, director of the club."""
    if not (actor.administers or actor.directs) or not _of_the_club(actor):
        raise forbidden(actor)


def check_keeps_people(actor: Actor) -> None:
    """Raises Refusal unless the actor keeps the list of members: secretary or owner."""
    if not actor.administers or not _of_the_club(actor):
        raise forbidden(actor)


def _of_the_club(actor: Actor) -> bool:
    return actor.tournament is None and actor.match is None


def _known(club: Club, player: str, expected: int | None) -> Player:
    """The person that an id counts for. Raises Refusal for nobody, and where he was changed since `expected`."""
    known = club.players.get(club.whom(player))
    if known is None or known.erased:
        raise Refusal("not-found", "the club knows nobody with this id")
    if expected is not None and expected != known.changed:
        raise lost_race(known.changed)
    return known


def _check_another(club: Club, name: str, another: bool, but: str | None) -> None:
    """Raises Refusal where somebody else bears the name and that is not meant."""
    same = [] if another else [each for each in bearers(club, name) if each.id != but]
    if same:
        kind = "visitor" if same[0].visitor else "member"
        said = f"the {kind} {same[0].name} is called so already: is this another person?"
        asked = [("another", "true if it is another person of the same name")]
        raise Refusal("confirm-needed", f"{said} Then send it again with `another` as true", errors=asked)


def _checked_note(text: str) -> str:
    note = "\n".join(line.rstrip() for line in text.strip().splitlines())
    if len(note) > LONGEST_NOTE or any(not char.isprintable() and char not in "\n\u200c\u200d" for char in note):
        raise Refusal("malformed", f"a note has {LONGEST_NOTE} characters at most, and no signs that cannot be seen")
    return note
