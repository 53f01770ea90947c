"""Explanations that are stored as messages: of pairs and byes in every format, of repairs, of a director's rounds."""

from tests.kit.service.club_evenings import Evening

RACE = {"target": 15, "win_by": 2}
PARTNERS = {"game": "cross_purposes", "options": {"variant": "fixed"}}


def stage_of(kind, own=None, **more):
    """A stage of a format."""
    return {"format": {"kind": kind, **(own or {})}, "game": "parity", "race": RACE, **more}


def play(stage):
    """All of it in one club."""
    house = stage.house()
    stages = [
        ("swiss", {"rounds": 5}, 8),
        ("swiss", {"rounds": 4}, 3),  # a round longer than there are opponents
        ("swiss", {"rounds": 4, "rules": "dutch-till-2026"}, 7),
        ("swiss", {"rounds": 3, "acceleration": "baku"}, 8),
        ("swiss", {"rounds": 3, "rules": "monrad"}, 7),
        ("groups", {"groups": 2}, 5),
        ("ladder", {"rounds": 3}, 5),
        ("round-robin", {}, 5),
        ("double", {}, 6),
    ]
    for kind, options, players in stages:
        Evening(house, [stage_of(kind, options)], players=players).to_the_end()
    Evening(house, [stage_of("individual", {"rounds": 3}, **PARTNERS)], players=9).to_the_end()
    first = repaired(house).view["rounds"][0]["pairings"][0]
    player = house.get(f"/api/v1/matches/{first['match']}", "director").json()["sides"][0]["players"][0]
    stage.sits(house, first["match"], player)
    directed(house)
    challenged(house)
    missing(house)


def repaired(house):
    """A knock-out with a third place in which a semi-final is between others after all, then waits again."""
    evening = Evening(house, [stage_of("single", {"third_place": True})], players=7)
    evening.act({"do": "pair_round"})
    evening.play()
    evening.act({"do": "pair_round"})
    for winner in (1, 0):
        wrong = {"do": "report", "fixture": "W1.2", "winner": winner, "repair": "again"}
        evening.act(wrong, reason="the slip was of another table")
    evening.play()
    evening.act({"do": "pair_round"})
    wrong = {"do": "report", "fixture": "W1.2", "winner": 1, "repair": "again"}
    evening.act(wrong, reason="the first slip was right")
    return evening


def directed(house):
    """Rounds of a Swiss that the director made: a bye, and later a pair that has met."""
    evening = Evening(house, [stage_of("swiss", {"rounds": 4})], players=5)
    ids = [each["id"] for each in evening.view["entries"]]
    for _ in range(2):
        pairs = [[ids[4], None], [ids[0], ids[1]], [ids[2], ids[3]]]
        evening.act({"do": "pair_round", "pairs": pairs, "knowingly": True})
        evening.play()
    evening.act({"do": "pair_round"})


def challenged(house):
    """A ladder on which the third challenges the first."""
    evening = Evening(house, [stage_of("ladder")], players=4)
    ids = [each["id"] for each in evening.view["entries"]]
    evening.act({"do": "pair_round", "pairs": [[ids[2], ids[0]]]})


def missing(house):
    """A Swiss round that waits for no result, with somebody who comes late against the bye."""
    evening = Evening(house, [stage_of("swiss", {"rounds": 4})], players=7)
    evening.act({"do": "pair_round"})
    others = evening.open()[1:]
    evening.act(*({"do": "report", "fixture": each["fixture"], "winner": 1} for each in others))
    evening.act({"do": "pair_round", "provisional": True})
    evening.act({"do": "enter", "players": ["Late One"]}, {"do": "pair_round", "added": True})
