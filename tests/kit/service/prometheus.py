"""A real Prometheus that scrapes a service of the tests each second, on a loopback port, and is asked by its API."""

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
    """The path of one of Prometheus' programs; without it a test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not here: apt install prometheus")
    return found


def config_for(address, secret, folder):
    """The configuration that is deployed, for a service at another address, with another secret and less patience."""
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
    """One process; `ask` gives the samples of an expression, as of a moment."""

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
        """The labels and the value of each sample."""
        asked = {"query": expression} if at is None else {"query": expression, "time": at}
        answer = self.client.get("/api/v1/query", params=asked).json()
        assert answer["status"] == "success", answer
        return [(each["metric"], float(each["value"][1])) for each in answer["data"]["result"]]

    def end(self):
        """Nothing of it goes on."""
        self.client.close()
        self.process.kill()
        self.process.wait()


@contextmanager
def scraping(address, secret, folder):
    """A Prometheus that has begun to scrape, gone at the end."""
    found = Prometheus(config_for(address, secret, folder))
    try:
        until(found.is_ready)
        yield found
    finally:
        found.end()
