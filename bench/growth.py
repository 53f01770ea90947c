"""Figure: what a club's people wait for when its log is ten times as long, beside the same club with the short log.

Both clubs are made of archives of two evenings, each on a database and a service of its own: of a small one as often as
a page has rows, so that the first page of a list is full in both, and of a large one as often as it takes. They know
the same people."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Final
from urllib.parse import quote

import msgspec

from bench.measure import Aim, Detail, Figure, FigureRow, in_turns, milliseconds, percentile, row, series
from bench.memory import resident
from bench.serving import LURCH, Address, Caller, free_port, record_deal, server, signed_in
from bench.stage import Run, Stage
from domain.exchange.archive import TournamentArchive, read_archive, with_digest, write_archive
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.run.pool import make_pool
from service.store import tokens
from service.store.log import By
from service.store.streams import Streams

PEOPLE: Final = 200  # each plays in the smallest club, so that all of them are rated in each
ENTRIES: Final = 16
ROUNDS: Final = 5
FEW: Final = 4  # entries of a small evening, of one round
ROWS: Final = 51  # small evenings: a page, and one more
SMALL: Final = 10_000
TIMES: Final = 10  # how much longer the long log is
FACTOR: Final = 1.2
SLACK: Final = 2.0  # milliseconds
START_SLACK: Final = 300.0
MEMORY_SLACK: Final = 20.0  # MiB
MILLION: Final = 1_000_000  # events
LONGEST: Final = 600.0  # seconds until they are there
RESULT: Final = {"entry": {"parity": "odd", "tricks": [11, 4]}}
TITLE: Final = "Growth evening"
SEASON: Final = "Growth season"
EVENINGS: Final = 7  # a season
SEASONS: Final = ROWS // EVENINGS  # of small evenings; the large ones are all of one more


class Grown:
    """A club of a given number of events, and a service that shows it."""

    def __init__(self, stack: ExitStack, size: int) -> None:
        self.stage, self.size = Stage(stack), size
        self.club, self.token = self.stage.club.id, self.stage.club.token
        self.path = f"/api/v1/clubs/{self.club}"
        self.numbers, self.seats, self.evenings = count(), count(), count()
        self._servers = stack.enter_context(ExitStack())
        self.started, self.address = 0.0, Address(0, 0)
        self.start()
        self.browser = signed_in(self.address, self.stage.run(self._people))

    def start(self) -> None:
        """A service that has just been started; how long that took."""
        self._servers.close()
        began = time.perf_counter()
        port, database = free_port(), self.stage.database
        settings = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
        running = server([str(LURCH), "serve"], port, self.stage.folder / f"serve-{port}.log", settings)
        self.address = self._servers.enter_context(running)
        self.started = 1000 * (time.perf_counter() - began)
        self.caller, self.visitor = Caller(self.address, self.token), Caller(self.address)

    def grow(self, tick: Callable[[], None]) -> int:
        """Import evenings until the log is long enough; how many events there are."""
        if self.size >= SMALL:
            small = self._evening(FEW, 1)
            for _ in range(ROWS):
                self._take(self._another(small), tick)
        evening = self._evening(ENTRIES, ROUNDS)
        there = 0
        while there < self.size:
            self._take(self._another(evening), tick)
            there = self.position()
        self.get("/ratings")
        return there

    def _take(self, evening: TournamentArchive, tick: Callable[[], None]) -> None:
        self.caller.renew()
        self.caller.send("POST", f"{self.path}/tournaments/archive", write_archive(evening))
        tick()

    async def _people(self) -> str:
        """Register the people; a link that signs the owner in."""
        sides = tuple((f"Player {number}",) for number in range(PEOPLE))
        async with make_pool(self.stage.database.url, 2) as pool:
            await Recorder(Streams(pool)).players(self.club, sides, own_request(By(actor=None, role="owner")))
            return await tokens.make_link(pool)

    def _evening(self, entries: int, rounds: int) -> TournamentArchive:
        """An evening of matches that were dealt, as its archive."""
        stage = {"format": {"kind": "swiss", "rounds": rounds}, "game": "parity", "race": {"deals": 1}}
        people = [{"do": "enter", "players": [f"Player {number}"]} for number in range(entries)]
        body = {"name": TITLE, "stages": [stage], "entries": people, "plan": {"season": SEASON}}
        made = self.caller.post(f"{self.path}/tournaments", body)["tournament"]["id"]
        path = f"/api/v1/tournaments/{made}"
        for _ in range(rounds):
            view = self.caller.post(f"{path}/actions", {"actions": [{"do": "pair_round"}]})["tournament"]
            for each in view["rounds"][-1]["pairings"]:
                record_deal(self.caller, f"/api/v1/matches/{each['match']}", next(self.numbers))
            self.caller.send("GET", path)
        self.caller.post(f"{path}/actions", {"actions": [{"do": "finish"}]})
        return read_archive(self.caller.send("GET", f"{path}/archive"))

    def _another(self, evening: TournamentArchive) -> TournamentArchive:
        """The same evening under another name, played by others."""
        number = next(self.evenings)
        names = {player: f"Player {next(self.seats) % PEOPLE}" for player in evening.people}
        first, *more = evening.tournament.events
        text = bytes(first.data).replace(TITLE.encode(), f"{TITLE} {number}".encode())
        data = msgspec.Raw(text.replace(SEASON.encode(), f"{SEASON} {min(number // EVENINGS, SEASONS)}".encode()))
        events = (msgspec.structs.replace(first, data=data), *more)
        renamed = msgspec.structs.replace(evening.tournament, events=events)
        return with_digest(msgspec.structs.replace(evening, people=names, tournament=renamed))

    def position(self) -> int:
        """The length of the log."""
        found: int = msgspec.json.decode(self.get("/ratings"))["position"]
        return found

    def get(self, what: str) -> bytes:
        """Something of the club."""
        return self.caller.send("GET", f"{self.path}{what}")

    def match(self) -> str:
        """A new match of two people; its path."""
        number = next(self.numbers)
        sides = [[f"Player {(number + each) % PEOPLE}"] for each in (0, 1)]
        body = {"game": "parity", "sides": sides, "target": None, "deals": 1}
        return f"/api/v1/matches/{self.caller.post(f'{self.path}/matches', body)['match']['id']}"

    def result(self) -> None:
        """A match that is over."""
        self.caller.post(f"{self.match()}/results", RESULT)


Wait = Callable[[Grown], float]


def append(club: Grown) -> float:
    """A result, alone."""
    path = club.match()
    return milliseconds(lambda: club.caller.post(f"{path}/results", RESULT))


def match_view(club: Grown) -> float:
    """A match with a deal."""
    path = club.match()
    club.caller.post(f"{path}/results", RESULT)
    return milliseconds(lambda: club.caller.send("GET", path))


def ratings(club: Grown) -> float:
    """The ratings right after a result."""
    club.result()
    return milliseconds(lambda: club.get("/ratings?game=parity"))


def tail(club: Grown) -> float:
    """The events of the club behind a place near its end."""
    place = club.position() - 50
    return milliseconds(lambda: club.get(f"/events?after={place}"))


def listed(what: str) -> Wait:
    """The first page of a list."""
    return lambda club: milliseconds(lambda: club.get(what))


def search(club: Grown) -> float:
    """The people whose names are like some letters, as the page of members finds them."""
    path = f"/clubs/{club.club}/members?like=player+2"
    return milliseconds(lambda: club.visitor.send("GET", path, **club.browser))


WAITS: Final[dict[str, Wait]] = {
    "append": append,
    "match view": match_view,
    "first page of matches": listed("/matches"),
    "first page of players": listed("/players"),
    "first page of tournaments": listed("/tournaments"),
    "tournaments of all clubs": lambda club: milliseconds(lambda: club.caller.send("GET", "/api/v1/tournaments")),
    "cases": listed("/cases"),
    "seasons": listed("/seasons"),
    "the ladder": listed("/ladder?game=parity"),
    "search for a player": search,
    "ratings after one new result": ratings,
    "a season": listed(f"/seasons/standings?season={quote(f'{SEASON} 0')}"),  # of seven small evenings in both
    "tail of the log": tail,
}
FIRST: Final[dict[str, Wait]] = {
    "first request after the start, ratings": listed("/ratings"),
    "first request after the start, matches": listed("/matches"),
}


def measure(run: Run) -> Figure:
    """Two clubs in turns."""
    size = run.size or run.pick(SMALL * TIMES, 4000)
    small = min(SMALL, size // TIMES)
    with clubs(small, size) as (short, long):
        began = time.perf_counter()
        there = [each.grow(run.tick) for each in (short, long)]
        spent = time.perf_counter() - began
        rounds, often = run.pick(7, 2), run.pick(10, 3)
        rows, starts, memory = [], [], []
        for number in range(run.pick(20, 2)):
            what = list(FIRST)[number % len(FIRST)]
            turns = (long, short) if number // len(FIRST) % 2 == 0 else (short, long)
            took = {each: _started(each, FIRST[what]) for each in turns}
            (begun, size_long, first), (other, size_short, second) = took[long], took[short]
            starts.append((begun, other))
            memory.append((size_long, size_short))
            rows.append((what, (first, second)))
            run.tick()
        found = [row(what, "ms", [pair for each, pair in rows if each == what], "lower") for what in FIRST]
        for wait in WAITS.values():  # each was asked once since the start
            for club in (long, short):
                _median(wait, club, 1)()
        for what, wait in WAITS.items():
            pairs = in_turns(rounds, _median(wait, long, often), _median(wait, short, often), run.tick)
            found.append(row(what, "ms", pairs, "lower"))
        start = row("start to ready", "ms", starts, "lower")
        held = row("memory when ready", "MiB", memory, "lower")
    return Figure(
        name="growth",
        title=f"A club of {there[1]:,} events beside one of {there[0]:,}",
        ours_is=f"`lurch serve` over a club of {there[1]:,} events, a director's token, one connection that is kept",
        reference_is=f"the same over a club of {there[0]:,} events on a database of its own; {PEOPLE} people in both",
        rounds=rounds,
        rows=(*found, start, held),
        aims=(
            *map(_aim, found),
            _beside(start, START_SLACK, "ms"),
            _beside(held, MEMORY_SLACK, "MiB"),
            *_grown(size, spent),
        ),
        details=(Detail("both clubs imported", series("events/s", [sum(there) / spent])),),
        notes=(
            f"medians of {often} requests a round; the first requests are one a start",
            _pages(small),
        ),
    )


@contextmanager
def clubs(small: int, size: int) -> Iterator[tuple[Grown, Grown]]:
    """The short and the long club."""
    with ExitStack() as stack:
        yield Grown(stack, small), Grown(stack, size)


def _pages(small: int) -> str:
    """A note on what the first pages hold."""
    if small < SMALL:
        return "the short club is too short to fill a first page: its rows are fewer"
    return f"both clubs begin with {ROWS} evenings of {FEW}, so that the first page of each list is full in both"


def _started(club: Grown, first: Wait) -> tuple[float, float, float]:
    """A start: until it was ready, its memory then, and the first request behind it."""
    club.start()
    return club.started, resident(club.address.process), first(club)


def _median(wait: Wait, club: Grown, often: int) -> Callable[[], float]:
    def median() -> float:
        club.caller.renew()
        club.visitor.renew()
        return percentile([wait(club) for _ in range(often)], 0.5)

    return median


def _aim(found: FigureRow) -> Aim:
    wanted = FACTOR * found.reference.median + SLACK
    said = f"at most {FACTOR} times and {SLACK:.0f} ms"
    return Aim(found.label, said, wanted, found.ours.median, found.ours.median <= wanted)


def _grown(size: int, spent: float) -> list[Aim]:
    """A log of a million events is there within ten minutes."""
    if size != MILLION:
        return []
    return [Aim("both clubs imported", "10 minutes at most, in seconds", LONGEST, spent, spent <= LONGEST)]


def _beside(found: FigureRow, slack: float, unit: str) -> Aim:
    wanted = found.reference.median + slack
    return Aim(found.label, f"at most {slack:.0f} {unit} more", wanted, found.ours.median, found.ours.median <= wanted)
