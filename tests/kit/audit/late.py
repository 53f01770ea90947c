"""What only later entries prove, game by game, for the brute-force judge. It uses facts and legal moves alone."""

from collections import Counter
from typing import Any

from domain.cards.facts import CardDrawn, CardPlayed

Found = set


def shown_late(record: Any, tables: list) -> Found:
    """Return place and code of everything that lapsed, was not drawn or is proven by a later move."""
    found = _not_drawn(record, tables)
    words = {str(kind.__struct_config__.tag) for kind in record.game.facts}
    if "claim" in words:
        found |= _claims_lapsed(record, tables)
    if getattr(record.options, "announce", "") == "declared":
        found |= _pairs_lapsed(record, tables)
    if "move" in words and record.cards is None:
        found |= _straight_instead(record, tables)
    return found


def word(fact: Any) -> str:
    return str(type(fact).__struct_config__.tag)


def _claims_lapsed(record: Any, tables: list) -> Found:
    """What could be claimed before an entry, and cannot be any more, though the entry claimed nothing."""
    kind = next(kind for kind in record.game.facts if kind.__struct_config__.tag == "claim")
    ones = [kind(seat, 1) for seat in range(record.game.seats(record.options))]
    open_now = [{one.seat for one in ones if not record.game.breaches(table, one)} for table in tables]
    return {
        (place, "LAP")
        for place, fact in enumerate(record.facts)
        if word(fact) != "claim" and open_now[place] - open_now[place + 1]
    }


def _pairs_lapsed(record: Any, tables: list) -> Found:
    """A king or queen led in turn from a pair that was held and could still be announced."""
    found = set()
    plays = [place for place, fact in enumerate(record.facts) if type(fact) is CardPlayed]
    for place in plays:
        fact, table = record.facts[place], tables[place]
        on_lead = not record.game.view(table, None).trick and record.game.to_act(table) == fact.seat
        open_pairs = [each.suit for each in record.game.legal(table) if word(each) == "announce"]
        if not on_lead or fact.card.rank not in "KQ" or fact.card.suit not in open_pairs:
            continue
        if fact.card not in record.game.view(table, "all").seen and _other_held(record, plays, place):
            found.add((place, "LAP"))
    return found


def _other_held(record: Any, plays: list, place: int) -> bool:
    """With hands unknown the other card shows it: played later by the same seat, all cards drawn before."""
    if record.cards is not None:
        return True
    fact = record.facts[place]
    later = (record.facts[at] for at in plays if at > place)
    other = next(
        (
            each
            for each in later
            if each.card.suit == fact.card.suit and each.card != fact.card and each.card.rank in "KQ"
        ),
        None,
    )
    return other is not None and other.seat == fact.seat and plays.index(place) >= 8


def told_false(record: Any, place: int, each: Any) -> int:
    """Return the place of the announcement that a fact proves false (CG.7). Leading another suit is a breach of its
    own."""
    fact, before = record.facts[place], record.facts[:place]
    if each.rule != "CG.7" or word(fact) == "announce":
        return place
    return max(at for at, made in enumerate(before) if word(made) == "announce" and made.suit == fact.card.suit)


def _not_drawn(record: Any, tables: list) -> Found:
    """The one draw that is not on record, of a complete deal in which at least three others are."""
    game = record.game
    draws = sum(type(fact) is CardDrawn for fact in record.facts)
    if record.cards is not None or not game.drawing_rule or game.to_act(tables[-1]) is not None or draws < 3:
        return set()
    missed = []
    for place, fact in enumerate(record.facts):
        due, drew = list(game.due_draws(tables[place])), type(fact) is CardDrawn
        if drew and fact.seat not in due:
            return set()  # another draw was made instead
        if drew:
            due.remove(fact.seat)  # with a later one the earlier are over
        if due and tables[place] is not tables[place + 1]:
            missed += [place] * (Counter(due) - Counter(game.due_draws(tables[place + 1]))).total()
    return {(missed[0], "DRW")} if len(missed) == 1 else set()


def _straight_instead(record: Any, tables: list) -> Found:
    """A diagonal move, while a card that the seat moved later lay in a straight line with nothing dead between."""
    moves = [(place, fact) for place, fact in enumerate(record.facts) if word(fact) == "move"]
    cells = [tuple(fact.cell) for _, fact in moves]
    found = set()
    for number in range(1, len(moves)):
        place, fact = moves[number]
        gap, dead = cells[number - 1], set(cells[: number - 1]) - {cells[number - 1]}
        if not _diagonal(gap, cells[number]):
            continue
        dead |= {cell for cell in _all() if _in_line(cells[0], cell) and cell not in cells}  # one is the first gap
        for at, later in moves[number + 1 :]:
            cell = tuple(later.cell)
            if later.seat != fact.seat or not _straight(gap, cell) or cell in set(cells[: number - 1]) - {gap}:
                continue
            if record.game.to_act(tables[at]) is None:
                continue
            if (later.card is not None and later.card.rank in "JQK") or not dead & set(_between(gap, cell)):
                found.add((place, "DGN"))
                break
    return found


def _all() -> list:
    return [(row, column) for row in range(7) for column in range(7)]


def _straight(one: tuple, other: tuple) -> bool:
    return one != other and (one[0] == other[0] or one[1] == other[1])


def _diagonal(one: tuple, other: tuple) -> bool:
    return one != other and abs(one[0] - other[0]) == abs(one[1] - other[1])


def _in_line(one: tuple, other: tuple) -> bool:
    return _straight(one, other) or _diagonal(one, other)


def _between(one: tuple, other: tuple) -> list:
    far = max(abs(other[0] - one[0]), abs(other[1] - one[1]))
    step = ((other[0] - one[0]) // far, (other[1] - one[1]) // far)
    return [(one[0] + step[0] * each, one[1] + step[1] * each) for each in range(1, far)]
