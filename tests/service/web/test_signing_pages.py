"""Signatures on the table's page: whose they are, by which phone; names put right; a director who plays there."""

import re

import pytest

from tests.kit.service.asking import House, squeezed
from tests.kit.service.people import FORM as HEADERS
from tests.kit.service.people import Phone, granted
from tests.recorded.scenes_signatures import FORM, people


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as made:
        yield made


@pytest.fixture
def table(house):
    return Table(house)


class Table:
    """A match of two members, with its page."""

    def __init__(self, house, **more):
        self.house, (self.ann, self.ben) = house, people(house, 2)
        self.api = house.match(sides=[[{"id": self.ann}], [{"id": self.ben}]], **more)
        self.id, self.path = self.api.rpartition("/")[2], self.api.removeprefix("/api/v1")

    def signed(self, deal=0):
        """Who signed a deal, and how strongly, by side."""
        return {each["side"]: (each["person"], each["strength"]) for each in self.deals()[deal]["signatures"]}

    def deals(self):
        return self.house.get(self.api).json()["deals"]

    def seat(self, name=None):
        return Phone(self.house, match=self.id, name=name)


def test_two_own_phones_confirm_and_the_page_says_so(table):
    Phone(table.house, table.ann).does(f"{table.path}/result", **FORM)
    benny = Phone(table.house, table.ben)
    assert "confirms" in benny.page(table.path)
    benny.does(f"{table.path}/confirm", deal=1, side=1)
    assert table.signed() == {0: (table.ann, "own device"), 1: (table.ben, "own device")}
    assert squeezed(benny.page(table.path)).count("confirmed on their own phone") == 2


def test_one_tablet_signs_for_the_second_name_as_the_scorer(table):
    tablet = table.seat(table.ann)
    tablet.does(f"{table.path}/result", **FORM)
    tablet.sits(table.id, table.ben)
    tablet.house.client.app.state.services.forget()
    tablet.does(f"{table.path}/confirm", deal=1, side=1)
    assert table.signed() == {0: (table.ann, "table"), 1: (None, "scorer")}
    assert "the scorer confirmed for" in tablet.page(table.path).casefold()


def test_whoever_keeps_the_score_confirms_for_both_and_says_so_before(table):
    tablet = table.seat()
    tablet.does(f"{table.path}/result", **FORM)
    assert squeezed(tablet.page(table.path)).count("through the scorer") == 2
    for side in (0, 1):
        tablet.does(f"{table.path}/confirm", deal=1, side=side)
    assert table.signed() == {0: (None, "scorer"), 1: (None, "scorer")}
    assert table.deals()[0]["status"] == "confirmed"


def test_a_name_tapped_records_no_cards_and_confirms_for_nobody_else(table):
    phone = table.seat(table.ann)
    page = squeezed(phone.page(table.path))
    assert page.count("Enter result") == 1
    assert "Deal card by card" not in page
    assert phone.post(f"{table.path}/deals").status_code == 403
    phone.does(f"{table.path}/result", **FORM)
    assert phone.post(f"{table.path}/confirm", deal=1, side=1).status_code == 403


def test_names_tapped_crosswise_change_places_in_two_taps(table):
    first, second = table.seat(table.ben), table.seat(table.ann)
    first.does(f"{table.path}/result", **FORM)
    page = squeezed(first.page(table.path))
    assert "Is that wrong?" in page
    assert f'name="player" value="{table.ann}"' in page
    first.does(f"{table.path}/names", player=table.ann)
    assert table.signed() == {0: (table.ann, "table")}
    second.does(f"{table.path}/confirm", deal=1, side=1)
    assert table.signed()[1] == (table.ben, "table")


def test_nobody_puts_names_right_but_whoever_tapped_one(table):
    for phone in (Phone(table.house, table.ann), table.seat()):
        assert phone.post(f"{table.path}/names", player=table.ben).status_code == 403
    assert table.seat(table.ann).post(f"{table.path}/names", player="nobody").status_code == 400


def test_a_pin_is_asked_for_where_somebody_else_holds_the_phone(table):
    phone = Phone(table.house, table.ann)
    phone.does(f"{table.path}/result", **FORM)
    page = squeezed(phone.page(table.path))
    assert page.count("confirms by PIN<") == 1
    assert 'name="pin"' in page
    assert phone.post(f"{table.path}/confirm", deal=1, side=1, pin="1234").status_code != 303
    assert set(table.signed()) == {0}


