"""Rulings in a case: which case a ruling is made in, and whether whoever rules may rule there, asked on the records as
they are when the ruling is decided."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from domain.case.appeals import check_not_appealed
from domain.case.rights import rules_here
from domain.case.rulers import check_ruling
from domain.case.state import Case
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, decided, forbidden
from domain.match import commands as c
from domain.match.state import Match
from service.desk.cases import lookup
from service.desk.cases.around import around_of
from service.store.loaded import AnyLoaded, LoadedCase, LoadedMatch
from service.store.streams import Streams

MISSING = "there is no such case about this deal"


async def with_case(streams: Streams, loaded: AnyLoaded, command: Any, actor: Actor, at: datetime) -> Any:
    """A ruling with the case that it is made in: the one it names, else the one open case about its deal; any other
    command, and what a file says was ruled elsewhere, as it is. Raises Refusal for who may not rule in that case."""
    if not isinstance(command, c.Rule) or not isinstance(loaded.state, Match) or _is_file(actor):
        return command
    about = await _about(streams, loaded, command)
    mine = [each for each in about if names(each.state, actor)]
    if not mine and not actor.directs:
        raise forbidden(next(iter(actor.each()), actor))  # as to everybody who does not rule, whatever cases there are
    if command.instance == 1 and command.supersedes is not None:
        appeals = [appeal for each in about for appeal in each.state.appeals]
        check_not_appealed(appeals, loaded.stream, loaded.state, command.supersedes)
    meant = [each for each in about if each.stream == command.case] if command.case else _open(about)
    if command.case is not None and not meant:
        raise Refusal("not-found", MISSING)
    for each in meant:
        await _check(streams, each, loaded.stream, command, actor, at)
    case = meant[0].stream if len(meant) == 1 else None
    return msgspec.structs.replace(command, case=case, named=any(each in mine for each in meant))


async def is_named(streams: Streams, loaded: LoadedMatch, actor: Actor) -> bool:
    """Tells whether a case about a match that is heard names whoever acts to rule on it."""
    if actor.directs:
        return False
    found = await lookup.about_match(streams, loaded.club, loaded.stream)
    return any(each.state.is_heard and names(each.state, actor) for each in found)


def names(case: Case, actor: Actor) -> bool:
    """Tells whether a case names whoever acts, in one of his roles, to rule on it."""
    return any(rules_here(case, each) for each in actor.each())


def _is_file(actor: Actor) -> bool:
    return all(each.strength == "file" for each in actor.each())


async def _about(streams: Streams, loaded: LoadedMatch, command: c.Rule) -> Sequence[LoadedCase]:
    """The cases about the deal that is ruled on, or about its whole match."""
    number = len(loaded.match.deals) if command.deal is None else command.deal
    found = await lookup.about_match(streams, loaded.club, loaded.stream)
    return [each for each in found if _concerns(each.state, loaded.stream, number)]


def _concerns(case: Case, match: str, deal: int) -> bool:
    return any(each.match == match and each.deal in (None, deal) for each in case.places())


def _open(cases: Sequence[LoadedCase]) -> Sequence[LoadedCase]:
    return [each for each in cases if each.state.is_open]


async def _check(streams: Streams, case: LoadedCase, match: str, command: c.Rule, actor: Actor, at: datetime) -> None:
    around = await around_of(streams, case, at)

    def checked(state: Case, asked: c.Rule, each: Actor) -> list[New]:
        check_ruling(state, match, asked, each, around)
        return []

    decided(checked, case.state, command, actor)
