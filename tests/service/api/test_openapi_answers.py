"""What the service answers fits the schema that the OpenAPI document has for it."""

import jsonschema_rs
import pytest

from tests.kit.service.asking import House

RACE = {"target": 100, "lurch": {"lines": ["2/3", 20], "win_points": [1, 2, 3]}}
CUP = {
    "name": "Cup",
    "stages": [{"format": {"kind": "swiss", "rounds": 3}, "game": "parity"}],
    "entries": [{"do": "enter", "players": [name]} for name in ("Ahti", "Bea", "Cleo", "Dora")],
}


@pytest.fixture(scope="module")
def fits(client):
    """A check of an answer against a part of the document."""
    document = client.get("/docs/openapi.json").json()

    def check(name, answer):
        whole = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        found = jsonschema_rs.validator_for({**whole, "$schema": "https://json-schema.org/draft/2020-12/schema"})
        assert [
            f"{'/'.join(map(str, each.instance_path))}: {each.message[:200]}" for each in found.iter_errors(answer)
        ] == []

    return check


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        yield found


def test_a_match_with_lurch_lines_fits(fits, house):
    fits("RecordedAnswer", house.done(f"{house.path}/matches", {"game": "parity", "sides": [["A"], ["B"]], **RACE}))


def test_standings_of_whole_and_broken_numbers_fit(fits, house):
    cup = house.done(f"{house.path}/tournaments", CUP, "director")
    fits("Directed", cup)
    path = f"/api/v1/tournaments/{cup['tournament']['id']}"
    fits("Directed", house.done(f"{path}/actions", {"actions": [{"do": "pair_round"}]}, "director"))
    fits("StandingsView", house.get(f"{path}/standings").json())


@pytest.mark.parametrize("what", ["players.csv", "players/{person}/export?format=ctn", "players/{person}/export"])
def test_a_file_has_the_content_type_of_the_document(client, house, what):
    person = house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"]
    kind = house.get(f"{house.path}/{what.format(person=person)}", "owner").headers["content-type"]
    assert kind.count("charset") <= 1
    path = f"/api/v1/clubs/{{club_id}}/{what.partition('?')[0].replace('{person}', '{player_id}')}"
    told = client.get("/docs/openapi.json").json()["paths"][path]["get"]["responses"]["200"]["content"]
    assert kind in told


def test_an_answer_that_lacks_a_member_does_not_fit(fits, house):
    made = house.done(f"{house.path}/matches", {"game": "parity", "sides": [["A"], ["B"]]})
    del made["match"]["sides"]
    with pytest.raises(AssertionError, match="sides"):
        fits("RecordedAnswer", made)
