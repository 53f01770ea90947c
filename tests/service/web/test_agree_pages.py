"""Pages of a match: what sides say and sign, disputes and their end, deals brought back, hands opened."""

import re

import pytest

from domain import codec
from domain.games import find
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import FORM, House, drawn
from tests.kit.service.scenes import World
from tests.kit.tournament.entries import some_entry

HTML = {"Accept": "text/html"}
NINE, TEN = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [5, 10]}
WON = {"parity": "odd", "tricks": [11, 4]}
CARDS = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
WHY = "the piles were counted wrongly"


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database) as found:
        found.people = [found.done(f"{found.path}/players", {"name": n}, "owner")["id"] for n in ("Annie", "Benny")]
        found.sides = [[{"id": each}] for each in found.people]
        found.seats = [found.token("player", player=each) for each in found.people]
        yield found


@pytest.fixture
def seen(house, database):
    """The page of a match as a role of the club sees it, without what marks a name off."""
    looking = World.__new__(World)
    looking.database = database

    def read(path, role="scorer"):
        answer = house.client.get(path.removeprefix("/api/v1"), headers={**HTML, **looking.cookie(role, house.id)})
        assert answer.status_code == 200, answer.text[:300]
        return drawn(re.sub("[\u2068\u2069]|</?bdi>", "", answer.text))

    def send(path, what, role="scorer", status=303, **form):
        headers = {**HTML, **FORM, **looking.cookie(role, house.id)}
        answer = house.client.post(
            f"{path.removeprefix('/api/v1')}/{what}", data=form, headers=headers, follow_redirects=False
        )
        assert answer.status_code == status, answer.text[:500]
        return drawn(re.sub("[\u2068\u2069]|</?bdi>", "", answer.text))

    read.send = send
    return read


@pytest.fixture
def table(house):
    """A match of three deals, with the result of its first."""
    path = house.match(sides=house.sides, deals=3)
    house.done(f"{path}/results", {"entry": NINE})
    return path


@pytest.fixture
def hidden(house):
    """A deal on whose hands not everybody has seen."""
    path = house.match("cross_game", sides=house.sides)
    house.done(f"{path}/deals", {"dealer": 0, "deal": CARDS})
    return path


def view(house, path):
    return house.get(path).json()


def controls(text):
    """What the page offers: where its forms lead, without the address of the match."""
    forms = re.findall(r'<form method="post" action="(/matches/[^"]+)"', text)
    return [each.rpartition("/")[2] for each in forms]


def form_of(text, button):
    """The hidden fields of the form with this button."""
    (form,) = [each for each in re.findall(r"<form.*?</form>", text, re.S) if button in each]
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))


def test_a_void_deal_is_brought_back_until_the_next_one_has_begun(house, table, seen):
    house.done(f"{table}/deals", {})
    assert "until the next deal has begun" in seen(table)
    assert "restore" not in controls(seen(table))
    seen.send(table, "void", sure="1")
    text = seen(table)
    assert "Bring deal 2 back" in text
    assert "undo" not in controls(text)
    seen.send(table, "restore", **form_of(text, "Bring deal 2 back"))
    assert view(house, table)["deals"][1]["void"] is False
    assert "deal 2 counts after all" in seen(f"{table}/replay")
    seen.send(table, "void", sure="1")
    house.done(f"{table}/deals", {})
    assert "restore" not in controls(seen(table))
    assert "Bring" not in seen(table)


def test_a_dispute_is_told_to_everybody_and_its_reason_to_directors(house, table, seen):
    assert "Dispute a result" in seen(table)
    seen.send(table, "dispute", deal="1", side="1", reason=WHY)
    for role in ("player", "scorer", "director"):
        text = seen(table, role)
        assert "Deal 1 is disputed by Benny: the director decides." in text
        assert "disputed</b>" in text
        assert (WHY in text, WHY in seen(f"{table}/replay", role)) == ((role == "director"),) * 2
    assert "Dispute a result" not in seen(table, "player")
    assert house.get(table).json()["disputes"][0]["side"] == 1


