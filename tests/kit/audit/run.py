"""`python -m tests.kit.audit`: the campaign of the audit, on every core, resumed where it was left."""

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from domain.games import all_games
from domain.match.audit.catalogue import catalogue
from domain.match.audit.finding import AUDIT
from service.processors import processors
from tests.kit.audit import campaign

ROOT = Path(__file__).parents[3]
STATE = ROOT / ".cache" / "audit-campaign.json"
REPORT = ROOT / "docs" / "audit-campaign.md"
CHUNK = 20  # seeds that one process takes at a time
FIRST_SEED = 100_000  # `make test` takes others
PARTS = {
    "legal": (campaign.legal_deal, "legal deals: no finding"),
    "breaches": (campaign.breach, "one act against the rules: found where it was done"),
    "slips": (campaign.slip_of_the_scorer, "one slip of the scorer: never proven, and nothing left when corrected"),
    "brute": (campaign.brute_force, "against the brute-force search of all slips: proven exactly where it finds none"),
}


class Job(msgspec.Struct, frozen=True):
    """A range of seeds of one part and game, or of one code made on purpose."""

    part: str
    game: str
    start: int
    stop: int
    code: str | None = None

    @property
    def row(self) -> str:
        return f"{self.part} {self.code}" if self.code else self.part


class Row(msgspec.Struct):
    """Results so far of one part and game; `done` maps the first seed of a range to its end."""

    done: dict[int, int] = {}
    counts: dict[str, int] = {}
    seconds: float = 0.0
    wrong: int = 0
    first: str | None = None


def work(job: Job) -> tuple[Job, dict[str, int], list[str], float]:
    """Run one range of seeds. An exception counts as a counterexample."""
    one = campaign.on_purpose(job.code) if job.code else PARTS[job.part][0]
    told: list[str] = []
    counts: Counter = Counter()
    start = time.process_time()
    for seed in range(job.start, job.stop):
        try:
            counts.update(one(job.game, seed, told.append))
        except Exception as error:
            told.append(f"{job.game}, seed {seed}: {type(error).__name__}: {error}")
    return job, dict(counts), told, time.process_time() - start


def jobs(asked: argparse.Namespace, rows: dict[str, Row]) -> list[Job]:
    """Return the remaining jobs with the parts interleaved, so that an interrupted run covers each."""
    found = []
    for game in all_games():
        sizes = [(part, None, getattr(asked, part)) for part in PARTS]
        sizes += [("codes", code, asked.codes) for code in catalogue(all_games()[game])]
        for part, code, size in sizes:
            for first in range(FIRST_SEED, FIRST_SEED + size, CHUNK):
                job = Job(part, game, first, min(first + CHUNK, FIRST_SEED + size), code)
                done = rows.setdefault(f"{job.row}/{game}", Row()).done.get(first, first)
                if done < job.stop:  # a stretch of which some was done goes on behind that
                    found.append(msgspec.structs.replace(job, start=done))
    return sorted(found, key=lambda job: (job.start, job.part, job.game))


def run(asked: argparse.Namespace) -> dict[str, Row]:
    """Run all remaining jobs and save the state after each."""
    rows = msgspec.json.decode(asked.state.read_bytes(), type=dict[str, Row]) if asked.state.exists() else {}
    left = jobs(asked, rows)
    asked.state.parent.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        for number, (job, counts, told, seconds) in enumerate(pool.imap_unordered(work, left), start=1):
            row = rows[f"{job.row}/{job.game}"]
            row.done[job.start - (job.start - FIRST_SEED) % CHUNK] = job.stop
            row.counts = dict(Counter(row.counts) + Counter(counts))
            row.seconds += seconds
            row.wrong += len(told)
            row.first = row.first or next(iter(told), None)
            saved(asked.state, rows)
            progress(number, len(left), job, rows)
    return rows


