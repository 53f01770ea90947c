"""Signatures of people on phones of their own, behind a code, through the scorer and by silence; names put right; a
director at the own table."""

from tests.kit.service.club_evenings import Evening
from tests.kit.service.people import Phone, granted

NINE = {"parity": "odd", "tricks": [11, 4]}
FORM = {"parity": "odd", "tricks.0": "11", "tricks.1": "4"}


def play(stage):
    """A friendly match at one table, and a tournament that asks for signatures."""
    house = stage.house()
    own_table(house)
    stage.sits(*tournament(house))


def people(house, count):
    """Members, by id."""
    return [house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"] for _ in range(count)]


def own_table(house):
    """Two names tapped crosswise, and a director who plays."""
    one, other = people(house, 2)
    match = house.match(sides=[[{"id": one}], [{"id": other}]], target=60)
    stream, page = match.rpartition("/")[2], match.removeprefix("/api/v1")
    first, second = Phone(house, match=stream, name=other), Phone(house, match=stream, name=one)
    first.does(f"{page}/result", **FORM)
    second.does(f"{page}/confirm", deal=1, side=0)
    first.does(f"{page}/names", player=one)
    granted(house, one, "director")
    Phone(house, other).does(f"{page}/dispute", deal=1, side=1, reason="it was ten")
    Phone(house, other).does(f"{page}/consents", deal=1, ruler=one)
    director = Phone(house, one)
    version = house.get(match).json()["disputes"][0]["version"]
    director.does(f"{page}/settle", dispute=version, how="upheld")


def tournament(house):
    """Signatures of each strength, and results that are not final."""
    own = people(house, 4)
    entries = [{"do": "enter", "players": [{"id": person}]} for person in own]
    short = {"format": {"kind": "round-robin"}, "game": "parity", "race": {"target": 15}}
    plan = {"counts": "confirmed", "plays_on": "scorer", "final": "table", "timeout": 60}
    evening = Evening(house, [short], entries=entries, plan=plan)
    evening.act({"do": "pair_round"})
    playing = {each["id"]: each["players"][0] for each in evening.view["entries"]}
    tables = list(evening.round()["pairings"])
    sat = None
    for place, table in enumerate(tables):
        match = f"/api/v1/matches/{table['match']}"
        seated = [playing[side["entries"][0]] for side in table["sides"]]
        phones = [Phone(house, person) for person in seated]
        page = f"/matches/{table['match']}"
        phones[0].does(f"{page}/result", **FORM)
        evening.read()
        keeper = Phone(house, match=table["match"])
        (phones[1] if place == 0 else keeper).does(f"{page}/confirm", deal=1, side=1)
        evening.read()
        sat = (house, table["match"], seated[0])
        assert house.get(match).json()["confirmed"]
    (dee,) = people(house, 1)
    granted(house, dee, "director")
    form = {"do": "uphold", "fixture": tables[-1]["fixture"], "stage": 1}
    Phone(house, dee).does(f"/tournaments/{evening.id}/actions", **form)
    evening.read()
    return sat
