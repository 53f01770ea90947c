"""Decisions about people who are close: who directs says so, and nobody takes back what is said of himself."""

from domain.club.commands import DeclareFriends, EndFriends
from domain.club.events import FriendDeclared
from domain.club.roles import known_person
from domain.club.state import Club
from domain.log.actor import Actor
from domain.log.decider import New, Refusal


def declared(club: Club, command: DeclareFriends, actor: Actor) -> list[New]:
    """Two people are close; none where that is known. Raises Refusal."""
    _check_directs(actor)
    pair = tuple(known_person(club, each) for each in (command.one, command.other))
    if pair[0] == pair[1]:
        raise Refusal("malformed", "choose two people: everybody is close to himself")
    if any({*map(club.whom, each.people)} == {*pair} for each in club.friends):
        return []
    return [New(FriendDeclared(), {"people": sorted(pair)})]


def ended(club: Club, command: EndFriends, actor: Actor) -> list[New]:
    """Two people are close no longer. Raises Refusal."""
    _check_directs(actor)
    found = next((each for each in club.friends if each.version == command.version), None)
    if found is None:
        raise Refusal("misfit", "this was taken back already, or was never declared")
    if {*map(club.whom, found.people)} & {*map(club.whom, actor.people)}:
        raise Refusal("forbidden", "this is about you: another director, or the owner, takes it back")
    return [New(FriendDeclared(command.version))]


def _check_directs(actor: Actor) -> None:
    if not actor.directs or actor.tournament is not None or actor.match is not None:
        raise Refusal("forbidden", "who is close to whom is declared by a director")
