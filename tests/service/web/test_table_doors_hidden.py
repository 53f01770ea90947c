"""A door opens no hidden hand: who came by a code is shown what everybody sees, whatever name was tapped."""

import pytest

from domain import codec
from domain.games import find
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import House, first_of_stream
from tests.kit.service.doors import Phone, door_of
from tests.service.api.test_secrets_http import FORMS, Table, never_named


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


def told(table, phone):
    """What a phone at a table is shown of it."""
    own = table.page
    for path in (own, f"{own}/replay", f"{own}/result", f"{own}/result/preview", f"{own}/seats", f"{own}/last"):
        answer = phone.get(path)
        assert answer.status_code in ((200, 403) if path.endswith("/result") else (200,)), path  # not for the score
        yield path, answer.text
    for at in range(1, table.version + 1, 5):
        yield f"replay at {at}", phone.get(f"{own}/replay?at={at}").text
    yield "live", first_of_stream(phone.client, f"{own}/live", phone.headers)[2].decode()
    refused = phone.post(f"{own}/undo", {"version": "1"}, **{"X-Table": "1"})
    yield "a lost race", refused.text


@pytest.mark.parametrize("form", ["two", "cross game", "parity closed"])
def test_whatever_name_was_tapped_no_card_of_a_hidden_hand_is_shown(client, house, form):
    table = Table(house, FORMS[form], seed=11)
    table.play_to(len(table.facts) // 2)
    for name in ("Annie", "I keep the score"):
        phone = Phone(client)
        phone.come_in(door_of(house, table.path), name)
        never_named(told(table, phone), table.unseen(None))


@pytest.mark.parametrize("act", ["void", "pause", "result", "confirm", "restore"])
def test_a_scorer_by_code_cannot_end_a_deal_with_hidden_hands(client, house, act):
    match, phone = house.match("cross_game"), Phone(client)
    deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
    house.done(f"{match}/deals", {"deal": deal})
    phone.come_in(door_of(house, match), "I keep the score")
    forms = {"void": {"sure": "1"}, "result": {"void": "1"}, "confirm": {"deal": "1", "side": "0"}}
    before = house.position()
    own = match.removeprefix("/api/v1")
    answer = phone.post(f"{own}/{act}", forms.get(act, {}))
    assert (answer.status_code, "the hands of this deal are hidden" in answer.text) == (403, True)
    assert house.position() == before


def test_a_scorer_by_code_records_open_cards_of_a_hidden_deal(client, house):
    table = Table(house, FORMS["two"], seed=11)
    phone = Phone(client)
    phone.come_in(door_of(house, table.path), "I keep the score")
    fact = codec.encode(table.facts[0]).decode()
    assert phone.post(f"{table.page}/facts", {"fact": fact}).status_code == 303
