"""Moves of a command: pairings and places before and after it."""

from collections.abc import Mapping

import msgspec

from domain.tournament.state import Tournament


class Moved(msgspec.Struct, frozen=True):
    """A change: its subject, as it stands, as it would stand (null: not there)."""

    what: str
    before: str | None
    after: str | None


class ForeseenMoves(msgspec.Struct, frozen=True):
    """Preview of commands: the types of their events, and everything that moves."""

    version: int
    events: tuple[str, ...]
    pairings: tuple[Moved, ...]
    places: tuple[Moved, ...]


def preview(before: Tournament, after: Tournament, events: tuple[str, ...], names: Mapping[str, str]) -> ForeseenMoves:
    """The difference between two states of one tournament."""
    return ForeseenMoves(
        before.version,
        events,
        _differences(_pairings(before, names), _pairings(after, names)),
        _differences(_places(before, names), _places(after, names)),
    )


def _differences(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[Moved, ...]:
    keys = [*old, *(key for key in new if key not in old)]
    return tuple(Moved(key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key))


def _pairings(state: Tournament, names: Mapping[str, str]) -> dict[str, str]:
    """Pairings match by match, each with its outcome; byes by round."""
    found = {}
    for number, stage in enumerate(state.stages):
        for place, each in enumerate(stage.rounds, start=1):
            for name in each.names:
                if name in stage.pairings:
                    one, other = (" & ".join(names[entry] for entry in side) for side in stage.pairings[name].sides)
                    outcome = stage.decided.get(name)
                    text = f"{one} – {other}"
                    if outcome is not None:
                        winner = {0: one, 1: other}.get(-1 if outcome.winner is None else outcome.winner)
                        text += f": {winner} won" if winner else ": no winner"
                    found[f"stage {number + 1}, {name}"] = text
            for bye in each.byes:
                if bye.kind != "rest":
                    found[f"stage {number + 1}, round {place}, {names[bye.entry]}"] = f"bye ({bye.kind})"
    return found


def _places(state: Tournament, names: Mapping[str, str]) -> dict[str, str]:
    """The places of the stage that is on."""
    if state.at < 0:
        return {}
    stage = state.stage
    return {f"place of {names[stage.order[place.seed - 1]]}": str(place.rank) for place in state.places_of(state.at)}
