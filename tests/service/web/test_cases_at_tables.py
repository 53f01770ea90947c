"""Cases from a table: by a name that was tapped behind its code, by PIN, and by a link for whom it concerns."""

import re

import pytest

from domain import codec
from tests.kit.faults.processes import until
from tests.kit.service.asking import House, squeezed
from tests.kit.service.people import Phone
from tests.kit.service.revoke_scene import RevokeScene, planted

PIN = "2468"
NOBODY = "nothing waits for a statement of yours"


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        yield found


class Table:
    """A table with the planted revoke, and phones at it that nobody has signed in on."""

    def __init__(self, house, **more):
        self.scene, self.house = RevokeScene(house, **more), house
        self.match, self.page = self.scene.match, f"/matches/{self.scene.match}"
        self.case_page = f"{self.page}/case"

    def tapped(self, name=None):
        """A phone on which a name was tapped behind the table's code."""
        return Phone(self.house, match=self.match, name=name)

    def own(self, person):
        """A phone of a person's own."""
        return self.scene.phone(person)

    def see(self, phone, path=None, status=200):
        """A page as it is shown on a phone."""
        self.house.client.cookies.clear()
        headers = {"Accept": "text/html", **phone.header}
        answer = self.house.client.get(path or self.page, headers=headers, follow_redirects=False)
        assert answer.status_code == status, answer.text[:600]
        return squeezed(re.sub("[\u2068\u2069]|</?bdi>", "", answer.text))

    def call(self, phone, reason="A rule was broken"):
        """A call from the table: what its case is, and where the phone is led."""
        where = phone.does(f"{self.page}/call", reason=reason).headers["location"]
        return self.cases()[0]["id"], where

    def cases(self):
        """The queue, as a director reads it."""
        found = self.house.get(f"{self.house.path}/cases", self.scene.as_dora).json()["items"]
        return [each for each in found if each["match"] == self.match]

    def view(self, case):
        return self.scene.read(f"/api/v1/cases/{case}", self.scene.as_dora)

    def has_case(self):
        """Wait for the case that the service opens for a dispute and return its id."""
        return until(self.cases)[0]["id"]


@pytest.fixture
def table(house):
    return Table(house)


def with_pin(table, person):
    """A PIN of a person, set on the own phone."""
    table.own(person).does("/me", do="pin", club=table.house.id, pin=PIN)


def test_a_tapped_name_calls_the_director_but_gets_no_case_link(table):
    phone = table.tapped(table.scene.annie)
    page = table.see(phone)
    assert "Call the director" in page
    assert page.count('action="/matches/' + table.match + '/call"') == 1
    case, where = table.call(phone)
    assert where == f"{table.page}?called=1"
    assert "The director has been called to this table." in table.see(phone, where)
    view = table.view(case)["view"]
    (call,), (step,) = view["calls"], view["procedure"]
    assert (call["side"], call["person"]) == (0, table.scene.annie)
    assert (step["actor"], step["role"]) == (table.scene.annie, "player")
    for path in (f"/cases/{case}", f"/cases/{case}/file"):
        table.see(phone, path, 404)


def test_a_name_tapped_at_one_table_calls_to_no_other(table, house):
    other = Table(house)
    phone = table.tapped(table.scene.annie)
    assert phone.post(f"{other.page}/call", reason="A rule was broken").status_code == 404
    assert phone.post(f"{other.case_page}/statement", words="He looked.").status_code == 404
    table.see(phone, other.case_page, 404)
    assert other.cases() == []


def test_a_table_code_calls_no_more_often_than_others(table):
    tapped = table.tapped(table.scene.annie)
    for _ in range(10):
        tapped.does(f"{table.page}/call", reason="A rule was broken")
    assert tapped.post(f"{table.page}/call", reason="A rule was broken").status_code == 429
    for phone in (table.tapped(table.scene.benny), table.tapped(), table.own(table.scene.annie)):
        phone.does(f"{table.page}/call", reason="A rule was broken")
    (row,) = table.cases()
    assert row["calls"] == 13


