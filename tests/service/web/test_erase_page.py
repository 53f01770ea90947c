"""The page of an erasure says what goes and what stays, and does it for somebody who is sure."""

import re

import pytest

from domain.club import events as e
from domain.match.events import ResultDisputed
from tests.kit.service.asking import FORM, House, sign_in, squeezed
from tests.kit.service.leaving import put, registered, rows_with, said

RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}


@pytest.fixture(scope="module")
def owner(client, database):
    return sign_in(client, database)


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as made:
        yield made


def page_of(house, person):
    return f"/clubs/{house.id}/members/{person}/erase"


def test_a_member_is_erased_by_two_ticks_and_a_button(client, database, house, owner):
    person = registered(house, "Yolanda Frey")
    match = house.match(sides=[[{"id": person}], ["Zed"]])
    put(house, said(e.PlayerRenamed(person), name="Yolanda Frey-Oak"))
    house.done(f"{match}/results", RESULT)
    house.done(f"{match}/undo", {"reason": "<b>Yolanda Frey</b> was wrong"}, "director")
    house.done(f"{match}/results", RESULT)
    house.done(f"{match}/undo", {"reason": "Yolanda again"}, "director")
    page = page_of(house, person)
    shown = squeezed(client.get(page, headers=owner).text)
    assert "<h1>Erase <bdi>Yolanda Frey-Oak</bdi></h1>" in shown
    assert "The name, with 1 earlier one" in shown
    assert "1 match with all cards and results" in shown
    assert "&lt;b&gt;Yolanda Frey&lt;/b&gt; was wrong" in shown
    assert shown.count('name="strike.') == 2
    assert shown.count(" checked") == 1, "a part of a name is not ticked beforehand"
    stream = match.rpartition("/")[2]
    strikes = {f"strike.{stream}:{version}": "1" for version in (4, 6)}
    for missing in ({"reason": "asked"}, {"sure": "1"}, {"reason": "spite", "sure": "1"}):
        answer = client.post(page, data={**strikes, **missing}, headers={**FORM, **owner}, follow_redirects=False)
        assert (answer.status_code, 'role="alert"' in answer.text) == (400, True)
        assert answer.text.count(" checked") >= 2, "what was ticked is ticked still"
    sent = {**strikes, "reason": "asked", "sure": "1"}
    answer = client.post(page, data=sent, headers={**FORM, **owner}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, page)
    assert "This person was erased" in client.get(page, headers=owner).text
    assert rows_with(database, "Yolanda") == []
    assert "(name removed)" in client.get(f"/matches/{stream}", headers=owner).text


def test_an_open_dispute_replaces_the_erase_button_by_a_link(client, house, owner):
    person = registered(house, "Ansgar")
    match = house.match(sides=[[{"id": person}], ["Birte"]])
    house.done(f"{match}/results", RESULT)
    stream = match.rpartition("/")[2]
    put(house, said(ResultDisputed(1, 0)), stream=stream)
    shown = client.get(page_of(house, person), headers=owner).text
    assert f'href="/matches/{stream}"' in shown
    assert "Erase for good" not in shown
    sent = {"reason": "asked", "sure": "1"}
    answer = client.post(page_of(house, person), data=sent, headers={**FORM, **owner}, follow_redirects=False)
    told = re.search("(settle|close) it, then erase", answer.text)  # the steward may have opened its case by now
    assert (answer.status_code, bool(told)) == (400, True)
