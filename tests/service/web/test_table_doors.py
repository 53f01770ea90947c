"""Table doors: scan or type a code, tap a name, and this device is in at that table and nowhere else."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.kit.service.asking import FORM, House, first_of_stream, later, sign_in
from tests.kit.service.club_evenings import Evening
from tests.kit.service.doors import Phone, code_of, door_of

ENTRY = {"parity": "odd", "tricks.0": "9"}


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        yield found


@pytest.fixture(scope="module")
def owner(client, database):
    return sign_in(client, database)


@pytest.fixture(autouse=True)
def fresh(client, database):
    """Wrong codes of other tests do not count."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("delete from door_tries")
    guesses = client.app.state.services.tables.guesses
    guesses._closed, guesses._closed_to = None, {}


def id_of(match):
    return match.rpartition("/")[2]


def heard_long_ago(house, match):
    """Every device at this table was heard a minute ago."""
    statement = "update table_seats set last_used = last_used - interval '1 minute' where match_id = %s"
    house.log.execute(statement, [id_of(match)])


def events_of(house, match):
    return [json.loads(line) for line in house.get(f"{match}/events", "director").text.splitlines()]


def seats(house, match):
    return [each["name"] for each in door_of(house, match)["seats"]]


def told_why(phone, match, why):
    """A phone whose place at a table has ended sees nothing of the match, and is told why."""
    gone = phone.get(f"/matches/{id_of(match)}")
    assert (gone.status_code, gone.headers["location"]) == (303, f"/matches/{id_of(match)}/seats")
    for part in ("seats", "seats/now"):
        told = phone.get(f"/matches/{id_of(match)}/{part}")
        assert (told.status_code, why in told.text) == (403, True)
        assert "Annie –" not in told.text
    assert phone.get(f"/matches/{id_of(match)}/live").status_code == 404


def test_a_scanned_code_and_one_tap_let_a_phone_in(client, house):
    match, phone = house.match(), Phone(client)
    assert phone.get(f"/matches/{id_of(match)}").status_code == 404
    assert "<bdi>Annie</bdi> against <bdi>Benny</bdi>?" in phone.scan(door_of(house, match))
    assert phone.tap("Annie") == f"/matches/{id_of(match)}"
    assert phone.get(f"/matches/{id_of(match)}").status_code == 200
    assert seats(house, match) == ["Annie"]


def test_a_typed_code_leads_to_the_same_table_in_small_letters_too(client, house):
    match, phone = house.match(), Phone(client)
    code = door_of(house, match)["code"]
    assert phone.type(f"{code[:3].lower()} {code[3:]}").status_code == 200
    phone.tap("Benny")
    assert seats(house, match) == ["Benny"]


def test_a_table_of_a_round_says_its_number_and_round(client, house):
    cup = Evening(house, [{"format": {"kind": "single"}, "game": "parity"}], players=4)
    cup.act({"do": "pair_round"})
    tables = house.get(f"{cup.path}/doors", "director").json()["items"]
    assert [each["table"] for each in tables] == [1, 2]
    assert "Table 2, round 1, <bdi>" in Phone(client).scan(tables[1])


def test_a_table_seat_reads_only_its_match_of_a_private_club(client, house):
    match, other, phone = house.match(), house.match(), Phone(client)
    phone.come_in(door_of(house, match), "Annie")
    own = f"/matches/{id_of(match)}"
    for path in (own, f"{own}/result", f"{own}/replay", f"{own}/seats", f"{own}/last"):
        assert phone.get(path).status_code == 200, path
    status, _, told = first_of_stream(client, f"{own}/live", phone.headers, enough=b"event: end", wait=1.0)
    assert (status, b"event: end" in told) == (200, False)
    for path in (
        f"/matches/{id_of(other)}",
        f"/matches/{id_of(other)}/live",
        f"/matches/{id_of(other)}/seats",
        f"/matches/{id_of(other)}/last",
        f"/clubs/{house.id}",
        f"/clubs/{house.id}/doors",
        f"/clubs/{house.id}/tournaments",
    ):
        assert phone.get(path).status_code == 404, path
    assert house.id not in phone.get("/").text


