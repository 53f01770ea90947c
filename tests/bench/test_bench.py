"""The bench works: a quick run gives each row its medians, spread and ratio, beside a reference."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPREAD = {"median", "low", "high", "first_quartile", "third_quartile", "values"}


def test_a_quick_run_stands_each_figure_beside_its_reference(tmp_path):
    place = tmp_path / "report.json"
    only = ("--only", "replay", "--only", "brackets")
    command = [sys.executable, "-m", "bench", "--quick", *only, "--json", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "QUICK" in done.stdout
    report = json.loads(place.read_bytes())
    assert (report["quick"], report["failed"]) == (True, {})
    figure, brackets = report["figures"]
    assert {row["label"] for row in figure["rows"]} >= {"cross_purposes/two", "cross_game", "parity"}
    assert len(brackets["rows"]) == 3
    for row in figure["rows"] + brackets["rows"]:
        for side in ("ours", "reference", "ratio"):
            assert row[side].keys() >= SPREAD
            assert row[side]["low"] <= row[side]["median"] <= row[side]["high"]
    assert {aim["row"] for aim in figure["aims"]} == {row["label"] for row in figure["rows"]}
