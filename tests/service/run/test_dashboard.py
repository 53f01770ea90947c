"""The dashboard: each of its expressions is asked of a real Prometheus that scraped an evening, and gives a number.

`make test-dashboard` runs this alone.
"""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import yaml
from litestar.testing import TestClient
from prometheus_client.parser import text_string_to_metric_families

from service.run.app import create_app
from service.run.settings import Settings
from tests.kit.faults.listeners import followers, listening
from tests.kit.faults.processes import data_directory, serving, until
from tests.kit.faults.scorers import RESULT, Club
from tests.kit.service.prometheus import config_for, program, scraping
from tests.kit.service.receivers import receiving

ROOT = Path(__file__).parents[3]
BOARD = json.loads((ROOT / "deploy/grafana/lurch.json").read_text())
ROWS = [each for each in BOARD["panels"] if each["type"] == "row"]
PANELS = [each for each in BOARD["panels"] if each["type"] != "row"]
TARGETS = [target for panel in PANELS for target in panel["targets"]]
VALUES = {"$__rate_interval": "10s", "$instance": ".*"}
SECRET = "secret-of-the-evening"
SCRAPED_TWICE = "timestamp(lurch_append_seconds_count) and changes(lurch_append_seconds_count[10s]) >= 2"


class Evening:
    """A club of two at a table, a program that follows it, a webhook and a folder for copies."""

    def __init__(self, service, receiver):
        self.service = service
        self.club = Club(service.embedded().url("lurch_app"))
        self.club.webhook(service.url, receiver.url)
        self.match = self.club.open_match(service.url)

    def plays(self):
        """One more result."""
        with self.club.client(self.service.url) as client:
            assert client.post(f"/matches/{self.match}/results", json=RESULT).status_code == 201
        return True

    def is_copied(self):
        return httpx.get(f"{self.service.url}/health/ready", timeout=60).json()["last_copy_seconds"] is not None


class Scraped:
    """A Prometheus and the moment of its last scrape that we ask about."""

    def __init__(self, prometheus, moment):
        self.prometheus, self.moment = prometheus, moment

    def ask(self, expression):
        for name, value in VALUES.items():
            expression = expression.replace(name, value)
        assert "$" not in expression, "a variable without a value"
        return self.prometheus.ask(expression, self.moment)


@pytest.fixture(scope="module")
def scraped(tmp_path_factory):
    """An evening that goes on until Prometheus has seen it grow twice."""
    program("prometheus")
    with data_directory() as data, receiving() as receiver:
        more = {"METRICS": SECRET, "BACKUP_DIR": str(data.parent / "copies"), "WEBHOOK_PRIVATE": "1"}
        with serving(data, **{f"LURCH_{name}": value for name, value in more.items()}) as service:
            evening = Evening(service, receiver)
            listeners = followers(evening.club, service.url, evening.match)
            with listening(*listeners):
                evening.plays()
                until(lambda: all(each.events for each in listeners) and receiver.got and evening.is_copied())
                address = service.url.removeprefix("http://")
                with scraping(address, SECRET, tmp_path_factory.mktemp("prometheus")) as prometheus:
                    seen = until(lambda: evening.plays() and prometheus.ask(SCRAPED_TWICE), pause=0.2)
                    yield Scraped(prometheus, seen[0][1])


@pytest.mark.extended
def test_every_expression_gives_a_number_with_the_labels_of_its_legend(scraped):
    for target in TARGETS:
        found = scraped.ask(target["expr"])
        assert any(math.isfinite(value) for _, value in found), (target["expr"], found)
        for labels, _ in found:
            assert set(re.findall(r"{{(\w+)}}", target["legendFormat"])) <= set(labels), target["expr"]


@pytest.mark.extended
def test_the_evening_shows_in_the_panels(scraped):
    def of(title, ref="A"):
        (panel,) = [each for each in PANELS if each["title"] == title]
        (target,) = [each for each in panel["targets"] if each["refId"] == ref]
        return {next(iter(labels.values()), ""): value for labels, value in scraped.ask(target["expr"])}

    assert of("Requests a second")["201"] > 0
    assert of("Appends a second")["open"] > 0
    assert of("Appends a second", "B")["open"] > of("Appends a second")["open"], "a result is two events"
    assert of("Sent by phones and programs").keys() == {"201"}
    assert of("Open event streams") == {"club": 1, "stream": 1}
    assert of("Lag of each reader").keys() == {"projector", "bookkeeper", "steward"}
    assert of("Webhooks by state").keys() == {"due", "failing", "disabled"}
    assert of("Deliveries tried")["delivered"] > 0
    assert of("Copies in a day").keys() == {"made", "failed"}
    assert of("Free on the disks").keys() == {"data", "copies"}
    assert of("Connections").keys() == {"requests", "streams", "appends"}
    assert of("Requests that failed") == {"": 0}


