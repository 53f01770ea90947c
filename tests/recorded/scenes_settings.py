"""Settings and house rules of a club: SettingsChanged, HouseRulesAdopted, MatchOpened 2, TournamentAnnounced 3 and
StageStarted 2."""

from tests.kit.service.club_evenings import Evening
from tests.recorded.scenes_tournaments import scored
from tests.recorded.tables import Table

PLAN = {"format": {"kind": "single"}, "game": "parity"}


def play(stage):
    """A club that changes its mind about its rules, with matches and tournaments before, between and behind."""
    house = stage.house()
    entered(house)
    change(house, zone="Europe/Vienna", name="House of rules", games=["parity", "garbo"])
    change(house, opens="member", confirms="pin")
    adopt(house, game="parity", target=33, win_by=4, options={"open_hands": False})
    adopt(house, game="garbo", best_of=3)
    table = entered(house)
    stage.sits(house, table.id, table.view["sides"][0]["players"][0])
    entered(house, target=21, options={"open_hands": True})
    evening(house)
    adopt(house, game="parity", target=60, lurch={"lines": ["2/3"], "win_points": [1, 2]})
    entered(house)
    evening(house, race={"target": 15})
    adopt(house, game="parity")
    entered(house)
    change(house, public=False)
    change(house, public=True)


def change(house, **body):
    """Settings, as a secretary changes them."""
    house.done(f"{house.path}/settings", body, "secretary")


def adopt(house, **body):
    """House rules, as a secretary adopts them."""
    house.done(f"{house.path}/house-rules", body, "secretary")


def entered(house, **more):
    """A match with one result."""
    table = Table(house, "parity", [["Annie"], ["Benny"]], **more)
    table.entered([9, 6])
    return table


def evening(house, **plan):
    """A knock-out of two rounds."""
    found = Evening(house, [{**PLAN, **plan}], players=4)
    for _ in range(2):
        found.act({"do": "pair_round"})
        scored(found, score=None)
    found.read()
