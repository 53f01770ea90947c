"""Results of a tournament that are claimed, agreed to and contested, and games of a match of several."""

from tests.kit.service.club_evenings import Evening

LEFT, RIGHT = {"parity": "odd", "tricks": [11, 4]}, {"parity": "odd", "tricks": [4, 11]}


def play(stage):
    """An evening on which both sides confirm, and one of matches of several games."""
    house = stage.house()
    evening = confirmed(stage, house)
    corrected(house, evening)
    several(house)


def confirmed(stage, house):
    """Claims by hand that agree and that do not, and claims from a record."""
    people = [house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"] for _ in range(8)]
    entries = [{"do": "enter", "players": [{"id": person}]} for person in people]
    short = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
    evening = Evening(house, [short], entries=entries, plan={"counts": "confirmed"})
    evening.act({"do": "pair_round"})
    tokens = {person: house.token("player", player=person) for person in people}
    playing = {each["id"]: each["players"][0] for each in evening.view["entries"]}
    tables = evening.round()["pairings"]
    phones = [[tokens[playing[side["entries"][0]]] for side in each["sides"]] for each in tables]
    for place, scores in ((0, ([21, 0], [21, 0])), (1, ([21, 0], [0, 21]))):
        for phone, score in zip(phones[place], scores, strict=True):
            evening.act({"do": "report", "fixture": tables[place]["fixture"], "score": score}, role=phone)
    evening.act({"do": "report", "fixture": tables[1]["fixture"], "score": [0, 21]}, reason="the slip says so")
    for place in (2, 3):
        match = f"/api/v1/matches/{tables[place]['match']}"
        house.done(f"{match}/results", {"entry": LEFT, "deal": 1}, phones[place][0])
        evening.read()
        house.done(f"{match}/confirmations", {"deal": 1, "side": 1}, phones[place][1])
    evening.read()
    evening.act({"do": "pair_round"})
    stage.sits(house, tables[2]["match"], playing[tables[2]["sides"][0]["entries"][0]])
    evening.recorded = [f"/api/v1/matches/{tables[place]['match']}" for place in (2, 3)]
    evening.fixtures = [tables[place]["fixture"] for place in (2, 3)]
    return evening


def corrected(house, evening):
    """Two records that are corrected too late: one result is put right, one stands."""
    for match in evening.recorded:
        version = house.get(match).json()["deals"][0]["entry_version"]
        house.done(f"{match}/corrections", {"version": version, "now": RIGHT, "reason": "misread"}, "director")
        evening.read()
    evening.act({"do": "uphold", "fixture": evening.fixtures[0]})
    again = {"do": "report", "fixture": evening.fixtures[1], "score": [0, 21], "repair": "again", "knowingly": True}
    evening.act(again)
    evening.read()
    evening.play()
    evening.to_the_end()
    evening.read()


def several(house):
    """The games of a match, told one by one."""
    best = {"format": {"kind": "round-robin"}, "game": "parity", "race": {"target": 15, "win_by": 2, "best_of": 3}}
    evening = Evening(house, [best], players=2)
    evening.act({"do": "pair_round"})
    evening.act({"do": "report", "fixture": evening.open()[0]["fixture"], "games": [[15, 3], [3, 15], [15, 13]]})
    evening.act({"do": "finish"})
    evening.read()