def saved(state: Path, rows: dict[str, Row]) -> None:
    """Write the state atomically."""
    beside = state.with_suffix(".new")
    beside.write_bytes(msgspec.json.encode(rows))
    beside.replace(state)


def progress(number: int, all_of_them: int, job: Job, rows: dict[str, Row]) -> None:
    wrong = sum(row.wrong for row in rows.values())
    end = "\r" if sys.stderr.isatty() and number < all_of_them else "\n"
    if sys.stderr.isatty() or number % 100 == 0 or number == all_of_them:
        sys.stderr.write(f"{number} of {all_of_them} stretches, {wrong} wrong; last {job.row}, {job.game}   {end}")
        sys.stderr.flush()


def report(rows: dict[str, Row]) -> str:
    """Return the report for docs: counts, seeds and the first counterexample of each part and game."""
    lines = ["# The campaign of the audit", "", "Written by `make audit`, which goes on where it was left.", ""]
    lines += [f"Audit version {AUDIT}, {datetime.now(UTC):%Y-%m-%d}. A seed is the whole of a deal:", ""]
    lines += ["    python -m tests.kit.audit --one PART GAME SEED", ""]
    for part, (_, title) in PARTS.items():
        lines += _table(title, {name: row for name, row in rows.items() if name.startswith(f"{part}/")})
    codes = {name: row for name, row in rows.items() if name.startswith("codes ") and row.counts.get("breaches")}
    lines += _table("each code, made on purpose", codes)
    without = sorted({name.split("/")[0][6:] + "/" + name.split("/")[1] for name in rows if name.startswith("codes ")})
    without = [each for each in without if not rows[f"codes {each}"].counts.get("breaches")]
    lines += [f"No maker met these: {', '.join(without) or 'none'}.", ""]
    return "\n".join(lines)


def _table(title: str, rows: dict[str, Row]) -> list[str]:
    lines = [
        f"## {title[0].upper()}{title[1:]}",
        "",
        "| | seeds | what came | CPU s | wrong |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, row in sorted(rows.items()):
        if row.done:
            counts = ", ".join(f"{count:,} {what}" for what, count in row.counts.items())
            seeds = f"{min(row.done):,} to {max(row.done.values()) - 1:,}"
            lines.append(f"| {name} | {seeds} | {counts} | {row.seconds:,.0f} | {row.wrong:,} |")
    firsts = [f"- {row.first}" for row in rows.values() if row.first]
    return [*lines, "", *(["First counterexamples:", "", *firsts, ""] if firsts else [])]


def main() -> None:
    """Run the campaign. The exit status is 1 if there is a counterexample."""
    asked = argparse.ArgumentParser(prog="make audit", description=__doc__)
    asked.add_argument("--legal", type=int, default=15_000, help="legal deals a game (100,000 and more in all)")
    asked.add_argument("--breaches", type=int, default=10_000, help="deals a game with one act against the rules")
    asked.add_argument("--slips", type=int, default=10_000, help="records a game with one slip of the scorer")
    asked.add_argument("--brute", type=int, default=1_000, help="records a game against the brute-force search")
    asked.add_argument("--codes", type=int, default=200, help="deals for each code of each game")
    asked.add_argument("--state", type=Path, default=STATE, help="where the run goes on from")
    asked.add_argument("--out", type=Path, default=REPORT, help="where the report goes")
    asked.add_argument("--processes", type=int, default=processors())
    asked.add_argument("--one", nargs=3, metavar=("PART", "GAME", "SEED"), help="one seed, told in full")
    given = asked.parse_args()
    if given.one:
        part, game, seed = given.one
        one = PARTS[part][0] if part in PARTS else campaign.on_purpose(part.removeprefix("codes "))
        sys.stdout.write(json.dumps(one(game, int(seed), lambda line: sys.stdout.write(line + "\n"))) + "\n")
        return
    rows = run(given)
    given.out.write_text(report(rows), encoding="utf-8")
    sys.exit(any(row.wrong for row in rows.values()))
