"""An independent brute-force judge of scoring slips, built on the games' public protocol alone. It imports nothing of
the audit."""

import itertools
from collections.abc import Iterator
from typing import Any, get_type_hints

import msgspec

from domain.cards.facts import CardDrawn, CardPlayed, Passed, RestClaimed
from domain.game.script import DealCards
from tests.kit.audit.late import shown_late, told_false
from tests.kit.games.strategies import candidates, values_of


class Record(msgspec.Struct, frozen=True):
    """A deal as the scorer wrote it down."""

    game: Any
    options: Any
    dealer: int
    cards: Any
    facts: tuple


class Tried(msgspec.Struct, frozen=True):
    """A candidate slip: the record without it, and the original place of each fact (None if the fact was missing)."""

    kind: str
    places: tuple
    record: Record
    was: tuple


def tables_of(record: Record, begun: list | None = None) -> list:
    """Return the table before each fact and after the last, continuing from `begun` if given."""
    game, tables = record.game, begun or [record.game.start(record.options, record.dealer, record.cards)]
    for fact in record.facts[len(tables) - 1 :]:
        tables.append(tables[-1] if type(fact) in game.remarks else game.evolve(tables[-1], fact))
    return tables


def found_in(record: Record, begun: list | None = None) -> set | None:
    """Return every breach in a record as (place, code), or None if a fact does not fit."""
    game, tables, found, odd = record.game, tables_of(record, begun), set(), set()
    for place, fact in enumerate(record.facts):
        for each in game.breaches(tables[place], fact):
            if each.misfit and type(fact) in game.remarks:
                continue
            if each.misfit:
                return None
            found.add((told_false(record, place, each) if each.code == "KQF" else place, each.code))
            if each.code in ("DUP", "NIH"):
                odd.add(place)
    found |= shown_late(record, tables)
    return found if record.cards is not None else found | _shown_later(record, tables, odd)


def _shown_later(record: Record, tables: list, odd: set) -> set:
    """With hands unknown: what a seat did not do, and shows later without a draw between that it could have done. A
    card that cannot be there shows nothing; it is judged itself as any other is."""
    game, found, unseen = record.game, set(), _unseen_draws(record, tables)
    for place, fact in enumerate(record.facts):
        duty = game.duty(tables[place])
        if duty is None:
            continue
        if fact.seat != game.to_act(tables[place]) and fact.seat in game.lying(tables[place]):
            continue  # out of turn one has to follow too, but not twice
        if type(fact) is CardPlayed:
            wanted = list(itertools.takewhile(lambda each, card=fact.card: not each[0] >> card & 1, duty.masks))
        else:
            wanted = duty.passing if type(fact) is Passed else ()
        later = _later_cards(record, tables, odd, place, duty.segment, unseen) if wanted else 0
        first = next((each for each in wanted if each[0] & later), None)
        if first is not None:
            found.add((place, first[2]))
    return found


def _later_cards(record: Record, tables: list, odd: set, place: int, segment: int, unseen: set) -> int:
    """Return the cards that the seat plays or faces later: until its next draw, or after draws that are all recorded
    and none of which was that card."""
    cards, seat, drawn = 0, record.facts[place].seat, 0
    for at in range(place, len(record.facts)):
        fact = record.facts[at]
        if type(fact) is CardDrawn and fact.seat == seat and fact.card is not None:
            drawn |= 1 << fact.card
        now = 0
        if type(fact) is CardPlayed and fact.seat == seat:
            now = 1 << fact.card
        elif type(fact) is RestClaimed:
            now = sum(1 << card for whose, card in fact.shown if whose == seat)
        if now and at > place and at not in odd:
            duty = record.game.duty(tables[at])
            if duty is None or duty.segment == segment:
                cards |= now
            elif record.game.drawing_rule and not any((seat, each) in unseen for each in range(place, at + 1)):
                cards |= now & ~drawn
    return cards


def _unseen_draws(record: Record, tables: list) -> set:
    """Each seat and place at which it drew without its card being written down."""
    found, game = set(), record.game
    for at, fact in enumerate(record.facts if game.drawing_rule else ()):
        if type(fact) is CardDrawn and fact.card is None:
            found.add((fact.seat, at))
        if type(fact) in game.remarks:
            continue
        before, after = game.due_draws(tables[at]), game.due_draws(tables[at + 1])
        for seat in {*before}:
            by_seat = type(fact) is CardDrawn and fact.seat == seat
            if before.count(seat) - after.count(seat) > by_seat:
                found.add((seat, at))
    return found


