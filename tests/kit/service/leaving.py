"""Helpers for tests of erasure: sign-ins, events with private parts, erasures, and searches for a name."""

from datetime import UTC, datetime, timedelta

import psycopg

from domain.log.decider import New
from service.desk import verifying
from service.desk.recording import Recorder
from service.store import appending
from service.store.ids import new_id, now
from service.store.log import By
from service.store.streams import Streams
from service.store.tokens import digest
from tests.conftest import with_pool

TABLES = """select table_name from information_schema.tables
where table_schema = 'public' and table_type = 'BASE TABLE' order by 1"""
PAGES = ("", "/tournaments", "/ratings", "/season")


def signed_in(house, player, club=None):
    """Sign a person in on a new browser; return its cookie header."""
    secret = f"device {new_id()}"
    ends = datetime.now(UTC) + timedelta(days=1)
    house.log.execute(
        "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)"
        " values (%s, null, 'spectator', 'spectator', false, now(), %s)",
        [digest(secret), ends],
    )
    house.log.execute(
        "insert into sign_in_people (hash, club_id, player, created_at) values (%s, %s, %s, now())",
        [digest(secret), club or house.id, player],
    )
    return {"Cookie": f"lurch_sign_in={secret}"}


def registered(house, name):
    """Register a member; return the id."""
    return house.done(f"{house.path}/players", {"name": name}, "owner")["id"]


def put(house, *news, stream=None, by=None):
    """Append events with private parts to the club's stream or another; return its version."""

    async def inside(pool):
        loaded = await Streams(pool).load(stream or house.id)
        behind = appending.Behind(house.id, loaded.stream, loaded.head)
        by_whom = by or By(None, "secretary")
        return await appending.append(pool, appending.batch_of(behind, news, by_whom, now(), new_id(), b"\0" * 32))

    return with_pool(house.database, inside).head.version


def said(event, **private):
    """Return a new event with this private part."""
    return New(event, private)


def path_of(house, player):
    """Return the path of a person's erasure."""
    return f"{house.path}/players/{player}/erasure"


def erase(house, player, *texts, whole=True, status=201, role="owner"):
    """Erase a person over the API; return the answer."""
    body = {"reason": "asked", "texts": list(texts), "whole_names": whole}
    answer = house.post(path_of(house, player), body, role)
    assert answer.status_code == status, answer.text
    return answer.json()


def foreseen(house, player):
    """Return what erasing a person would do."""
    answer = house.get(path_of(house, player), "owner")
    assert answer.status_code == 200, answer.text
    return answer.json()


def rows_with(database, text):
    """Return the rows of all tables that contain a text in any column, whatever its case."""
    found = []
    with psycopg.connect(database.owner_url) as connection:
        for (table,) in connection.execute(TABLES).fetchall():
            rows = connection.execute(f"select t::text from {table} t where t::text ilike %s", [f"%{text}%"])
            found += [(table, row[0][:200]) for row in rows.fetchall()]
    return found


def wrong(house):
    """Return the findings of verification for the club as (what, kind of stream, first, last)."""
    found = with_pool(house.database, verifying.verify)
    return [(each.what, each.kind, each.first, each.last) for each in found.wrong if each.club == house.id]


def answers(house, client, matches=(), tournaments=(), cookie=None):
    """Return the answers about a club by address, from the API and from pages, signed in and not."""
    club = house.path
    asked = [f"{club}{end}" for end in ("", "/players", "/matches", "/tournaments", "/events", "/ratings", "/seasons")]
    for match in matches:
        asked += [f"/api/v1/matches/{match}", f"/api/v1/matches/{match}/events"]
    for cup in tournaments:
        own = f"/api/v1/tournaments/{cup}"
        asked += [own, f"{own}/events", f"{own}/archive", f"{own}/entries.csv", f"{own}/results.csv", f"{own}/trf"]
    pages = [f"/clubs/{house.id}{end}" for end in PAGES]
    pages += [f"/matches/{match}{end}" for match in matches for end in ("", "/replay", "/result")]
    ends = ("", "/standings", "/entries", "/bracket", "/director", "/log", "/show")
    pages += [f"/tournaments/{cup}{end}" for cup in tournaments for end in ends]
    found = {}
    for path in asked:
        for role in ("owner", None):
            answer = client.get(path, headers=house.bearer(role))
            found[path, role] = answer.text
    for path in pages:
        for sent in (cookie or {}, {}):
            found[path, bool(sent)] = client.get(path, headers=sent).text
            client.cookies.clear()
    return found


def recorder(pool):
    """Return a recorder with streams of its own, as in another process."""
    return Recorder(Streams(pool))