@pytest.mark.extended
def test_the_alerts_are_loaded(scraped):
    (group,) = scraped.prometheus.client.get("/api/v1/rules").json()["data"]["groups"]
    assert len(group["rules"]) > 10


def test_every_metric_of_the_dashboard_exists(database):
    with TestClient(create_app(database, Settings(metrics="on"))) as client:
        families = list(text_string_to_metric_families(client.get("/metrics").text))
    ends = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
    told = {each.name + end for each in families for end in ends.get(each.type, ())}
    asked = set(re.findall(r"\b(?:lurch|process)_[a-z_]+", " ".join(each["expr"] for each in TARGETS)))
    if sys.platform != "linux":  # the client tells of its process there alone
        asked = {name for name in asked if name.startswith("lurch_")}
    assert len(asked) > 25
    assert asked <= told


def test_metrics_of_the_shared_database_are_not_added_up():
    said = (
        "lurch_webhooks{",
        "lurch_reader_lag_positions",
        "lurch_database_bytes",
        "lurch_last_copy_timestamp_seconds",
    )
    asked = [each["expr"] for each in TARGETS if any(name in each["expr"] for name in said)]
    assert len(asked) > 4
    assert [each for each in asked if not each.startswith("max")] == []


def test_a_panel_has_a_unit_and_a_link_to_the_runbook():
    places = set(re.findall(r"^## (.*)$", (ROOT / "docs/runbook.md").read_text(), re.MULTILINE))
    for panel in PANELS:
        assert panel["fieldConfig"]["defaults"]["unit"]
        (place,) = re.fullmatch(r"When [^.]*\((.*)\)\.", panel["description"]).groups()
        assert place in places


def test_panels_have_the_expected_rows_and_no_machine_specific_ids():
    assert [each["title"] for each in ROWS] == [
        "Requests",
        "Appends",
        "Readers",
        "Streams and phones",
        "Webhooks' queue",
        "Copies",
        "Pool",
        "Process",
    ]
    assert (BOARD["uid"], "id" in BOARD) == ("lurch", False)
    source, _ = BOARD["templating"]["list"]
    assert (source["name"], source["type"], source["query"]) == ("datasource", "datasource", "prometheus")
    sources = [each["datasource"] for panel in PANELS for each in (panel, *panel["targets"])]
    assert all(each == {"type": "prometheus", "uid": "${datasource}"} for each in sources)
    assert len({each["id"] for each in BOARD["panels"]}) == len({each["title"] for each in BOARD["panels"]})
    assert len({each["title"] for each in BOARD["panels"]}) == len(BOARD["panels"])


def test_grafana_is_provisioned_with_prometheus_and_the_dashboard():
    folder = ROOT / "deploy/grafana/provisioning"
    (source,) = yaml.safe_load((folder / "datasources/prometheus.yml").read_text())["datasources"]
    assert source["type"] == BOARD["templating"]["list"][0]["query"]
    (provider,) = yaml.safe_load((folder / "dashboards/lurch.yml").read_text())["providers"]
    assert f"as {provider['options']['path']}/lurch.json" in (folder / "dashboards/lurch.yml").read_text()


def test_promtool_finds_nothing_wrong(tmp_path):
    deployed = ROOT / "deploy/prometheus/prometheus.yml"
    written = config_for("127.0.0.1:8000", SECRET, tmp_path)  # the same, with a secret that is there
    for what in (["--syntax-only", deployed], [written]):
        command = [program("promtool"), "check", "config", *what]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_prometheus_scrapes_the_compose_services_with_a_secret():
    services = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())["services"]
    (job,) = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())["scrape_configs"]
    assert job["job_name"] == "lurch"
    assert job["static_configs"] == [{"targets": [f"{each}:8000" for each in services if each.startswith("lurch")]}]
    assert job["authorization"]["type"] == "Bearer"