def test_a_name_tapped_behind_the_code_disputes_in_two_taps_and_states(table):
    phone = table.tapped(table.scene.annie)
    assert "Dispute a result" in table.see(phone)
    phone.does(f"{table.page}/dispute", deal="1", reason="")
    case = table.has_case()
    assert (table.view(case)["view"]["calls"][0]["side"], table.cases()[0]["disputed"]) == (0, True)
    assert "A dispute is before the director" in table.see(phone)
    phone.does(f"{table.case_page}/statement", words="It was a heart.")
    (said,) = table.view(case)["view"]["statements"]["said"]
    assert (said["side"], said["person"]) == (0, table.scene.annie)


def test_a_tapped_name_states_once_at_table_assurance(table):
    phone = table.tapped(table.scene.annie)
    case, _ = table.call(phone)
    page = table.see(phone)
    assert f'href="/matches/{table.match}/case"' in page
    assert "your statement is asked" in page
    assert "What happened, says Annie" in table.see(phone, table.case_page)
    where = phone.does(f"{table.case_page}/statement", words="He had the three.").headers["location"]
    told = table.see(phone, where)
    assert "sealed until every side has stated" in told
    assert "He had the three." not in told, "who picks the phone up next reads nothing of it"
    step = table.view(case)["view"]["procedure"][-1]
    assert (step["actor"], step["role"], step["data"]["strength"]) == (table.scene.annie, "player", "table")
    again = phone.post(f"{table.case_page}/statement", words="And the four.")
    assert (again.status_code, "has stated already from a phone of the table" in again.text) == (409, True)
    assert "a name tapped at the table" in table.see(table.own(table.scene.dora), f"/cases/{case}")


def test_words_of_a_refused_statement_are_kept_and_a_pin_never_is(table):
    phone = table.tapped(table.scene.annie)
    form = {"words": "He had the three.", "person": table.scene.annie, "pin": "97531"}
    answer = phone.post(f"{table.case_page}/statement", **form)
    assert (answer.status_code, "this PIN is not right" in answer.text.replace("This", "this")) == (403, True)
    assert "He had the three." in answer.text
    assert "97531" not in re.sub(r"[0-9a-f]{8}[0-9a-f-]*", "", answer.text), "ids may spell it by chance"


@pytest.mark.parametrize("who", ["annie", None])
def test_a_phone_at_the_table_cannot_state_in_an_unknown_case(house, who):
    answers, pages = set(), set()
    for begun in ("nothing", "called", "found"):
        table = Table(house, signals="silent")
        if begun == "called":
            table.scene.call(table.scene.as_benny)
        elif begun == "found":
            at = table.scene.finding()["version"]
            table.scene.call(table.scene.as_dora, matter="finding", deal=1, at=[at], code="REV")
        phone = table.tapped(None if who is None else table.scene.annie)
        answer = phone.post(f"{table.case_page}/statement", words="He had the three.")
        answers.add((answer.status_code, NOBODY in answer.text.replace("Nothing", "nothing")))
        page = table.see(phone, table.case_page)
        for id_ in (table.match, table.scene.annie, table.scene.benny):
            page = page.replace(id_, "…")
        pages.add(re.sub(r'data-who="[^"]*"', "", page))
        assert 'class="heard"' not in table.see(phone)
    assert answers == {(409, True)}
    assert len(pages) == 1


def test_a_phone_under_the_opponents_name_does_not_see_their_call(house):
    table = Table(house, signals="silent")
    table.scene.call(table.scene.as_annie)
    phone = table.tapped(table.scene.annie)
    assert 'class="heard"' not in table.see(phone)
    assert "What happened, says" not in table.see(phone, table.case_page)


def test_who_keeps_the_score_by_a_code_calls_and_states_for_nobody(table):
    phone = table.tapped()
    case, where = table.call(phone)
    assert where == f"{table.page}?called=1"
    assert phone.post(f"{table.case_page}/statement", words="She had it.").status_code == 409
    assert table.view(case)["view"]["statements"]["said"] == []


def test_what_is_said_from_a_table_is_for_those_who_are_there(table):
    stranger = table.own(table.scene.named("Zoe"))
    table.see(stranger, table.case_page, 403)
    assert stranger.post(f"{table.case_page}/statement", words="I saw it").status_code == 403
    phone = table.tapped(table.scene.annie)
    assert phone.post(f"{table.case_page}/nothing").status_code == 404
    assert phone.post(f"{table.case_page}/appeal", ruling="9").status_code == 403


