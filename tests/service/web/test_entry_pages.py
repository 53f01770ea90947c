"""The pages on which results and cards are entered, for games of sides, numbers and cards from the stock."""

from urllib.parse import urlencode

from tests.kit.service.asking import FORM, squeezed

SIDES = (("Anna", "Cilla"), ("Bert", "David"))


def opened(house, **more):
    return house.match("ristikontra", SIDES, **more).removeprefix("/api/v1")


def page(client, owner, path):
    answer = client.get(path, headers=owner)
    assert answer.status_code == 200, answer.text[:300]
    return squeezed(answer.text)


def sent(client, owner, path, **form):
    return client.post(path, content=urlencode(form), headers={**owner, **FORM}, follow_redirects=False)


def test_rk_g13_card_points_are_entered_as_a_number_per_side(client, house, owner):
    path = opened(house, options={"cleaning": True, "hand_size": 5})
    text = page(client, owner, f"{path}/result")
    assert 'type="number" name="points.0" min="0" max="120"' in text
    assert "Anna &amp; Cilla" in text
    assert "<span>yes</span>" in text
    form = {"points.0": "90", "queens_taken.0": "True", "queens_taken.1": "False"}
    form |= {"cleaned.0": "False", "cleaned.1": "False"}
    assert "from 0 to 120" in sent(client, owner, f"{path}/result", **{**form, "points.0": "121"}).text
    assert sent(client, owner, f"{path}/result", **form).status_code in (302, 303)
    view = house.get(f"/api/v1{path}").json()
    assert (view["totals"], view["deals"][0]["in_force"]) == ([0, 1], [0, 1])


def test_rk_6_a_card_from_the_stock_is_one_more_tap(client, house, owner):
    path = opened(house)
    house.done(f"/api/v1{path}/deals", {"dealer": 3})
    assert "the stock, in the dark" in page(client, owner, path)
    taken = sent(client, owner, f"{path}/facts", do="dark", seat="0", card="C2")
    assert taken.status_code in (302, 303), taken.text[:500]
    text = page(client, owner, path)
    assert 'value="C2"' not in text
    assert 'value="C3"' in text
    assert "plays the two of clubs in the dark" in text


def test_rk_g5_a_card_taken_back_can_be_tapped_again(client, house, owner):
    path = opened(house, options={"spice": True})
    house.done(f"/api/v1{path}/deals", {"dealer": 3})
    plays = [{"seat": seat, "do": "play", "card": card} for seat, card in enumerate(("S7", "H2", "C3", "D4"))]
    house.done(f"/api/v1{path}/facts", {"facts": plays})
    assert "spice the trick?" in page(client, owner, path)
    house.done(f"/api/v1{path}/facts", {"facts": [{"seat": 0, "do": "spice", "spice": True, "card": "SA"}]})
    text = page(client, owner, path)
    assert 'value="S7"' in text
    assert 'value="SA"' not in text


def test_rk_11_the_new_match_page_lists_the_game_and_its_options(client, house, owner):
    text = page(client, owner, f"/clubs/{house.id}/new")
    assert text.count("Ristikontra") == 1
    form = {"game": "ristikontra", "variant": "", "depth": "summary", "target": "", "option.hand_size": "5"}
    form["option.scoring_unit"] = "card_points"
    form |= {f"name{seat}": name for seat, name in enumerate(("Anna", "Bert", "Cilla", "David"))}
    answer = sent(client, owner, f"/clubs/{house.id}/new", **form)
    assert "to 120" in page(client, owner, answer.headers["location"])


def test_cg_4_an_illegal_call_is_offered_separately_and_recorded(client, house, owner):
    path = house.match("cross_game", (("Anna",), ("Bert",))).removeprefix("/api/v1")
    house.done(f"/api/v1{path}/deals", {"dealer": 0})
    house.done(f"/api/v1{path}/facts", {"facts": [{"seat": 1, "do": "bid", "bid": 3}]})
    text = page(client, owner, path)
    odd = text[text.index("Something else was called") :]
    assert "Anna: bid 2<" in odd
    assert "Anna: bid 4<" not in odd, "a legal bid has its own button"
    fact = '{"do":"bid","seat":0,"bid":2}'
    assert sent(client, owner, f"{path}/facts", fact=fact).status_code in (302, 303)
    assert house.get(f"/api/v1{path}").json()["table"]["calls"][-1] == {"seat": 0, "call": "2"}


def test_strict_matches_and_spectators_are_offered_no_breach(client, house, owner):
    path = house.match("cross_game", (("Anna",), ("Bert",)), recording="strict").removeprefix("/api/v1")
    house.done(f"/api/v1{path}/deals", {"dealer": 0})
    assert "Something else was called" not in page(client, owner, path)
