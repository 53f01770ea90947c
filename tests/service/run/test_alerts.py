"""The alerts: each is tried by promtool, asks for what the service tells, and has its place in the runbook."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from prometheus_client import Counter, Gauge, Histogram

from service.cli import COMMANDS
from service.run import metrics
from service.store import meters

ROOT = Path(__file__).parents[3]
ALERTS = (ROOT / "deploy/prometheus/alerts.yml").read_text()
TRIED = (ROOT / "deploy/prometheus/alerts_test.yml").read_text()
RUNBOOK = (ROOT / "docs/runbook.md").read_text()
NAMES = re.findall(r"alert: (\w+)", ALERTS)


@pytest.mark.parametrize(
    "what", ["check rules deploy/prometheus/alerts.yml", "test rules deploy/prometheus/alerts_test.yml"]
)
def test_promtool_finds_nothing_wrong(what):
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not here: it comes with Prometheus")
    done = subprocess.run(["promtool", *what.split()], cwd=ROOT, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_is_tested_while_it_fires_and_while_it_does_not():
    assert set(re.findall(r"\{eval_time: \w+, alertname: (\w+)\}", TRIED)) >= set(NAMES)
    assert set(re.findall(r"alertname: (\w+)\n +exp_alerts:", TRIED)) >= set(NAMES)


def test_alerts_ask_for_what_the_service_tells():
    told = {"lurch"}
    for each in [*vars(meters).values(), *vars(metrics).values()]:
        if isinstance(each, Counter | Gauge | Histogram):
            ends = {Counter: ("_total",), Gauge: ("",), Histogram: ("", "_bucket", "_sum", "_count")}[type(each)]
            told |= {each._name + end for end in ends}
    asked = set(re.findall(r"\blurch_[a-z_]+", "\n".join(re.findall(r"expr: (.*)", ALERTS))))
    assert len(asked) > 10
    assert asked <= told
    assert set(re.findall(r"`(lurch_[a-z_]+)[`{]", RUNBOOK)) <= told


def test_each_alert_leads_to_a_place_in_the_runbook():
    places = {title.lower().replace(" ", "-") for title in re.findall(r"^## (.*)$", RUNBOOK, re.MULTILINE)}
    assert len(places) == 12
    led = re.findall(r"runbook: docs/runbook.md#(.*)", ALERTS)
    assert len(led) == len(NAMES)
    assert set(led) <= places
    assert set(NAMES) == set(re.findall(r"`(Lurch[A-Z]\w+)`", RUNBOOK))


def test_the_runbook_asks_for_commands_that_there_are():
    asked = set(re.findall(r"^    (?:LURCH_\S+ )*lurch ([a-z-]+)", RUNBOOK, re.MULTILINE))
    assert {"doctor", "backup", "restore", "rollback"} <= asked
    assert asked <= set(COMMANDS)


def test_commands_after_a_restore_in_the_runbook_name_its_data():
    blocks = re.findall(r"(?:^    .*\n)+", RUNBOOK, re.MULTILINE)
    restoring = [block.split("\n") for block in blocks if "lurch restore" in block]
    assert len(restoring) > 1
    for lines in restoring:
        named = [line for line in lines if re.search(r"\blurch [a-z-]+", line)]
        kept = lines[0].startswith("    export LURCH_DATA_DIR=")
        assert kept or all("LURCH_DATA_DIR=" in line for line in named), named
