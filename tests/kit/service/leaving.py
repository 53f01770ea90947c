"""A club with somebody who leaves: sign-ins, events of people, and where a name still stands."""

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
    """The header of a browser on which a person has signed in."""
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
    """A member of this name; the id."""
    return house.done(f"{house.path}/players", {"name": name}, "owner")["id"]


def put(house, *news, stream=None, by=None):
    """Append events with their private parts to the club's stream, or another, as the service does; the version."""

    async def inside(pool):
        loaded = await Streams(pool).load(stream or house.id)
        behind = appending.Behind(house.id, loaded.stream, loaded.head)
        by_whom = by or By(None, "secretary")
        return await appending.append(pool, appending.batch_of(behind, news, by_whom, now(), new_id(), b"\0" * 32))

    return with_pool(house.database, inside).head.version


def said(event, **private):
    """An event with words beside it."""
    return New(event, private)


def path_of(house, player):
    """Where a person is erased."""
    return f"{house.path}/players/{player}/erasure"


def erase(house, player, *texts, whole=True, status=201, role="owner"):
    """Erase a person over the API; the answer."""
    body = {"reason": "asked", "texts": list(texts), "whole_names": whole}
    answer = house.post(path_of(house, player), body, role)
    assert answer.status_code == status, answer.text
    return answer.json()


def foreseen(house, player):
    """What erasing somebody would do."""
    answer = house.get(path_of(house, player), "owner")
    assert answer.status_code == 200, answer.text
    return answer.json()


def rows_with(database, text):
    """The rows of every table in which a text stands, in whichever column and capitals."""
    found = []
    with psycopg.connect(database.owner_url) as connection:
        for (table,) in connection.execute(TABLES).fetchall():
            rows = connection.execute(f"select t::text from {table} t where t::text ilike %s", [f"%{text}%"])
            found += [(table, row[0][:200]) for row in rows.fetchall()]
    return found


def wrong(house):
    """What `lurch verify` says of the club: what, kind of stream, versions."""
    found = with_pool(house.database, verifying.verify)
    return [(each.what, each.kind, each.first, each.last) for each in found.wrong if each.club == house.id]


def answers(house, client, matches=(), tournaments=(), cookie=None):
    """Everything that the service answers about a club, to a director, to the public and on pages, by address."""
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
    """A recorder as a process of its own has it."""
    return Recorder(Streams(pool))
