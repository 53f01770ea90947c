"""Which club a command means, by name or id; and what is refused founds none and registers nobody."""

import json
from uuid import uuid4

import pytest

from service.cli import clerk
from service.desk.recording import Recorder
from service.store.ids import new_id
from service.store.streams import Streams
from tests.conftest import new_database, with_pool
from tests.service.cli.test_cli import NOTATION, fails, lurch

TOKEN = ("token", "create", "--role", "owner", "--name", "desk")


@pytest.fixture
def home():
    """An empty migrated database, and the settings that lead to it."""
    with new_database() as found:
        yield found, {"LURCH_DATABASE_URL": found.url, "LURCH_MIGRATE_URL": found.owner_url}


def clubs(home):
    return sorted(each.state.name for each in with_pool(home[0], lambda pool: Streams(pool).clubs()))


def founded(home, name):
    return with_pool(home[0], lambda pool: Recorder(Streams(pool)).found_club(name, False, clerk.CLERK))


def test_a_club_is_named_by_id_but_not_founded_by_one(home):
    _, where = home
    first, second = founded(home, "Twins"), founded(home, "Twins")
    assert "2 clubs called 'Twins': say which with --club, by name or id" in fails(
        2, *TOKEN, "--club", "Twins", **where
    )
    assert "by name or id" in fails(2, "import", NOTATION, "--club", "Twins", **where)
    assert lurch("import", NOTATION, "--club", second, **where)[0] == 0
    assert lurch("invite", "Dee", "--club", second, **where)[0] == 0
    assert lurch("erase", "Dee", "--club", second, "--yes", **where)[0] == 0
    assert lurch(*TOKEN, "--club", first, **where)[0] == 0
    rows = [json.loads(line) for line in lurch("token", "list", "--json", **where)[1].splitlines()]
    assert [row["club"] for row in rows] == [first]
    assert lurch("tournament", "list", "--club", first, **where)[0] == 0
    assert "no club with the id" in fails(2, "import", NOTATION, "--club", new_id(), **where)
    assert "no club with the id" in fails(2, *TOKEN, "--club", str(uuid4()).upper(), **where)
    assert clubs(home) == ["Twins", "Twins"]


def test_blank_names_found_no_club_and_surrounding_blanks_no_second(home):
    _, where = home
    for name in ("", "  "):
        assert "say what it is called" in fails(2, "import", NOTATION, "--club", name, **where)
    for name in ("Thursday club", " Thursday club", "Thursday club "):
        assert lurch(*TOKEN, "--club", name, **where)[0] == 0
    assert clubs(home) == ["Thursday club"]


NOWHERE = "01939f5e-0000-7000-8000-000000000000"
REFUSED = (
    ("player", "--player", "Annie"),
    ("scorer", "--match", NOWHERE),
    ("deputy", "--tournament", NOWHERE),
    ("deputy",),
    ("director", "--match", NOWHERE),
    ("director", "--tournament", NOWHERE),
)


def test_a_token_that_is_refused_founds_no_club(home):
    for role, *asked in REFUSED:
        fails(2, "token", "create", "--name", "x", "--club", "Thrusday club", "--role", role, *asked, **home[1])
        assert clubs(home) == [], role


def test_an_invitation_that_is_refused_registers_nobody(home):
    where = {**home[1], "LURCH_ADDRESS": "http://192.0.2.7"}
    founded(home, "Door club")
    assert "a secretary signs in over TLS only" in fails(2, "invite", "Dee", "--role", "secretary", **where)
    assert "Dee" not in lurch("members", "export", **where)[1]
    assert lurch("invite", "Dee", **where)[0] == 0
    assert "Dee" in lurch("members", "export", **where)[1]
