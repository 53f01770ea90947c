"""Personal doors: an invitation is good once, for a day, and never gives more than its maker holds when it is used."""

import re
import threading

import psycopg
import pytest
from litestar.testing import TestClient

from domain.club.commands import GrantRole, RevokeRole
from service.desk.requests import own_request
from service.run.app import create_app
from service.run.settings import Settings
from service.store.ending_doors import end_doors_of
from service.store.kinds import CLUB
from service.store.log import By
from service.store.tokens import make_link
from tests.conftest import with_pool
from tests.kit.faults.processes import until
from tests.kit.service.asking import House, first_of_stream
from tests.kit.service.browsers import Browser, invited, owner_of, secret_in, signed_in

SEEN = re.compile(r"name=\"device\" value=\"([^\"]+)\"")


class Club:
    """A private club with members, and its owner's browser."""

    def __init__(self, client, database):
        self.client, self.database, self.house = client, database, House(client, database)
        self.id, self.path = self.house.id, f"/clubs/{self.house.id}"
        self.owner = owner_of(client, database)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.house.log.close()

    def member(self, name):
        return self.house.done(f"{self.house.path}/players", {"name": name}, "owner")["id"]

    def browser(self, player, **role):
        return signed_in(self.client, self.owner, self.id, player, **role)

    def secretary(self, name):
        player = self.member(name)
        return player, self.browser(player, role="secretary")

    def do(self, command):
        """A command on the club as the service itself."""
        recorder = self.client.app.state.services.recorder
        return self.client.blocking_portal.call(
            recorder.on_stream, self.id, CLUB, command, own_request(By(None, "owner"))
        )

    def state(self):
        return self.client.blocking_portal.call(self.client.app.state.services.recorder.club, self.id).state

    def rows(self, statement, *values):
        with psycopg.connect(self.database.url, autocommit=True) as connection:
            cursor = connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else None

    def events(self):
        found = self.rows("select type, data, actor, role from events where stream_id = %s order by version", self.id)
        return [{"type": type_, "data": data, "actor": actor, "role": role} for type_, data, actor, role in found]


@pytest.fixture(scope="module")
def club(client, database):
    with Club(client, database) as found:
        yield found


@pytest.fixture
def served_as(client, monkeypatch):
    """Serve with other settings, until the test is over."""

    def change(**given):
        monkeypatch.setattr(client.app.state, "settings", Settings(**given))
        monkeypatch.setattr(client.app.state, "address_is_set", "address" in given)

    return change


OPEN = {"host": "0.0.0.0", "address": "http://192.0.2.7:8000"}


def test_an_invitation_signs_a_browser_in_as_its_person(club):
    annie = club.browser(club.member("Annie"))
    assert annie.get(club.path).status_code == 200
    assert "Annie</bdi> in" in annie.me()
    assert "Chrome on Android (this device)" in annie.me()


def test_the_page_of_a_link_is_not_cached_or_consumed_by_viewing(club, client):
    shown = club.owner.post(f"{club.path}/invitations", player=club.member("Looker"))
    assert shown.headers["cache-control"] == "no-store"
    assert "<svg" in shown.text
    phone = Browser(client)
    assert phone.get("/sign-in").status_code == 200
    assert phone.redeem(secret_in(shown)).status_code == 303


def test_without_script_the_whole_link_can_be_pasted(club, client):
    secret = invited(club.owner, club.id, club.member("Paster"))
    assert Browser(client).redeem(f"http://192.168.1.5:8000/sign-in#{secret}").status_code == 303


def test_an_invitation_gives_its_role_as_its_maker_gave_it(club):
    secretary, hers = club.secretary("Sue")
    dee = club.member("Dee")
    browser = signed_in(club.client, hers, club.id, dee, role="director")
    assert [grant.role for grant in club.state().held(dee)] == ["director"]
    *_, last = [each for each in club.events() if each["type"] == "RoleGranted"]
    assert (last["actor"], last["role"]) == (secretary, "secretary")
    assert browser.get(f"{club.path}/new").status_code == 200


def test_a_link_is_good_once(club, client):
    secret = invited(club.owner, club.id, club.member("Once"))
    assert Browser(client).redeem(secret).status_code == 303
    again = Browser(client).redeem(secret)
    assert (again.status_code, "set-cookie" in again.headers) == (403, False)
    assert "used already" in again.text


