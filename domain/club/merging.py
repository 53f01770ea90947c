"""Decisions about who is whom: two ids become one person, and are parted again. No event is rewritten for it."""

from domain.club import roles
from domain.club.commands import MergePlayers, PartPlayers
from domain.club.events import PlayersMerged, PlayersParted
from domain.club.state import Club
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden


def merged(club: Club, command: MergePlayers, actor: Actor) -> list[New]:
    """From here on `other` counts for `player`; nothing where it does already. Raises Refusal."""
    if not actor.administers:
        raise forbidden(actor)
    _check_there(club, command.player)
    _check_there(club, command.other)
    if club.merged.get(command.other) == command.player:
        return []
    _check_two_people(club, command)
    _check_never_met(command)
    _check_roles(club, command, actor)
    return [New(PlayersMerged(command.player, command.other))]


def parted(club: Club, command: PartPlayers, actor: Actor) -> list[New]:
    """`other` is a person of its own again, with whom was merged with it. Raises Refusal."""
    if not actor.administers:
        raise forbidden(actor)
    _check_there(club, command.player)
    _check_there(club, command.other)
    joined = club.merged.get(command.other)
    if joined is None or club.whom(command.player) != club.whom(command.other):
        if club.whom(command.player) == command.other and command.player in club.merged:
            raise Refusal("misfit", "it is the other way round: `other` is the one that was merged into `player`")
        raise Refusal("misfit", "these two are not merged: look at the person's page, and take the one that is")
    return [New(PlayersParted(joined, command.other))]


def _check_there(club: Club, player: str) -> None:
    """Raises Refusal for somebody whom the club does not know, or who was erased with any id."""
    if player not in club.players:
        raise Refusal("malformed", f"the club knows no player with the id {player!r}")
    if any(each in club.erased or club.players[each].erased for each in club.ids_of(player)):
        raise Refusal("misfit", "this person was erased: nobody can be merged with them, or parted from them")


def _check_two_people(club: Club, command: MergePlayers) -> None:
    """Raises Refusal unless both ids stand for themselves: so there is never a ring, and nobody is merged twice."""
    if command.player == command.other:
        raise Refusal("malformed", "this is one and the same person: choose another one")
    if club.whom(command.player) == club.whom(command.other):
        raise Refusal("misfit", "these two are one person already: look at their page before you change it")
    for each in (command.player, command.other):
        if each in club.merged:
            raise Refusal(
                "misfit",
                "one of them was merged with somebody else before: take the person it counts for, or part those first",
                errors=[(f"/players/{each}", f"counts for {club.whom(each)}")],
            )


def _check_never_met(command: MergePlayers) -> None:
    """Raises Refusal for two who sat in one match, or stand together in a tournament that is not over."""
    if command.matches:
        raise Refusal(
            "misfit",
            "these two sat in one match, so they are two people: if a name there is wrong, put that match right first",
            errors=[(f"/matches/{each}", "both sat here") for each in command.matches],
        )
    if command.tournaments:
        raise Refusal(
            "misfit",
            "these two stand in one tournament that is not over: merge them when it is finished",
            errors=[(f"/tournaments/{each}", "both stand here") for each in command.tournaments],
        )


def _check_roles(club: Club, command: MergePlayers, actor: Actor) -> None:
    """Raises Refusal where the club would lose its last secretary, or roles would end that nobody was asked about."""
    ending = club.held(command.other)
    secretaries = roles.secretaries(club)
    if secretaries == (command.other,) and actor.role != "owner":
        raise Refusal("forbidden", "this is the last secretary: merge the other way round, or ask the owner")
    if ending and not command.knowingly:
        said = ", ".join(dict.fromkeys(each.role for each in ending))
        raise Refusal(
            "confirm-needed", f"the roles of the second end for good ({said}): send it again with `knowingly`"
        )
