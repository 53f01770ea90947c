"""Taking part: entries, leaving and coming back, substitutes, check-in, fees, seeds, byes asked for."""

from collections.abc import Iterator
from typing import TypeAlias, assert_never

import msgspec

from domain.chance import shuffled, words
from domain.log.decider import Refusal
from domain.match.opening import find_game
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide.announcing import entered_by
from domain.tournament.decide.line import level_on_the_line, parted
from domain.tournament.decide.outcomes import walkovers_of, walkovers_undone
from domain.tournament.seeds import seeds_stand
from domain.tournament.state import Entry, Tournament

EntryCommand: TypeAlias = c.Enter | c.Reinstate | c.Substitute | c.CheckIn | c.CloseCheckIn | c.Seed | c.GrantBye


def entry_events(state: Tournament, command: EntryCommand, chance: c.Chance) -> list[e.TournamentEvent]:
    """The events of a command about entries. Raises Refusal."""
    match command:
        case c.Enter():
            return [_entered(state, command)]
        case c.Reinstate():
            return [_reinstated(state, command), *walkovers_undone(state, command.entry)]
        case c.Substitute():
            return [_substituted(state, command), *_fresh_matches(state, command, chance)]
        case c.CheckIn():
            return [_checked_in(state, command)]
        case c.CloseCheckIn():
            return list(_no_shows(state))
        case c.Seed():
            return [_seeded(state, command)]
        case c.GrantBye():
            return [_granted(state, command)]
        case _:
            assert_never(command)


def entry_of(state: Tournament, entry: str) -> Entry:
    """An entry of the tournament. Raises Refusal."""
    found = state.entries.get(entry)
    if found is None:
        raise Refusal("not-found", f"there is no entry {entry!r} in this tournament")
    return found


def _entered(state: Tournament, command: c.Enter) -> e.EntryMade:
    if state.at >= 0 and not state.stage.format.late_entry:
        raise Refusal("window-closed", "the tournament has begun, and its format takes no late entries")
    if state.at >= 1:
        raise Refusal("window-closed", f"stage {state.at + 1} is on: nobody can enter any more")
    _check_players(state, command.players, command.entry)
    if command.entry in state.entries:
        raise Refusal("misfit", "there is an entry with that id already")
    _check_table(state, command.table)
    _check_room(state)
    return e.EntryMade(command.entry, command.players, command.rating, command.table)


def _check_table(state: Tournament, table: int | None) -> None:
    """Raises Refusal where a table of one's own is somebody else's."""
    taken = {entry.table for entry in state.entries.values() if not entry.withdrawn}
    if table is not None and table in taken:
        raise Refusal("misfit", f"table {table} belongs to another entry")


def _check_room(state: Tournament) -> None:
    """Raises Refusal where one more is too many for the first stage, or for a later one that everybody goes on to."""
    count = len(state.active() if state.at < 0 else state.stage.order) + 1
    for number, stage in enumerate(state.stages, start=1):
        if count > stage.format.most:
            said = f"{stage.format.title} takes at most {stage.format.most} entries"
            which = f"stage {number}: " if number > 1 else ""
            raise Refusal("misfit", f"{which}{said}: play groups or a Swiss instead, or in sections")
        if stage.setup.go_on:
            return


def _check_players(state: Tournament, players: tuple[str, ...], entry: str) -> None:
    """Raises Refusal unless these can play as one entry."""
    stage = state.stages[0].setup
    wanted = entered_by(stage)
    if len(players) != wanted:
        title = find_game(stage.game).title
        raise Refusal(
            "malformed", f"{title}: an entry is {wanted} player{'' if wanted == 1 else 's'}, not {len(players)}"
        )
    if len(set(players)) < len(players):
        raise Refusal("malformed", "nobody can be their own partner")
    others = (each for each in state.entries.values() if not each.withdrawn and each.id != entry)
    taken = {player: each for each in others for player in each.players}
    twice = next((player for player in players if player in taken), None)
    if twice is not None:
        number = list(state.entries).index(taken[twice].id) + 1
        raise Refusal("misfit", f"this player is in the list already, as number {number}", player=twice)


def withdrawn(state: Tournament, command: c.Withdraw) -> list[e.TournamentEvent]:
    """An entry leaves; matches that it was to play are walkovers at once. Raises Refusal."""
    entry = state.entries.get(command.entry)
    if entry is None or entry.withdrawn:
        raise Refusal("not-found", "this player is not in the list, or has left already")
    return [e.EntryWithdrawn(entry.id, command.why), *walkovers_of(state, entry.id)]


