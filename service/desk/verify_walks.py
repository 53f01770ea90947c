"""Walks over the logs: what was seen of each of them, and what is told of that."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from domain import registry
from domain.club.events import ClubEvent
from domain.log.chain import Fault, FaultKind, faults, runs
from domain.tournament.events import TournamentEvent
from service.desk.seen_positions import SeenPositions
from service.store.chain_bytes import Followed
from service.store.chains import ChainRow, Which
from service.store.kinds import KINDS
from service.store.log_sql import CLOSED, OPEN

What: TypeAlias = FaultKind | Literal["unfinished"]
NO_ROW: Final = {
    "open": "its row in `logs` is missing, so that nobody sees the club",
    "closed": "the row of its closed log is missing in `logs`, so that nothing can be written there",
}
FEW: Final = 10_000  # missing positions that are told from those of events that a chain misses


class Wrong(msgspec.Struct, frozen=True):
    """One thing that is wrong, or (`unfinished`) that was begun: in a stream from version `first` to `last`, or in a
    log of a club from position to position where no stream can be named."""

    what: What
    club: str
    stream: str | None
    kind: str
    first: int
    last: int
    text: str
    log: Literal["open", "closed"] = "open"


class Walk:
    """Rows of one log of a club as far as they were seen."""

    def __init__(self, which: Which, head: int | None) -> None:
        self.club, self.head = which[0], head
        self.log: Literal["open", "closed"] = "closed" if which[1] == CLOSED else "open"
        self.events = self.reach = 0
        self.wrong: list[Wrong] = []
        self.cuts: list[Fault] = []

    def seen(self, events: int, reach: int) -> None:
        """So many events that stand in this log, and the furthest position of them."""
        self.events += events
        self.reach = max(self.reach, reach)

    def stream(self, rows: Sequence[ChainRow], strays: Sequence[ChainRow] = ()) -> None:
        """One stream of the log; strays are events of it that stand in the other one."""
        beyond = {row.public.version for row in rows if self.head is not None and row.position > self.head}
        found = [each for each in faults([row.link() for row in rows]) if not _said(each, beyond)]
        found += [Fault("extra", first, last) for first, last in runs(beyond)]
        self.cuts += [each for each in found if each.what == "missing"]
        away = {row.public.version for row in strays}
        found = [
            each for each in found if each.what != "missing" or not away.issuperset(range(each.first, each.last + 1))
        ]
        found += [Fault("changed", first, last) for first, last in runs(_broken(strays))]
        whole = [*rows, *strays]
        stream, kind = whole[0].public.stream, kind_of(whole)
        where = f"club {self.club}: {'its own events' if kind == 'club' else f'{kind} {stream}'}"

        def note(what: What, first: int, last: int, text: str) -> None:
            self.wrong.append(Wrong(what, self.club, stream, kind, first, last, f"{where}, {text}", self.log))

        for each in found:
            note(each.what, each.first, each.last, fault_text(each))
        for first, last in runs(away - _broken(strays)):
            note("moved", first, last, stray_text(first, last, self.log))
        for first, last in runs(row.public.version for row in whole if row.unfinished):
            note("unfinished", first, last, unfinished_text(first, last))

    def remains(self, strange: Iterable[tuple[str, int]]) -> None:
        """Once every stream was seen: what is shown in the place of erased words, and is not what was kept of them."""
        for stream, version in strange:
            text = f"what stays of {stream}, version {version} was changed: its erasure kept something else"
            self._note("changed", version, version, text)

    def twice(self, position: int) -> None:
        """Two events stand at a position, where nothing else tells why."""
        text = f"two events stand at position {position} of its {_name_of(self.log)}: one of them was put in"
        self._note("extra", position, position, text)

    def lone(self, stream: str, version: int) -> None:
        """A private part stands beside no event, where nothing else tells why."""
        of = f"a private part of {stream}, version {version},"
        self._note("extra", version, version, f"{of} stands beside no event: it was put in, or its event is gone")

    def nameless(self, events: int) -> None:
        """Events that say of no club, or of no stream, that they are its own."""
        which = "an event says" if events == 1 else f"{events:,} events say"
        self._note("extra", 0, 0, f"{which} not of which stream it is: somebody has changed it or put it in")

    def odd(self) -> None:
        """Its row in `logs` says what no log can be."""
        self._note("changed", 0, 0, f"the end of its {_name_of(self.log)} by `logs` is none, or stands there twice")

    def unreadable(self, stream: str) -> None:
        """A stream of which some bytes are no text."""
        self._note("changed", 0, 0, f"bytes of {stream} are no text: somebody has changed them")

    def positions(self, gaps: Iterable[tuple[int, int]]) -> None:
        """Once every stream was seen: what the positions tell beside the chains."""
        if self.head is None:
            self._note("missing", 0, 0, NO_ROW[self.log])
        empty = [*gaps, *([(self.reach + 1, self.head)] if self.head is not None and self.head > self.reach else [])]
        for first, last in unexplained(empty, self.cuts):
            which = _numbers("position", first, last)
            gone = f"{which} of its {_name_of(self.log)} {_verb(first, last)} missing"
            self._note("missing", first, last, f"{gone}: the last events of a stream, or a whole stream")

    def _note(self, what: What, first: int, last: int, text: str) -> None:
        self.wrong.append(
            Wrong(what, self.club, None, _name_of(self.log), first, last, f"club {self.club}: {text}", self.log)
        )


def _said(fault: Fault, beyond: set[int]) -> bool:
    """Tells whether a fault is only that of rows beyond the end of the log, which are told as such."""
    return fault.what in ("changed", "extra") and set(range(fault.first, fault.last + 1)) <= beyond


def fault_text(fault: Fault) -> str:
    """A fault in words."""
    which, verb = _numbers("version", fault.first, fault.last), _verb(fault.first, fault.last)
    past = "was" if verb == "is" else "were"
    match fault.what:
        case "changed":
            return f"{which} {past} changed: it does not fit its chain" if verb == "is" else f"{which} were changed"
        case "missing":
            return f"{which} {verb} missing"
        case "extra":
            return f"{which} {verb} extra: {'it was' if verb == 'is' else 'they were'} put in beside the chain"
        case "moved":
            where = (
                "stands elsewhere in the log than its version says"
                if fault.at is None
                else f"stands as version {fault.at}"
            )
            return f"{which} was moved: it {where}"


def unfinished_text(first: int, last: int) -> str:
    """An erasure that was begun and not ended, in words."""
    which, verb = _numbers("version", first, last), _verb(first, last)
    whose = "its" if verb == "is" else "their"
    return f"{which} {verb} unfinished: erased, and {whose} words are still there: start the service, which ends it"


def stray_text(first: int, last: int, log: Literal["open", "closed"]) -> str:
    """Events that stand in the other log than their stream, in words."""
    past = "was" if first == last else "were"
    other = "open" if log == "closed" else "closed"
    return f"{_numbers('version', first, last)} {past} moved: into the {other} log, out of the {log} one"


def _broken(rows: Sequence[ChainRow]) -> set[int]:
    """The versions whose content is not that of their hash."""
    return {row.public.version for row in rows if not row.fits(row.public.version)}


def _name_of(log: Literal["open", "closed"]) -> str:
    return "closed log" if log == "closed" else "log"


def _numbers(word: str, first: int, last: int) -> str:
    return f"{word} {first}" if first == last else f"{word}s {first} to {last}"


def _verb(first: int, last: int) -> str:
    return "is" if first == last else "are"


def kind_of(rows: Sequence[ChainRow]) -> str:
    """The kind of a stream: club, tournament or match, or what a stream of the closed log is called."""
    if home_of(rows) == CLOSED:
        begun = KINDS.get(rows[0].public.type)
        return "closed stream" if begun is None else begun.word
    if rows[0].public.stream == rows[0].public.club:
        return "club"
    kinds = [registry.event_types().get(row.public.type) for row in rows]
    tournament = sum(kind is not None and issubclass(kind, TournamentEvent) for kind in kinds)
    club = sum(kind is not None and issubclass(kind, ClubEvent) for kind in kinds)
    return "tournament" if 2 * tournament > len(kinds) else "club" if 2 * club > len(kinds) else "match"


def home_of(rows: Sequence[ChainRow]) -> int:
    """The log to which a stream belongs: that of its kind; of a kind that is not known, the one in which most of it
    stands."""
    begun = next((KINDS.get(row.public.type) for row in rows if row.public.version == 1), None)
    if begun is not None:
        return CLOSED if begun.closed else OPEN
    return CLOSED if 2 * sum(row.log == CLOSED for row in rows) > len(rows) else OPEN


def unexplained(gone: Sequence[tuple[int, int]], cuts: Sequence[Fault]) -> list[tuple[int, int]]:
    """The missing positions without those at which the missing events of a chain may have stood."""
    if sum(last - first + 1 for first, last in gone) > FEW:
        return list(gone)
    left = [position for first, last in gone for position in range(first, last + 1)]
    for cut in sorted(cuts, key=lambda each: (each.before is None, each.before)):
        between = [each for each in left if cut.after < each and (cut.before is None or each < cut.before)]
        taken = set(between[: cut.last - cut.first + 1])
        left = [each for each in left if each not in taken]
    return runs(left)


class Walks:
    """The walks over every log that `logs` or an event names."""

    def __init__(self, heads: Mapping[Which, int]) -> None:
        self.heads = heads
        self.walks: dict[Which, Walk] = {}
        for club in {club for club, _ in heads}:
            for which in ((club, OPEN), (club, CLOSED)):
                self.of(which)

    def of(self, which: Which) -> Walk:
        """The walk over a log."""
        if which not in self.walks:
            self.walks[which] = Walk(which, self.heads.get(which))
        return self.walks[which]

    def whole(self, club: str, found: Followed, seen: SeenPositions) -> None:
        """Streams of a club of which there is nothing to tell."""
        for which in (OPEN, CLOSED):
            self.of((club, which)).seen(found.events[which], found.reach[which])
            seen.see((club, which), found.positions_in(which))

    def stream(self, rows: Sequence[ChainRow]) -> None:
        """One stream, told of by the log to which it belongs."""
        club, home = rows[0].public.club, home_of(rows)
        own = [row for row in rows if row.log == home]
        strays = [row for row in rows if row.log != home]
        for which in (OPEN, CLOSED):
            there = [row.position for row in rows if row.log == which]
            self.of((club, which)).seen(len(there), max(there, default=0))
        self.of((club, home)).stream(own, strays)

    def unfinished(self, club: str) -> bool:
        """Tells whether an erasure of a club has begun and not ended."""
        return any(each.what == "unfinished" for each in self._wrong(club))

    def tell_of(self, club: str) -> bool:
        """Tells whether something is wrong in a club."""
        return any(self._wrong(club))

    def _wrong(self, club: str) -> Iterator[Wrong]:
        own = (self.walks.get((club, which)) for which in (OPEN, CLOSED))
        return (each for walk in own if walk is not None for each in walk.wrong)