def test_a_player_by_code_enters_a_result_that_the_opponent_confirms(client, house):
    match = house.match()
    annie, benny = Phone(client), Phone(client)
    annie.come_in(door_of(house, match), "Annie")
    benny.come_in(door_of(house, match), "Benny")
    own = f"/matches/{id_of(match)}"
    assert annie.post(f"{own}/result", ENTRY).status_code == 303
    assert benny.post(f"{own}/confirm", {"deal": "1", "side": "1", "scores": "19 0"}).status_code == 303
    events = events_of(house, match)
    people = house.get(match, "director").json()["sides"]
    assert [each["actor"] for each in events[-2:]] == [people[0]["players"][0], people[1]["players"][0]]
    assert {each["role"] for each in events[-2:]} == {"player"}
    assert len({each["device"] for each in events[-2:]}) == 2


def test_who_keeps_the_score_by_code_records_facts_at_that_table_only(client, house):
    match, other, phone = house.match(), house.match(), Phone(client)
    phone.come_in(door_of(house, match), "I keep the score")
    assert phone.post(f"/matches/{id_of(match)}/deals", {"dealer": "0"}).status_code == 303
    trump = {"fact": '{"seat":1,"do":"trump","suit":"H"}'}
    assert phone.post(f"/matches/{id_of(match)}/facts", trump).status_code == 303
    assert phone.post(f"/matches/{id_of(other)}/deals", {"dealer": "0"}).status_code == 404
    events = events_of(house, match)
    seat = door_of(house, match)["seats"][0]
    assert (events[-1]["actor"], events[-1]["role"]) == (seat["id"], "scorer")
    assert seat["last"] == "TrumpsDeclared"


def test_a_phone_joining_later_is_asked_about_the_last_fact(client, house):
    match, phone, late = house.match(), Phone(client), Phone(client)
    phone.come_in(door_of(house, match), "I keep the score")
    phone.post(f"/matches/{id_of(match)}/deals", {"dealer": "0"})
    phone.post(f"/matches/{id_of(match)}/facts", {"fact": '{"seat":1,"do":"trump","suit":"H"}'})
    where = late.come_in(door_of(house, match), "Annie")
    assert where.endswith("/last")
    shown = late.get(where).text
    assert re.search(r"<h1>\s*Last: .*Benny.*hearts.* Right\?", shown), shown


def test_one_device_has_one_seat_per_table(client, house):
    match, other, phone = house.match(), house.match(), Phone(client)
    phone.come_in(door_of(house, match), "Annie")
    phone.come_in(door_of(house, match), "Benny")
    phone.come_in(door_of(house, other), "Annie")
    assert (seats(house, match), seats(house, other)) == (["Benny"], ["Annie"])
    assert phone.get(f"/matches/{id_of(match)}").status_code == phone.get(f"/matches/{id_of(other)}").status_code == 200


def test_a_personal_sign_in_keeps_its_rights_beside_a_seat(client, house, database):
    match, phone = house.match(), Phone(client, sign_in(client, database))
    phone.come_in(door_of(house, match), "Annie")
    assert phone.get(f"/clubs/{house.id}/doors").status_code == 200
    assert seats(house, match) == ["Annie"]


def test_a_taken_name_waits_until_the_first_phone_agrees(client, house):
    match, first, second = house.match(), Phone(client), Phone(client)
    door = door_of(house, match)
    first.come_in(door, "Annie")
    assert "A phone has been in as <bdi>Annie</bdi>" in second.scan(door)
    assert second.tap("Annie").endswith("/waiting")
    waiting = second.get(f"/matches/{id_of(match)}/waiting")
    assert (waiting.status_code, waiting.headers["refresh"]) == (200, "3")
    assert second.get(f"/matches/{id_of(match)}").status_code == 404
    asked = first.get(f"/matches/{id_of(match)}/seats").text
    ask = re.search(r'name="ask" value="([\w-]+)"', asked)[1]
    answer = first.post(f"/matches/{id_of(match)}/seats", {"do": "let-in", "ask": ask, "back": "match"})
    assert answer.headers["location"] == f"/matches/{id_of(match)}/seats"
    assert second.get(f"/matches/{id_of(match)}/waiting").status_code == 303
    assert second.get(f"/matches/{id_of(match)}").status_code == 200
    told_why(first, match, "Another phone has this place now")


@pytest.mark.parametrize(("who", "taken"), [("Benny", 303), ("I keep the score", 403)])
def test_the_opponent_may_admit_a_phone_but_the_scorer_may_not(client, house, who, taken):
    match, first, second, other = house.match(), Phone(client), Phone(client), Phone(client)
    door = door_of(house, match)
    first.come_in(door, "Annie")
    other.come_in(door, who)
    second.come_in(door, "Annie")
    ask = door_of(house, match)["asks"][0]["id"]
    answer = other.post(f"/matches/{id_of(match)}/seats", {"do": "let-in", "ask": ask})
    assert answer.status_code == taken