def _reinstated(state: Tournament, command: c.Reinstate) -> e.EntryReinstated:
    entry = entry_of(state, command.entry)
    if not entry.withdrawn:
        raise Refusal("misfit", "this player has not left")
    if state.at >= 0 and entry.id not in state.stage.order:
        raise Refusal("window-closed", "this player was not in the stage that is on, and cannot come back now")
    _check_players(state, entry.players, entry.id)
    _check_table(state, entry.table)
    if state.at < 0:
        _check_room(state)
    return e.EntryReinstated(entry.id)


def _substituted(state: Tournament, command: c.Substitute) -> e.EntrySubstituted:
    entry = entry_of(state, command.entry)
    if entry.withdrawn:
        raise Refusal("misfit", "this player has left: bring them back first")
    if set(command.players) == set(entry.players):
        raise Refusal("misfit", "they play for this entry already")
    _check_players(state, command.players, entry.id)
    return e.EntrySubstituted(entry.id, command.players)


def _fresh_matches(state: Tournament, command: c.Substitute, chance: c.Chance) -> list[e.TournamentEvent]:
    """Other streams for the open matches of an entry whose players are others now, unless they go on as they began."""
    entry = command.entry
    if state.at < 0 or not command.fresh:
        return []
    ids = iter(chance.ids)
    return [
        e.PairingReplaced(state.at, name, msgspec.structs.replace(each, match=next(ids)))
        for name, each in state.stage.pairings.items()
        if name not in state.stage.decided and any(entry in side for side in each.sides)
    ]


def _checked_in(state: Tournament, command: c.CheckIn) -> e.EntryCheckedIn:
    entry = entry_of(state, command.entry)
    if entry.withdrawn:
        raise Refusal("misfit", "this player has left: bring them back first")
    if entry.here == command.here:
        raise Refusal("misfit", f"this player is {'checked in already' if entry.here else 'not checked in'}")
    return e.EntryCheckedIn(entry.id, command.here)


def _no_shows(state: Tournament) -> Iterator[e.EntryWithdrawn]:
    if state.at >= 0:
        raise Refusal(
            "window-closed",
            "the tournament has begun: give a walkover against a player who does not come, or withdraw them",
        )
    missing = [entry for entry in state.entries.values() if not entry.here and not entry.withdrawn]
    if not missing:
        raise Refusal("misfit", "everybody has checked in")
    if len(missing) == len(state.active()):
        raise Refusal("misfit", "nobody has checked in yet")
    return (e.EntryWithdrawn(entry.id, "no-show") for entry in missing)


def paid(state: Tournament, command: c.Pay) -> e.FeePaid:
    """The fee that an entry has paid. Raises Refusal."""
    entry = entry_of(state, command.entry)
    if entry.paid == command.amount:
        raise Refusal("misfit", "this amount stands there already")
    return e.FeePaid(entry.id, command.amount)


def _seeded(state: Tournament, command: c.Seed) -> e.SeedsGiven:
    if state.at >= 0:
        if not level_on_the_line(state, anew=True):
            raise Refusal("window-closed", seeds_stand(state))
        return parted(state, command)
    active = state.active()
    match command.how:
        case "given":
            order = command.order
        case "rating":
            order = tuple(sorted(active, key=lambda entry: -(state.entries[entry].rating or 0)))
        case "lot":
            if command.lot is None:
                raise Refusal("malformed", "a draw by lot needs its number (`lot`), so that anybody can repeat it")
            order = shuffled(active, words(b"seeds %d" % command.lot))
        case _:
            assert_never(command.how)
    if sorted(order) != sorted(active):
        raise Refusal("malformed", "name every player who has not left, each once")
    return e.SeedsGiven(order, command.how, command.lot if command.how == "lot" else None)


def _granted(state: Tournament, command: c.GrantBye) -> e.ByeGranted:
    entry = entry_of(state, command.entry)
    number = max(state.at, 0)
    stage = state.stages[number]
    if not stage.format.drawn_round_by_round:
        raise Refusal("misfit", f"{stage.format.title}: byes follow from the plan, and none are granted")
    if entry.withdrawn:
        raise Refusal("misfit", "this player has left")
    if command.round <= len(stage.rounds):
        raise Refusal("window-closed", f"round {command.round} has been paired already")
    if stage.granted.get(command.round, {}).get(entry.id) == command.kind:
        raise Refusal("misfit", "this bye is granted already" if command.kind else "there is no bye to take back")
    return e.ByeGranted(number, command.round, entry.id, command.kind)