def test_a_party_is_led_from_the_table_to_its_case(table):
    annie, benny = (table.own(each) for each in (table.scene.annie, table.scene.benny))
    case, where = table.call(annie)
    assert where == f"/cases/{case}"
    for phone in (annie, benny, table.own(table.scene.dora)):
        assert f'href="/cases/{case}"' in table.see(phone)
    assert "The director was called at" in table.see(benny)
    assert "your statement is asked" in table.see(benny)
    table.scene.step(f"/api/v1/cases/{case}", "statements", table.scene.as_benny, words="No.")
    assert "your statement is asked" not in table.see(benny)
    assert f'href="/cases/{case}"' in table.see(benny)
    stranger = table.own(table.scene.named("Zoe"))
    assert f"/cases/{case}" not in table.see(stranger)
    table.scene.step(f"/api/v1/cases/{case}", "close", table.scene.as_dora, ended="unfounded")
    assert f"/cases/{case}" not in table.see(annie)


def test_the_other_side_is_led_to_no_case_before_the_policy_tells(house):
    table = Table(house, signals="silent")
    annie, benny = (table.own(each) for each in (table.scene.annie, table.scene.benny))
    before = table.see(benny)
    case, _ = table.call(annie)
    assert f'href="/cases/{case}"' in table.see(annie)
    assert table.see(benny) == before
    benny.does(f"{table.page}/dispute", deal="1", reason="")
    until(lambda: table.cases()[0]["calls"] == 2)
    assert "A dispute is before the director" in table.see(benny)
    assert f'href="/cases/{case}"' in table.see(benny)


def test_a_silent_policy_links_no_player_to_a_case_about_a_finding(house):
    table = Table(house, signals="silent")
    annie = table.own(table.scene.annie)
    before = table.see(annie)
    at = table.scene.finding()["version"]
    case = table.scene.call(table.scene.as_dora, matter="finding", deal=1, at=[at], code="REV").rpartition("/")[2]
    assert table.see(annie) == before
    assert f'href="/cases/{case}"' in table.see(table.own(table.scene.dora))


def ruled(table):
    """A case with a ruling in it: its id, and the version of the ruling."""
    case = table.scene.call().rpartition("/")[2]
    return case, table.scene.rule(scores=[40, 56])


def test_a_pin_signs_statement_acceptance_and_appeal_on_the_other_sides_phone(table):
    annie, benny = table.own(table.scene.annie), table.scene.benny
    with_pin(table, benny)
    case, ruling = ruled(table)
    path, signed = f"/cases/{case}", {"person": benny, "pin": PIN}
    page = table.see(annie, path)
    for words in ("states here by PIN", "accepts it here by PIN", "appeals here by PIN"):
        assert words in page
    annie.does(f"{path}/statement", words="I had no heart.", **signed)
    step = table.view(case)["view"]["procedure"][-1]
    assert (step["actor"], step["data"]["side"], step["data"]["strength"]) == (benny, 1, "pin")
    assert "I had no heart." not in table.see(annie, path), "it is sealed for whose phone it is"
    annie.does(f"{path}/accept", match=table.match, deal="1", ruling=str(ruling), **signed)
    (found,) = table.house.get(table.scene.path).json()["rulings"]
    assert found["accepted"] == [1]
    refused = annie.post(f"{path}/appeal", appealed=table.match, ruling=str(ruling), words="No!", **signed)
    assert "your side has accepted this ruling" in refused.text.replace("Your side", "your side")


def test_an_appeal_is_lodged_by_pin_on_the_directors_tablet(table):
    annie, dora = table.scene.annie, table.own(table.scene.dora)
    with_pin(table, annie)
    case, ruling = ruled(table)
    form = {"appealed": table.match, "ruling": str(ruling), "words": "I had none."}
    wrong = table.own(table.scene.dirk).post(f"/cases/{case}/appeal", **form, person=annie, pin="0000")
    assert wrong.status_code == 403
    assert table.view(case)["view"]["appeals"] == []
    dora.does(f"/cases/{case}/appeal", **form, person=annie, pin=PIN)
    step = table.view(case)["view"]["procedure"][-1]
    assert (step["type"], step["actor"], step["role"], step["data"]["side"]) == ("AppealLodged", annie, "player", 0)


