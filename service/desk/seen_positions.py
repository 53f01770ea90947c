"""Positions at which an event was seen, log by log: where there was one at each, no gap need be looked for."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from service.store.chains import Which


class SeenPositions:
    """The positions of all logs, marked one by one as their streams are followed."""

    def __init__(self, heads: Mapping[Which, int], events: Iterable[tuple[str, int]]) -> None:
        """`events` are numbers of events by club: a log that says it is longer than that is not even marked."""
        most: defaultdict[str, int] = defaultdict(int)
        for club, count in events:
            most[club] += count
        self._marks = {which: bytearray(max(head, 0) + 1) for which, head in heads.items() if head <= most[which[0]]}
        self._heads = heads
        self.twice: list[tuple[Which, int]] = []  # positions at which more than one event stands
        self._is_strange = False  # something stands where a log has no place

    def see(self, which: Which, positions: Iterable[int]) -> None:
        """Mark positions of a log. Behind one that it cannot have there may be a gap."""
        marks = self._marks.get(which, bytearray(1))
        head = len(marks) - 1
        for position in positions:
            if not 0 < position <= head:
                self._is_strange = True
            elif marks[position]:
                self.twice.append((which, position))
            else:
                marks[position] = 1

    @property
    def are_all(self) -> bool:
        """Tells whether every log has an event at each of its positions."""
        whole = (marks.count(1) == self._heads[which] for which, marks in self._marks.items())
        return not self._is_strange and len(self._marks) == len(self._heads) and all(whole)
