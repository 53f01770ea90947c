"""Many criteria, one above the other, in weights of fewer than 128 bits; against all matchings of small graphs."""

import random
from itertools import combinations

from domain.pairing.swiss.matcher import NO_MATE, Matcher
from tests.kit.games.strategies import for_seeds


def perfect(nodes, edges):
    if not nodes:
        yield ()
        return
    first, *rest = nodes
    for other in rest:
        if (first, other) in edges:
            for more in perfect([node for node in rest if node != other], edges):
                yield ((first, other), *more)


def drawn(seed, size=8, rungs=60, most=9):
    chance = random.Random(seed)
    edges = {
        pair: chance.choices(range(most), k=rungs) for pair in combinations(range(size), 2) if chance.random() < 0.9
    }
    costs = [(one, other, tuple((r, c) for r, c in enumerate(each) if c)) for (one, other), each in edges.items()]
    return edges, costs, [most * size // 2] * rungs


def worth(edges, pairs):
    return [sum(each) for each in zip(*(edges[pair] for pair in pairs), strict=True)]


@for_seeds(20)
def test_criteria_are_settled_in_their_order_however_many_there_are(seed):
    edges, costs, bounds = drawn(seed, most=3)
    matcher = Matcher(8, costs, None, bounds)
    matcher.settle()
    best = min(worth(edges, pairs) for pairs in perfect(list(range(8)), edges))
    assert matcher.settled == best[: len(matcher.settled)]
    assert len(matcher.settled) > 30


def test_criteria_that_fill_a_weight_end_the_comparison():
    edges, costs, bounds = drawn(1, rungs=200)
    matcher = Matcher(8, costs, None, bounds)
    matcher.settle()
    best = min(worth(edges, pairs) for pairs in perfect(list(range(8)), edges))
    assert matcher.settled == best[: len(matcher.settled)]
    assert 20 < len(matcher.settled) < 200


@for_seeds(20)
def test_what_is_below_the_criteria_chooses_among_their_optima(seed):
    edges, costs, bounds = drawn(seed, rungs=2, most=2)
    matcher = Matcher(8, costs, None, bounds)
    matcher.settle()
    matcher.order(lambda one, other: one * other, 200)
    found = {(one, mate) for one, mate in enumerate(matcher.mates) if one < mate}
    ranked = [
        (worth(edges, pairs), sum(one * other for one, other in pairs)) for pairs in perfect(list(range(8)), edges)
    ]
    assert (worth(edges, sorted(found)), sum(one * other for one, other in found)) == min(ranked)


def test_who_may_stay_alone_does_where_that_costs_less():
    alone = [((0, 1),), ((0, 1),), ((0, 1),)]
    matcher = Matcher(3, [(0, 1, ((0, 3),)), (1, 2, ())], alone, [9])
    matcher.settle()
    assert (matcher.mates, matcher.settled) == ([NO_MATE, 2, 1], [1])
