"""What a director asks in one go: commands in order, all or none, with one reason."""

import msgspec

from domain.decider import New
from domain.tournament import commands as c
from domain.tournament.decide import decide
from domain.tournament.state import Tournament, fold


class Orders(msgspec.Struct, frozen=True):
    """Commands, and the reason for them: private words of a person."""

    commands: tuple[c.TournamentCommand, ...]
    note: str | None = None


def directed(state: Tournament, orders: Orders) -> list[New]:
    """The events of all commands in order. Raises Refusal; `fact` in it is the place of the command."""
    news: list[New] = []
    for command in orders.commands:
        fresh = decide(state, command)
        versions = enumerate(fresh, start=state.version + 1)
        state = fold(state, [(version, new.event) for version, new in versions])
        news += fresh
    if orders.note and news:
        news[0] = New(news[0].event, {"note": orders.note})
    return news
