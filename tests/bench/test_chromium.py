"""Tests and benchmarks find the same Chromium, or install one; without one, a line says what to do."""

import os
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from bench.chromium import NAMES, find

ROOT = Path(__file__).parents[2]


def program(folder, name, script="exit 0"):
    place = folder / name
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    return place


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """Return the folder of programs of a machine without a browser."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "browsers"))
    return tmp_path


def test_a_chromium_of_the_system_is_found_under_each_name(bare):
    assert find() is None
    for name in NAMES:
        place = program(bare, name)
        assert find() == str(place)
        place.unlink()


def test_a_chromium_that_playwright_installed_is_found(bare):
    with sync_playwright() as playwright:
        place = Path(playwright.chromium.executable_path)
    assert place.is_relative_to(bare)
    place.parent.mkdir(parents=True)
    place.touch()
    assert find() == str(place)


def test_without_a_chromium_root_installs_one_and_others_read_how(bare):
    asked = bare / "asked"
    program(bare, "apt-get", f'echo "$@" >> {asked}')
    script = ROOT / ".ci" / "chromium"
    done = subprocess.run(["/bin/bash", script], env=dict(os.environ), capture_output=True, text=True, check=False)
    if os.geteuid() == 0:
        assert done.returncode == 0, done.stderr
        assert asked.read_text().splitlines()[-1].endswith(" chromium")
    else:
        assert done.returncode == 1
        assert "apt install chromium" in done.stderr


@pytest.mark.parametrize("target", ["test", "bench"])
def test_make_test_and_make_bench_look_for_a_chromium(target):
    told = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert told.index(".ci/chromium") < told.rindex("bin/python -m")
