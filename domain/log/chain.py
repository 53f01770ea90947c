"""The chain of one stream under test: rows that were changed, are missing, extra or moved.

The order of a stream is that of its links, not that of the numbers beside them: each event holds the hash of the one
before it, and its own hash covers its version. So a row that fits another version was moved there, a row to which
nothing leads and which fits nowhere was put in, and a link that leads nowhere was cut.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final, Literal, TypeAlias

import msgspec

from domain.log.event import GENESIS

FaultKind: TypeAlias = Literal["changed", "missing", "extra", "moved"]
Run: TypeAlias = tuple[int, int]  # numbers without a gap, the first and the last
FURTHEST: Final = 1000  # versions further on at which a row is looked for
MOST_TRIES: Final = 200_000  # of that kind in one stream: a second


class Link(msgspec.Struct, frozen=True):
    """A row: its version and position, the hash that it chains to, its own hash, and a test of its content against
    it."""

    version: int
    position: int
    previous: bytes
    hash: bytes
    fits: Callable[[int], bool]


class Fault(msgspec.Struct, frozen=True):
    """A fault of the versions from `first` to `last`. A moved one stands at version `at`; missing ones stood between
    the positions `after` and `before` of the club's log."""

    what: FaultKind
    first: int
    last: int
    at: int | None = None
    after: int = 0
    before: int | None = None


class Placed(msgspec.Struct, frozen=True):
    """A row at the version that its link gives it; `sound` if its hash is that of its content there."""

    version: int
    link: Link
    sound: bool


def faults(links: Sequence[Link]) -> list[Fault]:
    """Everything that the rows of a stream, in the order of their versions, show to be wrong."""
    if _whole(links):
        return []
    placed, changed, left = _chained(links)
    here = {each.version for each in placed}
    end = max(here, default=0)
    # something else stands where an event was
    instead = {link.version for link in left if 0 < link.version < end and link.version not in here}
    gone = _between(sorted(here | instead))
    extra = sorted(_without_one_each(left, instead))
    found = [Fault("changed", first, last) for first, last in runs(changed | instead)]
    found += [_missing(placed, first, last) for first, last in gone]
    found += [Fault("extra", first, last) for first, last in runs(extra)]
    return sorted(found + list(_moved(placed, gone, extra)), key=lambda each: (each.first, each.what))


def _between(versions: Sequence[int]) -> list[Run]:
    """The versions before the last that are not there, as (first, last): a forged one may be very far away."""
    befores = (0, *versions)
    return [(before + 1, version - 1) for before, version in pairwise(befores) if version > before + 1]


def _without_one_each(left: Sequence[Link], taken: set[int]) -> Iterable[int]:
    """The versions of rows but for one row of each that is taken."""
    open_ = set(taken)
    for link in left:
        if link.version in open_:
            open_.remove(link.version)
        else:
            yield link.version


def _whole(links: Sequence[Link]) -> bool:
    previous, position = GENESIS, 0
    for version, link in enumerate(links, start=1):
        if link.version != version or link.previous != previous or link.position <= position or not link.fits(version):
            return False
        previous, position = link.hash, link.position
    return True