def explaining(record: Record, wanted: list[set], written: tuple | None = None) -> list[Tried | None]:
    """Return, for each set of findings, the first slip that removes it and adds nothing; None if there is none."""
    before, sides, tables = found_in(record), score_of(record), tables_of(record)
    came: list[Tried | None] = [None] * len(wanted)
    for tried in every_slip(record):
        if None not in came:
            break
        left = _left(tried, before, tables)
        if left is None or (written is not None and score_of(tried.record) not in (written, sides)):
            continue
        for number, gone in enumerate(wanted):
            if came[number] is None and not left & gone:
                came[number] = tried
    return came


def _left(tried: Tried, before: set, tables: list) -> set | None:
    """Return the findings left without the slip, by place in the record, or None if any is new or doesn't fit."""
    if _surely_new(tried, before, tables):
        return None
    found = found_in(tried.record, tables[: tried.places[0] + 1] if tried.places else None)
    left = None if found is None else {(tried.was[place], code) for place, code in found}
    return left if left is not None and left <= before else None


def _surely_new(tried: Tried, before: set, tables: list) -> bool:
    """A quick look at the facts one by one, from the first that is another; it need not go on to the end."""
    record, game = tried.record, tried.record.game
    place = tried.places[0] if tried.places else 0
    table = tables[place] if tried.places else game.start(record.options, record.dealer, record.cards)
    for at in range(place, len(record.facts)):
        fact = record.facts[at]
        for each in game.breaches(table, fact):
            if each.misfit and type(fact) in game.remarks:
                continue
            if each.misfit or (tried.was[at], each.code) not in before:
                return True
        table = table if type(fact) in game.remarks else game.evolve(table, fact)
    return False


def score_of(record: Record) -> tuple | None:
    result = record.game.score(tables_of(record)[-1])
    if result is None:
        return None
    sides = record.game.sides(record.options)
    scores = result.scores
    return tuple(scores) if len(scores) == len(sides) else tuple(scores[side[0]] for side in sides)


def every_slip(record: Record) -> Iterator[Tried]:
    tables = tables_of(record)
    yield from _others(record, tables)
    yield from _pairs(record, tables)
    yield from _too_many(record)
    yield from _missing(record, tables)
    yield from _starts(record)


def _same(kind: str, places: tuple, record: Record, facts: list) -> Tried:
    changed = msgspec.structs.replace(record, facts=tuple(facts))
    return Tried(kind, places, changed, tuple(range(len(facts))))


def _named(record: Record, returns: bool, kind: type, but: int = -1) -> set:
    """The cards that other plays name, or other draws for a draw. Where cards go back to a hand any may fall twice."""
    if returns:
        return set()
    others = [each for at, each in enumerate(record.facts) if at != but and (not each.hides) == (not kind.hides)]
    return {_card(each) for each in others} - {None}


def _returns(record: Record, tables: list) -> bool:
    seen = [set(record.game.view(table, None).seen) for table in tables]
    return any(not before <= after for before, after in itertools.pairwise(seen))


def _card(fact: Any) -> Any:
    return getattr(fact, "card", None)


def _others(record: Record, tables: list) -> Iterator[Tried]:
    """One entry was another of its kind, by any seat, with a card not seen elsewhere in the deal."""
    returns = _returns(record, tables)
    for place, fact in enumerate(record.facts):
        elsewhere = _named(record, returns, type(fact), place)
        for other in _kind(type(fact), record.game.seats(record.options)):
            if other == fact or _card(other) in elsewhere:
                continue
            yield _same("other", (place,), record, [*record.facts[:place], other, *record.facts[place + 1 :]])


def _kind(kind: type, seats: int) -> list:
    """Every entry of a kind by the seats of a game; squares as far as its board goes."""
    return [
        each
        for each in candidates(kind)
        if each.seat < seats and (kind.__struct_config__.tag != "move" or max(each.cell) < 7)
    ]


