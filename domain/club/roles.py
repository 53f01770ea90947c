"""Decisions about roles: nobody gives more than is held, and a club keeps its last secretary."""

from domain.club.commands import GrantRole, RevokeRole
from domain.club.events import RoleGranted, RoleRevoked
from domain.club.rights import GRANTS
from domain.club.state import Club, Grant
from domain.log.actor import Actor
from domain.log.decider import New, Refusal


def granted(club: Club, command: GrantRole, actor: Actor) -> list[New]:
    """A role begins; none where it is held already. Raises Refusal."""
    person = _person(club, command.person)
    _check_may(command, actor)
    if command.role in ("player", "spectator", "owner"):
        raise Refusal("malformed", "secretary, director, deputy and scorer are given; everybody may play and look on")
    if command.role == "deputy" and command.tournament is None:
        raise Refusal("malformed", "a deputy is for one tournament: say which with `tournament`")
    if _grant(command) in club.held(person):
        return []
    return [New(RoleGranted(command.role, person, None, command.tournament, command.match))]


def revoked(club: Club, command: RevokeRole, actor: Actor) -> list[New]:
    """A role ends. Raises Refusal, also for the last secretary, whom only the owner ends."""
    person = _person(club, command.person)
    if person not in actor.people:  # everybody may lay down what is held
        _check_may(command, actor)
    if _grant(command) not in club.held(person):
        raise Refusal("misfit", f"this person is not a {command.role} here")
    if command.role == "secretary" and actor.role != "owner" and len(secretaries(club)) == 1:
        raise Refusal("forbidden", "this is the last secretary: make another one first, or ask the owner")
    return [New(RoleRevoked(command.role, person, None, command.tournament, command.match))]


def secretaries(club: Club) -> tuple[str, ...]:
    """The people who are secretaries of the club."""
    return tuple(person for person, held in club.grants.items() if Grant("secretary") in held)


def _grant(command: GrantRole | RevokeRole) -> Grant:
    return Grant(command.role, command.tournament, command.match)


def _person(club: Club, person: str) -> str:
    """The id that counts of a person who can hold a role. Raises Refusal."""
    first = club.whom(person)
    if first not in club.players or club.players[first].erased:
        raise Refusal("malformed", f"the club knows no player with the id {person!r}")
    return first


def _check_may(command: GrantRole | RevokeRole, actor: Actor) -> None:
    """Raises Refusal for a role that the actor does not give."""
    reach = actor.tournament in (None, command.tournament) and actor.match is None
    if command.role not in GRANTS.get(actor.role, ()) or not reach:
        raise Refusal("forbidden", f"a {actor.role} does not give or end the role `{command.role}` here")
