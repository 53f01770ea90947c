"""A correction says why, to whom it concerns and not before it may; the first dealer is asked for."""

import pytest

from tests.kit.service.asking import FORM, House, squeezed

HTML = {"Accept": "text/html"}
ODD, EVEN = ({"parity": each, "tricks": [11, 4]} for each in ("odd", "even"))
WORDS = "the piles were counted again"


@pytest.fixture(scope="module")
def public(client, database):
    with House(client, database, public=True) as house:
        yield house


@pytest.fixture
def as_role(public, database):
    """The header of a browser that is signed in as a role of the club."""
    from tests.kit.service.scenes import World

    looking = World.__new__(World)
    looking.database = database
    return lambda role: looking.cookie(role, public.id)


def read(house, path, headers):
    answer = house.client.get(path, headers={**HTML, **headers})
    assert answer.status_code == 200, answer.text[:300]
    return squeezed(answer.text)


def test_everybody_of_the_club_is_told_why_a_result_was_corrected(public, as_role):
    path = public.match()
    public.done(f"{path}/results", {"entry": ODD})
    public.done(f"{path}/corrections", {"version": 3, "now": EVEN, "reason": WORDS}, "director")
    page = path.removeprefix("/api/v1")
    for where in (page, f"{page}/replay", f"{page}/replay?at=4"):
        for role in ("player", "scorer", "director"):
            assert WORDS in read(public, where, as_role(role)), (where, role)
        assert WORDS not in read(public, where, {}), "a stranger is told the figures only"


def test_the_reason_is_on_the_page_that_says_what_was_refused_too(public, as_role):
    path = public.match()
    public.done(f"{path}/results", {"entry": ODD})
    public.done(f"{path}/corrections", {"version": 3, "now": EVEN, "reason": WORDS}, "director")
    page = path.removeprefix("/api/v1")
    headers = {**HTML, **FORM, **as_role("scorer")}
    refused = public.client.post(f"{page}/confirm", data={"deal": "9", "side": "0"}, headers=headers)
    assert (refused.status_code in (400, 404, 409), WORDS in refused.text) == (True, True)


def test_a_reason_is_shown_once_the_deal_is_over(public, as_role):
    path = public.match("cross_game")
    public.done(f"{path}/deals", {"dealer": 0})
    version = public.done(f"{path}/facts", {"facts": [{"seat": 1, "do": "bid", "bid": 3}]})["version"]
    change = {"version": version, "now": {"seat": 1, "do": "bid", "bid": 4}, "reason": WORDS}
    public.done(f"{path}/corrections", change)
    page = path.removeprefix("/api/v1")
    assert WORDS in read(public, page, as_role("scorer"))
    assert WORDS not in read(public, page, as_role("player"))
    public.done(f"{path}/void-deal", {})
    public.done(f"{path}/deals", {})
    assert WORDS in read(public, page, as_role("player"))


def send(house, headers, path, **form):
    answer = house.client.post(path, data=form, headers={**FORM, **headers}, follow_redirects=False)
    assert answer.status_code == 303, answer.text[:300]


@pytest.mark.parametrize("dealer", [0, 1])
def test_who_won_the_cut_deals_the_first_hand(public, as_role, dealer):
    scorer = as_role("scorer")
    for what in ("deals", "result"):
        page = public.match().removeprefix("/api/v1")
        shown = read(public, page if what == "deals" else f"{page}/result", scorer)
        assert f'name="dealer" value="{dealer}"' in shown
        assert "by lot" in shown
        more = {"parity": "odd", "tricks.0": "9"} if what == "result" else {}
        send(public, scorer, f"{page}/{what}", dealer=str(dealer), **more)
        assert public.get(f"/api/v1{page}").json()["deals"][0]["dealer"] == dealer


def test_a_lot_is_drawn_where_that_was_chosen_and_both_come_up(public, as_role):
    drawn = set()
    for _ in range(40):
        page = public.match().removeprefix("/api/v1")
        send(public, as_role("scorer"), f"{page}/deals", dealer="")
        drawn.add(public.get(f"/api/v1{page}").json()["deals"][0]["dealer"])
    assert drawn == {0, 1}


def test_the_dealer_is_not_asked_when_rules_or_pairing_decide(public, as_role):
    path = public.match()
    public.done(f"{path}/results", {"entry": ODD})
    shown = read(public, path.removeprefix("/api/v1"), as_role("scorer"))
    assert "Deal card by card" in shown
    assert 'name="dealer"' not in shown
    stage = {"format": {"kind": "single"}, "game": "parity"}
    entries = [{"do": "enter", "players": [name]} for name in ("Ahti", "Bea")]
    body = {"name": "Cup", "stages": [stage], "entries": entries}
    cup = public.done(f"{public.path}/tournaments", body, "director")["tournament"]["id"]
    paired = public.done(f"/api/v1/tournaments/{cup}/actions", {"actions": [{"do": "pair_round"}]}, "director")
    match = paired["tournament"]["rounds"][0]["pairings"][0]["match"]
    for where in ("", "/result"):
        shown = read(public, f"/matches/{match}{where}", as_role("scorer"))
        assert 'name="dealer"' not in shown
