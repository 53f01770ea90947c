"""Erasing a person: names and words go out of every table, list and answer, and what is left can still be proven."""

import asyncio
import subprocess
import sys

import pytest
from litestar.testing import TestClient

from domain.club import events as e
from domain.match.events import ResultDisputed
from domain.tournament.events import OutcomeDisputed
from service.desk import erasing
from service.desk.requests import own_request
from service.run.app import create_app
from service.run.pool import make_pool
from service.store.ids import new_id
from service.store.log import By
from tests.conftest import with_pool
from tests.kit.faults.processes import until
from tests.kit.service.asking import House
from tests.kit.service.club_evenings import Evening
from tests.kit.service.leaving import (
    erase,
    foreseen,
    path_of,
    put,
    recorder,
    registered,
    rows_with,
    said,
    wrong,
)

RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}
OTHER = {"parity": "odd", "tricks": [8, 7]}
STAGES = [{"format": {"kind": "single"}, "game": "parity"}]


@pytest.fixture
def house(client, database):
    with House(client, database, True) as made:
        yield made


def with_match(house, *people, result=True):
    """A match between these people, with a result; its id."""
    path = house.match(sides=[[{"id": each}] for each in people])
    if result:
        house.done(f"{path}/results", RESULT)
    return path.rpartition("/")[2]


def corrected(house, match, reason, role="director", **device):
    """A correction with a reason; its version."""
    path = f"/api/v1/matches/{match}"
    version = house.get(path).json()["deals"][-1]["entry_version"]
    body = {"version": version, "now": OTHER, "reason": reason}
    assert house.post(f"{path}/corrections", body, role, **device).status_code == 201
    return version + 1


def test_other_words_of_a_text_survive_two_erasures(house, database):
    ann, ben, cleo = (registered(house, each) for each in ("Ottavia Tarn", "Bartolo Venn", "Cleo"))
    match = with_match(house, cleo, registered(house, "Dag"))
    put(house, said(e.PlayerDescribed(cleo), note="cousin of Ottavia Tarn and Bartolo Venn", ids={"FIDE": "12"}))
    corrected(house, match, "Ottavia Tarn and Bartolo Venn agree")
    erase(house, ann)
    assert "(name removed) and Bartolo Venn agree" in house.get(f"/api/v1/matches/{match}/events", "director").text
    erase(house, ben)
    assert rows_with(database, "Ottavia") + rows_with(database, "Bartolo") == []
    assert "(name removed) and (name removed) agree" in house.get(f"/api/v1/matches/{match}/events", "director").text
    known = with_pool(database, lambda pool: recorder(pool).club(house.id)).state.players[cleo]
    assert (known.note, known.ids) == ("cousin of (name removed) and (name removed)", {"FIDE": "12"})
    running = house.client.app.state.services.streams.kept(house.id).state.players[cleo]
    assert running == known
    assert wrong(house) == []


def test_a_text_that_is_not_ticked_is_left_as_it_is(house):
    person = registered(house, "Odalys Fenn")
    match = with_match(house, registered(house, "Eva"), registered(house, "Finn"))
    corrected(house, match, "Odalys Fenn saw it")
    erase(house, person, whole=False)
    assert "Odalys Fenn saw it" in house.get(f"/api/v1/matches/{match}/events", "director").text
    assert wrong(house) == []


def test_texts_on_hidden_hands_are_erased_without_being_shown(house):
    person = registered(house, "Solveig Rask")
    path = house.match("cross_game", sides=[[{"id": person}], ["Tor"]])
    house.done(f"{path}/deals", {"dealer": 1})
    facts = [{"seat": 0, "do": "bid", "bid": 1}, {"seat": 1, "do": "pass"}]
    facts += [{"seat": 0, "do": "play", "card": "H9"}, {"seat": 1, "do": "play", "card": "HA"}]
    house.done(f"{path}/facts", {"facts": [*facts, {"seat": 1, "do": "draw", "card": "SA"}]})
    correction = {"version": 7, "now": {"seat": 1, "do": "draw", "card": "SK"}}
    house.done(f"{path}/corrections", {**correction, "reason": "Solveig Rask saw the king"}, "director")
    (text,) = foreseen(house, person)["texts"]
    assert (text["words"], text["whole"]) == ("(words on a deal whose hands are hidden still)", True)
    erase(house, person)
    assert "(name removed) saw the king" in house.get(f"{path}/events", "director").text
    assert wrong(house) == []


