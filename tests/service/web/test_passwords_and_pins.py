"""Passwords and PINs: a wrong one delays that person on that device; ten wrong PINs turn the PIN off, and nobody is
told who there is."""

import asyncio
import threading
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from domain.club.commands import GrantRole
from domain.log.decider import Refusal
from service.desk import hashing
from service.desk.pins import with_pin
from service.store import people_secrets
from service.store.callers import NOBODY
from service.store.credentials import of_cookie
from tests.kit.service.browsers import Browser
from tests.service.web.test_personal_doors import Club

PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def club(client, database):
    with Club(client, database) as found:
        found.name = "Passwords " + found.id[-12:]
        found.rows("select 1")
        yield found


@pytest.fixture
def forgotten(club):
    """No wrong secret of another test counts in this one."""
    club.rows("delete from secret_failures")


@pytest.fixture
def stopped(monkeypatch):
    """The clock by which one waits stands, however long the machine takes for what is tried."""
    moment = datetime.now(UTC)
    monkeypatch.setattr(people_secrets, "datetime", SimpleNamespace(now=lambda _: moment))


def caller(club, browser):
    """Who a browser is."""
    doors = club.client.app.state.services.doors
    return club.client.blocking_portal.call(doors.by, of_cookie(browser.cookie.partition("=")[2]))


def tried(club, device, person, pin):
    """What a PIN gives that was typed on a device: the caller, or the slug of the refusal."""
    services = club.client.app.state.services
    try:
        return club.client.blocking_portal.call(with_pin, services, caller(club, device), club.id, person, pin)
    except Refusal as refusal:
        return refusal.slug


def waited(club, device=None):
    """The time after a wrong one is over."""
    club.rows("update secret_failures set at = at - interval '61 seconds'")


def player_with(club, name, **secrets):
    person = club.member(name)
    browser = club.browser(person)
    for what, value in secrets.items():
        assert browser.post("/me", do=what, club=club.id, **{what: value}).status_code == 303
    return person, browser


def by_password(club, name, password, browser=None, where=""):
    named = where or club_name(club)
    return (browser or Browser(club.client)).post("/sign-in/password", club=named, name=name, password=password)


def club_name(club):
    """A name of its own: other clubs of the tests are called alike."""
    from domain.club.events import SettingsChanged
    from domain.log.decider import New
    from service.desk.requests import own_request
    from service.store.log import By

    if club.state().name != club.name:
        services = club.client.app.state.services
        loaded = club.client.blocking_portal.call(services.recorder.club, club.id)
        news = [New(SettingsChanged(name=club.name))]
        club.client.blocking_portal.call(services.recorder._append, loaded, news, own_request(By(None, "owner")))
    return club.name


@pytest.mark.usefixtures("forgotten")
def test_a_name_and_a_password_sign_a_browser_in(club):
    player_with(club, "Paula", password=PASSWORD)
    browser = Browser(club.client)
    answer = by_password(club, "  paula ", PASSWORD, browser)
    assert (answer.status_code, answer.headers["location"]) == (303, club.path)
    assert "Paula</bdi> in" in browser.me()


@pytest.mark.usefixtures("forgotten")
def test_wrong_passwords_unknown_names_and_unknown_clubs_are_answered_alike(club):
    player_with(club, "Petra", password=PASSWORD)
    club.member("Without")
    told = set()
    for name, where in (("Petra", ""), ("Without", ""), ("Nobody", ""), ("Petra", "No such club")):
        for _ in range(2):
            answer = by_password(club, name, "not the password", where=where)
            told.add(
                (answer.status_code, answer.headers.get("retry-after"), _shown(answer.text, name, where or club.name))
            )
    assert {status for status, *_ in told} == {403, 429}
    assert len(told) == 2


def _shown(text, *typed):
    for each in typed:
        text = text.replace(each, "…")
    return text


def test_an_unknown_name_costs_as_much_hashing_as_a_known_one(club, monkeypatch):
    player_with(club, "Timed", password=PASSWORD)
    looked = []
    verify = hashing._verified
    monkeypatch.setattr(hashing, "_verified", lambda secret, known: looked.append(known[:24]) or verify(secret, known))
    for name in ("Timed", "Untimed", "Unknown " * 8):
        club.rows("delete from secret_failures")
        assert by_password(club, name, "x" * 5000).status_code == 403
    assert len(looked) == 3
    assert len(set(looked)) == 1, "with the same cost"


@pytest.mark.parametrize("password", ["123456789", "ä" * 501])
def test_a_password_has_only_a_minimum_and_a_maximum_length(club, password):
    _, browser = player_with(club, f"Rule {len(password)}")
    refused = browser.post("/me", do="password", club=club.id, password=password)
    assert (refused.status_code, "password" in refused.text) == (400, True)
    assert browser.post("/me", do="password", club=club.id, password="0000000000").status_code == 303


