"""Orders of a director in one go: commands in order, all or none, with one reason."""

import msgspec

from domain.log.actor import Actor
from domain.log.decider import New, Refusal
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
    for place, command in enumerate(orders.commands):
        try:
            fresh = decide(state, command, actor, chance)
        except Refusal as refusal:
            raise _of_action(refusal, orders.commands, place, state) from None
        versions = enumerate(fresh, start=state.version + 1)
        state = fold(state, [(version, new.event) for version, new in versions])
        news += fresh
        chance = c.Chance(_left(chance.ids, fresh), chance.lot)
    if orders.note and news:
        news[0] = New(news[0].event, {"note": orders.note})
    return news


def _of_action(refusal: Refusal, commands: tuple[c.TournamentCommand, ...], place: int, state: Tournament) -> Refusal:
    """The refusal of one of several actions: it says which, and at which table; announcing is none of them."""
    command, announcing = commands[place], isinstance(commands[0], c.Announce)
    first = int(announcing)
    if len(commands) - first < 2 or place < first:
        return refusal
    kind = "entry" if announcing else "action"
    about = "" if announcing else f" ({_about(command, state)})"
    said = f"{kind} {place - first + 1} of {len(commands) - first}{about}: {refusal.detail}"
    where = (f"{'entries' if announcing else 'actions'}[{place - first}]", refusal.detail)
    more = {**refusal.extra, "errors": (where, *refusal.extra.get("errors", ()))}
    return Refusal(refusal.slug, said, refusal.rule, refusal.code, **more)


def _about(command: c.TournamentCommand, state: Tournament) -> str:
    """The word of an action, and the match and table that it names."""
    word = c.word(type(command).__name__)
    fixture, wanted = getattr(command, "fixture", None), getattr(command, "stage", None)
    if fixture is None:
        return word
    stages = state.stages[::-1] if wanted is None else state.stages[wanted : wanted + 1]
    tables = [stage.pairings[fixture].table for stage in stages if fixture in stage.pairings]
    return f"{word} {fixture} at table {tables[0]}" if tables else f"{word} {fixture}"


def _left(ids: tuple[str, ...], news: list[New]) -> tuple[str, ...]:
    """The ids that no match has taken."""
    paired = [new.event.pairings for new in news if isinstance(new.event, e.RoundPaired)]
    taken = {each.match for pairings in paired for each in pairings}
    taken |= {new.event.pairing.match for new in news if isinstance(new.event, e.PairingReplaced) and new.event.pairing}
    return tuple(each for each in ids if each not in taken)
