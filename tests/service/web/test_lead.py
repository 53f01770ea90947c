"""The lead of a match: a member of its view, and a line of its live table."""

from tests.kit.service.asking import drawn, first_of_stream

ODD, EVEN = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [5, 10]}


def test_the_lead_stands_in_the_answer_and_on_the_live_table(house, owner):
    match = house.match("parity", target=300)
    page = f"/matches/{match.rpartition('/')[2]}"
    assert house.get(match).json()["lead"] is None
    assert "points ahead" not in house.client.get(page, headers=owner).text
    house.done(f"{match}/results", {"entry": ODD, "deal": 1})
    assert house.get(match).json()["lead"] == 19
    assert "19 points ahead" in drawn(house.client.get(page, headers=owner).text)
    _, _, sent = first_of_stream(house.client, f"{page}/live", owner)
    assert b"19 points ahead" in sent
    house.done(f"{match}/results", {"entry": EVEN, "deal": 2})
    assert house.get(match).json()["lead"] == 1
