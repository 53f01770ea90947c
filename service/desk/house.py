"""The club as a match is opened in it: its house rules, and who of those who ask is a member."""

from domain.club.state import Club
from domain.log.actor import Actor
from domain.match.house import Host, HouseRules, may_open
from service.store.callers import Caller
from service.store.loaded import LoadedClub


def host_of(club: Club, actor: Actor, game: str) -> Host:
    """The part of a club that the opening of a match of a game takes."""
    people = {club.whom(id) for id in actor.people if club.whom(id) in club.players}
    members = frozenset(id for each in people if not club.players[each].visitor for id in club.ids_of(each))
    return Host(club.settings.opens, members, rules_for(club, game), club.settings.signals, club.settings.delay)


def rules_for(club: Club, game: str) -> HouseRules | None:
    """The house rules of a game that are in force."""
    return club.rules.get(game)


def opens_matches(caller: Caller, club: LoadedClub) -> bool:
    """Tells whether a caller may open matches in a club."""
    actor = caller.actor().within(club.club)
    host = host_of(club.state, actor, "")
    return any(may_open(host, each) for each in actor.each())
