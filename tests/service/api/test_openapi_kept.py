"""The API is what it was: paths, parameters, members and types of the kept document, whatever its parts are called.

A change that is meant writes the document again: `python -m tests.service.api.test_openapi_kept`.
"""

import json
import sys
from pathlib import Path

import pytest
from litestar.testing import TestClient

from service.run.app import create_app
from service.run.settings import Settings
from tests.conftest import new_database

KEPT = Path(__file__).parents[2] / "data" / "openapi.json"
WORDS = {"description", "summary", "title", "operationId", "tags", "example", "examples", "info", "servers"}
ORDERLESS = {"oneOf", "anyOf", "allOf", "required", "parameters", "enum"}


def bare(document):
    """The document without its sentences."""
    if isinstance(document, dict):
        kept = {key: bare(value) if key != "properties" else members(value) for key, value in document.items()}
        return {
            key: value for key, value in kept.items() if key not in WORDS or not isinstance(document[key], str | list)
        }
    return [bare(each) for each in document] if isinstance(document, list) else document


def members(properties):
    """Members, of which one may be called `title`."""
    return {name: bare(schema) for name, schema in properties.items()}


class Sameness:
    """Two documents side by side, references followed in each."""

    def __init__(self, old, new):
        self.documents = old, new
        self.compared = set()

    def followed(self, which, schema):
        """A schema with its reference followed, and the reference."""
        name = None
        while isinstance(schema, dict) and "$ref" in schema:
            name = schema["$ref"].removeprefix("#/").split("/")
            schema = self.documents[which]
            for step in name:
                schema = schema[step]
        return schema, name and name[-1]

    def differences(self, old, new, where):
        """Every place where the new document is not what the old one was."""
        (old, one), (new, other) = self.followed(0, old), self.followed(1, new)
        if one and other:
            if (one, other) in self.compared:
                return
            self.compared.add((one, other))
        if isinstance(old, dict) and isinstance(new, dict):
            for key in old.keys() | new.keys():
                if key not in old or key not in new:
                    yield f"{where}/{key} {'came' if key in new else 'is gone'}"
                elif key in ORDERLESS and isinstance(old[key], list):
                    yield from self.unordered(old[key], new[key], f"{where}/{key}")
                elif key == "mapping":
                    if old[key].keys() != new[key].keys():
                        yield f"{where}/mapping"
                else:
                    yield from self.differences(old[key], new[key], f"{where}/{key}")
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            for place, pair in enumerate(zip(old, new, strict=True)):
                yield from self.differences(*pair, f"{where}/{place}")
        elif old != new:
            yield f"{where}: {str(old)[:60]} became {str(new)[:60]}"

    def unordered(self, old, new, where):
        """Lists whose order says nothing."""
        left = list(new)
        for each in old:
            for place, other in enumerate(left):
                trial = Sameness(*self.documents)
                trial.compared = set(self.compared)
                if next(trial.differences(each, other, where), None) is None:
                    self.compared = trial.compared
                    del left[place]
                    break
            else:
                yield f"{where} is without {str(each)[:60]}"
        for each in left:
            yield f"{where} came with {str(each)[:60]}"


def differences(old, new):
    return sorted(Sameness(old, new).differences(old["paths"], new["paths"], ""))


@pytest.fixture(scope="module")
def kept():
    return json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def document(client):
    return bare(client.get("/docs/openapi.json").json())


def test_paths_members_and_types_are_what_they_were(kept, document):
    assert differences(kept, document) == []


def test_removed_members_changed_types_and_added_paths_are_noticed(kept):
    broken = json.loads(json.dumps(kept))
    schemas = broken["components"]["schemas"]
    match = next(each for each in schemas.values() if {"deals", "sides"} <= each.get("properties", {}).keys())
    del match["properties"]["deals"]
    match["properties"]["sides"] = {"type": "integer"}
    broken["paths"]["/new"] = {}
    found = differences(kept, broken)
    assert any(each.endswith("/deals is gone") for each in found)
    assert any("/sides" in each for each in found)
    assert "/paths//new came".removeprefix("/paths") in found


def test_names_of_parts_say_nothing(kept):
    text = json.dumps(kept)
    for name in sorted(kept["components"]["schemas"], key=len, reverse=True):
        text = text.replace(f'"#/components/schemas/{name}"', f'"#/components/schemas/Part_{name}"')
    renamed = json.loads(text)
    schemas = renamed["components"]["schemas"]
    renamed["components"]["schemas"] = {f"Part_{name}": schema for name, schema in schemas.items()}
    assert differences(kept, renamed) == []


def write():
    """Keep the document as it is now."""
    with new_database() as database, TestClient(create_app(database, Settings())) as client:
        document = bare(client.get("/docs/openapi.json").json())
    KEPT.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(write())
