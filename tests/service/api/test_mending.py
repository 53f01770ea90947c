"""Entries put right over HTTP: previews, proposals and answers, affirmations, windows in the match; and who is told."""

import threading

import pytest

from tests.kit.service.asking import House
from tests.kit.service.people import Phone

NINE, EIGHT = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [7, 8]}
CALLS = [{"seat": 1, "do": "trump", "suit": "S"}, {"seat": 0, "do": "parity", "parity": "odd"}]


def card(seat, code):
    return {"seat": seat, "do": "play", "card": code}


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        found.people = [found.done(f"{found.path}/players", {"name": n}, "owner")["id"] for n in ("Annie", "Benny")]
        found.sides = [[{"id": each}] for each in found.people]
        found.seats = [found.token("player", player=each) for each in found.people]
        found.phones = [Phone(found, each) for each in found.people]
        yield found


@pytest.fixture
def signed(house):
    """A result that Benny has confirmed."""
    path = house.match(sides=house.sides, target=100)
    house.done(f"{path}/results", {"entry": NINE})
    house.done(f"{path}/confirmations", {"deal": 1, "side": 1})
    return path


@pytest.fixture
def on(house):
    """A deal that is on, with two tricks."""
    path = house.match(sides=house.sides, target=100)
    house.done(f"{path}/deals", {"dealer": 0})
    plays = [card(1, "HA"), card(0, "HK"), card(1, "DQ"), card(0, "DJ")]
    house.done(f"{path}/facts", {"facts": [*CALLS, *plays]})
    return path


def test_the_match_shows_the_correction_window_of_each_deal(house, signed):
    (told,) = house.get(signed).json()["windows"]
    assert (told["deal"], told["window"], told["ends"]) == (1, "T1", None)
    short = house.match(sides=house.sides, target=15)
    house.done(f"{short}/results", {"entry": NINE})
    (told,) = house.get(short).json()["windows"]
    assert told["window"] == "T0"
    assert told["ends"] is not None, "ten minutes after the last fact"
    assert house.get(f"{short}?as_of=3").json()["windows"] == []


def test_a_preview_says_what_moves_and_writes_nothing(house, on, signed):
    before = house.position()
    body = {"version": 8, "now": card(0, "SA"), "reason": "misread"}
    told = house.post(f"{on}/corrections/preview", body).json()
    assert (told["how"], told["window"], told["preview"]["was"]) == ("correct", "T0", card(0, "DJ"))
    assert (told["preview"]["before"]["tricks"], told["preview"]["after"]["tricks"]) == ([0, 2], [1, 1])
    body = {"version": 3, "now": EIGHT, "reason": "misread"}
    told = house.post(f"{signed}/corrections/preview", body).json()
    assert (told["how"], told["preview"]["before"]["totals"], told["preview"]["after"]["totals"]) == (
        "propose",
        [19, 0],
        [0, 18],
    )
    assert house.post(f"{signed}/corrections/preview", body, "director").json()["how"] == "correct"
    assert house.position() == before
    house.refused("POST", f"{on}/corrections/preview", {**body, "version": 99}, 409, "misfit")
    house.refused("POST", f"{on}/corrections/preview", body, 403, "forbidden", "spectator")


def test_any_entry_is_replaced_taken_out_inserted_or_taken_back(house, on):
    house.done(f"{on}/corrections", {"version": 8, "now": None, "reason": "typed twice"})
    house.done(f"{on}/corrections", {"version": 6, "now": card(0, "HQ"), "reason": "misread"})
    house.done(f"{on}/corrections", {"version": 7, "now": card(0, "DT"), "insert": True, "reason": "forgotten"})
    house.done(f"{on}/withdrawals", {"version": 5, "code": "REV"})
    assert sorted(house.get(on).json()["table"]["seen"]) == ["DQ", "DT", "HQ"]
    events = [each["type"] for each in map(dict, house.done(f"{on}/undo", {})["events"])]
    assert events == ["FactUndone"]


