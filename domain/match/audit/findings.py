"""Findings: every breach in a match's record, the entries on which each rests, and its consequences beneath it."""

import operator
from collections import OrderedDict
from typing import Final

import msgspec

from domain.cards.facts import Fact
from domain.game.judgement import Breach, Late
from domain.game.protocol import AnyGame, AnyTable
from domain.game.replay import START, Replay
from domain.match.audit.beneath import gathered
from domain.match.audit.catalogue import is_offence
from domain.match.audit.draws import not_drawn
from domain.match.audit.figures import figure_findings
from domain.match.audit.finding import Course, Derived, Finding
from domain.match.audit.judged import Folded, Judged, folded, judged
from domain.match.settled import contradicts_earlier_deal
from domain.match.state import Deal, Match


def derived(course: Course) -> tuple[Derived, ...]:
    """All that follows from the entries of a deal, in the order of its facts; consequences are beneath their cause."""
    found = all_derived(course)
    return found if len(found) < 2 else gathered(course, found, signs)


def all_derived(course: Course) -> tuple[Derived, ...]:
    """The same with every consequence by itself."""
    found, other = [], course.contradicts
    if other is not None:
        found.append(Derived(START, None, other.rule, other.code, other.detail, (START,)))
    game = course.game
    fold = folded(course)
    known = judged(course, fold)
    replay = _replay(course, fold)
    late = _late(game, replay)
    found += [_at_once(game, replay, place, breach) for place, breach in known.wrong]
    found += [_proven(game, replay, each) for each in known.proven.values()]
    found += [_seen_late(replay, each) for each in late]
    return tuple(sorted(found, key=lambda one: one.place)) if len(found) > 1 else tuple(found)


def signs(course: Course) -> list[tuple[int, str | None]]:
    """Place and code of every breach of a deal, without what it rests on."""
    fold = folded(course)
    return signs_of(course, fold, judged(course, fold))


def signs_of(course: Course, fold: Folded, known: Judged) -> list[tuple[int, str | None]]:
    """The same of a deal that was folded and judged before."""
    found = [(place, breach.code) for place, breach in known.wrong]
    found += [(place, each.breach.code) for place, each in known.proven.items()]
    return found + [(each.rests_on[0], each.breach.code) for each in _late(course.game, _replay(course, fold))]


def _late(game: AnyGame, replay: Replay) -> list[Late]:
    """The breaches that only what came later shows: the game's own, and draws that were not made."""
    return [*game.hindsight(replay), *not_drawn(game, replay)]


def _replay(course: Course, fold: Folded) -> Replay:
    game = course.game
    return Replay(tuple(fold.tables), course.facts, course.cards is not None, game.lying, game.holding)


def _at_once(game: AnyGame, replay: Replay, place: int, breach: Breach) -> Derived:
    return _of(replay, game.rests_on(replay, place, breach), breach)


def _proven(game: AnyGame, replay: Replay, each: Late) -> Derived:
    """A broken duty rests on the same as one that is seen at once, and on the card that shows it."""
    place, *proofs = each.rests_on
    grounds = game.rests_on(replay, place, each.breach)
    return _of(replay, (*grounds, *(proof for proof in proofs if proof not in grounds)), each.breach)


def _seen_late(replay: Replay, each: Late) -> Derived:
    found = _of(replay, each.rests_on, each.breach)
    return found if each.seat is None else msgspec.structs.replace(found, seat=each.seat)


def _of(replay: Replay, rests_on: tuple[int, ...], breach: Breach) -> Derived:
    place = rests_on[0]
    seat = None if place == START else replay.facts[place].seat
    return Derived(place, seat, breach.rule, breach.code, breach.detail, rests_on)


def course_of(match: Match, deal: Deal) -> Course:
    """A deal of a match as it is recorded."""
    facts = tuple(fact for _, fact in deal.facts)
    other = contradicts_earlier_deal(match, deal.cards, deal.number)
    return Course(match.setup.game, match.setup.options, deal.dealer, deal.cards, facts, other)


def findings(match: Match) -> tuple[Finding, ...]:
    """All findings of a match, deal by deal, in the order of the facts concerned."""
    return tuple(finding for deal in match.deals for finding in deal_findings(match, deal))


_REMEMBERED: Final = 2048
_found: OrderedDict[int, tuple[tuple[Deal, ...], tuple[Finding, ...]]] = OrderedDict()


def deal_findings(match: Match, deal: Deal) -> tuple[Finding, ...]:
    """The findings of one deal, without grades. Deals never change, so what was found in one is remembered with it and
    with those before it, which fix colours for the match and its totals."""
    before = (*(each for each in match.deals if each.number < deal.number), deal)
    known = _found.get(id(deal))
    if known is not None and len(known[0]) == len(before) and all(map(operator.is_, known[0], before)):
        return known[1]
    course = course_of(match, deal)
    found = (*(told(course, deal, each) for each in derived(course)), *figure_findings(match, deal))
    _found[id(deal)] = (before, found)
    while len(_found) > _REMEMBERED:
        _found.popitem(last=False)
    return found


def told(course: Course, deal: Deal, each: Derived) -> Finding:
    """Makes a finding of what was derived, by the versions of the match."""
    last = each.rests_on[-1]
    return Finding(
        deal=deal.number,
        version=version_at(deal, each.place),
        rule=each.rule,
        code=each.code,
        detail=each.detail,
        proof=version_at(deal, last) if deal.cards is None and last > each.place else None,
        place=each.place,
        seat=each.seat,
        rests_on=tuple(version_at(deal, place) for place in each.rests_on),
        beneath=len(each.beneath),
        note=not is_offence(course.game, each.code),
    )


def version_at(deal: Deal, place: int) -> int:
    """The version of the fact at a place; that of the deal for its start."""
    return deal.version if place == START else deal.facts[place][0]


def first_breach(game: AnyGame, table: AnyTable, facts: list[Fact]) -> tuple[AnyTable, int, tuple[Breach, ...]]:
    """Play facts until one is against the rules: the table, its place (or their number), the reasons."""
    judge, evolve = game.breaches, game.evolve
    for place, fact in enumerate(facts):
        reasons = judge(table, fact)
        if reasons:
            return table, place, reasons
        table = evolve(table, fact)
    return table, len(facts), ()