def test_a_phone_that_asks_does_not_let_itself_in(client, house):
    match, first, second = house.match(), Phone(client), Phone(client)
    door = door_of(house, match)
    first.come_in(door, "Annie")
    second.come_in(door, "Benny")
    second.come_in(door, "Annie")
    ask = door_of(house, match)["asks"][0]["id"]
    assert second.post(f"/matches/{id_of(match)}/seats", {"do": "let-in", "ask": ask}).status_code == 403
    assert seats(house, match) == ["Annie", "Benny"]


def test_a_phone_that_was_refused_is_told(client, house):
    match, first, second = house.match(), Phone(client), Phone(client)
    first.come_in(door_of(house, match), "Annie")
    second.come_in(door_of(house, match), "Annie")
    ask = door_of(house, match)["asks"][0]["id"]
    house.done(f"{match}/door/let-in", {"ask": ask, "yes": False}, "director")
    told = second.get(f"/matches/{id_of(match)}/waiting")
    assert (told.status_code, "was not let in" in told.text) == (403, True)


def test_whoever_has_a_code_asks_with_so_many_phones_and_no_more(client, house):
    match, first = house.match(), Phone(client)
    door = door_of(house, match)
    first.come_in(door, "Annie")
    for _ in range(12):
        Phone(client).come_in(door, "Annie")
    before = house.log.execute("select count(*) from sign_ins").fetchone()
    last = Phone(client)
    last.scan(door)
    annie = re.search(r'name="as" value="([\w-]+)"\s*>(<bdi>)?Annie<', last.page)[1]
    refused = last.post("/t/in", {"secret": door["secret"], "as": annie})
    assert (refused.status_code, "ask the director" in refused.text) == (409, True)
    assert house.log.execute("select count(*) from sign_ins").fetchone() == before
    assert len(door_of(house, match)["asks"]) == 12


def test_a_dead_phone_is_replaced_at_once(client, house):
    match, first, second = house.match(), Phone(client), Phone(client)
    door = door_of(house, match)
    first.come_in(door, "Annie")
    heard_long_ago(house, match)
    assert not second.come_in(door, "Annie").endswith("/waiting")
    assert seats(house, match) == ["Annie"]
    assert second.get(f"/matches/{id_of(match)}").status_code == 200


def test_a_dead_phone_is_replaced_though_the_clock_was_set_back(client, house):
    match, first, second = house.match(), Phone(client), Phone(client)
    door = door_of(house, match)
    first.come_in(door, "Annie")
    ahead = "update table_seats set last_used = last_used + interval '2 hours' where match_id = %s"
    house.log.execute(ahead, [id_of(match)])
    assert first.get(f"/matches/{id_of(match)}/seats").status_code == 200
    heard_long_ago(house, match)
    assert not second.come_in(door, "Annie").endswith("/waiting")


def test_a_waiting_phone_is_admitted_when_the_first_falls_silent(client, house):
    match, first, second = house.match(), Phone(client), Phone(client)
    first.come_in(door_of(house, match), "Annie")
    second.come_in(door_of(house, match), "Annie")
    with later(client, seconds=31):
        assert second.get(f"/matches/{id_of(match)}/waiting").status_code == 303
    assert second.get(f"/matches/{id_of(match)}").status_code == 200


def test_a_replaced_phone_is_refused_and_keeps_its_taps(client, house):
    match, first, second = house.match(), Phone(client), Phone(client)
    door = door_of(house, match)
    first.come_in(door, "I keep the score")
    who = re.search(r'data-who="(\w+)"', first.get(f"/matches/{id_of(match)}").text)[1]
    second.come_in(door, "I keep the score")
    seat = door_of(house, match)["seats"][0]["id"]
    house.done(f"{match}/door/throw-out", {"seat": seat}, "director")
    before = house.position()
    script = {"X-Table": "1", "X-As": who, "Idempotency-Key": "tap-1", "Accept": "*/*"}
    answer = first.post(f"/matches/{id_of(match)}/deals", {"dealer": "0"}, **script)
    assert (answer.status_code, answer.json()["type"]) == (401, "/problems/unauthorised")
    assert first.post(f"/matches/{id_of(match)}/deals", {"dealer": "0"}).status_code in (401, 403, 404)
    assert house.position() == before
    assert second.post(f"/matches/{id_of(match)}/deals", {"dealer": "0"}).status_code == 303
    first.come_in(door_of(house, match), "I keep the score")
    assert f'data-who="{who}"' in first.get(f"/matches/{id_of(match)}").text


