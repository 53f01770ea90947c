"""Table doors: scan or type a code, tap a name, and this device is in at that table and nowhere else."""


import pytest

from tests.kit.service.asking import House, sign_in
from tests.kit.service.doors import Phone, door_of


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        yield found


@pytest.fixture(scope="module")
def owner(client, database):
    return sign_in(client, database)


def test_a_scanned_code_and_one_tap_let_a_phone_in(client, house):
    match = house.match()
    phone = Phone(client)
    page = phone.scan(door_of(house, match))
    assert "<bdi>Annie</bdi> against <bdi>Benny</bdi>?" in page
    phone.tap("Annie")
    assert phone.get(f"/matches/{match.rpartition('/')[2]}").status_code == 200
