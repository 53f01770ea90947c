"""Decisions about tokens: a program gets one role, never more than its maker gives, nor than its person holds."""

from domain.club.commands import GrantToken, RevokeTokens
from domain.club.events import RoleGranted, RoleRevoked
from domain.club.rights import at_most, rights_of
from domain.club.roles import check_gives, check_scope, known_person
from domain.club.state import Club
from domain.log.actor import Actor, Right
from domain.log.decider import New, Refusal


def granted(club: Club, command: GrantToken, actor: Actor) -> list[New]:
    """A token begins. Raises Refusal."""
    _check_administers(actor)
    check_gives(command, actor)
    check_scope(command)
    if command.person is None:
        if command.role == "player":
            raise Refusal("malformed", "a player's token acts for a person: say for whom")
    else:
        person = known_person(club, command.person)
        wanted = Right(command.role, "", command.tournament, command.match, person)
        if command.role != "spectator" and at_most(wanted, rights_of(club, "", person, "token")) is None:
            raise Refusal("forbidden", f"this person is no {command.role} here: give the role to the person first")
    return [New(RoleGranted(command.role, None, command.token, command.tournament, command.match))]


def revoked(club: Club, command: RevokeTokens, actor: Actor) -> list[New]:
    """Tokens end; none where they have ended. Raises Refusal."""
    _check_administers(actor)
    return [
        New(RoleRevoked(grant.role, None, token, grant.tournament, grant.match))
        for token in command.tokens
        for grant in club.tokens.get(token, ())
    ]


def _check_administers(actor: Actor) -> None:
    if not actor.administers:
        raise Refusal("forbidden", "tokens are made and ended by a secretary, or by the owner")
