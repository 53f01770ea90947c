"""The log as JSON: an object a line, libraries included, without a card that is hidden or a row that was not taken."""

import json
import re
import subprocess
import sys
from contextlib import contextmanager

import httpx
import psycopg
import pytest

from domain import codec
from domain.games import find
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import House
from tests.kit.service.process import serving

CARD = re.compile(r"\b[CDHS][2-9TJQKA]\b")
PIN = "2468"


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


@contextmanager
def refusing(database, condition):
    """A database that takes no event of this kind, as after a change by hand that went wrong."""
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        owner.execute(f"alter table events add constraint broken check ({condition}) not valid")
        try:
            yield
        finally:
            owner.execute("alter table events drop constraint broken")


def played(house, site, database):
    """A hand that is dealt and played, one that the database does not take, and what is refused."""
    with httpx.Client(base_url=site, headers=house.bearer("director")) as director:
        match = house.match("cross_game")
        deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
        answer = director.post(f"{match}/deals", json={"deal": deal})
        assert answer.status_code == 201, answer.text
        hands = director.get(match).json()["table"]["hands"]
        assert director.post(f"{match}/facts", json={"facts": [{"do": "card", "seat": 0, "card": "XX"}]}).is_error
        assert director.post(f"{match}/result", json={"pin": PIN, "side": 0}).is_error
        with refusing(database, "type <> 'DealStarted'"):
            other = house.match("cross_game")
            assert director.post(f"{other}/deals", json={"deal": deal}).status_code == 503
        assert any(hands), "there was something to tell"
        return deal


@pytest.mark.parametrize("form", ["json", "lines"])
def test_no_hidden_card_stands_in_the_log_of_an_evening(house, database, tmp_path, form):
    with serving(database, tmp_path, LURCH_LOG=form) as served:
        played(house, served.site, database)
        log = served.ended()[1]
    assert "violates check constraint" in log
    assert "DETAIL: left out" in log
    assert CARD.findall(log) == []
    assert PIN not in log
    assert not [token for token in house.tokens.values() if token in log]


def test_each_line_is_an_object_that_says_when_how_grave_and_what(house, database, tmp_path):
    with serving(database, tmp_path, LURCH_LOG="json") as served:
        played(house, served.site, database)
        lines = [json.loads(line) for line in served.ended()[1].splitlines() if line]
    found = next(each for each in lines if each["event"] == "the database did not answer")
    assert (found["level"], found["sqlstate"]) == ("warning", "23514")
    assert all({"event", "level", "timestamp"} <= {*each} for each in lines)


RAISING = """
import logging
import structlog
from service.run.logs import configure
configure(FORM)
try:
    raise ValueError("not taken\\nDETAIL:  Failing row contains (1, HA,\\n S9).\\nHINT:  look")
except ValueError:
    structlog.get_logger().exception("a view could not be kept")
    logging.getLogger("psycopg.pool").warning("a library says this", exc_info=True)
"""


@pytest.mark.parametrize("form", ["json", "lines"])
def test_a_traceback_tells_of_no_row(form):
    code = RAISING.replace("FORM", repr(form))
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stderr
    ours = said if form == "json" else said.partition("a library says this")[0]
    written = ours.replace('raise ValueError("not taken\\nDETAIL:  Failing row contains (1, HA,\\n S9)', "")
    assert "not taken" in written
    assert "look" in written
    assert CARD.findall(written) == []
    if form == "json":
        assert [json.loads(line)["event"] for line in said.splitlines()] == [
            "a view could not be kept",
            "a library says this",
        ]


def test_another_form_is_refused_with_what_there_is(database, tmp_path):
    with pytest.raises(TypeError), serving(database, tmp_path, LURCH_LOG="xml"):
        raise AssertionError("it has started")
