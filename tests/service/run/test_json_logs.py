"""The log as JSON: an object a line, libraries included, without a card that is hidden or a row that was not taken."""

import json
import re
import secrets
import subprocess
import sys
from contextlib import contextmanager
from types import SimpleNamespace

import httpx
import psycopg
import pytest
from litestar.testing import TestClient

from domain import codec
from domain.games import find
from service.run.app import create_app
from service.run.settings import SettingsError, load
from tests.kit.faults.processes import until
from tests.kit.match.tables import random_deal
from tests.kit.phones import link_for
from tests.kit.service.asking import NOWHERE, House
from tests.kit.service.process import serving

CARD = re.compile(r"\b[CDHS][2-9TJQKA]\b")
PIN = "246813"


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


@contextmanager
def refusing(database, condition):
    """Make the database reject events by a check constraint."""
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        owner.execute(f"alter table events add constraint broken check ({condition}) not valid")
        try:
            yield
        finally:
            owner.execute("alter table events drop constraint broken")


def recorded(house, served, database):
    """Deal a hand, send a PIN and a deal that the database rejects, and return the log of the stopped service."""
    with httpx.Client(base_url=served.url, headers=house.bearer("director"), timeout=60) as director:
        match = house.match("cross_game")
        deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
        answer = director.post(f"{match}/deals", json={"deal": deal})
        assert answer.status_code == 201, answer.text
        signed = director.post(f"{match}/confirmations", json={"deal": 1, "side": 0, "pin": PIN})
        assert signed.status_code in (403, 409), signed.text
        with refusing(database, "type <> 'DealStarted'"):
            refused = director.post(f"{house.match('cross_game')}/deals", json={"deal": deal})
            assert refused.status_code == 503
            assert CARD.findall(refused.text) == []
    served.stop()
    return served.said()


def came_in(house, served, database):
    """Sign in by a link and a table code, fail with a wrong token, create a webhook and describe a member.

    Return the secrets that were sent or received.
    """
    link, wrong, words = link_for(database, "Gerda", club=house.id), f"lurch_{secrets.token_urlsafe(32)}", "left-handed"
    with httpx.Client(base_url=served.url, headers={"Origin": served.url}, timeout=60) as guest:
        assert guest.get(f"/sign-in?link={link}").status_code == 200
        assert guest.post("/sign-in", data={"link": link}).status_code == 303
        assert guest.post("/sign-in", data={"link": link}).status_code in (403, 404, 410)
        cookie = guest.cookies.jar
        kept = [each.value for each in cookie if "lurch" in each.name]
    with httpx.Client(base_url=served.url, headers=house.bearer("owner"), timeout=60) as owner:
        door = owner.get(f"{house.match()}/door").json()
        webhook = owner.post(f"{house.path}/webhooks", json={"url": NOWHERE}).json()
        player = owner.post(f"{house.path}/players", json={"name": "Lena"}).json()["id"]
        described = owner.post(f"{house.path}/players/{player}/description", json={"note": words})
        assert described.is_success, described.text
    with httpx.Client(base_url=served.url, headers={"Origin": served.url}, timeout=60) as phone:
        assert phone.post("/t", data={"secret": door["secret"]}).status_code == 200
        assert phone.post("/t", data={"code": door["code"]}).status_code == 200
        assert phone.get(house.path, headers={"Authorization": f"Bearer {wrong}"}).status_code == 401
    return [link, wrong, words, *kept, door["secret"], door["code"], webhook["secret"], PIN, *house.tokens.values()]


@pytest.mark.parametrize("form", ["json", pytest.param("lines", marks=pytest.mark.extended)])
def test_the_log_of_an_evening_has_no_hidden_card_and_no_secret(house, database, tmp_path, form):
    with serving(database, tmp_path, LURCH_LOG=form, LURCH_WEBHOOK_PRIVATE="1") as served:
        told = came_in(house, served, database)
        log = recorded(house, served, database)
    assert "violates check constraint" in log
    assert "DETAIL: left out" in log.replace("\\n", "\n")
    assert CARD.findall(re.sub(r"link=[\w-]+", "link=", log)) == [], "a link may spell any card by chance"
    assert len(told) > 9
    assert [secret for secret in told if secret in log] == []
    assert ("/sign-in?link=" in log) == (form == "lines"), "the link is for someone who starts it by hand"
    if form == "json":
        are_objects([json.loads(line) for line in log.splitlines() if line], served)


def are_objects(lines, served):
    """Assert that each line has a time, a level and an event, and that errors and the address are among them."""
    found = next(each for each in lines if each["event"] == "the database did not answer")
    assert (found["level"], found["sqlstate"]) == ("warning", "23514")
    assert all({"event", "level", "timestamp"} <= {*each} for each in lines)
    assert served.url in [each.get("address") for each in lines]


