"""Without a preference every write of the API is answered to the byte what it was answered before there was one.

The answers were stored with the program of commit a0500a50 (23 November 2026), the last one without
`Prefer: return=minimal`; only those of pushes, which came a day after it, with that of 27 November. An answer that is
to change is stored again: `python -m tests.service.api.test_stored_answers`, or with some scenes behind it.
"""

import json
import sys
from importlib import import_module

import pytest
from litestar.testing import TestClient

from service.run.app import create_app
from service.run.settings import Settings
from tests.conftest import new_database
from tests.kit.posts.asking import DOCUMENT, Posts, operations, store, stored
from tests.kit.service.asking import House

SCENES = ("matches", "mended", "cases", "clubs", "tournaments", "pushes")


def played(scene, client, database):
    """The answers to the writes of a scene."""
    with House(client, database) as house:
        posts = Posts(house)
        import_module(f"tests.kit.posts.{scene}").play(posts)
        return posts.answers


@pytest.fixture(scope="module")
def taken():
    """The names of the stored answers to what was taken."""
    return {name for scene in SCENES for name, status, _ in stored(scene) if status < 300}


@pytest.mark.parametrize("scene", SCENES)
def test_without_a_preference_every_answer_is_what_it_was(client, database, scene):
    before, found = stored(scene), played(scene, client, database)
    assert [each[:2] for each in found] == [each[:2] for each in before]
    for now, was in zip(found, before, strict=True):
        assert now == was


def test_every_operation_that_writes_has_a_stored_answer(taken):
    assert operations() == {name.partition(": ")[0] for name in taken}


def test_every_action_of_a_director_has_a_stored_answer(taken):
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    body = document["components"]["schemas"]["ActionsBody"]
    actions = set(body["properties"]["actions"]["items"]["discriminator"]["mapping"])
    assert actions <= {action for name in taken for action in name.partition(": ")[2].split(", ")}


def write(scenes):
    """Store the answers as they are now."""
    with new_database() as database, TestClient(create_app(database, Settings(webhook_private=True))) as client:
        for scene in scenes:
            store(scene, played(scene, client, database))


if __name__ == "__main__":
    sys.exit(write(sys.argv[1:] or SCENES))
