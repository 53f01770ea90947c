"""The six kinds of slip that whoever keeps the score can make, each as the deal that would have been recorded without
it. No game is named: what may stand at a place is what the game says is legal there."""

import itertools
from collections.abc import Hashable, Iterator
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import msgspec

from domain.cards.card import Card
from domain.cards.facts import Fact
from domain.game.rest import REST
from domain.match.audit.alternatives import like, settings
from domain.match.audit.finding import START, Course
from domain.match.audit.starts import other_starts
from domain.match.audit.walk import OUTSIDE, Broken, Key, Walk, broken_by, card_of

Kind: TypeAlias = Literal["mistyped", "cards exchanged", "entries exchanged", "too many", "missing", "start"]
NOWHERE: Final = -2  # no place of a deal


class Slip(msgspec.Struct, frozen=True, gc=False):
    """One slip and the deal without it. `first` and `last` are the first and last places of that deal at which it
    differs; `inserts` the place of an entry that was missing, `removes` that of one that was too many; `what` is what
    was, for its words."""

    kind: Kind
    course: Course
    places: tuple[int, ...]
    first: int
    last: int
    inserts: int = NOWHERE
    removes: int = NOWHERE
    what: Any = None

    @property
    def name(self) -> Hashable:
        """The key that tells it from every other slip of the deal."""
        return self.kind, self.places, self.what

    def origin(self, place: int) -> int:
        """The place in the record of a place in the deal without the slip; NOWHERE for an entry that is not in it."""
        if place < 0:
            return place
        if self.removes != NOWHERE:
            return place + (place >= self.removes)
        if self.inserts == NOWHERE or place < self.inserts:
            return place
        return NOWHERE if place == self.inserts else place - 1


def slips_for(walk: Walk, own: tuple[int, ...], others: frozenset[int], gone: frozenset[Key]) -> Iterator[Slip]:
    """The slips that may explain a finding, likely ones first: those that change a place on which it rests, entries too
    many or missing at or before the last of these, another start; then the same of what other findings of the deal
    rest on, for one slip makes several findings."""
    rest = tuple(sorted(others - {*own}))
    yield from _touching(walk, own, frozenset(), gone)
    yield from _other_settings(walk)
    if START in own:
        yield from _other_cards(walk)
    yield from _touching(walk, rest, frozenset(own), gone)
    if START in rest:
        yield from _other_cards(walk)


def _touching(walk: Walk, places: tuple[int, ...], done: frozenset[int], gone: frozenset[Key]) -> Iterator[Slip]:
    """The slips of entries that touch some of these places and none that is done."""
    at = tuple(place for place in places if place != START)
    if at:
        last, before = max(at), max(done, default=START)
        yield from _mistyped(walk, at, gone)
        yield from _cards_exchanged(walk, frozenset(at), done)
        yield from _entries_exchanged(walk, at, done)
        yield from _too_many(walk, range(before + 1, last + 1))
        yield from _missing(walk, range(before + 1, last + 1))


def _mistyped(walk: Walk, places: tuple[int, ...], gone: frozenset[Key]) -> Iterator[Slip]:
    """An entry was another of its kind, seat included, with a card not seen elsewhere."""
    course = walk.course
    for place in places:
        may_stay = frozenset(each for each in walk.broken[place] if (place, each) not in gone)
        key = (place, may_stay)
        if key not in walk.instead:
            walk.instead[key] = tuple(_likeliest_first(course.facts[place], _instead(walk, place, may_stay)))
        for now in walk.instead[key]:
            facts = (*course.facts[:place], now, *course.facts[place + 1 :])
            yield Slip("mistyped", _with(course, facts), (place,), place, place, what=now)


def _likeliest_first(fact: Fact, others: Iterator[Fact]) -> list[Fact]:
    return sorted((each for each in others if each != fact), key=partial(_unlike, fact))


def _instead(walk: Walk, place: int, may_stay: Broken) -> Iterator[Fact]:
    """The entries of the same kind that break no rule at a place but those that may stay broken."""
    course, fact, table = walk.course, walk.course.facts[place], walk.tables[place]
    kind, seen = type(fact), _seen(walk, type(fact), place)
    if not may_stay and kind not in course.game.remarks and kind not in REST:
        yield from (each for each in course.game.legal(table) if type(each) is kind and card_of(each) not in seen)
        return
    for now in like(fact, course.game.seats(course.options), seen):
        broken = broken_by(course, now, course.game.breaches(table, now))
        if broken is not None and broken <= may_stay:
            yield now


