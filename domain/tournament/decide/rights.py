"""Rights in a tournament: by role, by entry, and by what stands already. Asked command by command, on the
state that is written to."""

from domain.log.actor import Actor
from domain.log.decider import Refusal, forbidden
from domain.tournament import commands as c
from domain.tournament.events import Pairing
from domain.tournament.state import Tournament


def check_allowed(state: Tournament, command: c.TournamentCommand, actor: Actor) -> None:
    """Directors may do everything; a scorer checks people in, and reports and disputes results, of one match where the
    token is bound to it; a player does so for the own entry, or leaves. What stands is corrected by a director. Raises
    Refusal."""
    if actor.directs:
        return
    if isinstance(command, c.CheckIn | c.Report | c.Dispute | c.Withdraw) and actor.role == "player":
        _check_own(state, command, actor)
        return
    if not actor.records or not isinstance(command, c.CheckIn | c.Report | c.Dispute):
        raise forbidden(actor)
    if actor.match is not None and _match_of(state, command) != actor.match:
        raise Refusal("forbidden", "this token is bound to another match")
    if corrects(state, command):
        raise Refusal("forbidden", "there is a result already: ask the director to correct it")


def own_side(state: Tournament, command: c.Report | c.Dispute | c.Uphold, actor: Actor) -> int | None:
    """The side for which whoever acts plays in the match that a command is about."""
    pairing = pairing_of(state, command)
    if pairing is None or actor.person is None:
        return None
    own = {entry.id for entry in state.entries.values() if set(actor.people) & set(entry.players)}
    return next((at for at, side in enumerate(pairing.sides) if own.intersection(side)), None)


def pairing_of(state: Tournament, command: c.Report | c.Dispute | c.Uphold) -> Pairing | None:
    """The pairing that a command is about, in the stage that it names."""
    numbers = range(state.at, -1, -1) if command.stage is None else [command.stage]
    found = (state.stages[at].pairings.get(command.fixture) for at in numbers if 0 <= at <= state.at)
    return next((each for each in found if each is not None), None)


def corrects(state: Tournament, command: c.TournamentCommand) -> bool:
    """True for a report that is more than the first result of a match of the stage that is on."""
    if not isinstance(command, c.Report):
        return False
    if command.repair or command.stage is not None or state.at < 0 or command.fixture in state.stage.decided:
        return True
    return any(command.fixture in stage.pairings for stage in state.stages[: state.at])


def _match_of(state: Tournament, command: c.CheckIn | c.Report | c.Dispute) -> str | None:
    pairing = None if isinstance(command, c.CheckIn) else pairing_of(state, command)
    return pairing.match if pairing else None


def _check_own(state: Tournament, command: c.CheckIn | c.Report | c.Dispute | c.Withdraw, actor: Actor) -> None:
    """Raises Refusal for what is not a player's own business."""
    if isinstance(command, c.CheckIn | c.Withdraw):
        entry = state.entries.get(command.entry)
        if entry is not None and set(actor.people) & set(entry.players):
            return
        raise Refusal("forbidden", "you can check in and take out only yourself: ask the director")
    if own_side(state, command, actor) is None:
        raise Refusal("forbidden", "you can report and dispute only your own matches: ask the director")
    if isinstance(command, c.Report) and (command.how != "played" or command.knowingly):
        raise Refusal("forbidden", "only the director reports a match that was not played")
    if corrects(state, command):
        raise Refusal("forbidden", "there is a result already: confirm it in the match, or dispute it")
