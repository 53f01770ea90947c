"""Tie-breaks that add up opponents' scores: Buchholz, Sonneborn-Berger, what is cut from them, their average."""

from collections.abc import Collection, Sequence

from domain.pairing.tenths import points, shown
from domain.standings.tiebreaks.counts import described
from domain.standings.tiebreaks.event import RoundShare, TieBreakTable
from domain.standings.tiebreaks.terms import Term, ValuesAndWorking

FINE = 1000  # thousandths: unit of an average


def buchholz(low: int = 0, high: int = 0) -> ValuesAndWorking:
    """BH (8.1): the sum of the opponents' adjusted scores, in tenths; cut below, or below and above (14.1-14.4)."""

    def values(event: TieBreakTable) -> list[int]:
        if not low:
            return list(event.buchholz)
        return [
            full - sum(scores[place] for place in cut(scores, scores, _voluntary(sources), low, high))
            for full, sources in zip(event.buchholz, event.sources, strict=True)
            for scores in ([source.score for source in sources],)
        ]

    def working(event: TieBreakTable, place: int) -> tuple[Term, ...]:
        sources = event.sources[place]
        scores = [source.score for source in sources]
        gone = cut(scores, scores, _voluntary(sources), low, high)
        return tuple(
            Term(source.score, _worded(event, source), source.round, index not in gone)
            for index, source in enumerate(sources)
        )

    return values, working


def sonneborn_berger(low: int = 0) -> ValuesAndWorking:
    """SB (9.1): the sum of each opponent's adjusted score times the points won in that round, in hundredths."""

    def values(event: TieBreakTable) -> list[int]:
        found = []
        for sources in event.sources:
            products = [source.score * source.won for source in sources]
            full = sum(products)
            if low:
                scores = [source.score for source in sources]
                full -= sum(products[place] for place in cut(scores, products, _voluntary(sources), low))
            found.append(full)
        return found

    def working(event: TieBreakTable, place: int) -> tuple[Term, ...]:
        sources = event.sources[place]
        products = [source.score * source.won for source in sources]
        gone = cut([source.score for source in sources], products, _voluntary(sources), low)
        return tuple(
            Term(product, _multiplied(event, place, source, product), source.round, index not in gone)
            for index, (source, product) in enumerate(zip(sources, products, strict=True))
        )

    return values, working


def cut(
    scores: Sequence[int], worths: Sequence[int], voluntary: Collection[int], low: int, high: int = 0
) -> frozenset[int]:
    """The rounds that are cut. The least significant is that of the opponent with the lowest score (14.1). If there
    are voluntary unplayed rounds, the one of them that is worth least goes instead, unless it is worth less than the
    least significant (16.5). Then as many from the top as `high` says, without that exception."""
    if not voluntary:
        order = [place for _, _, place in sorted(zip(scores, worths, range(len(scores)), strict=True))]
        kept = order[low:]
        return frozenset((*order[:low], *kept[max(len(kept) - high, 0) :]))
    left = set(range(len(scores)))
    for _ in range(min(low, len(left))):
        least = min(left, key=lambda place: (scores[place], worths[place]))
        missed = left.intersection(voluntary)
        if missed:
            lowest = min(missed, key=lambda place: (worths[place], scores[place]))
            least = lowest if worths[lowest] >= worths[least] else least
        left.remove(least)
    for _ in range(min(high, len(left))):
        left.remove(max(left, key=lambda place: (scores[place], worths[place])))
    return frozenset(range(len(scores))) - left


def _voluntary(sources: Sequence[RoundShare]) -> list[int]:
    return [place for place, source in enumerate(sources) if source.voluntary]


def _worded(event: TieBreakTable, source: RoundShare) -> str:
    """A term of Buchholz."""
    value = points(source.score)
    if source.real:
        name, adjusted = _name(event, source.opponent), event.scores[event.place[source.opponent]] != source.score
        return f"{name} counts with {value}, byes as draws" if adjusted else f"{name} has {value}"
    most = f"{_name(event, source.opponent)} has" if source.opponent else "a draw in each round gives"
    return f"not played: the own score counts, at most what {most}: {value}"


def _multiplied(event: TieBreakTable, place: int, source: RoundShare, product: int) -> str:
    """A term of Sonneborn-Berger: what came of the round, and the product."""
    sum_ = f"{shown(source.won)} × {shown(source.score)} = {shown(product, 100)}"
    if source.real:
        told = described(event, event.cells[place][source.round - 1])
        return f"{told} ({points(source.score)}): {sum_}"
    return f"{_worded(event, source)}; {sum_}"


def _name(event: TieBreakTable, number: int) -> str:
    return event.rows[event.place[number]].name or str(number)


def average(event: TieBreakTable) -> list[int]:
    """AOB (8.2): the average Buchholz of the opponents met, in thousandths, rounded half up."""
    return [_average([event.buchholz[other] for _, other in _met(event, place)]) for place in range(len(event.rows))]


def average_working(event: TieBreakTable, place: int) -> tuple[Term, ...]:
    """The average as one term; what it is made of, which does not count again."""
    met = [(round_, other, event.buchholz[other]) for round_, other in _met(event, place)]
    parts = tuple(
        Term(value * (FINE // 10), f"{event.rows[other].name or event.rows[other].number} has {shown(value)}", n, False)
        for n, other, value in met
    )
    values = [value for _, _, value in met]
    return (*parts, Term(_average(values), f"{shown(sum(values))} divided by {len(values)}"))


def _met(event: TieBreakTable, place: int) -> list[tuple[int, int]]:
    cells = enumerate(event.cells[place], start=1)
    return [(round_, event.place[cell.opponent]) for round_, cell in cells if event.met(cell)]


def _average(values: Sequence[int]) -> int:
    if not values:
        return 0
    above, below = sum(values) * (FINE // 10), len(values)
    return (2 * above + below) // (2 * below)
