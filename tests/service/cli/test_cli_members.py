"""`lurch members`: the people of a club as a table, in and out."""

import json

import pytest
from click.testing import CliRunner

from service.cli import cli
from tests.kit.service.asking import House

TABLE = "name,visitor,ids\nAnnie,no,FIDE=150\nBennny,yes,\n"


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


@pytest.fixture
def lurch(database, house):
    def run(what, *words, status=0, given=None, club=house.id):
        environment = {"LURCH_DATABASE_URL": database.url}
        done = CliRunner().invoke(cli, ["members", what, "--club", club, *words], input=given, env=environment)
        assert done.exit_code == status, done.output
        return done.output

    return run


def names(house):
    return sorted(each["name"] for each in house.get(f"{house.path}/players").json()["items"])


def test_a_table_of_members_is_shown_then_taken_and_goes_out_again(house, lurch, tmp_path):
    house.done(f"{house.path}/players", {"name": "Benny King"}, "owner")
    file = tmp_path / "members.csv"
    file.write_text(TABLE)
    shown = lurch("import", str(file), "--preview")
    assert "new       Annie: a new member, FIDE 150" in shown
    assert "Bennny: a new visitor (near: Benny King)" in shown
    assert names(house) == ["Benny King"]
    taken = [json.loads(line) for line in lurch("import", str(file), "--json").splitlines() if line[:1] == "{"]
    assert [each["do"] for each in taken] == ["add", "add"]
    assert names(house) == ["Annie", "Bennny", "Benny King"]
    file.write_text(lurch("export"))
    assert lurch("import", str(file)).count("as it is") == 3


def test_a_table_with_a_fault_is_refused_in_one_line(house, lurch):
    refused = lurch("import", "-", given="name,rating\nAnna,x\n", status=2)
    assert "line 2, column 6: a rating is a number" in " ".join(refused.split())
    assert names(house) == []
    assert "cannot be opened" in lurch("import", "/nowhere.csv", status=3)


def test_a_club_that_is_not_there_is_not_founded(lurch):
    assert "no clubs called" in lurch("export", club="Nowhere", status=2)
