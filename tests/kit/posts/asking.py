"""Recorder of API writes and their answers in a reproducible form.

Ids and hashes are replaced by numbers in order of appearance, times, durations and secrets by their kind, and random
numbers are fixed, so that the same writes always give the same recording.
"""

import json
import re
from pathlib import Path
from unittest.mock import patch

DATA = Path(__file__).parents[2] / "data"
STORED, DOCUMENT = DATA / "answers", DATA / "openapi.json"
MARKS = (
    ("hash", re.compile(r"\b[0-9a-f]{64}\b")),
    ("id", re.compile(r"(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])")),
    ("time", re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)")),
)
OF_THE_MOMENT = re.compile(r'"(?:(code)":"[A-Z]{6}"|(secret|token)":"[^"]{20,}"|(heard|milliseconds)":\d+)')


def operations():
    """Return every writing operation of the API document, as in `POST /clubs/{club_id}/players`."""
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    return {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in document["paths"].items()
        for method in methods
        if method in ("post", "put", "patch", "delete")
    }


def pattern_of(operation):
    """Return a pattern for the method and path of requests for this operation."""
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(operation)))


PATTERNS = {operation: pattern_of(operation) for operation in operations()}


def operation_of(method, path):
    """Return the operation of a request, the one with the fewest ids if several match."""
    asked = f"{method} {path.partition('?')[0].removeprefix('/api/v1')}"
    found = [each for each, pattern in PATTERNS.items() if pattern.fullmatch(asked)]
    return min(found, key=lambda each: each.count("{"))


class Posts:
    """Sends writes and stores each answer as [operation, status, text]."""

    def __init__(self, house):
        self.house, self.answers, self._known = house, [], {}

    def post(self, path, body, role="scorer", method="POST"):
        """Send a write after the automation has caught up and return its answer. Bytes are sent unchanged."""
        self.settle()
        with patch("secrets.randbelow", lambda most: most // 3):
            answer = self.house.ask(method, path, body, role)
        assert "preference-applied" not in answer.headers
        self.answers.append([self._named(method, path, body), answer.status_code, self._same(answer.text)])
        return answer.json()

    def done(self, path, body, role="scorer", method="POST"):
        """Send a write that must succeed and return its answer."""
        answer = self.post(path, body, role, method)
        assert self.answers[-1][1] in (200, 201), self.answers[-1]
        return answer

    def settle(self):
        """Let the automation record its events before the next write, so that positions are the same each time."""
        house = self.house
        house.client.blocking_portal.call(house.client.app.state.services.steward.catch_up, house.id)

    def _named(self, method, path, body):
        """Return the operation, with the names of a tournament director's actions."""
        named = operation_of(method, path)
        if not named.endswith("/actions"):
            return named
        words = list(dict.fromkeys(each["do"] for each in body["actions"]))
        return f"{named}: {', '.join([*words, *(['preview'] if body.get('preview') else [])])}"

    def _same(self, text):
        text = OF_THE_MOMENT.sub(lambda found: f'"{found[found.lastindex]}":"{found[found.lastindex]}"', text)
        for kind, mark in MARKS:
            text = mark.sub(lambda found, kind=kind: self._place(kind, found[0]), text)
        return text

    def _place(self, kind, value):
        """Return the replacement of a value. All times get the same one."""
        return kind if kind == "time" else self._known.setdefault(value, f"{kind} {len(self._known) + 1}")


def stored(name):
    """Return the stored answers of a scene."""
    lines = (STORED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def store(name, answers):
    """Store the answers of a scene, one per line."""
    lines = [json.dumps(each, ensure_ascii=False) for each in answers]
    STORED.mkdir(exist_ok=True)
    (STORED / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
