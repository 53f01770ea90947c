"""Findings: every breach in a match's record, proven by known hands or by a card that fell later.

With hands unknown, a seat that did not follow and later plays a card of the suit, with no draw
between, has shown that it held it: the record proves the revoke by itself.
"""

from collections import OrderedDict
from typing import Final

import msgspec

from domain.cards.card import CARDS
from domain.cards.facts import CardPlayed, Fact, Passed
from domain.game.judgement import Breach, Duty
from domain.game.protocol import AnyGame, AnyTable
from domain.match.settled import contradicts_earlier_deal
from domain.match.state import Deal, Finding, Match


class Pending(msgspec.Struct, frozen=True):
    """A duty that may not have been met: the seat, the version, and the cards that would prove it."""

    seat: int
    version: int
    segment: int
    cards: int
    rule: str
    code: str
    what: str


def findings(match: Match) -> tuple[Finding, ...]:
    """All findings of a match in the order of the events concerned."""
    found = [finding for deal in match.deals for finding in deal_findings(match, deal)]
    return tuple(sorted(found, key=lambda finding: (finding.deal, finding.version)))


_REMEMBERED: Final = 2048
_BROKEN: Final = {"REV": "did not follow suit", "FTT": "did not trump", "FPS": "passed"}
_found: OrderedDict[int, tuple[Deal, tuple[Finding, ...]]] = OrderedDict()


def deal_findings(match: Match, deal: Deal) -> tuple[Finding, ...]:
    """The findings of one deal. Deals never change, so what was found in one is remembered with it."""
    known = _found.get(id(deal))
    if known is not None and known[0] is deal:
        return known[1]
    found = _examined(match, deal)
    _found[id(deal)] = (deal, found)
    while len(_found) > _REMEMBERED:
        _found.popitem(last=False)
    return found


def _examined(match: Match, deal: Deal) -> tuple[Finding, ...]:
    """The deal's facts folded again one by one."""
    game = match.setup.game
    known = deal.cards is not None
    table = game.start(match.setup.options, deal.dealer, deal.cards)
    other = contradicts_earlier_deal(match, deal.cards, deal.number)
    found = [Finding(deal.number, deal.version, other.rule, other.code, other.detail)] if other else []
    pending: list[Pending] = []
    shown: dict[int, Finding] = {}
    for version, fact in deal.facts:
        remark = type(fact) in game.remarks
        reasons = game.breaches(table, fact)
        for breach in reasons:
            if not (remark and breach.misfit):
                found.append(Finding(deal.number, version, breach.rule, breach.code, breach.detail))
        if remark:
            continue
        if not known and all(reason.code not in ("DUP", "NIH") for reason in reasons):
            owed = _owed(game, table, fact.seat)
            if isinstance(fact, CardPlayed):
                proofs, pending = _settled(pending, fact, owed)
                shown.update((proof.version, _proven(deal.number, proof, version, fact)) for proof in proofs)
            pending += _new(version, fact, owed)
        table = game.evolve(table, fact)
    return tuple(sorted([*found, *shown.values()], key=lambda one: one.version))


def _owed(game: AnyGame, table: AnyTable, seat: int) -> Duty | None:
    """The duty of a seat to the trick: none out of turn, but the stretch goes on."""
    duty = game.duty(table)
    return duty if duty is None or seat == game.to_act(table) else Duty(duty.segment, ())


def _settled(pending: list[Pending], fact: CardPlayed, duty: Duty | None) -> tuple[list[Pending], list[Pending]]:
    """The pending duties that this card proves broken, and those that remain.

    Only the earliest duty of a play counts: one who could have followed did not have to trump.
    """
    bit = 1 << fact.card
    proven: dict[int, Pending] = {}
    for each in pending:
        if each.seat == fact.seat and each.cards & bit and _same_stretch(each, duty):
            proven.setdefault(each.version, each)
    firsts = {version: pending.index(each) for version, each in proven.items()}
    rest = [each for place, each in enumerate(pending) if each.version not in proven or place < firsts[each.version]]
    return list(proven.values()), rest


def _same_stretch(each: Pending, duty: Duty | None) -> bool:
    return duty is None or duty.segment == each.segment


def _new(version: int, fact: Fact, duty: Duty | None) -> list[Pending]:
    """The duties that a card does not meet, or that forbid a pass: a later card may prove them broken."""
    made: list[Pending] = []
    if duty is None or not isinstance(fact, CardPlayed | Passed):
        return made
    bit = 1 << fact.card if isinstance(fact, CardPlayed) else 0
    for cards, rule, code in duty.masks if bit else duty.passing:
        if cards & bit:
            break
        what = _BROKEN.get(code, "broke the rule")
        made.append(Pending(fact.seat, version, duty.segment, cards, rule, code, what))
    return made


def _proven(deal: int, each: Pending, version: int, fact: CardPlayed) -> Finding:
    detail = f"seat {each.seat} {each.what}, and held {CARDS[fact.card]}"
    return Finding(deal, each.version, each.rule, each.code, detail, proof=version)


def first_breach(game: AnyGame, table: AnyTable, facts: list[Fact]) -> tuple[AnyTable, int, tuple[Breach, ...]]:
    """Play facts until one is against the rules: the table, its place (or their number), the reasons."""
    judge, evolve = game.breaches, game.evolve
    for place, fact in enumerate(facts):
        reasons = judge(table, fact)
        if reasons:
            return table, place, reasons
        table = evolve(table, fact)
    return table, len(facts), ()