class _Rows:
    """The rows of a stream that have no place yet, in the order of their versions."""

    def __init__(self, links: Sequence[Link]) -> None:
        self._left = dict(enumerate(links))
        self._behind: defaultdict[bytes, dict[int, Link]] = defaultdict(dict)  # by the hash that they chain to
        self._hashes = Counter(link.hash for link in links)
        self._tried: dict[int, int] = {}  # up to which version a row was looked for
        self._tries = MOST_TRIES
        for place, link in self._left.items():
            self._behind[link.previous][place] = link

    @property
    def left(self) -> list[Link]:
        """Those that have none."""
        return list(self._left.values())

    def taken(self, place: int) -> None:
        """A row has its place."""
        link = self._left.pop(place)
        del self._behind[link.previous][place]
        self._hashes[link.hash] -= 1

    def behind(self, previous: bytes, version: int) -> tuple[int, Link] | None:
        """The row that chains to a hash; of several the one that fits best as this version."""
        following = self._behind.get(previous)
        if not following:
            return None
        return max(following.items(), key=lambda each: self._claim(each[1], version))

    def _claim(self, link: Link, version: int) -> tuple[bool, bool, int]:
        """The fitness of a row as this version, to choose among rows that chain to the same hash."""
        return link.fits(version), bool(self._behind.get(link.hash)), -abs(link.version - version)

    def beginning(self, version: int) -> tuple[int, int, Link] | None:
        """The row with which the chain goes on behind a cut, after its version and its place here: the nearest that
        fits and has no row before it, else one that fits nowhere and has rows behind it."""
        heads = [(place, link) for place, link in self._left.items() if not self._hashes[link.previous]]
        fitting = [(at, place, link) for place, link in heads if (at := self._true(place, link, version)) is not None]
        if fitting:
            return min(fitting, key=lambda each: each[0])
        leading = [
            (link.version, place, link)
            for place, link in heads
            if link.version >= version and self._behind.get(link.hash)
        ]
        return min(leading, key=lambda each: each[0], default=None)

    def _true(self, place: int, link: Link, version: int) -> int | None:
        """The version from this one on that a row's hash was made for. Where very many rows fit nowhere they are no
        longer looked for elsewhere."""
        if link.version >= version and link.fits(link.version):
            return link.version
        for at in range(max(version, self._tried.get(place, 0)), version + FURTHEST):
            if self._tries <= 0:
                return None
            self._tries -= 1
            if link.fits(at):
                return at
            self._tried[place] = at + 1
        return None


def _chained(links: Sequence[Link]) -> tuple[list[Placed], set[int], list[Link]]:
    """The rows in the order of their links, the versions that were changed, and the rows that belong nowhere."""
    rows = _Rows(links)
    placed: list[Placed] = []
    changed: set[int] = set()
    previous, version = GENESIS, 1
    for _ in links:
        following = rows.behind(previous, version)
        if following is None:
            begun = rows.beginning(version)
            if begun is None:
                break
            at, place, link = begun
            if at == version and link.fits(at):
                changed.add(
                    placed[-1].link.version if placed else link.version
                )  # its hash was made again, and not further on
            version = at
        else:
            place, link = following
        sound = link.fits(version)
        if not sound:
            changed.add(link.version)
        placed.append(Placed(version, link, sound))
        rows.taken(place)
        previous, version = link.hash, version + 1
    return placed, changed, rows.left


def _missing(placed: Sequence[Placed], first: int, last: int) -> Fault:
    after = max((each.link.position for each in placed if each.version < first), default=0)
    before = min((each.link.position for each in placed if each.version > last), default=None)
    return Fault("missing", first, last, None, after, before)


def _moved(placed: Sequence[Placed], gone: Sequence[Run], extra: Sequence[int]) -> Iterable[Fault]:
    """Rows that stand at another version than their own, unless they were renumbered around what was taken out or put
    in; and rows that stand elsewhere in the club's log than their version says."""
    elsewhere = _out_of_order([each.link.position for each in placed])
    gone_before = [sum(last - first + 1 for first, last in gone if last < each.version) for each in placed]
    for place, each in enumerate(placed):
        shift = bisect_right(extra, each.link.version) - gone_before[place]
        if each.sound and each.link.version not in (each.version, each.version + shift):
            yield Fault("moved", each.version, each.version, each.link.version)
        elif place in elsewhere:
            yield Fault("moved", each.version, each.version)


def _out_of_order(positions: Sequence[int]) -> set[int]:
    """The fewest places without which the positions rise."""
    lowest: list[int] = []  # the lowest end of a rising run of each length
    ends: list[int] = []
    before: list[int | None] = []
    for place, position in enumerate(positions):
        length = bisect_left(lowest, position)
        before.append(ends[length - 1] if length else None)
        lowest[length : length + 1] = [position]
        ends[length : length + 1] = [place]
    kept: set[int] = set()
    at = ends[-1] if ends else None
    while at is not None:
        kept.add(at)
        at = before[at]
    return set(range(len(positions))) - kept


def runs(numbers: Iterable[int]) -> list[Run]:
    """Numbers as (first, last) of each run without gaps."""
    found: list[Run] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
