"""The wheel is a whole Lurch: it serves the demo club from any folder."""

import subprocess
import sys
import zipfile
from pathlib import Path

import httpx

from tests.kit.faults.processes import Serving, data_directory

ROOT = Path(__file__).parents[3]


def test_the_wheel_serves_the_demo_club_without_the_checkout(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    start = (
        "import sys, os; "
        f"sys.path[:] = [{str(site)!r}, *(p for p in sys.path if os.path.realpath(p) != {str(ROOT)!r})]; "
        "os.chdir('/'); import service; assert service.__file__.startswith(sys.path[0]); "
        "sys.argv = ['lurch', 'demo']; from service.cli import main; main()"
    )
    with data_directory() as data:
        serving = Serving(data).start((sys.executable, "-P", "-c", start))
        try:
            serving.ready()
            (club,) = httpx.get(f"{serving.url}/api/v1/clubs").json()["items"]
            assert club["name"] == "Demo club"
            page = httpx.get(f"{serving.url}/clubs/{club['id']}").text
            assert "Cross Game" in page
            assert httpx.get(f"{serving.url}/static/app.css").status_code == 200
        finally:
            serving.end()
