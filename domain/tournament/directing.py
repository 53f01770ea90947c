"""What a director asks in one go: commands in order, all or none, with one reason."""

import msgspec

from domain.actor import Actor
from domain.decider import New
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide import decide
from domain.tournament.evolve import fold
from domain.tournament.state import Tournament


class Orders(msgspec.Struct, frozen=True):
    """Commands, what is new with them, and the reason for them: private words of a person."""

    commands: tuple[c.TournamentCommand, ...]
    chance: c.Chance = c.Chance()
    note: str | None = None


def directed(state: Tournament, orders: Orders, actor: Actor) -> list[New]:
    """The events of all commands of `actor` in order. Raises Refusal."""
    news: list[New] = []
    chance = orders.chance
    for command in orders.commands:
        fresh = decide(state, command, actor, chance)
        versions = enumerate(fresh, start=state.version + 1)
        state = fold(state, [(version, new.event) for version, new in versions])
        news += fresh
        chance = c.Chance(_left(chance.ids, fresh), chance.lot)
    if orders.note and news:
        news[0] = New(news[0].event, {"note": orders.note})
    return news


def _left(ids: tuple[str, ...], news: list[New]) -> tuple[str, ...]:
    """The ids that no match has taken."""
    paired = [new.event.pairings for new in news if isinstance(new.event, e.RoundPaired)]
    taken = {each.match for pairings in paired for each in pairings}
    taken |= {new.event.pairing.match for new in news if isinstance(new.event, e.PairingReplaced) and new.event.pairing}
    return tuple(each for each in ids if each not in taken)