def test_during_a_dispute_the_scorer_sees_who_can_change_the_deal(table, seen):
    text = seen(table)
    assert {"undo", "confirm"} <= set(controls(text))
    assert "correct<" in text
    seen.send(table, "dispute", deal="1", side="", reason=WHY)
    text = seen(table)
    assert "The result of deal 1 is disputed: the director can change it." in text
    assert "undo" not in controls(text)
    assert "correct<" not in text
    director = seen(table, "director")
    assert {"undo", "void", "settle"} <= set(controls(director))
    assert "correct<" in director


@pytest.mark.parametrize(
    ("how", "said"),
    [("upheld", "the result stands"), ("corrected", "the result was corrected"), ("void", "the deal is void")],
)
def test_a_director_settles_a_dispute(house, table, seen, how, said):
    seen.send(table, "dispute", deal="", side="", reason=WHY)
    assert "The match is disputed: the director decides." in seen(table)
    fields = form_of(seen(table, "director"), "The result stands")
    refused = seen.send(table, "settle", "scorer", 403, **fields, how=how)
    assert "may not do this" in refused
    seen.send(table, "settle", "director", **fields, how=how)
    assert house.get(table).json()["disputes"] == []
    assert f"the dispute is settled: {said}" in seen(f"{table}/replay")
    assert "is disputed" not in seen(table)


def test_the_scorer_of_a_dispute_cannot_withdraw_it_for_the_side(house, table, seen):
    seen.send(table, "dispute", deal="1", side="0", reason=WHY)
    text = seen(table)
    assert "The result stands" not in text
    assert "Take it back" not in text
    house.refused("POST", f"{table}/settlements", {"how": "withdrawn"}, 403, "forbidden")
    assert "undo" not in controls(text)


def test_a_confirmation_carries_the_figures_that_it_shows(house, table, seen):
    fields = form_of(seen(table), "Benny confirms 19–0")
    assert fields["scores"] == "19 0"
    house.done(f"{table}/corrections", {"version": 3, "now": TEN, "reason": "misread"})
    refused = seen.send(table, "confirm", status=409, **fields)
    assert "0–20" in refused
    assert "19–0" in refused
    assert view(house, table)["deals"][0]["confirmed"] == []
    seen.send(table, "confirm", **form_of(seen(table), "Benny confirms 0–20"))
    text = seen(table)
    assert "confirmed by Benny" in text
    assert "Benny confirms 0–20" not in text
    assert "Annie confirms 0–20" in text


def test_a_confirmation_meets_no_race_with_what_changes_no_figure(house, table, seen):
    fields = form_of(seen(table), "Benny confirms 19–0")
    seen.send(table, "confirm", **form_of(seen(table), "Annie confirms 19–0"))
    seen.send(table, "confirm", **fields)
    assert view(house, table)["deals"][0]["confirmed"] == [0, 1]


def test_what_every_side_has_confirmed_is_the_directors_to_change(house, table, seen):
    for name in ("Annie", "Benny"):
        seen.send(table, "confirm", **form_of(seen(table), f"{name} confirms 19–0"))
    text = seen(table)
    assert "Deal 1 is confirmed: propose the correction, and the other side agrees to it in one tap" in text
    assert "undo" not in controls(text)
    assert "undo" in controls(seen(table, "director"))