def test_simultaneous_uses_of_a_link_sign_in_one_browser(club, client):
    player = club.member("Wanted")
    secret, sent = invited(club.owner, club.id, player, role="director"), []
    browsers = [Browser(client) for _ in range(6)]
    threads = [threading.Thread(target=lambda b=b: sent.append(b.redeem(secret).status_code)) for b in browsers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(sent) == [303] + [403] * 5
    assert len(club.state().held(player)) == 1
    assert sum(player in each["data"] for each in club.events() if each["type"] == "RoleGranted") == 1


def test_a_link_of_two_days_ago_says_so(club, client):
    secret = invited(club.owner, club.id, club.member("Late"))
    club.rows("update invitations set expires_at = now() - interval '1 minute' where used_at is null")
    refused = Browser(client).redeem(secret)
    assert (refused.status_code, "too old" in refused.text) == (403, True)


def test_an_invitation_whose_maker_is_secretary_no_more_signs_nobody_in(club, client):
    secretary, hers = club.secretary("Sid")
    secret = invited(hers, club.id, club.member("Left"), role="director")
    club.do(RevokeRole(secretary, "secretary"))
    before = len(club.events())
    refused = Browser(client).redeem(secret)
    assert (refused.status_code, "ask a secretary" in refused.text) == (403, True)
    assert len(club.events()) == before
    assert hers.get(f"{club.path}/invite").status_code == 403


def test_nobody_invites_who_is_no_secretary(club):
    annie = club.member("Plain")
    browser = club.browser(annie)
    director = club.browser(club.member("Dora"), role="director")
    for each in (browser, director):
        assert each.get(f"{club.path}/invite").status_code == 403
        assert each.post(f"{club.path}/invitations", player=annie).status_code == 403
    stranger = Browser(club.client)
    assert stranger.post(f"{club.path}/invitations", player=annie).status_code == 404


@pytest.mark.parametrize(
    "form", [{"player": "x"}, {"name": "Nobody of that name"}, {"role": "owner"}, {"role": "deputy"}, {}]
)
def test_an_invitation_that_cannot_be_made_says_why(club, form):
    given = {"player": club.member(f"Some {form['role']}"), **form} if "role" in form else form
    answer = club.owner.post(f"{club.path}/invitations", **given)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_one_browser_holds_people_of_two_clubs_and_the_owner(club, client, database):
    browser = owner_of(client, database)
    assert browser.redeem(invited(club.owner, club.id, club.member("Here"))).status_code == 303
    with Club(client, database) as other:
        assert browser.redeem(invited(other.owner, other.id, other.member("There"))).status_code == 303
    me = browser.me()
    assert "Here</bdi> in" in me and "There</bdi> in" in me and "The owner’s devices" in me


def test_each_sign_in_renews_the_session_secret_on_the_same_device(club, client):
    annie = club.browser(club.member("Twice"))
    before, device = annie.cookie, SEEN.findall(annie.me())
    assert annie.redeem(invited(club.owner, club.id, club.member("Other"))).status_code == 303
    assert annie.cookie != before
    assert SEEN.findall(annie.me()) == device
    assert Browser(client, before).get("/me").status_code == 401


def test_a_signed_in_device_makes_links_for_further_devices(club, client):
    player = club.member("Many")
    first, second, third = club.browser(player), Browser(client), Browser(client)
    assert second.redeem(secret_in(first.post("/me", do="link", club=club.id))).status_code == 303
    assert len(SEEN.findall(first.me())) == 2
    late = secret_in(second.post("/me", do="link", club=club.id))
    ended = next(each for each in SEEN.findall(first.me()) if f'{each}"' in first.me() and each != this(first))
    assert first.post("/me", do="end", club=club.id, device=ended).status_code == 303
    assert second.get("/me").status_code == 401
    refused = third.redeem(late)
    assert refused.status_code == 403
    assert len(SEEN.findall(first.me())) == 1


def this(browser):
    """The id of a browser's own device on its page."""
    return re.search(r"\(this device\).*?value=\"([0-9a-f-]{36,64})\"\s*>\s*<button", browser.me(), re.S)[1]


def test_a_device_that_is_ended_hears_no_more_at_once(club, client):
    player = club.member("Ended")
    annie = club.browser(player)
    match = club.house.match(sides=[[{"id": player}], ["Benny"]]).rpartition("/")[2]
    told = []

    def listen():
        headers = {**annie.headers, "Accept": "text/event-stream"}
        told.append(first_of_stream(client, f"/matches/{match}/live", headers, b"event: end", 60.0)[2])

    listening = threading.Thread(target=listen)
    listening.start()
    _, secretary = club.secretary("Sam")
    page = secretary.get(f"{club.path}/players/{player}/doors").text
    (device,) = SEEN.findall(page)
    assert secretary.post(f"{club.path}/players/{player}/doors", do="end", device=device).status_code == 303
    listening.join()
    assert b"event: end" in told[0]
    assert annie.get("/me").status_code == 401


def test_nobody_ends_a_device_of_somebody_else(club):
    annie, benny = club.browser(club.member("Ann")), club.browser(club.member("Ben"))
    (device,) = SEEN.findall(annie.me())
    assert benny.post("/me", do="end", club=club.id, device=device).status_code == 400
    assert "Ann</bdi>" in annie.me()


def test_the_owner_chooses_a_person_of_the_club_to_act_as(client, database):
    with Club(client, database) as club:
        assert "Who are you?" in club.owner.get(club.path).text
        assert club.owner.post(f"{club.path}/who", name="Olga").status_code == 303
        assert "Who are you?" not in club.owner.get(club.path).text
        assert "Olga</bdi> in" in club.owner.me()
        assert [player.name for player in club.state().players.values()] == ["Olga"]
        again = owner_of(client, database)
        again.post(f"{club.path}/who", name="olga")
        assert len(club.state().players) == 1, "who is known is not registered once more"
        olga = next(iter(club.state().players))
        ben = club.member("Ben")
        signed_in(client, club.owner, club.id, ben, role="scorer")
        last = [each for each in club.events() if each["type"] == "RoleGranted"][-1]
        assert (last["actor"], last["role"]) == (olga, "owner")


def test_a_secretary_is_not_signed_in_where_others_could_listen(club, client, served_as):
    player = club.member("Careful")
    secret = invited(club.owner, club.id, player, role="secretary")
    served_as(**OPEN)
    refused = Browser(client).redeem(secret)
    assert (refused.status_code, "LURCH_PLAIN_ROLES" in refused.text) == (403, True)
    served_as(**OPEN, plain_roles=True)
    assert Browser(client).redeem(secret).status_code == 303


def test_an_insecure_connection_warns_and_makes_no_secretary_link(club, served_as):
    player = club.member("Open")
    served_as(**OPEN)
    made = club.owner.post(f"{club.path}/invitations", player=player)
    assert "http://192.0.2.7:8000/sign-in#" in made.text
    assert "others in this network could listen" in made.text
    assert club.owner.post(f"{club.path}/invitations", player=player, role="secretary").status_code == 403


def test_no_link_is_made_from_what_a_request_calls_the_host(club, client):
    answer = client.post(
        f"{club.path}/invitations",
        data={"player": club.member("Host")},
        headers={**club.owner.headers, "Host": "evil.example", "Sec-Fetch-Site": "same-origin"},
    )
    client.cookies.clear()
    assert "evil.example" not in answer.text
    assert "http://127.0.0.1:8000/sign-in#" in answer.text
    assert "Phones cannot reach this service" in answer.text


def test_the_address_for_phones_is_chosen_among_the_machines_own_and_remembered(club, database, monkeypatch, served_as):
    own = ("http://192.0.2.7:8000", "http://198.51.100.7:8000")
    for module in ("service.desk.addresses", "service.desk.chosen_address", "service.web.personal_doors"):
        monkeypatch.setattr(f"{module}.own_addresses", lambda settings: own)
    player = club.member("Far")
    served_as(host="0.0.0.0")
    assert club.owner.post(f"{club.path}/invitations", player=player).status_code == 400
    assert club.owner.post(f"{club.path}/address", address="http://evil.example").status_code == 400
    with TestClient(create_app(database, Settings(host="0.0.0.0"))) as beside:
        other = Browser(beside, club.owner.cookie)
        assert other.post(f"{club.path}/invitations", player=player).status_code == 400
        assert club.owner.post(f"{club.path}/address", address=own[1]).status_code == 303
        until(lambda: f"{own[1]}/sign-in#" in other.post(f"{club.path}/invitations", player=player).text)
    assert f"{own[1]}/sign-in#" in club.owner.post(f"{club.path}/invitations", player=player).text
    with TestClient(create_app(database, Settings(host="0.0.0.0"))) as later:
        owner = Browser(later, club.owner.cookie)
        assert f"{own[1]}/sign-in#" in owner.post(f"{club.path}/invitations", player=player).text
    club.rows("delete from choices")


def test_links_avoid_an_address_the_machine_no_longer_has(club, database, monkeypatch, served_as):
    own, player = ["http://192.0.2.7:8000", "http://198.51.100.7:8000"], club.member("Moved")
    for module in ("service.desk.addresses", "service.desk.chosen_address", "service.web.personal_doors"):
        monkeypatch.setattr(f"{module}.own_addresses", lambda settings: tuple(own))
    monkeypatch.setattr("service.run.recalling.MOVED_SECONDS", 0.05)
    served_as(host="0.0.0.0")
    with TestClient(create_app(database, Settings(host="0.0.0.0"))) as beside:
        owner = Browser(beside, club.owner.cookie)

        def leads_to(address):
            return f"{address}/sign-in#" in owner.post(f"{club.path}/invitations", player=player).text

        assert owner.post(f"{club.path}/address", address=own[1]).status_code == 303
        assert leads_to("http://198.51.100.7:8000")
        own[:] = ["http://203.0.113.5:8000"]  # it went to sleep, and woke in another network
        until(lambda: leads_to("http://203.0.113.5:8000"))
        own[:] = ["http://192.0.2.7:8000", "http://198.51.100.7:8000"]
        until(lambda: leads_to("http://198.51.100.7:8000"))
    club.rows("delete from choices")


def test_an_invitation_of_somebody_who_was_merged_or_erased_signs_nobody_in(club, client):
    left, right = club.member("Mona"), club.member("Monna")
    secret = invited(club.owner, club.id, right)
    services = client.app.state.services
    from domain.club.events import PersonErased, PlayersMerged
    from domain.log.decider import New

    loaded = client.blocking_portal.call(services.recorder.club, club.id)
    news = [New(PlayersMerged(left, right)), New(PersonErased(left, "asked", 1, ()))]
    request = own_request(By(None, "owner"))
    last = invited(club.owner, club.id, left)
    client.blocking_portal.call(services.recorder._append, loaded, news, request)
    for each in (secret, last):
        refused = Browser(client).redeem(each)
        assert (refused.status_code, "ask for a new link" in refused.text) == (403, True)


def test_withdrawn_invitations_are_good_no_more(club, client):
    player = club.member("Back")
    secret = invited(club.owner, club.id, player)
    doors = f"{club.path}/players/{player}/doors"
    assert "Open invitations" in club.owner.get(doors).text
    assert club.owner.post(doors, do="withdraw").status_code == 303
    assert "Open invitations" not in club.owner.get(doors).text
    assert Browser(client).redeem(secret).status_code == 403


def test_of_invitations_only_hashes_are_kept(club):
    secret = invited(club.owner, club.id, club.member("Hash"))
    assert secret not in repr(club.rows("select * from invitations"))


def test_a_signed_in_browser_loses_a_role_that_ended(club):
    player = club.member("Former")
    club.do(GrantRole(player, "director"))
    browser = club.browser(player)
    assert browser.get(f"{club.path}/new").status_code == 200
    club.do(RevokeRole(player, "director"))
    assert browser.get(f"{club.path}/new").status_code == 403


WHO = re.compile(r"id=\"kept\".*?data-who=\"(\w+)\"", re.S)


def test_a_person_who_rejoins_one_of_two_clubs_is_the_same_person(club, client, database):
    player = club.member("Back again")
    match = club.house.match(sides=[[{"id": player}], ["Benny"]]).rpartition("/")[2]
    both, one = club.browser(player), club.browser(player)
    with Club(client, database) as other:
        assert both.redeem(invited(other.owner, other.id, other.member("Elsewhere"))).status_code == 303
    kept_by, back = (WHO.search(browser.get(f"/matches/{match}").text)[1] for browser in (both, one))
    assert kept_by == back
    assert kept_by in re.search(r"data-who=\"([\w ]+)\"", both.get("/").text)[1].split()


def test_all_doors_of_a_person_end_together(club, client):
    player = club.member("Going")
    browser, open_link = club.browser(player), invited(club.owner, club.id, player)
    assert browser.post("/me", do="pin", club=club.id, pin="2468").status_code == 303
    pool = client.app.state.services.pool

    async def end():
        async with pool.connection() as connection, connection.transaction():
            await end_doors_of(connection, club.id, (player,))

    client.blocking_portal.call(end)
    client.app.state.services.doors.forget()
    assert browser.get("/me").status_code == 401
    assert Browser(client).redeem(open_link).status_code == 403
    assert club.rows("select * from secrets_of_people where player = %s", player) == []


def test_the_owner_ends_an_owners_device(client, database):
    here, lost = owner_of(client, database), owner_of(client, database)
    (device,) = set(SEEN.findall(lost.me())) & {this(lost)}
    assert here.post("/me", do="end_owner", device=device).status_code == 303
    assert lost.get("/me").status_code == 401
    assert here.get("/me").status_code == 200


def test_an_owners_link_is_not_taken_where_others_could_listen(client, database, served_as):
    link = with_pool(database, make_link)
    served_as(host="0.0.0.0")
    refused = Browser(client).redeem(link)
    assert (refused.status_code, "LURCH_PLAIN_ROLES" in refused.text) == (403, True)
    served_as(host="0.0.0.0", address="https://club.example")
    assert Browser(client).redeem(link).status_code == 303, "a refused link is not used up"
