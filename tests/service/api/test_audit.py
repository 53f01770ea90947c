"""The audit over HTTP: the report of the terminal, to whom the signal policy tells it; and the pace of a round."""

import pytest

from domain import codec
from domain.notation.ctn_read import loads
from tests.kit.service.asking import House, a_problem, later
from tests.kit.service.club_evenings import Evening

FIFTEEN = (
    '[Game "parity"] [A "Ida Holm"] [B "Per Aas"]\n[Deal "1"] [Dealer "B"] '
    "BID A:H B:odd 1.ST SK 2.HK HA 3.DT D5 4.H5 HQ 5.CQ CJ 6.C2 CK 7.DQ H2 8.HT HJ 9.DK XB 10.SQ SA "
    "11.DJ S5 12.DA S2 13.D2 CA 14.CT C5 15.SJ XR"
)
# In trick 8 Per Aas holds the jack of hearts, and plays the ace of clubs.
REVOKED = FIFTEEN.replace("8.HT HJ", "8.HT CA").replace("13.D2 CA", "13.D2 HJ")


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


def facts_of(text):
    (read,) = loads(text)
    assert read.problems == []
    return [codec.plain(fact) for _, fact in read.state.deals[0].facts]


@pytest.fixture
def revoked(house):
    path = house.match(sides=[["Ida Holm"], ["Per Aas"]], target=15)
    house.done(f"{path}/deals", {"dealer": 1})
    house.done(f"{path}/facts", {"facts": facts_of(REVOKED), "it_happened": True})
    return path


def test_the_report_has_places_versions_and_the_slip_that_would_explain_it(house, revoked):
    told = house.get(f"{revoked}/audit", "director").json()
    assert (told["source"], told["match"], told["audit"]) == (None, revoked.rpartition("/")[2], 1)
    first = told["findings"][0]
    assert (first["code"], first["deal"], first["seat"]) == ("REV", 1, 1)
    assert [version - 3 for version in first["versions"]] == first["rests_on"]
    assert first["version"] == first["place"] + 3
    assert (first["grade"] == "C") == (first["explained_by"] is not None)


def test_the_public_is_told_later_than_the_table(house, revoked):
    assert house.get(f"{revoked}/audit", "scorer").json()["findings"]
    assert house.get(f"{revoked}/audit", None).json()["findings"] == []


def test_an_earlier_moment_shows_what_stood_then(house, revoked):
    before = house.get(f"{revoked}/audit?as_of=19", "director").json()
    assert before["findings"] == []
    a_problem(house.get(f"{revoked}/audit?as_of=0", "director"), 404, "not-found")
    a_problem(house.get(f"{revoked}/audit?as_of=x", "director"), 400, "malformed")


def test_where_nothing_can_be_proven_is_for_directors(house, revoked):
    assert house.get(f"{revoked}/audit?openings=true", "director").json()["openings"] == []
    assert "openings" not in house.get(f"{revoked}/audit?openings=true", "scorer").json()


def test_the_page_for_paper_says_the_same(house, revoked):
    page = house.client.get(f"/matches/{revoked.rpartition('/')[2]}/audit", headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert "Nothing found" in page.text
    assert "Ida Holm – Per Aas" in page.text


@pytest.fixture
def round_of_eight(house):
    """Eight tables of a round of 20 minutes: seven need ten minutes for their deal, one needs 25."""
    stage = {"format": {"kind": "swiss", "rounds": 2}, "game": "parity", "race": {"deals": 1}}
    evening = Evening(house, [stage], players=16)
    evening.act({"do": "pair_round"})
    evening.act({"do": "start_round", "minutes": 20})
    facts = facts_of(FIFTEEN)
    tables = evening.round()["pairings"]
    for number, pairing in enumerate(tables):
        path = f"/api/v1/matches/{pairing['match']}"
        house.done(f"{path}/deals", {"dealer": 1})
        house.done(f"{path}/facts", {"facts": facts[:4]})
        with later(house.client, minutes=25 if number == 3 else 10):
            house.done(f"{path}/facts", {"facts": facts[4:]})
    return evening, tables


def test_a_deal_over_twice_the_median_is_slow_in_a_late_round(house, round_of_eight):
    evening, tables = round_of_eight
    address = f"/api/v1/tournaments/{evening.id}/pace"
    assert house.get(address, "director").json()["slow"] == []
    with later(house.client, minutes=26):
        told = house.get(address, "director").json()
        a_problem(house.get(address, "scorer"), 403, "forbidden")
        a_problem(house.get(f"{address}?round=9", "director"), 404, "not-found")
    assert told["late"]
    (slow,) = told["slow"]
    assert (slow["match"], slow["deal"], slow["code"], slow["grade"]) == (tables[3]["match"], 1, "SLO", "C")
    assert slow["seconds"] > 2 * slow["median"]


def test_reported_figures_that_differ_are_a_slip_until_the_director_accepts_them(house):
    stage = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
    evening = Evening(house, [stage], players=4)
    evening.act({"do": "pair_round"})
    first, other = evening.open()
    for each in (first, other):
        evening.act({"do": "report", "fixture": each["fixture"], "score": [12, 21]})
        house.done(f"/api/v1/matches/{each['match']}/results", {"entry": {"parity": "odd", "tricks": [4, 11]}})
    evening.act({"do": "uphold", "fixture": other["fixture"]})
    audit = f"/api/v1/matches/{first['match']}/audit"
    (found,) = house.get(audit, "director").json()["findings"]
    assert (found["code"], found["deal"], found["grade"]) == ("ENT", 1, "C")
    assert found["detail"] == "12–21 was reported to the tournament, the record gives 0–21"
    assert house.get(f"{audit}?as_of=1", "director").json()["findings"] == []
    assert house.get(f"/api/v1/matches/{other['match']}/audit", "director").json()["findings"] == []
    assert house.get(audit, None).json()["findings"] == [], "the public is told after T1, as of any finding"
