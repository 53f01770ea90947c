"""Preview: what a correction moves, before anything is written."""

from typing import TypeAlias

import msgspec

from domain import codec
from domain.game.protocol import Viewer
from domain.log.actor import SERVICE, Actor
from domain.log.decider import Refusal
from domain.log.event import Json
from domain.match import events as e
from domain.match.evolve import fold
from domain.match.mending import Mending, deal_with, mending_of, misfits_after
from domain.match.mending_commands import AnswerCorrection, Correct, ProposeCorrection, WithdrawFact
from domain.match.rights import check_tries
from domain.match.sight import table_seen, viewer_of
from domain.match.state import Deal, Match, is_complete, race_of, side_scores

Movable: TypeAlias = Correct | ProposeCorrection | WithdrawFact | AnswerCorrection


class Stands(msgspec.Struct, frozen=True):
    """The standing: tricks by seat, the scores of the deal by side (None: not over, or void), whether the deal is over;
    the totals of the match, and who has won it."""

    tricks: tuple[int, ...]
    scores: tuple[int, ...] | None
    over: bool
    totals: tuple[int, ...]
    winner: int | None
    finished: bool


class Preview(msgspec.Struct, frozen=True):
    """The effect of a correction: its deal, the entry as it was and is (None: nothing stood there, or does), how it
    stands before and after, and the versions of later facts that no longer fit."""

    deal: int
    was: Json
    now: Json
    before: Stands
    after: Stands
    misfits: tuple[int, ...]


def moved_by(match: Match, command: Movable, actor: Actor = SERVICE) -> Preview:
    """Previews what a command would move, as an actor may see it. Raises Refusal where it names nothing that can be
    changed, or what the actor may not see."""
    mending, event = _planned(match, command, actor)
    after = fold(match, [(match.version + 1, event)])
    assert isinstance(after, Match)
    number, viewer = mending.deal.number, viewer_of(match, actor)
    return Preview(
        number,
        None if mending.do == "insert" else _entry_at(mending.deal, mending.version),
        None if mending.now is None else codec.decode(mending.now, dict),
        _stands(match, match.deals[number - 1], viewer),
        _stands(after, after.deals[number - 1], viewer),
        tuple(misfits_after(match, mending.deal, after, actor)),
    )


def _planned(match: Match, command: Movable, actor: Actor) -> tuple[Mending, e.MatchEvent]:
    """Plans what would be done, and the event of it."""
    match command:
        case AnswerCorrection():
            found = [each.event for each in match.proposals if each.version == command.proposal]
            if not found:
                raise Refusal("misfit", f"no proposal waits at entry {command.proposal}")
            said = found[0]
            deal = deal_with(match, said.version, inserting=said.do == "insert")
            mending = Mending(deal, said.do, said.version, None if said.now == e.UNKNOWN else said.now)
            return mending, mending.event(None)
        case WithdrawFact():
            deal = deal_with(match, command.version)
            check_tries(match, deal, (fact for at, fact in deal.facts if at == command.version), actor)
            gone = e.FactWithdrawn(deal.number, command.version, command.code)
            return Mending(deal, "remove", command.version, None), gone
        case _:
            mending = mending_of(match, command, actor)
            return mending, mending.event(None)


def _entry_at(deal: Deal, version: int) -> Json:
    """A fact or result in force, as JSON has it."""
    if deal.entry is not None and deal.entry[0] == version:
        return codec.plain(deal.entry[1])
    return next((codec.plain(fact) for each, fact in deal.facts if each == version), None)


def _stands(match: Match, deal: Deal, viewer: Viewer) -> Stands:
    race, game = race_of(match), match.setup.game
    table = game.view(table_seen(match, deal, viewer), viewer)
    over = is_complete(match, deal)
    return Stands(table.tricks, side_scores(match, deal), over, race.totals, race.winner, race.finished)
