"""The tests of the desk ask it without a door: no framework of a door is loaded by them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests/service/desk").glob("*.py"))
DOORS = ("litestar", "service.api", "service.web", "service.cli", "tests.conftest")
LOADED = "import importlib, sys; importlib.import_module({name!r}); print(*sorted({doors!r} & sys.modules.keys()))"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_door_is_loaded(file):
    name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
    code = LOADED.format(name=name, doors={*DOORS})
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.split() == []


def test_a_door_would_be_noticed():
    code = LOADED.format(name="tests.kit.service.asking", doors={*DOORS})
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert "litestar" in run.stdout
