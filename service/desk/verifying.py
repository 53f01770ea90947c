"""Verifying the log: `events` and `logs` walked together, every chain followed, and what became of which row said."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from domain import registry
from domain.club.events import ClubEvent
from domain.log.chain import Fault, FaultKind, faults, runs
from domain.tournament.events import TournamentEvent
from service.store.chains import ChainRow, snapshot
from service.store.pool import Pool

What: TypeAlias = FaultKind | Literal["unfinished"]
FEW: Final = 10_000  # missing positions that are told from those of events that a chain misses


class Wrong(msgspec.Struct, frozen=True):
    """One thing that is wrong, or (`unfinished`) that was begun: in a stream from version `first` to `last`, or in a
    club's log from position to position where no stream can be named."""

    what: What
    club: str
    stream: str | None
    kind: str
    first: int
    last: int
    text: str


class Verified(msgspec.Struct, frozen=True):
    """How many events there are, and everything that is wrong."""

    events: int
    wrong: tuple[Wrong, ...]


class Walk:
    """Rows of one club as far as they were seen."""

    def __init__(self, club: str, head: int | None) -> None:
        self.club, self.head = club, head
        self.events = self.reach = 0
        self.wrong: list[Wrong] = []
        self.cuts: list[Fault] = []

    def stream(self, rows: Sequence[ChainRow]) -> None:
        """One stream of the club."""
        self.events += len(rows)
        self.reach = max(self.reach, *(row.position for row in rows))
        beyond = {row.public.version for row in rows if self.head is not None and row.position > self.head}
        found = [each for each in faults([row.link() for row in rows]) if not _said(each, beyond)]
        found += [Fault("extra", first, last) for first, last in runs(beyond)]
        self.cuts += [each for each in found if each.what == "missing"]
        stream = rows[0].public.stream
        kind = kind_of(rows)
        where = f"club {self.club}: {'its own events' if kind == 'club' else f'{kind} {stream}'}"
        for each in found:
            self.wrong.append(
                Wrong(each.what, self.club, stream, kind, each.first, each.last, f"{where}, {fault_text(each)}")
            )
        for first, last in runs(row.public.version for row in rows if row.unfinished):
            text = f"{where}, {unfinished_text(first, last)}"
            self.wrong.append(Wrong("unfinished", self.club, stream, kind, first, last, text))

    def remains(self, strange: Iterable[tuple[str, int]]) -> None:
        """Once every stream was seen: what is shown in the place of erased words, and is not what was kept of them."""
        if any(each.what == "unfinished" for each in self.wrong):
            return  # they are made when it is finished
        for stream, version in strange:
            text = f"what stays of {stream}, version {version} was changed: its erasure kept something else"
            self._note("changed", version, version, text)

    def log(self, gaps: Iterable[tuple[int, int]]) -> None:
        """Once every stream was seen: what the positions tell beside the chains."""
        if self.head is None:
            self._note("missing", 0, 0, "its row in `logs` is missing, so that nobody sees the club")
        gone = [*gaps, *([(self.reach + 1, self.head)] if self.head is not None and self.head > self.reach else [])]
        for first, last in unexplained(gone, self.cuts):
            which = _numbers("position", first, last)
            self._note(
                "missing",
                first,
                last,
                f"{which} of its log {_verb(first, last)} missing: the last events of a stream, or a whole stream",
            )

    def _note(self, what: What, first: int, last: int, text: str) -> None:
        self.wrong.append(Wrong(what, self.club, None, "log", first, last, f"club {self.club}: {text}"))


def _said(fault: Fault, beyond: set[int]) -> bool:
    """Whether a fault is only that of rows beyond the end of the log, which are told as such."""
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


def _numbers(word: str, first: int, last: int) -> str:
    return f"{word} {first}" if first == last else f"{word}s {first} to {last}"


def _verb(first: int, last: int) -> str:
    return "is" if first == last else "are"


def kind_of(rows: Sequence[ChainRow]) -> str:
    """The kind of a stream: club, tournament or match."""
    if rows[0].public.stream == rows[0].public.club:
        return "club"
    kinds = [registry.event_types().get(row.public.type) for row in rows]
    tournament = sum(kind is not None and issubclass(kind, TournamentEvent) for kind in kinds)
    club = sum(kind is not None and issubclass(kind, ClubEvent) for kind in kinds)
    return "tournament" if 2 * tournament > len(kinds) else "club" if 2 * club > len(kinds) else "match"


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


async def verify(pool: Pool, told: Callable[[int], None] = lambda _: None) -> Verified:
    """Everything that is wrong in the log as it is at this moment; `told` hears how many events were checked."""
    async with snapshot(pool) as seen:
        heads, gaps = await seen.heads(), await seen.gaps()
        walks = {club: Walk(club, head) for club, head in heads.items()}
        listed = await seen.listed()
        async for rows in seen.streams(listed):
            club = rows[0].public.club
            walks.setdefault(club, Walk(club, None)).stream(rows)
            told(len(rows))
        for club in {club for club, _, _ in listed} | await seen.clubs_with_remains():
            walks.setdefault(club, Walk(club, None)).remains(await seen.strange_remains(club))
    for club, walk in walks.items():
        walk.log(gaps.get(club, ()))
    ordered = sorted(walks.items())
    return Verified(
        sum(each.events for each in walks.values()), tuple(one for _, walk in ordered for one in walk.wrong)
    )
