"""The own hand on a shared device, after the PIN: once, to its player, and to nobody who comes after."""

import re

import anyio
import pytest

from domain import codec
from domain.cards.card import cards_in
from domain.games import find
from service.desk import own_hand as desk
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import House, first_of_stream, squeezed
from tests.kit.service.people import Phone, granted
from tests.service.api.test_secrets_http import named_in

PINS = ("2468", "13579")
OFFERED = "Show my hand"


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def table(house):
    return Table(house).dealt()


class Table:
    """A match of two members who have PINs, and the tablet that keeps the score there."""

    def __init__(self, house, game="cross_game"):
        self.house, self.game = house, game
        people = f"{house.path}/players"
        self.ann, self.ben = (
            house.done(people, {"name": name, "another": True}, "owner")["id"] for name in ("Annie", "Benny")
        )
        self.api = house.match(game, sides=[[{"id": self.ann}], [{"id": self.ben}]])
        self.id, self.path = self.api.rpartition("/")[2], self.api.removeprefix("/api/v1")
        for person, pin in zip((self.ann, self.ben), PINS, strict=True):
            Phone(house, person).does("/me", do="pin", club=house.id, pin=pin)
        self.tablet = Phone(house, match=self.id)

    def dealt(self, seed=7):
        """The next deal, whose cards the service knows."""
        deal = codec.plain(random_deal(self.game, find(self.game).options(), seed))
        self.house.done(f"{self.api}/deals", {"deal": deal})
        return self

    def hand(self, seat):
        """The cards of a seat, as its player's own program reads them."""
        token = self.house.token("player", player=(self.ann, self.ben)[seat])
        return self.house.get(self.api, token).json()["table"]["hands"][seat]

    def asked(self, person, pin, phone=None, **more):
        return (phone or self.tablet).post(f"{self.path}/my-hand", person=person, pin=pin, **more)

    def shown(self, answer):
        """The cards that a page says."""
        pack = find(self.game).pack(find(self.game).options())
        return named_in(answer if isinstance(answer, str) else answer.text, list(cards_in(pack)))


def test_the_right_pin_shows_that_hand_and_it_is_kept_nowhere(table):
    assert OFFERED in table.tablet.page(table.path)
    answer = table.asked(table.ann, PINS[0])
    assert answer.status_code == 200, answer.text
    assert table.shown(answer) == set(table.hand(0))
    assert "Annie</bdi>" in answer.text
    assert "face down" in answer.text
    assert f'href="{table.path}">Back to the table' in squeezed(answer.text)
    assert answer.headers["cache-control"] == "no-store"
    assert not {"etag", "set-cookie", "content-encoding"} & set(answer.headers)
    assert PINS[0] not in re.sub(r"[0-9a-f]{8}[0-9a-f-]*", "", answer.text), "ids and stamps may spell it by chance"


def test_the_next_request_shows_nothing(table):
    before, live = table.house.position(), f"{table.path}/live"
    assert table.asked(table.ann, PINS[0]).status_code == 200
    assert table.shown(table.tablet.page(table.path)) == set()
    followed = first_of_stream(table.house.client, live, table.tablet.header)[2].decode()
    assert (OFFERED in followed, table.shown(followed)) == (True, set())
    again = table.house.client.get(f"{table.path}/my-hand", headers=table.tablet.header)
    assert (again.status_code, table.shown(again)) == (405, set())
    for pin in ("", "0000"):
        assert table.asked(table.ann, pin).status_code in (403, 429)
    assert table.house.position() == before, "and nothing is recorded"


@pytest.mark.parametrize("pin", ["0000", "", "24680", PINS[1], "2468000"])
def test_another_pin_shows_no_hand(table, pin):
    answer = table.asked(table.ann, pin)
    assert (answer.status_code, table.shown(answer)) == (403, set())
    assert "this PIN is not right" in answer.text.replace("This PIN", "this PIN")
    assert 'type="hidden" name="pin"' not in answer.text


def test_a_pin_shows_only_its_owners_hand(table):
    answer = table.asked(table.ben, PINS[1], seat="0", side="0", viewer="all")
    assert table.shown(answer) == set(table.hand(1))


def test_people_without_a_pin_elsewhere_or_unknown_are_refused_alike(table, house):
    other = Table(house).dealt(8)
    Phone(house, table.ben).does("/me", do="pin", club=house.id, pin="")
    found = {}
    for name, person in (("no PIN", table.ben), ("wrong", table.ann)):
        answer = table.asked(person, "0000")
        found[name] = (answer.status_code, answer.text)
    assert found["no PIN"] == found["wrong"]
    for person, pin in ((other.ann, PINS[0]), ("nobody", PINS[0]), ("", "0000")):
        answer = table.asked(person, pin)
        found[person] = (answer.status_code, answer.text)
        assert (answer.status_code, table.shown(answer)) == (400, set())
    assert len({found[each] for each in (other.ann, "nobody", "")}) == 1