def test_somebody_elses_code_opens_somebody_elses_table(client, house):
    match, other, phone = house.match(), house.match(sides=(("Carl",), ("Dora",))), Phone(client)
    phone.scan(door_of(house, other))
    secret = re.search(r'name="secret" value="(\w+)"', phone.page)[1]
    annie = house.get(match, "director").json()["sides"][0]["players"][0]
    answer = phone.post("/t/in", {"secret": secret, "as": annie})
    assert (answer.status_code, "choose one of the names" in answer.text) == (400, True)
    assert seats(house, match) == seats(house, other) == []


@pytest.mark.parametrize("typed", ["", "ABC", "IIIIII", "ABCDEF7", "ABCDEFG", "x" * 399, "☃☃☃☃☃☃", "' or 1"])
def test_what_cannot_be_a_code_opens_nothing(client, house, typed):
    answer = Phone(client).type(typed)
    assert (answer.status_code, "no table has this code" in answer.text.lower()) == (404, True)


def test_the_code_of_a_table_that_is_over_opens_nothing(client, house):
    match, phone = house.match(target=None, deals=1), Phone(client)
    door = door_of(house, match)
    phone.come_in(door, "Annie")
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    for side in (0, 1):
        house.done(f"{match}/confirmations", {"deal": 1, "side": side})
    late = Phone(client)
    for answer in (late.post("/t", {"secret": door["secret"]}), late.type(door["code"])):
        assert answer.status_code == 404, answer.text
    assert house.get(f"{match}/door", "director").status_code == 404
    told_why(phone, match, "The match is over")


def test_a_code_is_good_for_two_hours_after_the_last_fact(client, house):
    match = house.match()
    door = door_of(house, match)
    house.done(f"{match}/deals", {"dealer": 0})
    with later(client, minutes=119):
        assert Phone(client).post("/t", {"secret": door["secret"]}).status_code == 200
    with later(client, minutes=121):
        assert Phone(client).post("/t", {"secret": door["secret"]}).status_code == 404
        assert Phone(client).type(door["code"]).status_code == 404
        fresh = door_of(house, match)
        assert (fresh["code"], fresh["secret"]) != (door["code"], door["secret"])


def test_a_fact_keeps_a_door_open_and_a_confirmation_does_not(client, house):
    match = house.match()
    door = door_of(house, match)
    house.done(f"{match}/deals", {"dealer": 0})
    with later(client, minutes=100):
        house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    with later(client, minutes=190):
        house.done(f"{match}/confirmations", {"deal": 1, "side": 0})
        assert Phone(client).post("/t", {"secret": door["secret"]}).status_code == 200
    with later(client, minutes=225):
        assert Phone(client).post("/t", {"secret": door["secret"]}).status_code == 404


def test_a_changed_code_ends_the_old_one_and_who_came_by_it(client, house):
    match, phone, asks = house.match(), Phone(client), Phone(client)
    door = door_of(house, match)
    phone.come_in(door, "Annie")
    asks.come_in(door, "Annie")
    changed = house.done(f"{match}/door/code", {}, "director")
    assert changed["code"] != door["code"]
    assert (changed["seats"], changed["asks"]) == ([], [])
    told_why(phone, match, "The table has a new code")
    assert Phone(client).post("/t", {"secret": door["secret"]}).status_code == 404
    assert asks.get(f"/matches/{id_of(match)}/waiting").status_code == 403


def test_of_two_simultaneous_taps_on_a_name_one_waits(client, house):
    match = house.match()
    door = door_of(house, match)
    for _ in range(3):
        phones = [Phone(client) for _ in range(4)]
        for phone in phones:
            phone.scan(door)
        with ThreadPoolExecutor(4) as threads:
            places = list(threads.map(lambda phone: phone.tap("Annie"), phones))
        assert sum(not place.endswith("/waiting") for place in places) == 1
        assert seats(house, match) == ["Annie"]
        door = house.done(f"{match}/door/code", {}, "director")


