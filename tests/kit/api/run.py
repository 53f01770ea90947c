"""One run of Schemathesis as one role, and the reader of its report."""

import base64
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
CONFIG = Path(__file__).parent / "schemathesis.toml"
STATEFUL = "stateful"
# a body's 0 and 1 are read as truth values, and a number as text as a number: the framework converts what is plain
LENIENT = ("negative_data_rejection", "Incorrect type")
EVERY_PHASE = "examples,coverage,fuzzing,stateful"


class ApiRun(NamedTuple):
    """The result of a run: statuses by operation, descriptions of failures, and its output."""

    statuses: dict[str, Counter]
    failures: list[str]
    said: str

    @property
    def cases(self):
        """The number of requests sent."""
        return sum(each.total() for each in self.statuses.values())

    def answered(self, taken):
        """Return the operations with an answer whose status satisfies `taken`."""
        return {name for name, found in self.statuses.items() if any(taken(status) for status in found)}


def ask(url, club, folder, examples, phases=STATEFUL, seconds=500):
    """Run Schemathesis deterministically against a service with the token of a club."""
    report = folder / f"{club.id}.ndjson"
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(CONFIG),
        "run",
        f"{url}/docs/openapi.json",
    ]
    command += ["--url", url, "--phases", phases, "--max-examples", str(examples)]
    command += ["--generation-deterministic", "--continue-on-failure", "--no-color", "--suppress-health-check", "all"]
    command += ["--report", "ndjson", "--report-ndjson-path", str(report)]
    if club.token is not None:
        command += ["--header", f"Authorization: Bearer {club.token}"]
    around = {**os.environ, "SCHEMATHESIS_HOOKS": "tests.kit.api.hooks", "API_KNOWN": json.dumps(club.known)}
    around["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(command, cwd=folder, env=around, timeout=seconds, capture_output=True, text=True, check=False)
    assert report.exists(), done.stdout + done.stderr
    return read(report.read_text(encoding="utf-8"), done.stdout)


def operation_of(case):
    """Return the method and path of a case."""
    return f"{case['value']['method']} {case['value']['path']}"


def lenient(check):
    """Return True if a check failed only because the framework converted a plain value."""
    name, word = LENIENT
    return check["name"] == name and word in check["failure_info"]["failure"]["message"]


def told(check, case, sent):
    """Format a failed check with its request and answer on one line."""
    answer = sent.get("response") or {}
    asked = json.dumps(case["value"].get("body"))[:300]
    failure = check["failure_info"]["failure"]
    why = " ".join(failure["message"].split())[:300]
    address = sent.get("request", {}).get("uri", "")
    answered = f"{answer.get('status_code')} {_text(answer)[:300]}"
    return f"{check['name']}: {operation_of(case)} {answered} | {why} | {address} {asked}"


def _text(answer):
    content = answer.get("content") or ""
    if isinstance(content, dict):
        content = base64.b64decode(content["$base64"]).decode(errors="replace")
    try:
        return json.loads(content)["detail"]
    except (ValueError, TypeError, KeyError):
        return str(content)


def read(report, said):
    """Read a report in NDJSON."""
    statuses, failures = defaultdict(Counter), []
    for line in report.splitlines():
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder") or {}
        cases, sent = recorder.get("cases", {}), recorder.get("interactions", {})
        for key, each in sent.items():
            statuses[operation_of(cases[key])][(each.get("response") or {}).get("status_code")] += 1
        for key, checks in recorder.get("checks", {}).items():
            failures += [
                told(check, cases[key], sent.get(key, {}))
                for check in checks
                if check["status"] == "failure" and not lenient(check)
            ]
    return ApiRun(dict(statuses), failures, said)
