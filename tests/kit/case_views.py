"""Case views of a recorded log, made from its rows alone: `python -m tests.kit.case_views` writes them to
tests/data/cases, with `--digests` it prints the SHA-256 of each."""

import hashlib
import sys
from datetime import datetime, timedelta
from pathlib import Path

from domain.case.state import NO_CASE
from domain.case.state import fold as fold_case
from domain.log.event import Recorded
from domain.match.evolve import fold as fold_match
from domain.match.state import NoMatch
from domain.match.windows import Moment, timed
from domain.registry import read_event
from projections.case_eyes import CaseMatch, CaseRecord
from projections.case_view import case_view
from tests.recorded import rows

DATA = Path(__file__).parents[1] / "data"
FOLDER = DATA / "logs" / "2026-11-cases"
KEPT = DATA / "cases"
LONG = timedelta(days=1)


def recorded(found):
    """Return the events of each stream with their private parts."""
    beside = {(row["stream_id"], row["version"]): {} for row in found["private"]}
    streams = {}
    for row in sorted(found["events"], key=lambda row: row["version"]):
        event = Recorded(
            club=row["club_id"],
            stream=row["stream_id"],
            **{
                name: row[name] for name in ("version", "position", "type", "schema", "actor", "role", "seat", "device")
            },
            text=row["data"],
            data=read_event(row["type"], row["schema"], row["data"]),
            device_clock=None if row["device_clock"] is None else datetime.fromisoformat(row["device_clock"]),
            recorded_at=datetime.fromisoformat(row["recorded_at"]),
            command_id=row["command_id"],
            cause=row["cause"],
            private=beside.get((row["stream_id"], row["version"])),
        )
        streams.setdefault(event.stream, []).append(event)
    return streams


def record(streams, first, upto=None, at=None):
    """Return the case opened with a code, up to a version, with its match as of a moment."""
    own = next(events for events in streams.values() if events[0].type == "CaseOpened" and events[0].data.code == first)
    own = own[:upto]
    at = own[-1].recorded_at if at is None else at
    case = fold_case(NO_CASE, [(each.version, each.data) for each in own])
    (stream,) = {each.match for each in case.places()}
    events = [each for each in streams[stream] if each.recorded_at <= at]
    match = fold_match(NoMatch(), [(each.version, each.data) for each in events])
    times = {each.version: each.recorded_at for each in events if each.version in timed(match)}
    there = CaseMatch(stream, tuple(events), match, Moment(at, times))
    return CaseRecord(own[0].stream, own[0].club, tuple(own), case, (there,)), at


def views():
    """Return the bytes of each kept view by name."""
    streams = recorded(rows.load(FOLDER))
    whole, at = record(streams, "REV")
    early, then = record(streams, "REV", 3)
    made = {
        "director": case_view(whole, "director", None, at),
        "director-a-day-later": case_view(whole, "director", None, at + LONG),
        "secretary": case_view(whole, "secretary", None, at),
        "annie": case_view(whole, "party", 1, at),
        "benny-early": case_view(early, "party", 0, then),
    }
    return {name: made[name] for name in sorted(made)}


if __name__ == "__main__":
    for name, view in views().items():
        if "--digests" in sys.argv:
            print(name, hashlib.sha256(view).hexdigest())  # noqa: T201  # a command of ours
        else:
            KEPT.mkdir(exist_ok=True)
            (KEPT / f"{name}.json").write_bytes(view + b"\n")