def test_no_more_than_twelve_phones_are_in_at_a_table(client, house):
    match = house.match()
    door = door_of(house, match)
    for _ in range(12):
        Phone(client).come_in(door, "I keep the score")
    late = Phone(client)
    late.scan(door)
    secret = re.search(r'name="secret" value="(\w+)"', late.page)[1]
    answer = late.post("/t/in", {"secret": secret, "as": "score"})
    assert (answer.status_code, "12 phones" in answer.text) == (409, True)


def test_a_form_from_another_site_lets_nobody_in(client, house):
    match, phone = house.match(), Phone(client)
    door = door_of(house, match)
    assert phone.post("/t", {"secret": door["secret"]}, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    phone.scan(door)
    secret = re.search(r'name="secret" value="(\w+)"', phone.page)[1]
    answer = phone.post("/t/in", {"secret": secret, "as": "score"}, **{"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert seats(house, match) == []


def test_codes_stand_in_no_table_and_on_no_page_that_others_read(client, database, house, owner):
    match, phone = house.match(), Phone(client)
    door = door_of(house, match)
    phone.come_in(door, "Annie")
    tables = [row[0] for row in house.log.execute("select tablename from pg_tables where schemaname = 'public'")]
    for table in tables:
        rows = repr(house.log.execute(f"select t::text from {table} as t").fetchall())
        assert door["code"] not in rows, table
        assert door["secret"] not in rows, table
    assert code_of(door) in phone.get(f"/matches/{id_of(match)}/seats").text
    for role in ("scorer", "spectator", "secretary", "player"):
        assert house.get(f"{match}/door", role).status_code == 403
        assert house.get(f"{house.path}/doors", role).status_code == 403
    shown = client.get(f"/clubs/{house.id}/doors", headers=owner)
    assert code_of(door) in shown.text
    assert shown.headers["cache-control"] == "no-store"


def test_the_director_sees_who_is_in_throws_out_and_prints_the_sheet(client, house, owner):
    match, phone = house.match(sides=(("Ellen",), ("Frank",))), Phone(client)
    phone.come_in(door_of(house, match), "Ellen")
    page = client.get(f"/clubs/{house.id}/doors", headers=owner).text
    assert re.search(r"Ellen</bdi>: a phone, since\s+<time[^>]*>[^<]*</time>, heard\s+\d+ s ago", page)
    seat = door_of(house, match)["seats"][0]["id"]
    form = {"do": "throw-out", "seat": seat, "back": "club"}
    answer = client.post(f"/matches/{id_of(match)}/seats", data=form, headers={**FORM, **owner}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/clubs/{house.id}/doors")
    assert seats(house, match) == []
    sheet = client.get(f"/clubs/{house.id}/doors/sheet", headers=owner).text
    assert code_of(door_of(house, match)) in sheet
    assert 'class="qr"' in sheet


def test_a_wall_shows_codes_only_while_a_director_allows_it(client, house, owner):
    cup = Evening(house, [{"format": {"kind": "single"}, "game": "parity"}], players=4)
    cup.act({"do": "pair_round"})
    table = house.get(f"{cup.path}/doors", "director").json()["items"][0]
    wall = f"/tournaments/{cup.id}/show"

    def switch(on):
        data = {"on": "1"} if on else {}
        return client.post(f"{wall}/codes", data=data, headers={**FORM, **owner}, follow_redirects=False).status_code

    assert code_of(table) not in client.get(wall, headers=owner).text
    assert switch(True) == 303
    shown = client.get(wall, headers=owner)
    assert code_of(table) in shown.text
    assert shown.headers["cache-control"] == "no-store"
    assert client.get(wall, headers={}).status_code == 404
    assert switch(False) == 303
    assert code_of(table) not in client.get(wall, headers=owner).text


def test_a_public_club_shows_no_code_and_a_seated_phone_records(client, database):
    with House(client, database, public=True) as house:
        match, phone = house.match(), Phone(client)
        door = door_of(house, match)
        page = client.get(f"/matches/{id_of(match)}").text
        assert door["code"] not in page
        assert "data-here" not in page
        assert client.get(f"/matches/{id_of(match)}/seats", follow_redirects=False).status_code == 401
        assert phone.post(f"/matches/{id_of(match)}/result", ENTRY).status_code == 401
        phone.come_in(door, "Annie")
        assert phone.post(f"/matches/{id_of(match)}/result", ENTRY).status_code == 303