def _unlike(fact: Fact, now: Fact) -> int:
    """Measures how unlike two entries of a kind are: in fewer members first, then in the suit and the rank of their
    cards."""
    unlike = 0
    for name in fact.__struct_fields__:
        one, other = getattr(fact, name), getattr(now, name)
        if one != other:
            unlike += 2
            if isinstance(one, Card) and isinstance(other, Card):
                unlike += one.suit != other.suit and one.rank != other.rank
    return unlike


def _seen(walk: Walk, kind: type[Fact], but: int = NOWHERE) -> frozenset[Card]:
    """The cards that entries of such a kind name elsewhere. A card is drawn before it is played: draws and plays are
    two kinds of kinds."""
    if walk.returns:
        return frozenset()
    others = (fact for place, fact in enumerate(walk.course.facts) if place != but)
    cards = (card_of(fact) for fact in others if bool(fact.hides) == bool(kind.hides))
    return frozenset(card for card in cards if card is not None)


def _cards_exchanged(walk: Walk, places: frozenset[int], done: frozenset[int]) -> Iterator[Slip]:
    """Two cards of one trick were exchanged."""
    facts = walk.course.facts
    order = [place for place in range(len(facts)) if walk.tricks[place] != OUTSIDE]
    for _, trick in itertools.groupby(order, key=walk.tricks.__getitem__):
        for one, other in itertools.combinations(trick, 2):
            mine, theirs = card_of(facts[one]), card_of(facts[other])
            if mine == theirs or not places & {one, other} or done & {one, other}:
                continue
            change = msgspec.structs.replace
            now = {one: change(facts[one], card=theirs), other: change(facts[other], card=mine)}
            yield _exchanged(walk, "cards exchanged", one, other, now)


def _entries_exchanged(walk: Walk, places: tuple[int, ...], done: frozenset[int]) -> Iterator[Slip]:
    """Two entries of one seat in the same phase were exchanged."""
    facts, phases, tried = walk.course.facts, walk.phases, set()
    for place in places:
        for other, fact in enumerate(facts):
            pair = (min(place, other), max(place, other))
            if fact.seat != facts[place].seat or phases[other] != phases[place] or pair in tried or other in done:
                continue
            tried.add(pair)
            if fact != facts[place]:
                now = {place: fact, other: facts[place]}
                yield _exchanged(walk, "entries exchanged", *pair, now)


def _exchanged(walk: Walk, kind: Kind, one: int, other: int, now: dict[int, Fact]) -> Slip:
    facts = walk.course.facts
    changed = (*facts[:one], now[one], *facts[one + 1 : other], now[other], *facts[other + 1 :])
    return Slip(kind, _with(walk.course, changed), (one, other), one, other)


def _too_many(walk: Walk, places: range) -> Iterator[Slip]:
    """An entry is one too many."""
    facts = walk.course.facts
    for place in places:
        course = _with(walk.course, (*facts[:place], *facts[place + 1 :]))
        yield Slip("too many", course, (place,), place, place - 1, removes=place)


def _missing(walk: Walk, places: range) -> Iterator[Slip]:
    """An entry is missing, with any card not seen elsewhere."""
    course = walk.course
    seen = {kind: _seen(walk, kind) for kind in course.game.facts}
    for place in places:
        for fact in course.game.legal(walk.tables[place]):
            if card_of(fact) not in seen[type(fact)]:
                facts = (*course.facts[:place], fact, *course.facts[place:])
                yield Slip("missing", _with(course, facts), (place,), place, place, inserts=place, what=fact)


def _other_settings(walk: Walk) -> Iterator[Slip]:
    """Another player was the dealer, or an option was set otherwise."""
    course = walk.course
    change = msgspec.structs.replace
    for dealer in range(course.game.seats(course.options)):
        if dealer != course.dealer:
            yield Slip("start", change(course, dealer=dealer), (START,), START, START, what=("dealer", dealer))
    for name, value, options in settings(course.options):
        if course.cards is None or course.game.check_deal(options, course.cards) is None:
            yield Slip("start", change(course, options=options), (START,), START, START, what=("option", name, value))


def _other_cards(walk: Walk) -> Iterator[Slip]:
    """Two typed cards were exchanged, or the other side had the red ones."""
    for what, cards in other_starts(walk.course):
        course = msgspec.structs.replace(walk.course, cards=cards)
        yield Slip("start", course, (START,), START, START, what=what)


def _with(course: Course, facts: tuple[Fact, ...]) -> Course:
    return Course(course.game, course.options, course.dealer, course.cards, facts, course.contradicts)