def test_erasure_covers_merged_ids_and_a_returning_person_gets_a_new_one(house, database):
    one, two = registered(house, "Gwendolyn Ash"), registered(house, "Gwen Ashby")
    put(house, said(e.PlayersMerged(one, two)))
    erase(house, two)
    assert rows_with(database, "Gwen") == []
    shown = {each["id"]: each["name"] for each in house.get(f"{house.path}/players").json()["items"]}
    assert (shown[one], shown[two]) == (None, None)
    again = house.get(house.match(sides=[["Gwendolyn Ash"], ["Hal"]])).json()["sides"][0]["players"][0]
    assert again not in (one, two)
    body = {"game": "parity", "sides": [[{"id": one}], ["Hal"]]}
    house.refused("POST", f"{house.path}/matches", body, 400, "malformed", "director")


def test_an_open_dispute_blocks_erasure_until_it_is_settled(house):
    person, other = registered(house, "Ingeborg Lund"), registered(house, "Jan")
    match = with_match(house, person, other)
    version = put(house, said(ResultDisputed(1, 1), note="recount"), stream=match)
    problem = house.refused("POST", path_of(house, person), {"reason": "asked"}, 409, "misfit", "owner")
    assert "settle it, then erase" in problem["detail"]
    assert foreseen(house, person)["disputed"] == [{"stream": match, "kind": "match"}]
    house.done(f"/api/v1/matches/{match}/settlements", {"version": version, "how": "upheld"}, "director")
    entries = [{"do": "enter", "players": [{"id": each}]} for each in (person, other)]
    cup = Evening(house, STAGES, entries=entries)
    cup.act({"do": "pair_round"})
    fixture = cup.open()[0]["fixture"]
    cup.act({"do": "report", "fixture": fixture, "score": [100, 4]})
    put(house, said(OutcomeDisputed(0, fixture)), stream=cup.id)
    house.refused("POST", path_of(house, person), {"reason": "asked"}, 409, "misfit", "owner")
    cup.act({"do": "uphold", "fixture": fixture})
    erase(house, person)


def test_erasing_again_and_two_at_once_change_nothing_more(house, database):
    person = registered(house, "Katinka Moor")
    with_match(house, person, registered(house, "Liv"))

    async def both(pool):
        by = By(None, "owner")
        return await asyncio.gather(
            *(erasing.erase(recorder(pool), house.id, person, "law", (), own_request(by)) for _ in range(3))
        )

    assert sorted(with_pool(database, both)) == [0, 0, 1]
    assert erase(house, person, status=200)["rows"] == 0
    listed = "select count(*) from events where club_id = %s and type = 'PersonErased'"
    assert house.log.execute(listed, [house.id]).fetchone() == (1,)
    assert wrong(house) == []


def test_the_same_request_sent_twice_erases_once(house):
    person = registered(house, "Maren Voss")
    body, key = {"reason": "law"}, {"Idempotency-Key": new_id()}
    first, second = (house.post(path_of(house, person), body, "owner", **key) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)


def test_more_rows_than_an_event_holds_are_listed_in_parts(house, monkeypatch):
    monkeypatch.setattr("domain.club.erasure.MOST_ROWS", 2)
    person = registered(house, "Nerys Pole")
    for number in range(4):
        put(house, said(e.PlayerRenamed(person), name=f"Nerys Pole {number}"))
    assert erase(house, person)["rows"] == 5
    rows = (
        "select (data::jsonb ->> 'part')::int from events where club_id = %s and type = 'PersonErased' order by version"
    )
    assert [row[0] for row in house.log.execute(rows, [house.id])] == [1, 2, 3]
    assert wrong(house) == []


