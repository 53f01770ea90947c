"""Corrections in a case: the case that a change of a deal is made in, and who does not change a deal that is heard."""

from typing import Any

import msgspec

from domain.case.state import Case
from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.mending import deal_with
from domain.match.mending_commands import Correct, WithdrawFact
from domain.match.sight import is_told
from domain.match.state import Deal, Match
from service.desk.cases import lookup
from service.store.loaded import AnyLoaded, LoadedMatch
from service.store.streams import Streams

CHANGING = (Correct, WithdrawFact, c.UndoLast, c.VoidDeal, c.RestoreDeal)
STEPPED_BACK = "you stepped back from the case about this deal: another director changes it"


async def with_own_case(streams: Streams, loaded: AnyLoaded, command: Any, actor: Actor) -> Any:
    """A correction with the one open case about its deal, once everybody may know that something was found there; any
    other command as it is. Raises Refusal for a director who stepped back from that case, and for an entry that does
    not stand."""
    if not isinstance(command, CHANGING) or not actor.directs:
        return command
    if not isinstance(loaded.state, Match) or (deal := _deal_of(loaded.state, command)) is None:
        return command
    cases = await _heard(streams, loaded, deal)
    if any(each.person in actor.people for case in cases.values() for each in case.recused):
        raise Refusal("recused", STEPPED_BACK)
    if len(cases) != 1 or not isinstance(command, Correct | WithdrawFact):
        return command
    told = is_told(loaded.state, deal, "public", command.moment)
    return msgspec.structs.replace(command, case=next(iter(cases))) if told and command.case is None else command


def _deal_of(match: Match, command: Any) -> Deal | None:
    if isinstance(command, Correct):
        return deal_with(match, command.version, inserting=command.do == "insert")
    if isinstance(command, WithdrawFact):
        return deal_with(match, command.version)
    return match.deals[-1] if match.deals else None


async def _heard(streams: Streams, loaded: LoadedMatch, deal: Deal) -> dict[str, Case]:
    """The open cases about a deal, by their ids."""
    found = await lookup.about_match(streams, loaded.club, loaded.stream)
    heard = (each for each in found if each.state.is_open)
    return {each.stream: each.state for each in heard if deal.number in _deals(each.state, loaded)}


def _deals(case: Case, loaded: LoadedMatch) -> frozenset[int]:
    named = {each.deal for each in case.places() if each.match == loaded.stream}
    return frozenset(deal.number for deal in loaded.match.deals if deal.number in named or None in named)