def test_a_proposal_is_shown_answered_in_one_tap_and_everybody_is_told(house, signed):
    page = signed.removeprefix("/api/v1")
    annie, benny = house.phones
    annie.does(f"{page}/correct", at=3, do="replace", how="propose", now='{"parity":"even","tricks":[7,8]}', reason="x")
    (waiting,) = house.get(signed).json()["proposals"]
    assert (waiting["was"]["tricks"], waiting["now"]["tricks"], waiting["side"], waiting["waits"]) == (
        NINE["tricks"],
        EIGHT["tricks"],
        0,
        "sides",
    )
    answer = f"{signed}/proposals/{waiting['version']}/answer"
    house.refused("POST", answer, {"yes": True}, 403, "forbidden")
    house.refused("POST", answer, {"yes": True}, 403, "forbidden", house.seats[1])  # a program speaks for no side
    benny.does(f"{page}/answer", proposal=waiting["version"], yes=1)
    view = house.get(signed).json()
    assert (view["totals"], view["proposals"]) == ([0, 18], [])
    house.refused("POST", answer, {"yes": False}, 409, "misfit", "director")


def test_a_proposal_on_another_clubs_match_is_not_there(house, signed, client, database):
    body = {"version": 3, "now": EIGHT, "reason": "x"}
    with House(client, database) as stranger:
        entries = {"deal": 1, "versions": [3]}
        for path, sent in (("proposals", body), ("proposals/5/answer", {"yes": True}), ("affirmations", entries)):
            stranger.refused("POST", f"{signed}/{path}", sent, 404, "not-found", "director")


def test_of_two_answers_at_once_one_carries_it_out(house, signed):
    body = {"version": 3, "now": EIGHT, "reason": "misread"}
    version = house.done(f"{signed}/proposals", body, house.seats[0])["version"]
    path, answers = f"{signed}/proposals/{version}/answer", []

    def answer():
        answers.append(house.post(path, {"yes": True}, "director").status_code)

    both = [threading.Thread(target=answer) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert sorted(answers) == [201, 409]
    assert house.get(signed).json()["totals"] == [0, 18]


def test_players_and_directors_affirm_entries_but_scorers_cannot(house, on):
    body = {"deal": 1, "versions": [5, 6]}
    house.refused("POST", f"{on}/affirmations", {**body, "inspected": True}, 409, "misfit", "director")
    house.done(f"{on}/results", {"entry": NINE})
    house.refused("POST", f"{on}/affirmations", body, 403, "forbidden")
    house.refused("POST", f"{on}/affirmations", {**body, "inspected": True}, 403, "forbidden")
    version = house.done(f"{on}/affirmations", {**body, "inspected": True}, "director")["version"]
    (given,) = house.get(on, "director").json()["affirmations"]
    assert (given["version"], given["versions"], given["side"], given["strength"]) == (
        version,
        [5, 6],
        None,
        "inspected",
    )
    house.phones[1].does(f"{on.removeprefix('/api/v1')}/affirm", deal=1, versions="5 6")
    assert [each["side"] for each in house.get(on).json()["affirmations"]] == [None, 1]
    assert house.get(on, "spectator").json()["affirmations"] == [], "that something was asked is nobody else's to know"
    house.done(f"{on}/affirmations/{version}/withdraw", {}, "director")
    house.refused("POST", f"{on}/affirmations/{version}/withdraw", {}, 409, "misfit", "director")


def test_a_sealed_record_changes_no_more(house):
    path = house.match(sides=house.sides, target=15)
    house.done(f"{path}/results", {"entry": NINE})
    house.done(f"{path}/seal", {"reason": "the prize is given today"}, "director")
    assert house.get(path).json()["sealed"] is True
    for what, body in (("undo", {}), ("corrections", {"version": 3, "now": EIGHT, "reason": "x"}), ("void-deal", {})):
        house.refused("POST", f"{path}/{what}", body, 409, "window-closed", "director")


def test_a_chain_of_misfits_needs_a_director_who_has_seen_it(house):
    path = house.match("cross_game", sides=house.sides)
    house.done(f"{path}/deals", {"dealer": 1})
    house.done(f"{path}/facts", {"facts": [{"seat": 0, "do": "pass"}, {"seat": 1, "do": "bid", "bid": 1}]})
    house.done(f"{path}/facts", {"facts": [card(1, "HA"), card(0, "HK")], "it_happened": True})
    body = {"version": 3, "now": {"seat": 1, "do": "pass"}, "insert": True, "reason": "he passed"}
    lost = house.refused("POST", f"{path}/corrections", body, 409, "misfit")["misfits"]
    told = house.post(f"{path}/corrections/preview", body).json()
    assert (told["how"], told["preview"]["misfits"]) == (None, lost)
    asked = house.refused("POST", f"{path}/corrections", body, 409, "confirm-needed", "director")
    assert asked["accepts"] == len(lost)
    house.done(f"{path}/corrections", {**body, "accepts": len(lost)}, "director")
