"""Records with one scoring slip: the play was legal, one entry is wrong."""

import random
from typing import Any

import msgspec

from domain.match.audit.finding import Course
from tests.kit.audit.brute import Record, _deals, _options, _tricks, tables_of
from tests.kit.games.strategies import candidates

KINDS = ("mistyped", "mistyped", "call", "cards", "entries", "too many", "missing", "start")


def slipped(course: Course, chance: random.Random) -> tuple[str, Course] | None:
    """Return a record of the same deal with one slip in which every fact fits, or None."""
    for _ in range(60):
        kind = chance.choice(KINDS)
        wrong = _MAKERS[kind](course, chance)
        if wrong is not None and wrong != course and fits(wrong):
            return kind, wrong
    return None


def fits(course: Course) -> bool:
    """Return True if every fact of a record fits."""
    game, table = course.game, course.game.start(course.options, course.dealer, course.cards)
    for fact in course.facts:
        if type(fact) in game.remarks:
            continue
        if any(each.misfit for each in game.breaches(table, fact)):
            return False
        table = game.evolve(table, fact)
    return True


def record_of(course: Course) -> Record:
    """Return a record in the form that the brute-force judge takes."""
    return Record(course.game, course.options, course.dealer, course.cards, course.facts)


def _with(course: Course, facts: Any) -> Course:
    return msgspec.structs.replace(course, facts=tuple(facts))


def _mistyped(course: Course, chance: random.Random, calls: bool = False) -> Course | None:
    """An entry of the same kind in its place: another card, seat, square, number or call."""
    places = [at for at, fact in enumerate(course.facts) if not calls or getattr(fact, "card", None) is None]
    if not places:
        return None
    place, seats = chance.choice(places), course.game.seats(course.options)
    others = [each for each in candidates(type(course.facts[place])) if each.seat < seats]
    if chance.random() < 0.7:
        others = [each for each in others if each.seat == course.facts[place].seat]
    return _with(course, (*course.facts[:place], chance.choice(others), *course.facts[place + 1 :]))


def _called(course: Course, chance: random.Random) -> Course | None:
    """A call that was mistyped."""
    return _mistyped(course, chance, calls=True)


def _cards(course: Course, chance: random.Random) -> Course | None:
    """Two cards of a trick exchanged."""
    views = [course.game.view(table, None) for table in tables_of(record_of(course))]
    tricks = _tricks(record_of(course), views)
    one, other = sorted(chance.sample(range(len(course.facts)), 2))
    together = [at for at in range(len(tricks)) if at != one and tricks[at] is not None and tricks[at] == tricks[one]]
    if not together:
        return None
    other, facts = chance.choice(together), list(course.facts)
    mine, theirs = facts[one].card, facts[other].card
    facts[one] = msgspec.structs.replace(facts[one], card=theirs)
    facts[other] = msgspec.structs.replace(facts[other], card=mine)
    return _with(course, facts)


def _entries(course: Course, chance: random.Random) -> Course | None:
    """Two entries of one seat in the same phase exchanged."""
    tables = tables_of(record_of(course))
    one = chance.randrange(len(course.facts))
    phase, seat = course.game.view(tables[one], None).phase, course.facts[one].seat
    others = [at for at, fact in enumerate(course.facts) if at != one and fact.seat == seat]
    others = [at for at in others if course.game.view(tables[at], None).phase == phase]
    if not others:
        return None
    other, facts = chance.choice(others), list(course.facts)
    facts[one], facts[other] = facts[other], facts[one]
    changed = _with(course, facts)
    later = tables_of(record_of(changed))
    same = course.game.view(later[one], None).phase == course.game.view(later[other], None).phase
    return changed if same else None


def _too_many(course: Course, chance: random.Random) -> Course | None:
    """An entry that was never made: one of the deal again, or any other of a kind that is in it."""
    place, kind = chance.randrange(len(course.facts) + 1), type(chance.choice(course.facts))
    extra = chance.choice([*course.facts, chance.choice(candidates(kind))])
    return _with(course, (*course.facts[:place], extra, *course.facts[place:]))


def _missing(course: Course, chance: random.Random) -> Course | None:
    """An entry that was left out."""
    place = chance.randrange(len(course.facts))
    return _with(course, (*course.facts[:place], *course.facts[place + 1 :]))


def _start(course: Course, chance: random.Random) -> Course | None:
    """One member of the start: dealer, option, cards of the deal."""
    record, change = record_of(course), msgspec.structs.replace
    found = chance.choice(("dealer", "option", "deal"))
    if found == "dealer":
        return change(course, dealer=chance.randrange(course.game.seats(course.options)))
    pool = list(_options(record) if found == "option" else _deals(record))
    if not pool:
        return None
    return change(course, **{"options" if found == "option" else "cards": chance.choice(pool)})


_MAKERS: dict[str, Any] = {
    "mistyped": _mistyped,
    "call": _called,
    "cards": _cards,
    "entries": _entries,
    "too many": _too_many,
    "missing": _missing,
    "start": _start,
}
