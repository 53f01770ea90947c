"""Delays of onlookers: SettingsChanged 3, MatchOpened 4 and TournamentAnnounced 5."""

from tests.kit.service.club_evenings import Evening
from tests.recorded.scenes_settings import change
from tests.recorded.scenes_signals import PLAN
from tests.recorded.scenes_tournaments import scored
from tests.recorded.tables import Table


def play(stage):
    """A club that changes its mind about how far behind onlookers are, with matches and a tournament of each kind."""
    house = stage.house()
    told(house)
    change(house, delay="trick")
    told(house)
    told(house, delay="deal")
    change(house, delay="none", opens="member")
    table = told(house, delay="round", target=None, deals=2)
    stage.sits(house, table.id, table.view["sides"][0]["players"][0])
    for delay in ("trick", "round"):
        evening(house, delay)


def told(house, **more):
    """A match of two deals by their results: nothing of it is held back at the end, whatever time it is."""
    table = Table(house, "parity", [["Annie"], ["Benny"]], **more)
    table.deal(dealer=0)
    table.entered([9, 6])
    table.entered([8, 7])
    return table


def evening(house, delay):
    """A knock-out of two rounds under a delay."""
    found = Evening(house, [PLAN], players=4, plan={"delay": delay})
    for _ in range(2):
        found.act({"do": "pair_round"})
        scored(found, score=None)
    found.read()
