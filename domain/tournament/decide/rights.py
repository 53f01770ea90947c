"""Rights in a tournament: by role, by entry, and by what stands already. Asked command by command, on the
state that is written to."""

from collections.abc import Iterable

from domain.log.actor import Actor
from domain.log.decider import Refusal, forbidden
from domain.log.strength import asks_persons, strictest
from domain.tournament import commands as c
from domain.tournament.events import Pairing
from domain.tournament.meetings import Meeting
from domain.tournament.state import Tournament


def check_allowed(state: Tournament, command: c.TournamentCommand, actor: Actor) -> None:
    """Directors may do everything but decide on a match that they belong to; a scorer checks people in, and reports and
    disputes results, of one match where the token is bound to it; a player does so for the own entry, or leaves. What
    stands is corrected by a director. Raises Refusal."""
    if actor.directs:
        _check_not_recused(state, command, actor)
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


def own_side(state: Tournament, command: c.Report | c.Dispute | c.Uphold | c.Retract, actor: Actor) -> int | None:
    """The side for which whoever acts plays in the match that a command is about."""
    pairing = pairing_of(state, command)
    if pairing is None or actor.person is None:
        return None
    own = {entry.id for entry in state.entries.values() if set(actor.people) & set(entry.players)}
    return next((at for at, side in enumerate(pairing.sides) if own.intersection(side)), None)


def pairing_of(state: Tournament, command: c.Report | c.Dispute | c.Uphold | c.Retract) -> Pairing | None:
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


def _check_not_recused(state: Tournament, command: c.TournamentCommand, actor: Actor) -> None:
    """Raises Refusal for a director's word on a match in which that director plays, or somebody close does. The first
    result is no more than anybody's word, unless signatures are asked for; and where persons are, no program may."""
    if isinstance(command, c.Withdraw):
        _check_wins_nothing(state, command.entry, actor)
    if not isinstance(command, c.Report | c.Retract | c.Uphold):
        return
    first = isinstance(command, c.Report) and command.how == "played" and not corrects(state, command)
    asks = strictest(state.plan.plays_on, state.plan.final)
    if first and (asks is None or by_program(state, actor)):
        return
    if by_program(state, actor):
        raise Refusal("forbidden", "here a person directs, not a program: sign in as yourself")
    pairing = pairing_of(state, command)
    if pairing is None:
        return
    seated = {player for side in pairing.sides for entry in side for player in state.entries[entry].players}
    if seated & {*actor.people, *actor.close}:
        raise Refusal(
            "recused",
            "you play this match, or are close to somebody who does: report it as a player, or ask another director or "
            "a deputy",
        )


def _check_wins_nothing(state: Tournament, leaving: str, actor: Actor) -> None:
    """Raises Refusal where the own entry, or that of somebody close, would win its match because another one leaves."""
    near = {*actor.people, *actor.close}
    own = {entry.id for entry in state.entries.values() if near & set(entry.players)}
    if state.at < 0 or leaving in own or leaving not in state.stage.order:
        return
    order = state.stage.order
    gone, mine = order.index(leaving) + 1, {order.index(entry) + 1 for entry in own if entry in order}
    if any(each.status == "ready" and gone in each.seeds and mine & {*each.seeds} for each in _meetings(state, mine)):
        raise Refusal(
            "recused",
            "you would win the match by that, or somebody close to you would: ask another director or a deputy, or the "
            "player to leave by himself",
        )


def _meetings(state: Tournament, mine: set[int]) -> Iterable[Meeting]:
    return state.stage.meetings().values() if mine else ()


def by_program(state: Tournament, actor: Actor) -> bool:
    """True for a program without a person, where the signatures of persons are asked for."""
    asks = strictest(state.plan.plays_on, state.plan.final)
    return actor.person is None and actor.strength == "token" and asks_persons(asks)


def _match_of(state: Tournament, command: c.CheckIn | c.Report | c.Dispute | c.Withdraw) -> str | None:
    pairing = None if isinstance(command, c.CheckIn | c.Withdraw) else pairing_of(state, command)
    return pairing.match if pairing else None


def _check_own(state: Tournament, command: c.CheckIn | c.Report | c.Dispute | c.Withdraw, actor: Actor) -> None:
    """Raises Refusal for what is not a player's own business; who came by a table's code has business with that match
    alone."""
    if actor.match is not None and _match_of(state, command) != actor.match:
        raise Refusal("forbidden", "a table's code is good for that match alone: sign in, or ask the director")
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