@pytest.mark.usefixtures("forgotten")
def test_a_password_that_was_taken_away_signs_nobody_in(club):
    _, browser = player_with(club, "Pia", password=PASSWORD)
    assert browser.post("/me", do="password", club=club.id, password="").status_code == 303
    assert by_password(club, "Pia", PASSWORD).status_code == 403


@pytest.mark.usefixtures("forgotten")
def test_a_secretary_revokes_secrets_set_on_a_lost_phone(club):
    lost, _ = player_with(club, "Lost", password=PASSWORD, pin="2468")
    doors = f"{club.path}/players/{lost}/doors"
    sorted_out, directs = (club.browser(club.member(role), role=role) for role in ("secretary", "director"))
    assert "Take password and PIN away" not in directs.get(doors).text
    assert directs.post(doors, do="take_away").status_code == 403
    assert "Take password and PIN away" in sorted_out.get(doors).text
    assert sorted_out.post(doors, do="take_away").status_code == 303
    assert by_password(club, "Lost", PASSWORD).status_code == 403
    assert tried(club, sorted_out, lost, "2468") == "forbidden"


@pytest.mark.usefixtures("forgotten")
def test_a_pin_gives_the_right_of_its_person_for_one_request(club):
    annie, _ = player_with(club, "Annie", pin="2468")
    tablet = club.browser(club.member("Tablet"))
    own, signed = caller(club, tablet), tried(club, tablet, annie, "2468")
    added = signed.rights[-1]
    assert signed.rights[:-1] == own.rights
    assert (added.role, added.club, added.person, added.strength) == ("player", club.id, annie, "pin")
    assert caller(club, tablet) == own, "nothing of it is kept"


@pytest.mark.usefixtures("forgotten")
def test_a_pin_gives_no_role_but_the_seat(club):
    dee, _ = player_with(club, "Dee", pin="135790")
    club.do(GrantRole(dee, "director"))
    signed = tried(club, club.browser(club.member("Tab")), dee, "135790")
    assert not signed.directs(club.id)


@pytest.mark.parametrize("pin", ["123", "1234567", "12a4", "١٢٣٤", "12 34"])
def test_a_pin_has_four_to_six_digits(club, pin):
    _, browser = player_with(club, f"Digits {pin}")
    assert browser.post("/me", do="pin", club=club.id, pin=pin).status_code == 400


def test_a_pin_is_typed_on_a_device_that_has_come_in(club):
    annie, _ = player_with(club, "Inside", pin="2468")
    services = club.client.app.state.services
    with pytest.raises(Refusal) as refused:
        club.client.blocking_portal.call(with_pin, services, NOBODY, club.id, annie, "2468")
    assert refused.value.slug == "unauthorised"


@pytest.mark.usefixtures("forgotten")
def test_wrong_pins_at_one_tablet_do_not_affect_other_devices(club):
    annie, phone = player_with(club, "Hunted", pin="2468")
    tablet, other = club.browser(club.member("Hall tablet")), club.browser(club.member("Desk tablet"))
    told = [tried(club, tablet, annie, f"{number:04}") for number in range(100)]
    assert told[0] == "forbidden"
    assert told.count("too-many-requests") >= 90
    assert "Hunted</bdi>" in phone.me(), "the own device is signed in as ever"
    assert tried(club, other, annie, "2468") not in ("forbidden", "too-many-requests"), "another device does not wait"
    club.rows("update secret_failures set at = at + interval '1 minute'")  # so that no clock decides
    assert tried(club, tablet, annie, "2468") == "too-many-requests", "a right one waits on this device too"


@pytest.mark.usefixtures("forgotten", "stopped")
def test_each_wrong_pin_doubles_the_wait_up_to_a_minute(club):
    annie, _ = player_with(club, "Waits", pin="2468")
    tablet = club.browser(club.member("Slow tablet"))
    services, asking = club.client.app.state.services, caller(club, tablet)
    waits = []
    for _ in range(8):
        with pytest.raises(Refusal):
            club.client.blocking_portal.call(with_pin, services, asking, club.id, annie, "1111")
        with pytest.raises(Refusal) as refused:
            club.client.blocking_portal.call(with_pin, services, asking, club.id, annie, "2468")
        waits.append(refused.value.extra["retry_after"])
        waited(club)
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert tried(club, tablet, annie, "2468") not in ("forbidden", "too-many-requests")
    assert tried(club, tablet, annie, "1111") == "forbidden"
    with pytest.raises(Refusal) as refused:
        club.client.blocking_portal.call(with_pin, services, asking, club.id, annie, "2468")
    assert refused.value.extra["retry_after"] == 1


