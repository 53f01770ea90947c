"""Erasing a person: names and words go out of every table, list and answer, and what is left can still be proven."""

import json
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from litestar.testing import TestClient

from service.desk import verifying
from service.run.app import create_app
from service.store.tokens import digest
from tests.conftest import with_pool
from tests.kit.service.asking import House

NAME = "Zenobia Quill"
RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}
TABLES = """select table_name from information_schema.tables
where table_schema = 'public' and table_type = 'BASE TABLE' order by 1"""


def signed_in(house, player):
    """The cookie of a browser on which a person has signed in."""
    secret = f"device of {player}"
    ends = datetime.now(UTC) + timedelta(days=1)
    house.log.execute(
        "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)"
        " values (%s, null, 'spectator', 'spectator', false, now(), %s)",
        [digest(secret), ends],
    )
    house.log.execute(
        "insert into sign_in_people (hash, club_id, player, created_at) values (%s, %s, %s, now())",
        [digest(secret), house.id, player],
    )
    return {"Cookie": f"lurch_sign_in={secret}"}


def registered(house, name):
    return house.done(f"{house.path}/players", {"name": name}, "owner")["id"]


def erasure(house, player):
    return f"{house.path}/players/{player}/erasure"


def erase(house, player, texts=(), whole=True, status=201):
    body = {"reason": "asked", "texts": list(texts), "whole_names": whole}
    answer = house.post(erasure(house, player), body, "owner")
    assert answer.status_code == status, answer.text
    return answer.json()


def where(database, text):
    """The tables in which a text stands, in whichever column and capitals."""
    found = []
    with psycopg.connect(database.owner_url) as connection:
        for (table,) in connection.execute(TABLES).fetchall():
            rows = connection.execute(f"select t::text from {table} t where t::text ilike %s", [f"%{text}%"])
            found += [(table, row[0][:200]) for row in rows.fetchall()]
    return found


@pytest.fixture
def house(client, database):
    with House(client, database, True) as made:
        yield made


def test_it_goes(house, database):
    zen, other = registered(house, NAME), registered(house, "Benny")
    match = house.match(sides=[[{"id": zen}], [{"id": other}]])
    house.done(f"{match}/results", RESULT)
    house.done(f"{match}/corrections", {"version": 3, "now": {"parity": "odd", "tricks": [8, 7]}, "reason": f"{NAME} said so"}, "director")
    seen = house.get(erasure(house, zen), "owner")
    assert seen.status_code == 200, seen.text
    print(json.dumps(seen.json(), indent=1))
    print(erase(house, zen))
    assert where(database, "Zenobia") == []
    found = with_pool(database, verifying.verify)
    assert not [each for each in found.wrong if each.club == house.id]
    print(house.get(f"{match}/events", "director").text)
