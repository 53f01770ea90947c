"""First steps: who runs a club is led through them, in their order, until a match was played to its end."""

import re

import pytest

from service.run.settings import Settings
from tests.kit.service.asking import House
from tests.kit.service.browsers import owner_of, signed_in

STEP = re.compile(r'<li( aria-current="step")?>(.*?)</li>', re.DOTALL)
STEPS = ["members", "invite", "new", "doors"]


@pytest.fixture
def house(client, database):
    with House(client, database, name="Beginners") as found:
        yield found


@pytest.fixture
def owner(client, database):
    return owner_of(client, database)


def steps(browser, house):
    """The steps on the club's page: where each leads, whether it is done; and the one that is next."""
    page = browser.get(f"/clubs/{house.id}").text
    _, there, after = page.partition('id="first-steps"')
    if not there:
        return None
    found, next_ = {}, None
    for current, text in STEP.findall(after.partition("</section>")[0]):
        (path,) = re.findall(r'href="([^"]+)"', text)
        assert browser.get(path).status_code == 200
        found[path.rpartition("/")[2]] = "Done:" in text
        next_ = path.rpartition("/")[2] if current else next_
    assert list(found) == STEPS
    return [step for step, done in found.items() if done], next_


def add(house, *names):
    return [house.done(f"{house.path}/players", {"name": name}, "owner")["id"] for name in names]


def test_the_first_steps_lead_a_club_to_a_finished_match(client, house, owner, monkeypatch):
    assert steps(owner, house) == ([], "members")
    add(house, "Annie")
    assert steps(owner, house) == ([], "members"), "one alone plays with nobody"
    add(house, "Benny")
    assert steps(owner, house) == (["members"], "invite")
    monkeypatch.setattr(client.app.state, "settings", Settings(host="0.0.0.0", address="http://192.0.2.7:8000"))
    assert steps(owner, house) == (["members", "invite"], "new")
    match = house.match("parity", target=None, deals=1)
    assert steps(owner, house) == (["members", "invite", "new"], "doors")
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    assert steps(owner, house) is None


def test_an_address_that_no_phone_reaches_is_no_address(client, house, owner, monkeypatch):
    add(house, "Annie", "Benny")
    monkeypatch.setattr(client.app.state, "settings", Settings(host="127.0.0.1"))
    assert steps(owner, house) == (["members"], "invite")


def test_who_does_not_run_the_club_sees_no_steps(client, house, owner):
    (annie,) = add(house, "Annie")
    assert steps(signed_in(client, owner, house.id, annie), house) is None
    assert steps(signed_in(client, owner, house.id, annie, role="director"), house) is None