@pytest.mark.usefixtures("forgotten")
def test_a_clock_set_back_does_not_prolong_the_wait(club):
    annie, _ = player_with(club, "Put back", pin="2468")
    tablet = club.browser(club.member("Early tablet"))
    assert tried(club, tablet, annie, "1111") == "forbidden"
    club.rows("update secret_failures set at = at + interval '2 hours'")  # the clock of then was ahead
    assert tried(club, tablet, annie, "2468") not in ("forbidden", "too-many-requests")


@pytest.mark.usefixtures("forgotten")
def test_ten_wrong_pins_disable_it_until_the_own_device_enables_it(club):
    annie, phone = player_with(club, "Ten", pin="2468")
    tablets = [club.browser(club.member(f"Tablet {number}")) for number in range(3)]
    for number in range(10):
        assert tried(club, tablets[number % 3], annie, "1111") == "forbidden"
        waited(club)
    assert tried(club, tablets[0], annie, "2468") == "forbidden"
    assert "Your PIN is off" in phone.me()
    assert phone.post("/me", do="pins_on", club=club.id).status_code == 303
    assert "Your PIN is off" not in phone.me()
    assert tried(club, tablets[0], annie, "2468") not in ("forbidden", "too-many-requests")
    assert tried(club, tablets[1], annie, "1111") == "forbidden"
    assert "Your PIN is off" not in phone.me(), "the count began again"


@pytest.mark.usefixtures("forgotten")
def test_a_director_turns_a_pin_on_again_and_sees_no_devices(club):
    annie, _ = player_with(club, "Helped", pin="2468")
    dora = club.browser(club.member("Dora"), role="director")
    club.rows("update secrets_of_people set pins_off_at = now() where player = %s", annie)
    doors = f"{club.path}/players/{annie}/doors"
    page = dora.get(doors).text
    assert "The PIN is off" in page
    assert "Devices" not in page
    assert dora.post(doors, do="end", device="x").status_code == 403
    assert dora.post(doors, do="pins_on").status_code == 303
    assert "A PIN is set" in dora.get(doors).text
    plain = club.browser(club.member("Plain player"))
    assert plain.post(doors, do="pins_on").status_code == 403


@pytest.mark.usefixtures("forgotten", "stopped")
def test_simultaneous_pins_are_checked_one_at_a_time(club):
    annie, _ = player_with(club, "Raced", pin="2468")
    services, asking = club.client.app.state.services, caller(club, club.browser(club.member("Fast tablet")))

    async def at_once():
        asked = (with_pin(services, asking, club.id, annie, f"{number}" * 4) for number in range(10))
        return await asyncio.gather(*asked, return_exceptions=True)

    slugs = sorted(each.slug for each in club.client.blocking_portal.call(at_once))
    assert slugs == ["forbidden"] + ["too-many-requests"] * 9


@pytest.mark.usefixtures("forgotten")
def test_sign_ins_that_wait_do_not_block_other_requests(club, monkeypatch):
    services, go_on = club.client.app.state.services, threading.Event()
    monkeypatch.setattr(hashing, "_verified", lambda *_: go_on.wait(60))

    async def at_once():
        tries = [asyncio.create_task(hashing.fits("not it at all", None, f"{number}")) for number in range(100)]
        await services.recorder.club(club.id)
        waiting = [each for each in tries if not each.done()]
        go_on.set()
        await asyncio.wait(tries)
        return len(waiting), [each.exception() for each in tries if each.exception()]

    waiting, refused = club.client.blocking_portal.call(at_once)
    assert waiting == hashing.MOST_WAITING
    assert {each.slug for each in refused} == {"too-many-requests"}
    assert len(refused) == 100 - hashing.MOST_WAITING


@pytest.mark.usefixtures("forgotten")
def test_one_address_that_tries_many_names_at_once_leaves_room_for_others(club):
    async def at_once():
        told = asyncio.gather(
            *(hashing.fits("not it at all", None, "one address") for _ in range(20)), return_exceptions=True
        )
        await asyncio.sleep(0)
        other = await hashing.fits("nor this", None, "another address")
        return await told, other

    told, other = club.client.blocking_portal.call(at_once)
    assert sum(isinstance(each, Refusal) for each in told) == 20 - hashing.MOST_OF_DEVICE
    assert other is False


def test_of_passwords_and_pins_only_slow_hashes_are_kept(club):
    annie, _ = player_with(club, "Kept", password=PASSWORD, pin="2468")
    kept = club.client.blocking_portal.call(people_secrets.read, club.client.app.state.services.pool, club.id, annie)
    assert kept.password.startswith("$argon2id$") and kept.pin.startswith("$argon2id$")
    assert PASSWORD not in repr(kept)
