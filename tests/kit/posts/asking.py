"""Writes that are asked, and what each was answered: ids and hashes by the order in which they come, times, durations
and secrets not at all; lots fall the same each time. So the same writes are answered the same whenever they are asked.
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
    """Every operation of the API's document that is no reading one: `POST /clubs/{club_id}/players`."""
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    return {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in document["paths"].items()
        for method in methods
        if method in ("post", "put", "patch", "delete")
    }


def pattern_of(operation):
    """A pattern of the method and path of a request that asks for this operation."""
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(operation)))


PATTERNS = {operation: pattern_of(operation) for operation in operations()}


def operation_of(method, path):
    """The operation that a request asks for: where a word stands beside an id, the word is meant."""
    asked = f"{method} {path.partition('?')[0].removeprefix('/api/v1')}"
    found = [each for each, pattern in PATTERNS.items() if pattern.fullmatch(asked)]
    return min(found, key=lambda each: each.count("{"))


class Posts:
    """Asks, and writes down what was answered: [operation, status, text]."""

    def __init__(self, house):
        self.house, self.answers, self._known = house, [], {}

    def post(self, path, body, role="scorer", method="POST"):
        """One write, once all that follows from those before is done; its answer. Bytes are sent as they are."""
        self.settle()
        with patch("secrets.randbelow", lambda most: most // 3):
            answer = self.house.ask(method, path, body, role)
        assert "preference-applied" not in answer.headers
        self.answers.append([self._named(method, path, body), answer.status_code, self._same(answer.text)])
        return answer.json()

    def done(self, path, body, role="scorer", method="POST"):
        """A write that has to be taken; its answer."""
        answer = self.post(path, body, role, method)
        assert self.answers[-1][1] in (200, 201), self.answers[-1]
        return answer

    def settle(self):
        """The steward acts on its own, and what it records takes a place in the log: it has its turn before the next
        write, so that the places are the same each time."""
        house = self.house
        house.client.blocking_portal.call(house.client.app.state.services.steward.catch_up, house.id)

    def _named(self, method, path, body):
        """The operation, with the actions of a director of a tournament."""
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
        """Times are not told apart: two of one second may be one or two."""
        return kind if kind == "time" else self._known.setdefault(value, f"{kind} {len(self._known) + 1}")


def stored(name):
    """The answers that are kept under a name."""
    lines = (STORED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def store(name, answers):
    """Keep these answers under a name, one a line."""
    lines = [json.dumps(each, ensure_ascii=False) for each in answers]
    STORED.mkdir(exist_ok=True)
    (STORED / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
