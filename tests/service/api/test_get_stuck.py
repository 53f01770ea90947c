"""Get Stuck over the wire and on its pages: the square, a move by a tap, totals on a number pad."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from domain.cards.card import CARD_OF
from tests.kit.service.asking import FORM, drawn

DEALS = Path(__file__).resolve().parents[2] / "data" / "deals.jsonl"


@pytest.fixture
def match(house):
    return house.match(game="get_stuck")


def history() -> dict:
    """A complete deal that another implementation scored."""
    lines = (json.loads(line) for line in DEALS.read_text().splitlines())
    return next(line for line in lines if line["rules"] == "get_stuck")


def moves(actions: list) -> list[dict]:
    return [{"seat": seat, "do": do, "cell": cell} for seat, do, cell in actions]


def test_a_deal_is_recorded_move_by_move_and_everybody_sees_the_square(house, match):
    case = history()
    deal = case["history"]
    house.done(f"{match}/deals", {"dealer": deal["dealer"], "deal": deal["deal"]})
    seen = house.get(match, role="spectator").json()["table"]
    assert [len(row) for row in seen["grid"]] == [7] * 7
    assert seen["legal"]
    house.done(f"{match}/facts", {"facts": moves(deal["actions"])})
    told = house.get(match).json()
    assert told["totals"] == case["expect"]["scores"]
    assert len(told["table"]["down"]) == len(deal["actions"])


def test_a_square_that_is_not_on_the_table_is_malformed(house, match):
    deal = history()["history"]
    house.done(f"{match}/deals", {"dealer": deal["dealer"], "deal": deal["deal"]})
    for cell in ([7, 0], [-1, 0], [0], [0, 0, 0], ["x", 0], None):
        answer = house.post(f"{match}/facts", {"facts": [{"seat": 1, "do": "move", "cell": cell}]})
        assert (answer.status_code, answer.json()["type"]) == (400, "/problems/malformed")


def test_without_the_layout_moves_are_recorded_and_the_result_is_entered(house, match):
    house.done(f"{match}/deals", {"dealer": 0})
    facts = [{"seat": 1, "do": "move", "cell": [3, 3]}, {"seat": 0, "do": "move", "cell": [3, 0], "card": "2S"}]
    house.done(f"{match}/facts", {"facts": [*facts, {"seat": 1, "do": "pass"}]})
    house.done(f"{match}/results", {"entry": {"stuck": 1, "totals": [148, 25]}})
    assert house.get(match).json()["totals"] == [148, 25]


def send(house, owner, path, body):
    return house.client.post(path, content=body, headers={**owner, **FORM}, follow_redirects=False)


def test_a_tap_on_the_page_moves_any_card_of_the_square(house, owner, match):
    deal = history()["history"]
    house.done(f"{match}/deals", {"dealer": deal["dealer"], "deal": deal["deal"]})
    page = match.removeprefix("/api/v1")
    text = drawn(house.client.get(page, headers=owner).text)
    taps = re.findall(r'name="cell" value="(\d \d)"', text)
    assert len(taps) == 48
    seat, _, cell = deal["actions"][0]
    body = f"do=move&seat={seat}&cell={cell[0]}+{cell[1]}"
    assert send(house, owner, f"{page}/facts", body).status_code == 303
    after = drawn(house.client.get(page, headers=owner).text)
    assert after.count('aria-label="face down, ') == 1
    lay = card_of(deal, cell)
    assert f"moves the {lay} from column d, row 5" in unescape(after)
    replay = house.client.get(f"{page}/replay", headers=owner).text
    assert f"moves the {lay} from column d, row 5" in unescape(replay)
    assert replay.count('class="square"') == 1


def card_of(deal, cell) -> str:
    """The card on a square as it was dealt, as one says it."""
    spoken = CARD_OF[deal["deal"]["grid"][cell[0] * 7 + cell[1]]].spoken
    return spoken[0].lower() + spoken[1:]


def test_totals_are_typed_as_numbers_below_zero_too(house, owner, match):
    page = match.removeprefix("/api/v1")
    form = house.client.get(f"{page}/result", headers=owner).text
    assert form.count('type="number"') == 2
    shown = house.client.get(f"{page}/result/preview?stuck=1&totals.0=88&totals.1=-20", headers=owner).text
    assert "88" in shown
    assert "-20" in shown
    for wrong in ("totals.1=-61", "totals.1=x", "totals.1=1e2", "totals.1=151", ""):
        answer = send(house, owner, f"{page}/result", f"stuck=1&totals.0=88&{wrong}")
        assert answer.status_code == 400, wrong
    assert send(house, owner, f"{page}/result", "stuck=1&totals.0=88&totals.1=-20").status_code == 303
    assert house.get(match).json()["totals"] == [88, -20]


def test_its_rules_page_and_its_shapes_are_there(house):
    games = {game["key"]: game for game in house.get("/api/v1/games").json()}
    fields = games["get_stuck"]["entry"]["default"]["fields"]
    assert [field["kind"] for field in fields] == ["seat", "number", "number"]
    assert sorted(games["get_stuck"]["facts"]) == ["move", "pass"]
    assert 'id="gs-g3"' in house.get("/games/get_stuck", role=None).text


def test_without_the_layout_the_page_has_a_move_by_its_parts(house, owner, match):
    house.done(f"{match}/deals", {"dealer": 0})
    page = match.removeprefix("/api/v1")
    text = drawn(house.client.get(page, headers=owner).text)
    assert not re.search(r'<input[^>]*name="card"[^>]*required', text)
    assert len(re.findall(r'<button class="spot" name="cell" value="\d \d"', text)) == 49
    assert 'value="XR"' not in text
    for body in ("do=move&seat=1&card=&cell=3+3", "do=move&seat=0&card=S2&cell=3+0"):
        answer = house.client.post(f"{page}/facts", content=body, headers={**owner, **FORM}, follow_redirects=False)
        assert answer.status_code == 303, answer.text[-800:]
    assert [fact["card"] for fact in recorded(house, match)] == [None, "S2"]
    followed = drawn(house.client.get(f"{page}/replay", headers=owner).text)
    assert followed.count('aria-label="the gap"') == 1, "the square is drawn as far as the moves tell it"
    assert followed.count('aria-label="face down"') == 1
    assert "moves the card of column d, row 4" in unescape(followed)
    assert "moves the two of spades from column a, row 4" in unescape(followed)


def typed(deal) -> str:
    return "+".join(deal["deal"]["grid"])


def test_a_layout_is_typed_in_reading_order(house, owner, match):
    deal, page = history()["history"], match.removeprefix("/api/v1")
    assert f'href="{page}/layout"' in house.client.get(page, headers=owner).text
    form = drawn(house.client.get(f"{page}/layout", headers=owner).text)
    assert form.count('<span class="spot">') == 49
    red = deal["deal"].get("colours", ["red", "black"]).index("red")
    assert (
        send(house, owner, f"{page}/deals", f"dealer={deal['dealer']}&red={red}&cards={typed(deal)}").status_code == 303
    )
    table = house.get(match).json()["table"]
    read = [each or "--" for row in table["grid"] for each in row]
    assert read == [each if each == "--" else str(CARD_OF[each]) for each in deal["deal"]["grid"]]
    assert table["colours"][red] == "red"
    moved = house.client.get(f"{page}/layout", headers=owner, follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (303, page)
    house.done(f"{match}/facts", {"facts": moves(deal["actions"])})
    assert house.get(match).json()["totals"] == history()["expect"]["scores"]
    again = house.client.get(f"{page}/layout", headers=owner).text
    assert re.search(rf'<option value="{red}" selected', again), "who plays red plays it all session long"


@pytest.mark.parametrize("joker", ["XR", "XB", "xr", "--"])
def test_a_joker_leaves_the_gap(house, owner, match, joker):
    deal, page = history()["history"], match.removeprefix("/api/v1")
    cards = typed(deal).replace("--", joker)
    assert send(house, owner, f"{page}/deals", f"dealer=0&red=0&cards={cards}").status_code == 303
    assert house.get(match).json()["table"]["gap"] is not None


@pytest.mark.parametrize("cards", ["SA", "SA+" * 49, "S1+" * 49, "--+" * 49, "ST+" * 49, "SA+" * 130, "%00"])
def test_a_layout_that_cannot_be_begins_no_deal(house, owner, match, cards):
    page = match.removeprefix("/api/v1")
    answer = send(house, owner, f"{page}/deals", f"dealer=0&red=0&cards={cards}")
    assert answer.status_code == 400, answer.text[-500:]
    assert house.get(match).json()["deals"] == []


def test_a_game_without_an_open_layout_has_none_to_type(house, owner):
    page = house.match(game="parity").removeprefix("/api/v1")
    moved = house.client.get(f"{page}/layout", headers=owner, follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (303, page)
    assert "layout" not in house.client.get(page, headers=owner).text
    assert send(house, owner, f"{page}/deals", "dealer=0&cards=SA+H9").status_code == 409


def recorded(house, match):
    events = [json.loads(line) for line in house.get(f"{match}/events").text.splitlines()]
    return [event["data"] for event in events if event["type"] == "CardMoved"]
