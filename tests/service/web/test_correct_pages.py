"""Pages of corrections: a look at what an entry moves, in which window and by whom; a proposal answered in one tap;
entries affirmed in two."""

import re

import pytest

from tests.kit.service.asking import FORM, House, squeezed
from tests.kit.service.people import Phone
from tests.kit.service.scenes import World

HTML = {"Accept": "text/html"}
NINE = {"parity": "odd", "tricks": [9, 6]}
CALLS = [{"seat": 1, "do": "trump", "suit": "S"}, {"seat": 0, "do": "parity", "parity": "odd"}]


def card(seat, code):
    return {"seat": seat, "do": "play", "card": code}


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        found.people = [found.done(f"{found.path}/players", {"name": n}, "owner")["id"] for n in ("Annie", "Benny")]
        found.sides = [[{"id": each}] for each in found.people]
        found.phones = [Phone(found, each) for each in found.people]
        yield found


@pytest.fixture
def on(house):
    path = house.match(sides=house.sides, target=100)
    house.done(f"{path}/deals", {"dealer": 0})
    plays = [card(1, "HA"), card(0, "DK"), card(1, "DQ"), card(0, "HJ")]
    house.done(f"{path}/facts", {"facts": [*CALLS, *plays]})
    return path.removeprefix("/api/v1")


@pytest.fixture
def looks(house, database):
    """A page as a role of the club, or a phone, sees it."""
    looking = World.__new__(World)
    looking.database = database

    def read(path, who="scorer", status=200, form=None):
        cookie = {"Cookie": f"lurch_sign_in={who.cookie}"} if isinstance(who, Phone) else looking.cookie(who, house.id)
        sent = {**HTML, **cookie, **(FORM if form is not None else {})}
        method = "GET" if form is None else "POST"
        answer = house.client.request(method, path, data=form, headers=sent, follow_redirects=False)
        assert answer.status_code == status, re.sub(r"(?s).*<main", "", answer.text)[:600]
        return squeezed(re.sub("[\u2068\u2069]|</?bdi>", "", answer.text))

    return read


def fields(page, action):
    """The hidden fields of the form that posts there."""
    form = re.search(rf'<form method="post" action="[^"]*/{action}".*?</form>', page)
    assert form, f"no form posts to {action}"
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form[0]))


def plain(value):
    return value.replace("&#34;", '"')


def test_from_the_replay_an_entry_is_looked_at_previewed_and_corrected(house, on, looks):
    replay = looks(f"{on}/replay?at=8")
    assert "Correct this entry" in replay
    assert "Whoever keeps the score corrects it" in replay
    page = looks(f"{on}/correct?at=8")
    for words in (
        "It says:",
        "Annie plays the jack of hearts" if "plays the" in page else "Annie",
        "See what it moves",
    ):
        assert words in page
    page = looks(f"{on}/correct?at=8&do=replace&seat=0&card=SA")
    assert "Tricks: Annie 0, Benny 2 → Annie 1, Benny 1" in page
    sent = {name: plain(value) for name, value in fields(page, "correct").items()}
    assert (sent["how"], sent["accepts"]) == ("correct", "0")
    looks(f"{on}/correct", form={**sent, "reason": "it was a trump"}, status=303)
    table = looks(on)
    assert "it was a trump" in table
    assert re.search("Reasons.*→.*it was a trump", table), "was → is → why"
    assert "corrected: " in looks(f"{on}/replay?at=9")


@pytest.mark.parametrize(
    ("do", "words"),
    [("remove", "nothing"), ("withdraw", "For which irregularity"), ("insert&seat=1&card=ST", "Missing:")],
)
def test_every_way_to_put_an_entry_right_is_previewed_and_done(house, on, looks, do, words):
    page = looks(f"{on}/correct?at=8&do={do}")
    assert words in page
    sent = {name: plain(value) for name, value in fields(page, "correct").items()}
    looks(f"{on}/correct", form={**sent, "reason": "counted again"}, status=303)
    events = house.get(f"/api/v1{on}/events").text
    assert {"remove": '"EntryCorrected"', "withdraw": '"FactWithdrawn"'}.get(do, '"FactInserted"') in events
    assert "counted again" in looks(f"{on}/replay?at=9")


