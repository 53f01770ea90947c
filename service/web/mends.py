"""Mends that a table offers its viewer: proposals to answer, entries of findings to affirm."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from domain import codec
from domain.log.actor import Actor, Strength
from domain.log.decider import Refusal, decided
from domain.match import commands as c
from domain.match.affirming import whole_tricks
from domain.match.audit.finding import Finding
from domain.match.decide import decide
from domain.match.mending_commands import Affirm, AnswerCorrection, ProposeCorrection, WithdrawAffirmation
from domain.match.preview import moved_by
from domain.match.state import Deal, Match, side_of
from domain.match.windows import Moment
from projections.match_view import MatchView
from service.desk.access import actor_at
from service.store.callers import Caller
from service.store.loaded import LoadedMatch


class Affirmable(msgspec.Struct, frozen=True):
    """The entries under a finding that this caller may affirm: of which deal, in how many tricks or moves; `inspected`:
    as a director who looked."""

    deal: int
    versions: tuple[int, ...]
    inspected: bool


class Mends(msgspec.Struct, frozen=True):
    """The mends that are offered: `yes` and `no` are proposals that may be answered so, `accepts` how many later
    entries a yes of a director leaves without a place, `by_pin` the sides that can say yes to a proposal by PIN here;
    `affirm` by the place of a finding, `unaffirm` the affirmations that may be taken back; `propose` the deals whose
    result may be proposed to be another; `seal`: the record may be closed."""

    yes: tuple[int, ...] = ()
    no: tuple[int, ...] = ()
    accepts: dict[int, int] = {}
    by_pin: dict[int, tuple[int, ...]] = {}
    affirm: dict[int, Affirmable] = {}
    unaffirm: tuple[int, ...] = ()
    propose: tuple[int, ...] = ()
    seal: bool = False


NO_MENDS: Final = Mends()
WHY: Final = "?"


def mends_of(
    caller: Caller, loaded: LoadedMatch, view: MatchView, asks: Strength | None, moment: Moment | None
) -> Mends:
    """Finds what this caller may put right at this table now."""
    match, actor = loaded.match, actor_at(caller, loaded)
    if not match.deals or not any(each.records or side_of(match, each) is not None for each in actor.each()):
        return NO_MENDS

    def takes(command: c.MatchCommand, by: Actor = actor) -> bool:
        return _taken(match, msgspec.structs.replace(command, asks=asks, moment=moment), by)

    waiting = [each.version for each in match.proposals]
    accepts = (
        {version: _accepts(match, version, actor) for version in waiting} if actor.directs or actor.administers else {}
    )
    affirmed = [each.version for deal in match.deals for each in deal.affirmed]
    yes = (
        version
        for version in waiting
        if takes(AnswerCorrection(proposal=version, yes=True, accepts=accepts.get(version, 0)))
    )
    return Mends(
        yes=tuple(yes),
        no=tuple(each for each in waiting if takes(AnswerCorrection(proposal=each, yes=False))),
        accepts=accepts,
        by_pin={
            version: sides
            for version in waiting
            if (sides := tuple(side for side, by in _others(match, actor) if takes(_agreeing(version), by)))
        },
        affirm=affirmable(match, actor, view.findings, moment),
        unaffirm=tuple(each for each in affirmed if takes(WithdrawAffirmation(affirmation=each))),
        propose=tuple(deal.number for deal in match.deals if _proposable(deal) and takes(_again(deal))),
        seal=takes(c.Seal(note=WHY)),
    )


def _taken(match: Match, command: c.MatchCommand, actor: Actor) -> bool:
    try:
        return bool(decided(decide, match, command, actor)[0])
    except Refusal:
        return False


def _agreeing(version: int) -> AnswerCorrection:
    return AnswerCorrection(proposal=version, yes=True)


def _others(match: Match, actor: Actor) -> Iterator[tuple[int, Actor]]:
    """The sides that this caller does not play for, each as one of it who has typed a PIN."""
    own = {side_of(match, each) for each in actor.each()}
    for side, players in enumerate(match.setup.sides):
        if side not in own:
            yield side, Actor("player", person=players[0], id=players[0], strength="pin")


def _accepts(match: Match, version: int, actor: Actor) -> int:
    try:
        return len(moved_by(match, AnswerCorrection(proposal=version, yes=True), actor).misfits)
    except Refusal:
        return 0


def _proposable(deal: Deal) -> bool:
    return deal.entry is not None and not deal.void


def _again(deal: Deal) -> ProposeCorrection:
    assert deal.entry is not None
    return ProposeCorrection(version=deal.entry[0], now=codec.plain(deal.entry[1]), note=WHY)


def affirmable(match: Match, actor: Actor, findings: Sequence[Finding], moment: Moment | None) -> dict[int, Affirmable]:
    """By the place of each finding that is shown, the whole tricks under it, where this actor may affirm them."""
    found = {}
    for place, finding in enumerate(findings):
        deal = match.deals[finding.deal - 1]
        rests = {finding.version, *finding.rests_on, *(() if finding.proof is None else (finding.proof,))}
        versions = whole_tricks(match, deal, rests)
        for inspected in (False, True):
            affirm = Affirm(deal=deal.number, versions=versions, inspected=inspected, moment=moment)
            if versions and _taken(match, affirm, actor):
                found[place] = Affirmable(deal.number, versions, inspected)
                break
    return found
