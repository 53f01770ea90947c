"""The tests of the desk ask it without a door: no framework of a door is loaded by them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests/service/desk").glob("*.py"))
DOORS = {"litestar", "service.api", "service.web", "service.cli", "tests.conftest"}


def doors_of(name):
    """The doors that a module loads, in a process of its own."""
    code = f"import importlib, sys; importlib.import_module({name!r}); print(*({DOORS!r} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    return {*run.stdout.split()}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_door_is_loaded(file):
    assert doors_of(".".join(file.relative_to(ROOT).with_suffix("").parts)) == set()


def test_a_door_would_be_noticed():
    assert "litestar" in doors_of("tests.kit.service.asking")