RAISING = """
import asyncio
import gc
import logging
import structlog
from service.run.app import create_app
from service.run.database import Database
from service.run.logs import configure
from service.run.server import configured
configure(FORM)
configured(create_app(Database("postgresql://nobody@127.0.0.1:1/none", "")))  # both know of logging, too
logging.getLogger("httpx").info("HTTP Request: POST https://club.example/hook?key=of-the-receiver")
row = 'DETAIL:  Failing row contains (1, HA,' + chr(10) + 'Anna: S9).' + chr(10) + 'CONTEXT:  COPY events, line 1: D7'
try:
    try:
        raise ValueError('not taken' + chr(10) + row + chr(10) + 'HINT:  look')
    except ValueError as error:
        raise KeyError('behind it') from error
except KeyError:
    structlog.get_logger().exception("a view could not be kept")
    logging.getLogger("psycopg.pool").warning("a library says this", exc_info=True)
    logging.getLogger("uvicorn.error").error("the server says this", exc_info=True)
async def forgotten():
    raise ValueError('of a task' + chr(10) + row)
async def main():
    tasks = [asyncio.create_task(forgotten())]
    await asyncio.wait(tasks)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(forgotten())
    except ExceptionGroup:
        structlog.get_logger().exception("some could not be kept")
asyncio.run(main())  # nobody hears how the first task ended
gc.collect()
"""


@pytest.mark.parametrize("form", ["json", pytest.param("lines", marks=pytest.mark.extended)])
def test_a_traceback_has_everything_but_the_values_of_rows(form):
    code = RAISING.replace("FORM", repr(form))
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=150).stderr
    assert CARD.findall(said) == []
    assert "Anna" not in said
    told = ["a view could not be kept", "a library says this", "the server says this"]
    told += ["some could not be kept", "Task exception was never retrieved"]
    for kept in (*told, "ValueError: not taken", "ValueError: of a task", "HINT:  look", "KeyError: 'behind it'"):
        assert kept in said
    assert "direct cause" in said
    assert "of-the-receiver" not in said
    if form == "json":
        assert [json.loads(line)["event"].splitlines()[0] for line in said.splitlines()] == told


def test_another_form_is_refused_by_its_name():
    with pytest.raises(SettingsError, match="LURCH_LOG"):
        load({"LURCH_LOG": "xml"})


def test_a_background_task_that_fails_is_logged_immediately(database, monkeypatch):
    said = []

    async def broken(*_):
        raise KeyError("a fault of ours")

    monkeypatch.setattr("service.run.lifespan.count_silences", broken)
    monkeypatch.setattr("service.run.lifespan.LOGGER", SimpleNamespace(error=lambda text, **more: said.append(more)))
    with TestClient(create_app(database)):
        until(lambda: said)
    assert [(each["work"], type(each["exc_info"])) for each in said] == [(broken.__qualname__, KeyError)]


MIGRATING = """
from pathlib import Path
from types import SimpleNamespace
from service.run import before
from service.run.logs import configure
from service.run.settings import Settings
before.take_alone = lambda *_: (Path("/c/one.lurch"), SimpleNamespace(revision="0041"))
before.KeptCopies.made = lambda _: []
configure(FORM)
before.copy_before(Settings(backup_dir="/c", log=FORM), "postgresql://nobody@127.0.0.1:1/none")
"""


@pytest.mark.parametrize("form", ["json", "lines"])
def test_the_backup_before_a_migration_is_logged_in_the_same_form(form):
    code = MIGRATING.replace("FORM", repr(form))
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=150)
    assert said.stdout == ""
    assert "/c/one.lurch" in said.stderr
    assert "0041" in said.stderr
    assert (said.stderr.startswith("{") and json.loads(said.stderr)["level"] == "info") == (form == "json")


ALONE = """
import os, sys
import structlog
from service.run.logs import configure
configure(sys.argv[1])
reader, writer = os.pipe()
os.dup2(writer, 2)
os.close(reader)
os.close(writer)
for _ in range(1000):
    structlog.get_logger().warning("a word", error="x" * 100)
try:
    raise RuntimeError("a fault")
except RuntimeError:
    structlog.get_logger().exception("what is tried again")
print("goes on", flush=True)
"""


@pytest.mark.parametrize("form", ["lines", "json"])
def test_a_closed_log_stream_does_not_stop_the_process(form):
    done = subprocess.run([sys.executable, "-c", ALONE, form], capture_output=True, text=True, check=False, timeout=150)
    assert done.stdout == "goes on\n"
