"""A quick run of the benchmarks gives each row its medians, spread and ratio to a reference."""

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from bench import pairing, playouts
from bench.stage import Run, Stage
from domain.games import all_games

ROOT = Path(__file__).parents[2]
SPREAD = {"median", "low", "high", "first_quartile", "third_quartile", "values"}


def report_of(tmp_path, figure):
    """Return a figure of the report of a quick run, after a check of its rows."""
    place = tmp_path / "report.json"
    command = [sys.executable, "-m", "bench", "--quick", "--only", figure, "--json", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "QUICK" in done.stdout
    report = json.loads(place.read_bytes())
    assert (report["quick"], report["failed"]) == (True, {})
    (found,) = report["figures"]
    for row in found["rows"]:
        for side in ("ours", "reference", "ratio"):
            assert row[side].keys() >= SPREAD
            assert row[side]["low"] <= row[side]["median"] <= row[side]["high"]
    return found


def test_a_quick_run_compares_each_row_with_its_reference(tmp_path):
    assert len(report_of(tmp_path, "brackets")["rows"]) == 3


@pytest.mark.extended
def test_replays_have_a_row_and_an_aim_for_every_game(tmp_path):
    figure = report_of(tmp_path, "replay")
    assert {row["label"] for row in figure["rows"]} >= {"cross_purposes/two", "cross_game", "parity"}
    assert {aim["row"] for aim in figure["aims"]} == {row["label"] for row in figure["rows"]}
    assert {row["label"].partition("/")[0] for row in figure["rows"]} == set(all_games())
    wanted = {aim["row"].partition("/")[0]: aim["wanted"] for aim in figure["aims"] if aim["wanted"] > 100}
    boards = {"over_the_top": 400_000, "ristikontra": 400_000, "get_stuck": 200_000, "garbo": 80_000}
    assert wanted == dict.fromkeys(("cross_purposes", "cross_game", "parity"), 500_000) | boards


def test_playouts_without_their_reference_say_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "rlcard", None)
    with ExitStack() as stack:
        figure = playouts.measure(Run(Stage(stack), True, lambda: None))
    assert (figure.rows, figure.aims) == ((), ())
    assert figure.notes == ("reference not installed: make bench installs it",)
    assert {each.label.partition("/")[0] for each in figure.details} == set(all_games())
    assert all(each.series.low > 0 for each in figure.details)


def test_playouts_are_compared_with_their_reference(monkeypatch):
    monkeypatch.setattr(playouts, "bridge", lambda: (lambda: 60, lambda: 60, "1.2"))
    with ExitStack() as stack:
        figure = playouts.measure(Run(Stage(stack), True, lambda: None))
    assert {row.label.partition("/")[0] for row in figure.rows} == set(all_games())
    assert playouts.WHOLE in {aim.row for aim in figure.aims}


def test_a_swiss_round_is_measured_with_or_without_gacrux():
    with ExitStack() as stack:
        figure = pairing.measure(Run(Stage(stack), True, lambda: None))
    labels = {each.label for each in (*figure.rows, *figure.details)}
    assert labels == {"Dutch, 40 players", "Dutch, 80 players", "Monrad, 80 players"}
    assert (pairing.AWAY in figure.notes) == (len(figure.rows) == 1)
    assert all(aim.met for aim in figure.aims)
