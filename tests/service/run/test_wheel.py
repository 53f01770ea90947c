"""The wheel is a whole Lurch: installed, its `lurch` serves the demo club from any folder."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import httpx
import pytest

from tests.kit.faults.processes import Serving, data_directory

pytestmark = pytest.mark.extended
ROOT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent


def run(*command):
    subprocess.run([str(each) for each in command], cwd=ROOT, check=True, capture_output=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The `bin` of an environment in which the wheel is installed. What it runs with comes from the environment of the
    tests: no index is asked."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (wheel,) = folder.glob("*.whl")
    env = folder / "env"
    run(BIN / "uv", "venv", "--quiet", "--python", sys.executable, env)
    run(BIN / "uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--python", env / "bin" / "python", wheel)
    paths = {"base": str(env), "platbase": str(env)}
    beside = Path(sysconfig.get_path("purelib", vars=paths)) / "beside.pth"
    beside.write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return env / "bin"


def test_the_wheel_serves_the_demo_club_without_the_checkout(installed, tmp_path):
    where = "import service; print(service.__file__)"
    found = subprocess.run(
        [installed / "python", "-P", "-c", where], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert found.stdout.startswith(str(installed.parent)), "it would be the checkout that is tried"
    with data_directory() as data:
        serving = Serving(data).start((str(installed / "lurch"), "demo"))
        try:
            serving.ready()
            (club,) = httpx.get(f"{serving.url}/api/v1/clubs", timeout=60).json()["items"]
            assert club["name"] == "Demo club"
            page = httpx.get(f"{serving.url}/clubs/{club['id']}", timeout=60).text
            assert "Cross Game" in page
            assert httpx.get(f"{serving.url}/static/app.css", timeout=60).status_code == 200
        finally:
            serving.end()