def disputed(table):
    """A director plays, and the other side disputes."""
    granted(table.house, table.ann, "director")
    director, benny = Phone(table.house, table.ann), Phone(table.house, table.ben)
    director.does(f"{table.path}/result", **FORM)
    benny.does(f"{table.path}/dispute", deal=1, side=1, reason="it was ten")
    version = table.house.get(table.api).json()["disputes"][0]["version"]
    return director, benny, {"dispute": version, "how": "upheld"}


def test_a_playing_director_reads_why_an_action_is_missing(table):
    director, _, settle = disputed(table)
    page = squeezed(director.page(table.path))
    assert "You play at this table" in page
    assert "The result stands" not in page
    answer = director.post(f"{table.path}/settle", **settle)
    assert answer.status_code == 403
    assert "ask another director" in answer.text


def test_the_other_side_agrees_on_the_own_phone_and_it_is_marked(table):
    director, benny, settle = disputed(table)
    assert "may decide on" in squeezed(benny.page(table.path))
    benny.does(f"{table.path}/consents", deal=1, ruler=table.ann)
    assert "The result stands" in squeezed(director.page(table.path))
    director.does(f"{table.path}/settle", **settle)
    assert table.deals()[0]["own_table"]
    assert "own table" in director.page(table.path)


def test_nobody_is_asked_to_agree_while_another_director_is_here(table):
    (carla,) = people(table.house, 1)
    granted(table.house, carla, "director")
    Phone(table.house, carla)
    _, benny, _ = disputed(table)
    assert "may decide on" not in squeezed(benny.page(table.path))
    assert benny.post(f"{table.path}/consents", deal=1, ruler=table.ann).status_code == 403


def test_the_api_says_that_a_director_is_recused(table):
    disputed(table)
    token = table.house.token("director", player=table.ben)
    body = {"how": "upheld"}
    table.house.refused("POST", f"{table.api}/settlements", body, 403, "recused", token)


@pytest.mark.parametrize("ruler", ["Dee Doe plays foul", "00000000-0000-0000-0000-000000000001"])
def test_agreement_is_to_a_person_of_the_club_and_to_no_words(table, ruler):
    _, benny, _ = disputed(table)
    before = table.house.position()
    assert benny.post(f"{table.path}/consents", deal=1, ruler=ruler).status_code == 400
    assert table.house.position() == before


@pytest.mark.parametrize("named", ["who counts", "who was entered", None])
def test_who_counts_for_a_player_by_now_signs_by_pin(table, named):
    people_of = f"{table.house.path}/players"
    first = table.house.done(people_of, {"name": "Annie A.", "another": True}, "owner")["id"]
    table.house.done(f"{people_of}/{first}/merge", {"other": table.ann}, "owner")
    Phone(table.house, first).does("/me", do="pin", club=table.house.id, pin="97531")
    tablet = table.seat()
    tablet.does(f"{table.path}/result", **FORM)
    person = {"who counts": {"person": first}, "who was entered": {"person": table.ann}, None: {}}[named]
    tablet.does(f"{table.path}/confirm", deal=1, side=0, pin="97531", **person)
    assert [(side, how) for side, (_, how) in table.signed().items()] == [(0, "pin")]


def test_a_pin_signature_key_is_not_reusable_for_another_match(table):
    house = table.house
    other = house.match(sides=[[{"id": table.ann}], [{"id": table.ben}]]).rpartition("/")[2]
    Phone(house, table.ann).does("/me", do="pin", club=house.id, pin="97531")
    tablet, answers = table.seat(), []
    tablet.sits(other)
    for match in (table.id, other):
        tablet.does(f"/matches/{match}/result", **FORM)
        headers, form = (
            {**HEADERS, **tablet.header, "Idempotency-Key": "deal 1"},
            {"deal": 1, "side": 0, "pin": "97531"},
        )
        answers.append(
            house.client.post(f"/matches/{match}/confirm", data=form, headers=headers, follow_redirects=False)
        )
    assert [each.status_code for each in answers] == [303, 422]


def test_a_pin_that_came_too_late_stands_on_no_page(table):
    Phone(table.house, table.ann).does("/me", do="pin", club=table.house.id, pin="97531")
    tablet = table.seat()
    tablet.does(f"{table.path}/result", **FORM)
    answer = tablet.post(f"{table.path}/confirm", deal=1, side=0, pin="97531", version=1)
    assert answer.status_code == 409
    assert "Yours was not recorded" in answer.text
    assert "97531" not in re.sub(r"[0-9a-f]{8}[0-9a-f-]*", "", answer.text), "ids may spell it by chance"