def test_names_vanish_while_the_match_is_on_and_the_match_goes_on(house):
    person = registered(house, "Ottoline Rush")
    match = with_match(house, person, registered(house, "Per"))
    erase(house, person)
    house.done(f"/api/v1/matches/{match}/results", RESULT)
    view = house.get(f"/api/v1/matches/{match}").json()
    assert view["sides"][0] == {**view["sides"][0], "names": [None], "players": [person]}


KILLED = """
import asyncio, os, signal, sys
from service.desk import erasing
from service.desk.requests import own_request
from service.run.pool import make_pool
from service.store.log import By
from tests.kit.service.leaving import recorder

async def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

async def main(url, club, person):
    async with make_pool(url, 2) as pool:
        erasing.finished = killed
        await erasing.erase(recorder(pool), club, person, "asked", (), own_request(By(None, "owner")))

asyncio.run(main(*sys.argv[1:]))
"""


def test_an_erasure_cut_off_by_a_kill_is_finished_at_start_up(house, database):
    person = registered(house, "Philippa Crane")
    command = [sys.executable, "-c", KILLED, database.url, house.id, person]
    assert subprocess.run(command, check=False, timeout=150).returncode == -9
    assert wrong(house) == [("unfinished", "club", 2, 2)]
    assert rows_with(database, "Philippa")
    with TestClient(create_app(database)) as again:
        until(lambda: not rows_with(database, "Philippa"))
        assert again.get(f"{house.path}/players").json()["items"][0]["name"] is None
    assert wrong(house) == []


def test_another_process_that_runs_beside_answers_without_the_name_too(house, database):
    person = registered(house, "Quirina Sall")
    match = with_match(house, registered(house, "Rolf"), registered(house, "Sia"))
    corrected(house, match, "Quirina Sall said so")
    with TestClient(create_app(database)) as beside:
        events = f"/api/v1/matches/{match}/events"
        assert "Quirina" in beside.get(events, headers=house.bearer("director")).text
        assert "Quirina" in beside.get(f"{house.path}/players").text
        erase(house, person)
        assert "Quirina" not in beside.get(events, headers=house.bearer("director")).text
        assert "Quirina" not in beside.get(f"{house.path}/players").text


def test_who_may_not_erase_is_told_so_and_nothing_is_recorded(house):
    person = registered(house, "Tove")
    for role in ("spectator", "player", "scorer", "director"):
        house.refused("POST", path_of(house, person), {"reason": "asked"}, 403, "forbidden", role)
        house.refused("GET", path_of(house, person), None, 403, "forbidden", role)
    house.refused("POST", path_of(house, new_id()), {"reason": "asked"}, 404, "not-found", "owner")
    house.refused("POST", path_of(house, person), {"reason": "spite"}, 400, "malformed", "owner")
    erase(house, person, role="secretary")


def test_the_last_secretary_is_erased_by_the_owner_only(house):
    person = registered(house, "Ulla")
    put(house, said(e.RoleGranted("secretary", person)))
    house.refused("POST", path_of(house, person), {"reason": "asked"}, 403, "forbidden", "secretary")
    erase(house, person)


def test_the_rows_of_an_erasure_are_told_to_nobody(house):
    person = registered(house, "Vigdis")
    erase(house, person)
    for role in ("owner", "director", None):
        last = house.get(f"{house.path}/events", role).text.splitlines()[-1]
        assert '"rows":[]' in last
        assert '"data.rows"' in last
        assert '"hash"' not in last


def test_concurrent_starts_finish_the_same_erasures_without_errors(house, database):
    person = registered(house, "Quentin Quill")
    match = with_match(house, person, registered(house, "Quill's opponent"))
    corrected(house, match, "Quentin Quill miscounted")
    erase(house, person, "all")
    assert house.log.execute("select count(*) from remains where club_id = %s", [house.id]).fetchone()[0]

    async def at_once():
        async with make_pool(database.url, 4) as pool:
            for _ in range(10):
                await asyncio.gather(*(erasing.finish_all(pool) for _ in range(4)))

    asyncio.run(at_once())