def test_who_may_not_correct_or_propose_gets_no_form(house, on, looks):
    cleo = Phone(house, house.done(f"{house.path}/players", {"name": "Cleo"}, "owner")["id"])
    looks(f"{on}/correct?at=8", cleo, 403)
    assert "Correct this entry" not in looks(f"{on}/replay?at=8", cleo)
    looks(f"{on}/correct", cleo, 403)
    assert looks(f"{on}/correct") == looks(f"{on}/correct?at=8"), "the last one is offered first"
    for wrong in ("99", "1"):
        looks(f"{on}/correct?at={wrong}", status=409)
    looks(f"{on}/correct?at=x", status=400)


def test_a_deal_that_has_no_entry_yet_is_corrected_from_its_beginning(house, looks):
    path = house.match(sides=house.sides)
    looks(f"{path.removeprefix('/api/v1')}/correct", status=303)
    house.done(f"{path}/deals", {"dealer": 0})
    assert "begins here" in looks(f"{path.removeprefix('/api/v1')}/correct")


def test_a_choice_that_cannot_be_read_is_said_on_the_page(on, looks):
    for query in ("do=replace", "do=fly", "do=replace&fact={}", "do=insert&card=SA"):
        assert 'role="alert"' in looks(f"{on}/correct?at=8&{query}", status=409)


def test_a_proposal_is_one_tap_for_the_other_side_and_nobody_else(house, looks):
    path = house.match(sides=house.sides, target=100)
    house.done(f"{path}/results", {"entry": NINE})
    house.done(f"{path}/confirmations", {"deal": 1, "side": 1})
    page, (annie, benny) = path.removeprefix("/api/v1"), house.phones
    assert "The sides correct it together" in looks(page)
    form = looks(f"{page}/result?deal=1", annie)
    assert "Propose it to the other side" in form
    asked = {
        "correct": "1",
        "deal": "1",
        "parity": "even",
        "tricks.0": "7",
        "propose": "1",
        "reason": "the piles say 7",
    }
    looks(f"{page}/result", annie, 303, {**asked, "version": house.get(path).json()["version"]})
    told = looks(page, benny)
    assert "Annie proposes: 19–0 → 0–18 (mistyped). The other side answers." in told
    assert "Yes, correct it" in told
    own = looks(page, annie)
    assert "Yes, correct it" not in own.replace("agrees by PIN", "").split("<details")[0]
    assert "Take it back" in own
    sent = fields(told, "answer")
    looks(f"{page}/answer", benny, 303, {**sent, "yes": "1"})
    after = looks(page, benny)
    assert "proposes:" not in after
    assert house.get(path).json()["totals"] == [0, 18]
    assert "Benny says yes" in looks(f"{page}/replay", benny)


def test_a_director_affirms_in_two_taps_from_a_finding(house, on, looks):
    house.done(f"/api/v1{on}/results", {"entry": NINE})
    told = looks(on, "director")
    if "⚑ Deal 1" not in told:
        pytest.fail("the revoke at entry 6 is not found")
    assert "Looked at the cards" in told
    sent = fields(told, "affirm")
    looks(f"{on}/affirm", "director", 303, sent)
    after = looks(on, "director")
    assert "A director looked at the cards:" in after
    looks(f"{on}/unaffirm", "director", 303, fields(after, "unaffirm"))
    assert "A director looked" not in looks(on, "director")
    assert "affirms entries of deal 1" in looks(f"{on}/replay", "director")


def test_a_director_seals_a_record_on_its_page(house, looks):
    path = house.match(sides=house.sides, target=15)
    house.done(f"{path}/results", {"entry": NINE})
    page = path.removeprefix("/api/v1")
    assert "Seal the record" not in looks(page)
    sent = fields(looks(page, "director"), "seal")
    looks(f"{page}/seal", "director", 303, {**sent, "reason": "the prize is given"})
    assert "Sealed: nothing changes any more" in looks(page)