def test_wrong_pins_delay_the_right_one_and_signing_too(table):
    told = [table.asked(table.ann, f"{number:04}").status_code for number in range(100)]
    assert told[0] == 403
    assert told.count(429) >= 90
    table.house.log.execute("update secret_failures set at = at + interval '1 minute'")  # so that no clock decides
    assert table.asked(table.ann, PINS[0]).status_code == 429
    signing = table.tablet.post(f"{table.path}/case/statement", person=table.ann, pin=PINS[0], words="He looked.")
    assert signing.status_code == 429, "the same count"
    assert table.asked(table.ben, PINS[1]).status_code == 200, "nobody else waits"


@pytest.mark.parametrize("cards", ["none known", "not begun", "lying open"])
def test_where_no_dealt_hand_is_hidden_nothing_is_offered(house, cards):
    table = Table(house, "parity" if cards == "lying open" else "cross_game")
    if cards == "lying open":
        table.dealt()
    elif cards == "none known":
        house.done(f"{table.api}/deals", {"dealer": 0})
    assert OFFERED not in table.tablet.page(table.path)
    answer = table.asked(table.ann, PINS[0])
    assert answer.status_code == 409
    assert "no hand of this table is hidden" in answer.text.replace("No hand", "no hand")


def test_only_a_device_that_is_in_at_the_table_asks(table, house):
    scorer = house.done(f"{house.path}/players", {"name": "Carla"}, "owner")["id"]
    granted(house, scorer, "scorer")
    away = Table(house).dealt(8)
    phones = {"own": Phone(house, table.ben), "sees all": Phone(house, scorer), "elsewhere": away.tablet}
    for where, phone in phones.items():
        assert OFFERED not in phone.page(table.path)
        answer = table.asked(table.ann, PINS[0], phone)
        assert answer.status_code in (401, 403), where
        assert where == "sees all" or not table.shown(answer) & set(table.hand(0)), where
    nobody = house.client.post(
        f"{table.path}/my-hand",
        data={"person": table.ann, "pin": PINS[0]},
        headers={"Sec-Fetch-Site": "same-origin"},
        follow_redirects=False,
    )
    assert nobody.status_code == 401
    own = table.tablet.header
    cross = house.client.post(f"{table.path}/my-hand", headers={**own, "Sec-Fetch-Site": "cross-site"})
    assert cross.status_code == 403


def test_a_tapped_name_is_shown_no_more_than_anybody(table):
    phone = Phone(table.house, match=table.id, name=table.ann)
    assert table.shown(phone.page(table.path)) == set()
    assert table.shown(table.asked(table.ben, PINS[1], phone)) == set(table.hand(1))
    assert table.asked(table.ann, PINS[1], phone).status_code == 403


def test_a_scoring_players_phone_needs_the_opponents_pin_for_their_hand(table):
    phone = Phone(table.house, table.ann, match=table.id)
    page = squeezed(phone.page(table.path))
    assert OFFERED in page
    assert f'<option value="{table.ben}">' in page
    assert table.shown(table.asked(table.ben, PINS[1], phone)) == set(table.hand(1))
    assert table.asked(table.ann, PINS[0], phone).status_code == 400, "it is seen there already"


def test_the_hand_is_of_the_deal_current_after_the_pin_check(table, monkeypatch):
    before, alone = set(table.hand(0)), desk.alone

    async def slowly(*asked):
        signer = await alone(*asked)
        await anyio.to_thread.run_sync(lambda: Table.dealt(voided(table), 9))
        return signer

    def voided(at):
        at.house.done(f"{at.api}/void-deal", {})
        return at

    monkeypatch.setattr(desk, "alone", slowly)
    answer = table.asked(table.ann, PINS[0])
    assert table.shown(answer) == set(table.hand(0)) != before
    assert "Deal 2" in answer.text


def test_nothing_is_shown_where_the_hands_were_opened_meanwhile(table, monkeypatch):
    table.house.done(f"{table.api}/void-deal", {})
    assert OFFERED in table.tablet.page(table.path), "it may be brought back"
    alone = desk.alone

    async def slowly(*asked):
        signer = await alone(*asked)
        await anyio.to_thread.run_sync(
            lambda: table.house.done(f"{table.api}/open-hands", {"reason": "asked"}, "director")
        )
        return signer

    monkeypatch.setattr(desk, "alone", slowly)
    assert table.asked(table.ann, PINS[0]).status_code == 409


def test_who_counts_for_a_player_by_now_sees_the_hand(table):
    people = f"{table.house.path}/players"
    first = table.house.done(people, {"name": "Annie A.", "another": True}, "owner")["id"]
    table.house.done(f"{people}/{first}/merge", {"other": table.ann}, "owner")
    Phone(table.house, first).does("/me", do="pin", club=table.house.id, pin="97531")
    assert f'<option value="{first}">' in squeezed(table.tablet.page(table.path))
    answer = table.asked(first, "97531")
    assert answer.status_code == 200, answer.text
    assert "Annie A.</bdi>" in answer.text
    assert len(table.shown(answer)) == len(set(table.hand(1)))


def test_a_replay_and_a_public_page_offer_nothing(table):
    assert OFFERED not in table.tablet.page(f"{table.path}/replay")
    assert OFFERED not in table.house.client.get(table.path).text
