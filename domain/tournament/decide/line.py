"""The qualifying line of a stage: who is level on it, and the lot or the director's order that parts them."""

from collections.abc import Sequence

import msgspec

from domain.chance import shuffled, words
from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.state import Tournament


def level_on_the_line(state: Tournament, anew: bool = False) -> tuple[tuple[str, ...], ...]:
    """The entries that are level on the qualifying line of the stage that is on, each set best first, as long as nobody
    has parted them; `anew`: all the same."""
    if state.at < 0 or state.at + 1 == len(state.stages):
        return ()
    stage, field = state.stage, state.field(state.at)
    if anew:
        field = msgspec.structs.replace(field, parted=())
    return tuple(stage.entries(each) for each in stage.format.tied(field, stage.setup.go_on))


def check_parted(state: Tournament) -> None:
    """Raises Refusal while somebody is level on the line: who goes on is not for the order of seeds to say."""
    level = level_on_the_line(state)
    if level:
        said = f"{state.stage.setup.go_on} go on, and on the line {_named(level)}"
        raise Refusal("misfit", f"{said}: draw a lot, or put them in order (`seed`)", level=list(map(list, level)))


def _named(level: Sequence[Sequence[str]]) -> str:
    """The sets of entries that are level, each entry named like {e1}."""
    return "; ".join(", ".join(f"{{{entry}}}" for entry in each) + " are level" for each in level)


def parted(state: Tournament, command: c.Seed) -> e.SeedsGiven:
    """The order of those who are level on the line. Raises Refusal."""
    sets = level_on_the_line(state, anew=True)
    level = [entry for each in sets for entry in each]
    _check_over(state)
    match command.how:
        case "given":
            order = command.order
        case "lot":
            if command.lot is None:
                raise Refusal("malformed", "`lot`: a draw needs its number, so that anybody can repeat it")
            order = shuffled(sorted(level), words(b"line %d" % command.lot))
        case _:
            raise Refusal("malformed", "`how`: who is level on the line is parted by `lot`, or as `given`")
    if sorted(order) != sorted(level):
        raise Refusal("malformed", f"`order` holds everybody who is level on the line once: {_named(sets)}")
    return e.SeedsGiven(tuple(order), command.how, command.lot if command.how == "lot" else None)


def _check_over(state: Tournament) -> None:
    """Raises Refusal while a match is on, or disputed: who is level may still change."""
    stage = state.stage
    waiting = [name for name, each in stage.meetings().items() if name in stage.pairings and each.status == "ready"]
    if waiting or stage.disputed:
        raise Refusal("misfit", "a match is open or disputed: who is level on the line may still change")
