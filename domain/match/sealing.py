"""Sealing: a director closes a record before its time, and nothing changes it any more."""

from domain.log.decider import New, Refusal
from domain.match import commands as c
from domain.match import events as e
from domain.match.changing import SEALED
from domain.match.starting import private_note
from domain.match.state import Match, race_of


def sealed(match: Match, command: c.Seal) -> New:
    """The record of a match that is over, and about which nothing is open."""
    race = race_of(match)
    if match.sealed:
        raise Refusal("window-closed", SEALED)
    if not race.finished:
        raise Refusal("misfit", "the match is not over yet: it is sealed when it is")
    if match.disputes or (command.moment is not None and command.moment.heard):
        raise Refusal("misfit", "a dispute or a case about this match is open: settle it first")
    if match.proposals:
        raise Refusal("misfit", "a proposed correction waits here: say yes or no to it first")
    return New(e.MatchSealed(None, race.totals), private_note(command.note), signs=True)


def check_not_sealed(match: Match, command: c.MatchCommand) -> None:
    """Refuses whatever would change a sealed record. What is noted stands beside it, and of a ruling its own rules
    decide. Raises Refusal."""
    if match.sealed and not isinstance(command, c.NoteIrregularity | c.StateScore | c.Rule | c.Seal):
        raise Refusal("window-closed", SEALED)
