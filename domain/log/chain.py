"""The chain of one stream under test: rows that were changed, are missing, extra or moved.

The order of a stream is that of its links, not that of the numbers beside them: each event holds the hash of the one
before it, and its own hash covers its version. So a row that fits another version was moved there, a row to which
nothing leads and which fits nowhere was put in, and a link that leads nowhere was cut.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from domain.log.event import GENESIS

FaultKind: TypeAlias = Literal["changed", "missing", "extra", "moved"]
FURTHEST: Final = 1000  # versions further on at which a row is looked for


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
    gone = [version for version in range(1, max(here, default=0)) if version not in here]
    for link in list(left):
        if link.version in gone:  # something else stands where an event was
            gone.remove(link.version)
            left.remove(link)
            changed.add(link.version)
    extra = sorted(link.version for link in left)
    found = [Fault("changed", first, last) for first, last in runs(changed)]
    found += [_missing(placed, first, last) for first, last in runs(gone)]
    found += [Fault("extra", first, last) for first, last in runs(extra)]
    return sorted(found + list(_moved(placed, gone, extra)), key=lambda each: (each.first, each.what))


def _whole(links: Sequence[Link]) -> bool:
    previous, position = GENESIS, 0
    for version, link in enumerate(links, start=1):
        if link.version != version or link.previous != previous or link.position <= position or not link.fits(version):
            return False
        previous, position = link.hash, link.position
    return True


def _chained(links: Sequence[Link]) -> tuple[list[Placed], set[int], list[Link]]:
    """The rows in the order of their links, the versions that were changed, and the rows that belong nowhere."""
    left = list(links)
    placed: list[Placed] = []
    changed: set[int] = set()
    previous, version = GENESIS, 1
    while left:
        following = [link for link in left if link.previous == previous]
        if following:
            link = max(following, key=lambda each: _claim(each, version, left))
        else:
            begun = _beginning(left, version)
            if begun is None:
                break
            at, link = begun
            if at == version and link.fits(at):
                changed.add(
                    placed[-1].link.version if placed else link.version
                )  # its hash was made again, and not further on
            version = at
        sound = link.fits(version)
        if not sound:
            changed.add(link.version)
        placed.append(Placed(version, link, sound))
        left.remove(link)
        previous, version = link.hash, version + 1
    return placed, changed, left


def _claim(link: Link, version: int, left: Sequence[Link]) -> tuple[bool, bool, int]:
    """The fitness of a row as this version, to choose among rows that chain to the same hash."""
    return link.fits(version), any(each.previous == link.hash for each in left), -abs(link.version - version)


def _beginning(left: Sequence[Link], version: int) -> tuple[int, Link] | None:
    """The row with which the chain goes on behind a cut, and its version: the nearest that fits and has no row before
    it, else one that fits nowhere and has rows behind it."""
    hashes = {link.hash for link in left}
    heads = [link for link in left if link.previous not in hashes]
    fitting = [(at, link) for link in heads if (at := _true(link, version)) is not None]
    if fitting:
        return min(fitting, key=lambda each: each[0])
    leading = [link for link in heads if link.version >= version and any(each.previous == link.hash for each in left)]
    return min(((link.version, link) for link in leading), key=lambda each: each[0], default=None)


def _true(link: Link, version: int) -> int | None:
    """The version from this one on that a row's hash was made for."""
    if link.version >= version and link.fits(link.version):
        return link.version
    return next((at for at in range(version, version + FURTHEST) if link.fits(at)), None)


def _missing(placed: Sequence[Placed], first: int, last: int) -> Fault:
    after = max((each.link.position for each in placed if each.version < first), default=0)
    before = min((each.link.position for each in placed if each.version > last), default=None)
    return Fault("missing", first, last, None, after, before)


def _moved(placed: Sequence[Placed], gone: Sequence[int], extra: Sequence[int]) -> Iterable[Fault]:
    """Rows that stand at another version than their own, unless they were renumbered around what was taken out or put
    in; and rows that stand elsewhere in the club's log than their version says."""
    elsewhere = _out_of_order([each.link.position for each in placed])
    for place, each in enumerate(placed):
        shift = sum(one <= each.link.version for one in extra) - sum(one < each.version for one in gone)
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


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as (first, last) of each run without gaps."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
