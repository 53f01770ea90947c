"""Links of the OpenAPI document: from what creates or lists to what needs it, and each leads somewhere."""

import re

import pytest

from tests.kit.service.asking import NOWHERE, House

SIDES = (("Annie",), ("Benny",))
CUP = {
    "name": "Cup",
    "stages": [{"format": {"kind": "single"}, "game": "parity"}],
    "entries": [{"do": "enter", "players": [name]} for name in ("Ahti", "Bea")],
}
WITHOUT_FORKS = {"readFork"}  # there is one only when a push parts from the log: test_pushing.py has it
CHOSEN = {"readProjection": "tricks"}  # a word of the address that whoever asks chooses
DRAWN = {"readBracket", "readCrosstable", "readStandings", "readWhy", "readPace", "readReportFile", "readResultsTable"}
NOT_YET = {("announceTournament", name) for name in DRAWN}  # a stage begins when its first round is paired
ASKED_MORE = {"readEquity", "readRemedies", "previewMerge", "readRecord"}  # what they are asked about is a query
ASKED_MORE |= {"readReportFile"}  # there is none of a bracket


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        yield found


@pytest.fixture(scope="module")
def operations(document):
    """Path, method and operation by operationId."""
    return {
        operation["operationId"]: (path, method, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if isinstance(operation, dict)
    }


def links_of(operation):
    return {
        name: link
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        for name, link in answer.get("links", {}).items()
    }


def test_a_link_names_an_operation_and_every_id_of_its_address(operations):
    for path, _, operation in operations.values():
        for name, link in links_of(operation).items():
            assert link["operationId"] == name
            needed = set(re.findall(r"{(\w+)}", operations[name][0])) - ({"name"} if name in CHOSEN else set())
            assert set(link["parameters"]) == needed, name
            for parameter, expression in link["parameters"].items():
                from_address = expression == f"$request.path.{parameter}" and f"{{{parameter}}}" in path
                assert from_address or expression.startswith("$response.body#/"), (name, expression)


def test_every_address_with_an_id_is_led_to(operations):
    led = {name for _, _, operation in operations.values() for name in links_of(operation)}
    assert {name for name, (path, _, _) in operations.items() if "{" in path} == led


def resolved(expression, answer, address):
    """The value of a runtime expression; None where the answer has no such member."""
    if expression.startswith("$request.path."):
        return address[expression.removeprefix("$request.path.")]
    value = answer
    for step in expression.removeprefix("$response.body#/").split("/"):
        if isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else None
        else:
            value = (value or {}).get(step)
    return value


def follow(house, operations, name, answer, address):
    """Read all that the answer of an operation leads to: the names of what was there."""
    found = set()
    for target, link in links_of(operations[name][2]).items():
        path, method, _ = operations[target]
        if method == "get":
            values = {key: resolved(expression, answer, address) for key, expression in link["parameters"].items()}
            assert None not in values.values(), (name, target, values)
            address_of = path.format(name=CHOSEN.get(target), **values)
            answered = {house.get(address_of, role).status_code for role in ("director", "owner")}
            if (name, target) not in NOT_YET:
                assert 200 in answered or (target in ASKED_MORE and answered <= {400, 403, 409}), (
                    name,
                    target,
                    answered,
                )
                found.add(target)
    return found


def test_what_was_created_is_read_by_its_links(house, operations):
    found, club = set(), {"club_id": house.id}

    def made(name, body, role="director", **address):
        path = operations[name][0].format(**club, **address)
        answer = house.done(path, body, role)
        found.update(follow(house, operations, name, answer, club | address))
        return answer

    made("registerPlayer", {"name": "Nora"})
    match = made("openMatch", {"game": "parity", "sides": SIDES})["match"]["id"]
    cup = made("announceTournament", CUP)["tournament"]["id"]
    made("directTournament", {"actions": [{"do": "pair_round"}]}, tournament_id=cup)
    made("createToken", {"role": "scorer", "name": "desk"}, "owner")
    made("createWebhook", {"url": NOWHERE})
    made("callDirector", {"reason": "a revoke"}, match_id=match)
    made("callDirectorToFixture", {"fixture": "W1.1", "reason": "late"}, tournament_id=cup)
    for name in ("listMatches", "listPlayers", "listTournaments", "listWebhooks", "listCases", "readMe"):
        answer = house.get(operations[name][0].format(**club), "director").json()
        found |= follow(house, operations, name, answer, club)
    read = {name for name, (path, method, _) in operations.items() if method == "get" and "{" in path}
    assert read - WITHOUT_FORKS == found
