"""Merges while others play: who sits down together at the same moment is never one person afterwards."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from domain.club.commands import MergePlayers
from domain.match.commands import OpenMatch, StartDeal
from service.desk import merging
from service.desk.recording import Recorder
from service.desk.requests import KnownPerson, own_request
from service.store.kinds import CLUB
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.service.api.test_merging import SECRETARY, house, ids_of, merge, person, refused
from tests.service.api.test_standings import match, read

__all__ = ("house",)
SERVICE = By(None, "owner")


@pytest.fixture
def once(monkeypatch):
    """Have something happen right after a step, the first time that the step is made."""

    def after(owner, name, act):
        real, happened = getattr(owner, name), []

        async def step(*given, **named):
            found = await real(*given, **named)
            if not happened:
                happened.append(True)
                await act(*given)
            return found

        monkeypatch.setattr(owner, name, step)

    return after


def two(house):
    return person(house, "Annie"), person(house, "Anny")


def test_opening_their_match_during_a_merge_prevents_the_merge(house, once):
    one, other = two(house)

    async def open_one(services, *_):
        sides = ((KnownPerson(one),), (KnownPerson(other),))
        command = OpenMatch(game="parity", options={}, race={}, sides=())
        await services.recorder.open_match(house.id, command, sides, own_request(SERVICE))

    once(merging, "meetings", open_one)
    answer = house.post(f"{house.path}/players/{one}/merge", {"other": other}, SECRETARY)
    assert (answer.status_code, answer.json()["detail"][:27]) == (409, "these two sat in one match,")
    assert [row["counts_for"] for row in read(house, "/players")["items"]] == [None, None]


def test_a_match_between_merged_people_is_void(house, once):
    one, other = two(house)

    async def merge_them(recorder, *_):
        await recorder.on_stream(house.id, CLUB, MergePlayers(one, other), own_request(SERVICE))

    once(Recorder, "players", merge_them)
    body = {"game": "parity", "sides": [[{"id": one}], [{"id": other}]]}
    answer = house.post(f"{house.path}/matches", body)
    assert (answer.status_code, "two chairs" in answer.json()["detail"]) == (400, True)
    (row,) = read(house, "/matches")["items"]
    assert row["status"] == "void"
    house.done(f"{house.path}/players/{one}/part", {"other": other}, SECRETARY)
    merge(house, one, other)  # nothing was played there: it is no meeting


def test_play_goes_on_while_people_are_merged(house, once):
    one, other = two(house)
    path = house.match(sides=[["Cleo"], ["Dag"]])
    seen = []

    async def deal(services, *_):
        await services.recorder.match(path.rpartition("/")[2], StartDeal(dealer=0), own_request(SERVICE))
        seen.append(True)

    once(merging, "meetings", deal)
    assert merge(house, one, other)["ids"] == [one, other]
    assert seen


def test_who_is_merged_into_one_of_them_meanwhile_brings_a_meeting_along(house, once):
    match(house, ["Annie"], ["Benny"])
    ids = ids_of(house)
    other = person(house, "Anny")

    async def bring_benny(services, *_):
        await services.recorder.on_stream(house.id, CLUB, MergePlayers(other, ids["Benny"]), own_request(SERVICE))

    once(merging, "meetings", bring_benny)
    answer = house.post(f"{house.path}/players/{ids['Annie']}/merge", {"other": other}, SECRETARY)
    assert (answer.status_code, answer.json()["detail"][:27]) == (409, "these two sat in one match,")


def test_of_two_secretaries_who_merge_crosswise_at_once_one_is_told(house, once):
    one, other = two(house)

    async def crosswise(services, *_):
        await services.recorder.on_stream(house.id, CLUB, MergePlayers(other, one), own_request(SERVICE))

    once(merging, "meetings", crosswise)
    answer = house.post(f"{house.path}/players/{one}/merge", {"other": other}, SECRETARY)
    assert (answer.status_code, answer.json()["detail"][:34]) == (409, "these two are one person already: l"[:34])
    rows = {row["id"]: row["counts_for"] for row in read(house, "/players")["items"]}
    assert rows == {one: other, other: None}


def test_a_simultaneous_merge_and_match_never_both_succeed(house):
    with ThreadPoolExecutor(2) as threads:
        for number in range(12):
            names = f"one {number}", f"other {number}"
            one, other = (person(house, name) for name in names)
            body = {"game": "parity", "sides": [[names[0]], [names[1]]]}
            opened = threads.submit(house.post, f"{house.path}/matches", body)
            merged = threads.submit(house.post, f"{house.path}/players/{one}/merge", {"other": other}, SECRETARY)
            answers = {opened.result().status_code, merged.result().status_code}
            assert answers in ({201, 409}, {400, 201}), (opened.result().text, merged.result().text)


def test_a_merge_that_should_not_be_there_confuses_no_figure(house):
    match(house, ["Annie"], ["Benny"])
    match(house, ["Annie"], ["Cleo"])
    ids = ids_of(house)
    refused(house, ids["Annie"], ids["Benny"])

    async def forced(pool):
        command = MergePlayers(ids["Annie"], ids["Benny"])
        await Recorder(Streams(pool)).on_stream(house.id, CLUB, command, own_request(SERVICE))

    with_pool(house.database, forced)
    rows = {row["names"][0]: row["matches"] for row in read(house, "/ratings", game="parity")["rows"]}
    assert rows == {"Annie": 1, "Cleo": 1}, "a match of a person against himself rates nobody"
