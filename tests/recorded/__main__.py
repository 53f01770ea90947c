"""Record a log that must stay readable: `python -m tests.recorded 2026-11-signatures tests.recorded.scenes_signatures`.

A change that adds an event type or schema records one folder under tests/data/logs with the program that writes it: the
rows of the clubs of its scene and what the program answered about them. A folder is recorded once and never changed, so
a scene only has to run with the program of its day; git keeps the scenes of the older folders. A scene is a module with
a function `play(stage)`, where `stage` is a `Stage`.
"""

import importlib
import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path

import psycopg
from litestar.testing import TestClient

from service.run.app import create_app
from service.run.settings import Settings
from tests.conftest import new_database, with_pool
from tests.kit.service.asking import House
from tests.recorded import answers, rows

LOGS = Path(__file__).parents[1] / "data" / "logs"


class Stage:
    """What a scene works with: an application on an empty database."""

    def __init__(self, client, database):
        self.client, self.database = client, database
        self.clubs, self.seated = [], []

    def house(self, public=True):
        """Create a club with a token for each role and add it to the recording."""
        made = House(self.client, self.database, public)
        self.clubs.append(made.id)
        return made

    def known(self, club):
        """Add a club that a command founded to the recording."""
        if club not in self.clubs:
            self.clubs.append(club)

    def sits(self, house, match, player):
        """Record this player's own view of this match too."""
        self.seated.append((house.id, match, player))

    def run(self, act):
        """Run a coroutine function on a pool, as the command line does."""
        return with_pool(self.database, act)


def record(name, scene):
    """Play the scene and write its rows and the answers about them."""
    folder = LOGS / name
    if folder.exists():
        sys.exit(f"{folder.name} was recorded before: a recorded log is never made again")
    logging.disable(logging.INFO)  # a line for each request
    made = Path(tempfile.mkdtemp(prefix="lurch-recorded-"))
    with new_database() as database, TestClient(create_app(database, Settings(webhook_private=True))) as client:
        stage = Stage(client, database)
        importlib.import_module(scene).play(stage)
        with psycopg.connect(database.url, autocommit=True) as connection:
            found = rows.taken(connection, stage.clubs)
            gave = {"states": answers.states(found), "ctn": answers.texts(database, found)}
            gave |= answers.ask(answers.Asker(client, database, found), stage.seated)
            if rows.taken(connection, stage.clubs) != found:
                sys.exit("events were added while questions were answered: end the scene by reading its tournaments")
    (made / "gave").mkdir()
    for table, own in found.items():
        rows.write_lines(made / f"{table}.jsonl.gz", own)
    for kind, own in gave.items():
        rows.write_lines(made / "gave" / f"{kind}.jsonl.gz", own)
    shutil.copytree(made, folder)
    shutil.rmtree(made)
    said = {kind: len(own) for kind, own in (found | gave).items()}
    print(f"{folder.name}: {json.dumps(said)}")  # noqa: T201  # a command of ours


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    record(*sys.argv[1:])
