"""Decisions about roles: nobody gives more than is held, and a club keeps its last secretary."""

from domain.club.commands import GrantRole, GrantToken, RevokeRole
from domain.club.events import RoleGranted, RoleRevoked
from domain.club.rights import GRANTS, OWN
from domain.club.state import Club, Grant
from domain.log.actor import Actor
from domain.log.decider import New, Refusal


def granted(club: Club, command: GrantRole, actor: Actor) -> list[New]:
    """A role begins; none where it is held already. Raises Refusal."""
    check_gives(command, actor)
    person = known_person(club, command.person)
    if command.role in ("player", "spectator", "owner"):
        raise Refusal("malformed", "secretary, director, deputy and scorer are given; everybody may play and look on")
    check_scope(command)
    if _grant(command) in club.held(person):
        return []
    return [New(RoleGranted(command.role, person, None, command.tournament, command.match))]


def revoked(club: Club, command: RevokeRole, actor: Actor) -> list[New]:
    """A role ends. Raises Refusal, also for the last secretary, whom only the owner ends."""
    if not _own(club, command, actor):
        check_gives(command, actor)
    person = known_person(club, command.person)
    if _grant(command) not in club.held(person):
        raise Refusal("misfit", f"this person is not a {command.role} here")
    if command.role == "secretary" and actor.role != "owner" and is_last_secretary(club, person):
        raise Refusal("forbidden", "this is the last secretary: make another one first, or ask the owner")
    return [New(RoleRevoked(command.role, person, None, command.tournament, command.match))]


def secretaries(club: Club) -> tuple[str, ...]:
    """The people who are secretaries of the club."""
    return tuple(person for person, held in club.grants.items() if Grant("secretary") in held)


def is_last_secretary(club: Club, person: str) -> bool:
    """Tells the only secretary that the club has."""
    return secretaries(club) == (club.whom(person),)


def known_person(club: Club, person: str) -> str:
    """The id that counts of a person who can hold a role. Raises Refusal."""
    first = club.whom(person)
    if first not in club.players or club.players[first].erased:
        raise Refusal("malformed", f"the club knows no player with the id {person!r}")
    return first


def check_gives(command: GrantRole | RevokeRole | GrantToken, actor: Actor) -> None:
    """Raises Refusal for a role that the actor does not give, or not there."""
    reach = actor.tournament in (None, command.tournament) and actor.match is None
    if command.role not in GRANTS.get(actor.role, ()) or not reach:
        raise Refusal("forbidden", f"a {actor.role} does not give or end the role `{command.role}` here")


def check_scope(command: GrantRole | GrantToken) -> None:
    """Raises Refusal for a role that is for something else than it says."""
    if command.role == "deputy" and (command.tournament is None or command.match is not None):
        raise Refusal("malformed", "a deputy is for one tournament, and not for a table: say for which tournament")
    if command.role not in ("deputy", "scorer") and (command.tournament or command.match):
        raise Refusal(
            "malformed",
            f"a {command.role} is for the whole club, and not for one tournament or table: give it for the club",
        )


def _own(club: Club, command: RevokeRole, actor: Actor) -> bool:
    """True for whoever lays down a role of his own, on a device of his own: no token and no table's code does that."""
    mine = not actor.by_code and actor.strength in OWN
    return mine and club.whom(command.person) in {club.whom(each) for each in actor.people}


def _grant(command: GrantRole | RevokeRole) -> Grant:
    return Grant(command.role, command.tournament, command.match)