def test_pins_sign_at_a_table_without_personal_phones(table):
    tablet, annie, benny = table.tapped(), table.scene.annie, table.scene.benny
    with_pin(table, annie)
    with_pin(table, benny)
    case, ruling = ruled(table)
    page = table.see(tablet, table.case_page)
    assert "State by PIN" in page
    assert "Accept it by PIN" in page
    assert "Appeal against it by PIN" in page
    deal = {"deal": "1", "ruling": str(ruling)}
    assert tablet.post(f"{table.case_page}/accept", **deal).status_code == 403
    tablet.does(f"{table.case_page}/statement", words="He had it.", person=annie, pin=PIN)
    tablet.does(f"{table.case_page}/accept", **deal, person=benny, pin=PIN)
    tablet.does(f"{table.case_page}/appeal", ruling=str(ruling), words="Two tricks.", person=annie, pin=PIN)
    view = table.view(case)["view"]
    assert [(each["side"], each["person"]) for each in view["statements"]["said"]] == [(0, annie)]
    assert [each["side"] for each in view["appeals"]] == [0]
    accepted = [each for each in table.house.get(f"{table.scene.path}/events").text.splitlines() if "Accepted" in each]
    assert len(accepted) == 1
    assert '"strength":"pin"' in accepted[0].replace(": ", ":")
    for path in (table.page, table.case_page):
        assert "Two tricks." not in table.see(tablet, path)
    page = table.see(tablet, table.case_page)
    assert "under appeal" in page
    assert "Appeal against it by PIN" not in page


def test_a_name_tapped_accepts_a_ruling_with_the_strength_of_a_table(table):
    phone = table.tapped(table.scene.benny)
    _, ruling = ruled(table)
    assert "Benny accepts it" in table.see(phone, table.case_page)
    phone.does(f"{table.case_page}/accept", deal="1", ruling=str(ruling))
    events = table.house.get(f"{table.scene.path}/events").text.splitlines()
    (accepted,) = [each.replace(": ", ":") for each in events if "RulingAccepted" in each]
    assert '"strength":"table"' in accepted
    assert table.scene.benny in accepted


def test_a_pin_signs_with_nothing_that_others_on_the_phone_hold(house):
    scene = RevokeScene(house)
    carla, denny = scene.named("Carla"), scene.named("Denny")
    sides = [[{"id": scene.annie}, {"id": carla}], [{"id": scene.benny}, {"id": denny}]]
    match = house.match("ristikontra", sides=sides).rpartition("/")[2]
    scene.phone(scene.annie).does("/me", do="pin", club=house.id, pin=PIN)
    phone = scene.phone(carla)
    case = phone.does(f"/matches/{match}/call", reason="A rule was broken").headers["location"]
    phone.does(f"{case}/statement", words="He had it.", person=scene.annie, pin=PIN)
    step = scene.read(f"/api/v1{case}", scene.as_dora)["view"]["procedure"][-1]
    assert (step["actor"], step["data"]["person"], step["data"]["strength"]) == (scene.annie, scene.annie, "pin")


def test_best_play_next_to_a_ruling_says_what_is_missing(table):
    dora, scene = table.own(table.scene.dora), table.scene
    at = scene.finding()["version"]
    case = scene.call(scene.as_dora, matter="finding", deal=1, at=[at], code="REV").rpartition("/")[2]
    page = table.see(dora, f"/cases/{case}?finding=0&remedy=equity")
    link = re.search(r'href="(/cases/[^"]+/equity[^"]*)"', page)[1].replace("&amp;", "&")
    assert "What would best play have given?" in page
    told = table.see(dora, link)
    assert "Best play from before it" in told or "What is missing:" in told
    assert "Name the entry" in table.see(dora, f"/cases/{case}/equity")
    table.see(dora, f"/cases/{case}/equity?offence=999999")
    table.see(table.own(scene.annie), link, 403)
    table.see(table.own(scene.named("Zoe")), link, 404)


def test_best_play_names_what_is_missing_where_cards_are_not_known(house):
    table = Table(house)
    scene, facts = table.scene, [codec.plain(fact) for _, fact in planted().deals[0].facts[:6]]
    scene.path = house.match("cross_purposes", sides=[[{"id": scene.annie}], [{"id": scene.benny}]])
    scene.match = scene.path.rpartition("/")[2]
    house.done(f"{scene.path}/deals", {"dealer": planted().deals[0].dealer})
    last = house.done(f"{scene.path}/facts", {"facts": facts})["version"]
    case = scene.call(scene.as_dora, matter="finding", deal=1, at=[last], code="REV").rpartition("/")[2]
    told = table.see(table.own(scene.dora), f"/cases/{case}/equity?deal=1&offence={last}")
    assert "What is missing: cards that nobody typed and that did not fall" in told