def test_the_end_of_a_match_is_signed_with_its_totals(house, table, seen):
    house.done(f"{table}/results", {"entry": TEN, "deal": 2})
    house.done(f"{table}/results", {"entry": WON, "deal": 3})
    totals = "–".join(map(str, view(house, table)["totals"]))
    club = f"/clubs/{house.id}"
    for where in (table, "/", club):
        assert "not confirmed yet" in seen(where, "owner" if where == "/" else "scorer")
    fields = form_of(seen(table), f"Benny confirms the match, {totals}")
    assert fields["scores"] == totals.replace("–", " ")
    seen.send(table, "confirm", **fields)
    assert "not confirmed yet" in seen(table)
    seen.send(table, "confirm", **form_of(seen(table), f"Annie confirms the match, {totals}"))
    assert view(house, table)["confirmed"] is True
    assert "not confirmed yet" not in seen(table)
    row = next(each for each in house.get(f"{house.path}/matches").json()["items"] if each["id"] in table)
    assert row["agreed"] is True
    own = re.search(rf'href="{table.removeprefix("/api/v1")}".*?</li>', seen(club), re.S)[0]
    assert "not confirmed yet" not in own


CLAIMS = [
    ("void-deal", {}, "Annie says that deal 1 is void"),
    ("pause", {}, "Annie wants to go on with the result only"),
]


@pytest.mark.parametrize(("what", "body", "said"), CLAIMS)
def test_what_a_side_says_stands_at_the_table_until_the_other_agrees(house, database, hidden, seen, what, body, said):
    seated = house.token("scorer", player=house.people[0])
    house.done(f"{hidden}/{what}", body, seated)
    for role in ("player", "scorer"):
        assert said in seen(hidden, role)
        assert said in seen(f"{hidden}/replay", role)
    assert "Benny agrees" not in seen(hidden, "player")
    seen.send(hidden, "confirm", **form_of(seen(hidden), "Benny agrees"))
    deal = view(house, hidden)["deals"][0]
    assert (deal["claims"], deal["void"] or deal["paused"]) == ([], True)
    assert said in seen(f"{hidden}/replay")


def test_a_claimed_result_carries_its_figures_and_is_taken_back(house, hidden, seen):
    entry = some_entry(find("cross_game"), find("cross_game").options())
    house.done(f"{hidden}/results", {"entry": entry, "deal": 1}, house.seats[0])
    claim = view(house, hidden)["deals"][0]["claims"][0]
    said = "Annie says " + "–".join(map(str, claim["scores"]))
    text = seen(hidden)
    assert said in text
    assert form_of(text, "Benny agrees")["scores"] == " ".join(map(str, claim["scores"]))
    seen.send(hidden, "undo", **form_of(text, "Take it back"))
    assert view(house, hidden)["deals"][0]["claims"] == []
    assert f"taken back: {said}" in seen(f"{hidden}/replay")


def test_a_director_opens_hands_that_are_still_hidden(house, hidden, seen):
    house.done(f"{hidden}/void-deal", {})
    assert "Open the hands" not in seen(hidden)
    assert "Open the hands" in seen(hidden, "director")
    seen.send(hidden, "hands", "director", deal="1", reason=WHY)
    assert "Open the hands" not in seen(hidden, "director")
    assert "holds" in seen(hidden, "player")
    assert "the hands of deal 1 are opened" in seen(f"{hidden}/replay", "player")
    assert (WHY in seen(hidden, "player"), WHY in seen(hidden, "director")) == (False, True)
    assert "restore" not in controls(seen(hidden)), "a deal whose hands were opened stays over"


def test_an_undo_names_what_was_taken_back_and_who_did_what(house, table, seen):
    house.done(f"{table}/confirmations", {"deal": 1, "side": 1})
    house.refused("POST", f"{table}/undo", {}, 409, "window-closed")
    house.done(f"{table}/undo", {}, "director")
    text = seen(f"{table}/replay")
    for words in ("result of deal 1: 19–0", "Benny confirms 19–0", "taken back: result of deal 1: 19–0"):
        assert words in text
    assert not re.search(r"version \d+ (undone|corrected)|side \d confirms", text)


def test_others_are_told_in_words_what_was_recorded_meanwhile(house, table, seen):
    house.done(f"{table}/corrections", {"version": 3, "now": TEN, "reason": "misread"})
    told = seen.send(table, "undo", status=409, version="3")
    assert "Recorded meanwhile: corrected: an earlier entry → 0–20" in told
