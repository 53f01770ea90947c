"""A real Prometheus on a loopback port that scrapes a service every second and answers queries."""

import shutil
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
import yaml

from tests.kit.faults.processes import end_with_us, free_port, until

DEPLOYED = Path(__file__).parents[3] / "deploy/prometheus"


def program(name):
    """Return the path of a program of Prometheus, or skip the test if it is missing."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not here: apt install prometheus")
    return found


def config_for(address, secret, folder):
    """Write the deployed configuration for another address and secret, with an interval of a second."""
    config = yaml.safe_load((DEPLOYED / "prometheus.yml").read_text())
    config["global"] |= {"scrape_interval": "1s", "scrape_timeout": "1s"}
    config["rule_files"] = [str(DEPLOYED / each) for each in config["rule_files"]]
    (job,) = config["scrape_configs"]
    (folder / "secret").write_text(secret)
    job["authorization"]["credentials_file"] = str(folder / "secret")
    job["static_configs"] = [{"targets": [address]}]
    path = folder / "prometheus.yml"
    path.write_text(yaml.safe_dump(config))
    return path


class Prometheus:
    """A running Prometheus; `ask` evaluates an expression."""

    def __init__(self, config):
        port = free_port()
        self.log = config.with_name("prometheus.log")
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                [
                    program("prometheus"),
                    f"--config.file={config}",
                    f"--storage.tsdb.path={config.with_name('series')}",
                    f"--web.listen-address=127.0.0.1:{port}",
                ],
                stdout=out,
                stderr=out,
                preexec_fn=end_with_us if sys.platform == "linux" else None,  # noqa: PLW1509  # one call
            )
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20)

    def is_ready(self):
        assert self.process.poll() is None, f"it ended by itself: {self.log.read_text()[-2000:]}"
        with suppress(httpx.TransportError):
            return self.client.get("/-/ready").status_code == 200

    def ask(self, expression, at=None):
        """Return the labels and the value of each sample of an expression."""
        asked = {"query": expression} if at is None else {"query": expression, "time": at}
        answer = self.client.get("/api/v1/query", params=asked).json()
        assert answer["status"] == "success", answer
        return [(each["metric"], float(each["value"][1])) for each in answer["data"]["result"]]

    def end(self):
        self.client.close()
        self.process.kill()
        self.process.wait()


@contextmanager
def scraping(address, secret, folder):
    """Run a Prometheus that scrapes this address."""
    found = Prometheus(config_for(address, secret, folder))
    try:
        until(found.is_ready)
        yield found
    finally:
        found.end()
