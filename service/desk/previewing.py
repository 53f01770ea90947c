"""Previewing: what a correction would move, and how whoever asks can have it, before anything is written."""

from typing import Literal, TypeAlias
from uuid import UUID

import msgspec

from domain.log.actor import Actor
from domain.log.decider import Refusal, decided
from domain.match import commands as c
from domain.match.decide import decide
from domain.match.event import Window
from domain.match.mending_commands import Correct, ProposeCorrection, WithdrawFact
from domain.match.preview import Preview, moved_by
from domain.match.state import Match
from domain.match.windows import Moment, closing
from service.desk.access import actor_at, match_to_write
from service.desk.moments import moment_of
from service.desk.services import Services
from service.store.callers import Caller

How: TypeAlias = Literal["correct", "propose"]


class ForeseenCorrection(msgspec.Struct, frozen=True):
    """A correction foreseen: what it moves, in which window its deal is, and how it can be had: at once (`correct`), by
    the other side's yes (`propose`), or not (null), and why."""

    preview: Preview
    window: Window
    how: How | None
    refused: str | None = None


async def foreseen(
    services: Services, caller: Caller, match: UUID, command: Correct | WithdrawFact
) -> ForeseenCorrection:
    """A correction as it would be, for who may correct or propose it. Raises Refusal for everybody else."""
    loaded = await match_to_write(services, caller, match)
    current = await services.streams.match(loaded.stream) or loaded
    moment = await moment_of(services.streams, current, services.recorder.clock())
    return foresee(current.match, command, actor_at(caller, current), moment)


def foresee(match: Match, command: Correct | WithdrawFact, actor: Actor, moment: Moment) -> ForeseenCorrection:
    """A correction at a moment, as an actor can have it. Raises Refusal."""
    refused = None
    for how, asked in _ways(command):
        try:
            decided(decide, match, msgspec.structs.replace(asked, moment=moment), actor)
        except Refusal as refusal:
            lost = refusal.extra.get("misfits")
            if lost is None:
                refused = refused if refused is not None and refused.slug == "misfit" else refusal
                continue
            return _told(match, command, actor, moment, how if refusal.slug == "confirm-needed" else None, refusal)
        return _told(match, command, actor, moment, how)
    assert refused is not None
    raise refused


def _ways(command: Correct | WithdrawFact) -> list[tuple[How, c.MatchCommand]]:
    """The ways to have a correction: alone, or by the other side's yes."""
    if isinstance(command, WithdrawFact):
        return [("correct", command)]
    proposal = ProposeCorrection(version=command.version, now=command.now, do=command.do, note=command.note)
    return [("correct", command), ("propose", proposal)]


def _told(
    match: Match,
    command: Correct | WithdrawFact,
    actor: Actor,
    moment: Moment,
    how: How | None,
    refusal: Refusal | None = None,
) -> ForeseenCorrection:
    preview = moved_by(match, command, actor)
    window = closing(match, match.deals[preview.deal - 1], moment).window
    said = None if how is not None or refusal is None else refusal.detail
    return ForeseenCorrection(preview, window, how, said)
