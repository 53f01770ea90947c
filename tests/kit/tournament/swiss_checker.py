"""Checks of a Swiss round against the absolute criteria, from the crosstable alone."""

from itertools import combinations

import rustworkx

from tests.kit.tournament.swiss_reference import Man, may_meet


def field(table, round_, absent):
    return {row.number: Man(table, row, round_) for row in table.rows if row.number not in absent}


def violations(table, round_, absent, pairs, bye):
    """Return the criteria that a paired round violates: C1 to C3, and C5 for the bye."""
    men = field(table, round_, absent)
    found = []
    seated = sorted([number for pair in pairs for number in pair] + ([bye] if bye else []))
    if seated != sorted(men):
        found.append(f"not everybody once: {seated}")
        return found
    for one, other in pairs:
        if not may_meet(men[one], men[other]):
            found.append(f"C1 or C3: {one} and {other}")
    if bye and men[bye].no_bye:
        found.append(f"C2: {bye}")
    if bye:
        lower = {man.score for man in men.values() if man.score < men[bye].score}
        found += [f"C5: the bye could go to {score}" for score in lower if completable(men.values(), score)]
    return found


def completable(men, bye=None):
    """Return True if all players can be paired, with one of this score left over."""
    men = list(men)
    nobody = len(men)
    edges = [(a, b, 1) for a, b in combinations(range(len(men)), 2) if may_meet(men[a], men[b])]
    if bye is not None:
        edges += [(a, nobody, 1) for a, man in enumerate(men) if man.score == bye and not man.no_bye]
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(nobody + 1))
    graph.add_edges_from(edges)
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return 2 * len(pairs) == len(men) + (bye is not None)


def pairable(table, round_, absent):
    """Return True if a legal pairing of the round exists."""
    men = field(table, round_, absent)
    if len(men) % 2 == 0:
        return completable(men.values())
    return any(completable(men.values(), score) for score in {man.score for man in men.values()})
