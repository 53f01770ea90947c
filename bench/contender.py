"""A service of one tree over a database of its own, and scorers and files that are sent to it."""

import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from bench.hall import Hall, Sent, Took
from bench.measure import percentile
from bench.serving import Address, Caller, environment, free_port, server
from bench.stage import Stage
from bench.tables import facts_body, played_deal
from domain.games import find
from domain.notation import history

SCORERS: Final = 64
FACTS: Final = 30  # a scorer sends in a round
ALONE: Final = 600  # facts of one scorer in a round


class Contender:
    """The service; each figure is of one round."""

    def __init__(self, stack: ExitStack, tree: Path) -> None:
        self.stage = stage = Stage(stack)
        app, owner = (stage.embedded.url(role) for role in ("lurch_app", "lurch_owner"))
        settings = {"LURCH_DATABASE_URL": app, "LURCH_MIGRATE_URL": owner, "PYTHONPATH": str(tree)}
        self.settings, self.clubs = environment(**settings), 0
        self.lurch = lurch = str(tree / ".venv" / "bin" / "lurch")
        port = free_port()
        log = stage.folder / "serve.log"
        self.address: Address = stack.enter_context(server([lurch, "serve"], port, log, settings))
        made = ("token", "create", "--role", "director", "--name", "bench", "--club", "Bench")
        done = subprocess.run([lurch, *made], env=self.settings, capture_output=True, text=True, check=True)
        self.token = done.stdout.strip()
        self.caller = Caller(self.address, self.token)
        self.club = self.caller_reads("/api/v1/clubs")["items"][0]["id"]
        self.hall = subprocess.Popen(
            [sys.executable, "-m", "bench.hall", str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        stack.callback(self.hall.kill)
        self.slow: list[float] = []

    def caller_reads(self, path: str) -> Any:
        """An answer as JSON."""
        return msgspec.json.decode(self.caller.send("GET", path))

    def match(self, number: int, game: str = "parity") -> str:
        """A new match without an end; its path."""
        body = {"game": game, "sides": [[f"Ann {number}"], [f"Ben {number}"]], "target": None, "deals": 500}
        return f"/api/v1/matches/{self.caller.post(f'/api/v1/clubs/{self.club}/matches', body)['match']['id']}"

    def at_many(self) -> float:
        """Facts a second, each scorer at a table of its own."""
        self.caller.renew()
        scorers = []
        for number in range(SCORERS):
            match, deal = self.match(number), played_deal("parity", number)
            self.caller.post(f"{match}/deals", {"dealer": deal.dealer})
            facts = deal.facts[:FACTS]
            scorers.append([Sent(f"{match}/facts", facts_body((each,)).decode()) for each in facts])
        return self._run(scorers)

    def at_one(self) -> float:
        """Facts a second, all scorers at one table: totals that are called, which fit at any moment."""
        self.caller.renew()
        match = self.match(0, "over_the_top")
        self.caller.post(f"{match}/deals", {"dealer": 0})
        called = '{"facts":[{"seat":0,"do":"total","total":5}]}'
        return self._run([[Sent(f"{match}/facts", called)] * FACTS for _ in range(SCORERS)])

    def alone(self) -> float:
        """Facts a second of one scorer, each sent once the one before it is answered."""
        self.caller.renew()
        match = self.match(0, "over_the_top")
        self.caller.post(f"{match}/deals", {"dealer": 0})
        return self._run([[Sent(f"{match}/facts", '{"facts":[{"seat":0,"do":"total","total":5}]}')] * ALONE])

    def file(self, deals: int, first: int = 0) -> tuple[Path, int]:
        """A file of histories from deal `first` on, and the number of events that it becomes: each deal is a match."""
        game, file = find("cross_purposes"), self.stage.folder / "histories.jsonl"
        played = [played_deal(game.key, number) for number in range(first, first + deals)]
        lines = [history.write(game, {}, each.dealer, each.deal, each.facts) for each in played]
        file.write_text("\n".join(lines), encoding="utf-8")
        return file, sum(2 + len(each.facts) for each in played)

    def importing(self, file: Path, club: str, told: IO[str]) -> subprocess.Popen[str]:
        """`lurch import` of a file into a club, in a process of its own; what it says is written to `told`."""
        command = (self.lurch, "import", str(file), "--club", club)
        return subprocess.Popen(command, env=self.settings, stdout=told, stderr=told, text=True)

    def imported(self, found: tuple[Path, int]) -> float:
        """Events a second of an import into a new club, its start included. Raises RuntimeError for one that failed."""
        file, events = found
        self.clubs += 1
        with (self.stage.folder / "import.log").open("w+", encoding="utf-8") as told:
            start = time.perf_counter()
            if self.importing(file, f"Archive {self.clubs}", told).wait():
                raise RuntimeError(Path(told.name).read_text(encoding="utf-8")[-300:])
            return events / (time.perf_counter() - start)

    def _run(self, scorers: list[list[Sent]]) -> float:
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Prefer": "return=minimal",
        }
        assert self.hall.stdin is not None
        assert self.hall.stdout is not None
        self.hall.stdin.write(msgspec.json.encode(Hall(headers, scorers)).decode() + "\n")
        self.hall.stdin.flush()
        took = msgspec.json.decode(self.hall.stdout.readline(), type=Took)
        self.slow.append(percentile(took.each, 0.99))
        return len(took.each) / took.seconds
