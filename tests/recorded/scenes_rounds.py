"""Rounds side by side, tables that were added, who was level on a qualifying line, a Swiss behind another stage."""

from tests.kit.service.club_evenings import Evening

RACE = {"target": 15, "win_by": 2}
CIRCLE = {(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (3, 1)}  # the first beats all others, and of those each beats one


def stage_of(kind, options=None, **more):
    """A stage of a format."""
    return {"format": {"kind": kind, **(options or {})}, "game": "parity", "race": RACE, **more}


def play(stage):
    """All of it in one club."""
    house = stage.house()
    first = side_by_side(house).view["rounds"][0]["pairings"][0]
    player = house.get(f"/api/v1/matches/{first['match']}", "director").json()["sides"][0]["players"][0]
    stage.sits(house, first["match"], player)
    waiting(house)
    late(house)
    for how in ({"how": "lot", "lot": 11}, {"how": "given"}):
        level(house, how)
    behind_groups(house)


def report(evening, *fixtures, winner=0):
    """These were won by the side of that place."""
    evening.act(*({"do": "report", "fixture": each, "winner": winner} for each in fixtures))


def to_the_end(evening):
    """What is ready is paired and played until nothing is left."""
    while evening.view["stages"][-1]["status"] != "over":
        evening.act({"do": "pair_round"})
        evening.play()
    evening.act({"do": "finish"})


def side_by_side(house):
    """A double elimination: a semi-final beside a quarter-final, tables added, clocks and a lock, a wrong winner."""
    evening = Evening(house, [stage_of("double", minutes=40)], players=8)
    evening.act({"do": "pair_round"}, {"do": "start_round"})
    report(evening, "W1.1", "W1.2")
    evening.act({"do": "pair_round"}, {"do": "start_round", "round": 2, "minutes": 20})
    report(evening, "W1.3", "W1.4", winner=1)
    evening.act({"do": "pair_round"})
    report(evening, "W2.1")
    evening.act({"do": "report", "fixture": "W1.1", "winner": 1, "repair": "again"}, reason="the wrong line")
    report(evening, "W2.1", "W2.2", "L1.1", "L1.2")
    evening.act({"do": "lock_round", "round": 2})
    to_the_end(evening)
    return evening


def waiting(house):
    """A knock-out that waits for whole rounds, in the middle of its second one."""
    evening = Evening(house, [stage_of("single", terms={"rounds": "strict"})], players=8)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"})
    report(evening, "W2.1")


def late(house):
    """A Swiss of five with one late comer against the bye, then two more against each other."""
    evening = Evening(house, [stage_of("swiss", {"rounds": 3})], players=5)
    evening.act({"do": "pair_round"})
    evening.act({"do": "enter", "players": ["Late One"]}, {"do": "pair_round", "added": True})
    evening.play()
    evening.act({"do": "pair_round"})
    more = [{"do": "enter", "players": [name]} for name in ("Late Two", "Late Three")]
    evening.act(*more, {"do": "pair_round", "added": True, "number": 2})
    evening.play()


def level(house, how):
    """A league of four in which three are level for one place in the final."""
    evening = Evening(house, [stage_of("round-robin", go_on=2, name="League"), stage_of("single", name="Final")], 4)
    ids = [each["id"] for each in evening.view["entries"]]
    for _ in range(3):
        evening.act({"do": "pair_round"})
        for each in evening.open():
            pair = tuple(ids.index(side["entries"][0]) for side in each["sides"])
            report(evening, each["fixture"], winner=0 if pair in CIRCLE else 1)
    order = {"order": [ids[3], ids[1], ids[2]]} if how["how"] == "given" else {}
    evening.act({"do": "seed", **how, **order}, reason="before everybody")
    to_the_end(evening)


def behind_groups(house):
    """A Swiss that knows who has met in the groups before it."""
    swiss = stage_of("swiss", {"rounds": 2})
    evening = Evening(house, [stage_of("groups", {"groups": 2}), swiss])
    to_the_end(evening)
