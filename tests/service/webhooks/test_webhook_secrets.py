"""What a webhook never tells: hands that are hidden, then or later, and what is private. The service delivers."""

import pytest

from service.store.ids import now
from tests.kit.service.asking import House
from tests.kit.service.receivers import receiving
from tests.kit.service.webhook_scene import Scene
from tests.service.api.test_secrets_http import FORMS, Table, named_in


@pytest.fixture
def receiver():
    with receiving() as found:
        yield found


@pytest.mark.parametrize("form", ["two", "cross game", "parity closed"])
def test_a_card_in_a_hidden_hand_never_leaves(client, database, receiver, form):
    with House(client, database) as house:
        scene = Scene(database, house.id, receiver.url, clock=now)
        table = Table(house, FORMS[form], 7)
        for at in (0, 5, 11):
            table.play_to(at)
            assert scene.arrived()
            unseen = table.unseen(None)
            assert unseen
            assert named_in(receiver.got[-1].body.decode(), unseen) == set()
        table.play_to(len(table.facts))
        house.done(f"{table.path}/deals", {})
        assert scene.arrived()
        hands = [event for event in receiver.once if event["type"] == "DealStarted"]
        assert [event["data"]["deal"] for event in hands] == [None, None]
        assert hands[0]["hidden"] == ["data.deal"]


def test_a_late_delivery_shows_no_hand_of_a_deal_that_is_over(client, database, receiver):
    with House(client, database, public=True) as house:
        scene = Scene(database, house.id, receiver.url, clock=now)
        table = Table(house, FORMS["two"], 3)
        table.play_to(len(table.facts))
        assert scene.arrived()
        (begun,) = [event for event in receiver.once if event["type"] == "DealStarted"]
        assert (begun["data"]["deal"], begun["match"]) == (None, table.path.rpartition("/")[2])


def test_notes_and_names_never_leave(client, database, receiver):
    with House(client, database) as house:
        scene = Scene(database, house.id, receiver.url, clock=now)
        path = house.match(sides=[["Annabella"], ["Benedikta"]])
        house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
        house.done(f"{path}/undo", {"reason": "somebody was tired"})
        assert scene.arrived()
        told = b"".join(each.body for each in receiver.got)
        assert b"FactUndone" in told
        for word in (b"Annabella", b"Benedikta", b"tired"):
            assert word not in told