def test_what_is_proven_is_not_looked_at_again(table):
    dora, scene = table.own(table.scene.dora), table.scene
    at = scene.finding()["version"]
    case = scene.call(scene.as_dora, matter="finding", deal=1, at=[at], code="REV").rpartition("/")[2]
    offered = "I looked at the cards", "Looked at the cards"
    assert offered[0] in table.see(dora, f"/cases/{case}")
    assert offered[1] in table.see(dora)
    versions = re.search(r'name="versions" value="([\d ]+)"', table.see(dora, f"/cases/{case}"))[1]
    dora.does(f"/cases/{case}/affirm", match=table.match, deal="1", versions=versions, inspected="1")
    assert "Proven: the entries are settled" in table.see(dora, f"/cases/{case}")
    assert offered[0] not in table.see(dora, f"/cases/{case}")
    assert f"<summary>{offered[1]}" not in table.see(dora)


def test_a_case_that_was_ruled_on_waits_for_nobody(table):
    queue, dora = f"/clubs/{table.house.id}/cases", table.own(table.scene.dora)
    case = table.scene.call().rpartition("/")[2]

    def row():
        page = table.see(dora, queue)
        return page[page.index(case) :].partition("</li>")[0]

    assert "Waits for" in row()
    table.scene.rule(scores=[40, 56])
    assert "Waits for" not in row()
    assert "Answered after" in row()
    (found,) = table.cases()
    assert found["answered"] is True


def test_the_director_who_decides_an_appeal_is_always_in_its_panel(table):
    case, ruling = ruled(table)
    step = {"ruling": ruling, "grounds": "I had none."}
    table.scene.step(f"/api/v1/cases/{case}", "appeals", table.scene.as_annie, **step)
    dirk = table.own(table.scene.dirk)
    page = table.see(dirk, f"/cases/{case}")
    ticked = re.findall(r'name="panel_([\w-]+)" value="yes" checked', page)
    assert ticked == [table.scene.dirk]
    appeal = re.search(r'name="appeal" value="(\d+)"', page)[1]
    form = {"appeal": appeal, f"panel_{ticked[0]}": "yes"}
    dirk.does(f"/cases/{case}/decide", **form, outcome="withdrawn")
    (found,) = table.view(case)["view"]["appeals"]
    assert (found["outcome"], found["panel"]) == ("withdrawn", []), "an appeal that is taken back has no panel"


def test_a_name_tapped_disputes_for_its_own_side_only(table):
    phone = table.tapped(table.scene.annie)
    assert phone.post(f"{table.page}/dispute", deal="1", side="1", reason="").status_code == 403
    phone.does(f"{table.page}/dispute", deal="1", reason="")
    (found,) = table.house.get(table.scene.path).json()["disputes"]
    assert (found["deal"], found["side"]) == (1, 0)


@pytest.mark.parametrize(
    ("step", "status", "form"),
    [
        ("statement", 400, {"words": "x" * 4001}),
        ("statement", 400, {"words": "He\x07 looked."}),
        ("statement", 400, {"words": "  "}),
        ("statement", 400, {"words": "He looked.", "person": "nobody", "pin": PIN}),
        ("statement", 400, {"words": "He looked.", "person": "nobody", "pin": "9" * 500}),
        ("accept", 400, {"deal": "one", "ruling": "9"}),
        ("accept", 409, {"deal": "99"}),
        ("accept", 409, {"deal": "1"}),
        ("appeal", 403, {"ruling": "9", "words": "No!"}),
    ],
)
def test_a_form_that_cannot_be_meant_is_refused_on_the_page(house, called, step, status, form):
    table, phone = called
    before = table.view(table.cases()[0]["id"])["view"]["version"]
    answer = phone.post(f"{table.case_page}/{step}", **form)
    assert (answer.status_code, 'role="alert"' in answer.text) == (status, True), answer.text[:300]
    assert table.view(table.cases()[0]["id"])["view"]["version"] == before


@pytest.fixture(scope="module")
def called(house):
    """A table whose phone has called: the table, and the phone."""
    table = Table(house)
    phone = table.tapped(table.scene.annie)
    table.call(phone)
    return table, phone
