"""Which command on a tournament becomes which events, and why another one is refused."""

from typing import assert_never

import msgspec

from domain import codec
from domain.decider import New, Refusal
from domain.game import race_for
from domain.match.opening import find_game, read_options, read_race
from domain.shuffle import shuffled, words
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.formats import read_format
from domain.tournament.rounds import finish, pair_round, report, unpair_round, walkovers_of
from domain.tournament.state import Tournament

LONGEST = 80


def decide(state: Tournament, command: c.TournamentCommand) -> list[New]:
    """The events of a command, in order. Raises Refusal."""
    if isinstance(command, c.Announce):
        return [New(_announced(state, command))]
    if not state.version:
        raise Refusal("not-found", "there is no such tournament")
    if state.finished:
        raise Refusal("misfit", "the tournament is finished: its places are final")
    match command:
        case c.Enter():
            return [New(_entered(state, command))]
        case c.Withdraw():
            return _withdrawn(state, command)
        case c.Seed():
            return [New(_seeded(state, command))]
        case c.PairRound():
            return pair_round(state, command)
        case c.UnpairRound():
            return [New(unpair_round(state))]
        case c.Report():
            return report(state, command)
        case c.Finish():
            return [New(finish(state))]
        case _:
            assert_never(command)


def _announced(state: Tournament, command: c.Announce) -> e.TournamentAnnounced:
    if state.version:
        raise Refusal("misfit", "this tournament has been announced already")
    name = " ".join(command.name.split())
    if not name or len(name) > LONGEST:
        raise Refusal("malformed", f"`name` is one line of 1 to {LONGEST} characters")
    if not command.stages:
        raise Refusal("malformed", "`stages`: a tournament has at least one")
    return e.TournamentAnnounced(name, tuple(_stage(plan) for plan in command.stages))


def _stage(plan: c.StagePlan) -> e.Stage:
    """A stage with everything pinned; a match is won by two unless the plan says otherwise."""
    try:
        format_ = read_format(plan.format)
    except msgspec.ValidationError as error:
        raise Refusal("unknown-option", f"`format`: {error}") from None
    game = find_game(plan.game)
    options = read_options(game, plan.options)
    if len(game.sides(options)) > 2:
        raise Refusal("unknown-option", f"{game.title} with these options has more sides than two: a match has two")
    usual = {"win_by": 2} if race_for(game, options).target is not None or "target" in plan.race else {}
    race = read_race(game, options, {**usual, **plan.race})
    given = {name: value for name, value in codec.plain(options).items() if name in plan.options}
    raw = msgspec.Raw(codec.encode(given))
    return e.Stage(msgspec.Raw(codec.encode(format_)), game.key, game.version, raw, race, plan.go_on)


def _entered(state: Tournament, command: c.Enter) -> e.EntryMade:
    if state.at >= 0:
        raise Refusal("window-closed", "the tournament has begun: who comes now can enter the next one")
    setup = state.stages[0].setup
    game = find_game(setup.game)
    wanted = len(game.sides(codec.decode(setup.options, game.options))[0])
    if len(command.players) != wanted:
        raise Refusal("malformed", f"{game.title} is entered by {wanted} at a time, not {len(command.players)}")
    if len(set(command.players)) < len(command.players):
        raise Refusal("malformed", "nobody can be their own partner")
    taken = {player: entry for entry in state.entries.values() if not entry.withdrawn for player in entry.players}
    twice = next((player for player in command.players if player in taken), None)
    if twice is not None:
        raise Refusal("misfit", f"this player has entered already (entry {taken[twice].id})", player=twice)
    if command.entry in state.entries:
        raise Refusal("misfit", "there is an entry of that id")
    return e.EntryMade(command.entry, command.players, command.rating)


def _withdrawn(state: Tournament, command: c.Withdraw) -> list[New]:
    entry = state.entries.get(command.entry)
    if entry is None or entry.withdrawn:
        raise Refusal("not-found", "there is no such entry, or it has left already")
    return [New(e.EntryWithdrawn(entry.id)), *walkovers_of(state, entry.id)]


def _seeded(state: Tournament, command: c.Seed) -> e.SeedsGiven:
    if state.at >= 0:
        raise Refusal("window-closed", "the tournament has begun: its seeds stand")
    active = state.active()
    match command.how:
        case "given":
            order = command.order
        case "rating":
            order = tuple(sorted(active, key=lambda entry: -(state.entries[entry].rating or 0)))
        case "lot":
            if command.lot is None:
                raise Refusal("malformed", "`lot`: a draw needs its number, so that anybody can repeat it")
            order = shuffled(active, words(b"seeds %d" % command.lot))
        case _:
            assert_never(command.how)
    if sorted(order) != sorted(active):
        raise Refusal("malformed", "`order` holds every entry that has not left exactly once")
    return e.SeedsGiven(order, command.how, command.lot if command.how == "lot" else None)