def _pairs(record: Record, tables: list) -> Iterator[Tried]:
    """Two cards of a trick, or two entries of one seat in the same phase, exchanged."""
    views = [record.game.view(table, None) for table in tables]
    trick = _tricks(record, views)
    for one, other in itertools.combinations(range(len(record.facts)), 2):
        first, second = record.facts[one], record.facts[other]
        facts = list(record.facts)
        if trick[one] is not None and trick[one] == trick[other]:
            facts[one] = msgspec.structs.replace(first, card=second.card)
            facts[other] = msgspec.structs.replace(second, card=first.card)
            yield _same("cards", (one, other), record, facts)
        if first.seat == second.seat and views[one].phase == views[other].phase:
            facts[one], facts[other] = second, first
            yield _same("entries", (one, other), record, facts)


def _tricks(record: Record, views: list) -> list:
    """The number of the trick in which each card lies, None for what lies in none."""
    found, number, lying = [], 0, 0
    for place, fact in enumerate(record.facts):
        before, after = views[place].trick, views[place + 1].trick
        if _card(fact) is None or (len(after) <= len(before) and not (before and not after)):
            found.append(None)
        else:
            number += not lying
            found.append(number)
        lying = len(after)  # whatever took the trick away: who does not spice it plays no card
    return found


def _too_many(record: Record) -> Iterator[Tried]:
    for place in range(len(record.facts)):
        facts = (*record.facts[:place], *record.facts[place + 1 :])
        was = tuple(at for at in range(len(record.facts)) if at != place)
        yield Tried("too many", (place,), msgspec.structs.replace(record, facts=facts), was)


def _missing(record: Record, tables: list) -> Iterator[Tried]:
    """An entry that breaks no rule is missing, with any card not seen elsewhere in the deal."""
    returns = _returns(record, tables)
    seen = {kind: _named(record, returns, kind) for kind in record.game.facts}
    seats = record.game.seats(record.options)
    pool = [fact for kind in record.game.facts for fact in _kind(kind, seats) if _card(fact) not in seen[kind]]
    for place in range(len(record.facts) + 1):
        for fact in pool:
            if record.game.breaches(tables[place], fact):
                continue
            facts = (*record.facts[:place], fact, *record.facts[place:])
            was = (*range(place), None, *range(place, len(record.facts)))
            yield Tried("missing", (place,), msgspec.structs.replace(record, facts=facts), was)


def _starts(record: Record) -> Iterator[Tried]:
    """Another dealer, another option, two cards of the deal exchanged, the other colour."""
    was, change = tuple(range(len(record.facts))), msgspec.structs.replace
    for dealer in set(range(record.game.seats(record.options))) - {record.dealer}:
        yield Tried("dealer", (), change(record, dealer=dealer), was)
    for options in _options(record):
        yield Tried("option", (), change(record, options=options), was)
    for cards in _deals(record):
        if record.game.check_deal(record.options, cards) is None:
            yield Tried("deal", (), change(record, cards=cards), was)


def _options(record: Record) -> Iterator[Any]:
    given = msgspec.structs.asdict(record.options)
    for name, kind in get_type_hints(type(record.options)).items():
        for value in values_of(kind):
            if value == given[name]:
                continue
            try:
                options = type(record.options)(**{**given, name: value})
            except ValueError:
                continue
            if record.cards is None or record.game.check_deal(options, record.cards) is None:
                yield options


def _deals(record: Record) -> Iterator[Any]:
    if record.cards is None:
        return
    script = record.game.script
    dealt = script.cards_of(record.cards)
    if dealt.red is not None:
        yield script.deal_of(record.options, msgspec.structs.replace(dealt, red=1 - dealt.red))
    parts = [*dealt.hands, dealt.stock, *dealt.rows]
    line = [card for part in parts for card in part]
    for one, other in itertools.combinations(range(len(line)), 2):
        now = list(line)
        now[one], now[other] = line[other], line[one]
        rest = iter(now)
        hands = tuple(tuple(itertools.islice(rest, len(part))) for part in dealt.hands)
        stock = tuple(itertools.islice(rest, len(dealt.stock)))
        rows = tuple(tuple(itertools.islice(rest, len(part))) for part in dealt.rows)
        yield script.deal_of(record.options, DealCards(hands, stock, rows, dealt.red))
