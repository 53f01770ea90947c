"""Signal policies: SettingsChanged 3, MatchOpened 3 and TournamentAnnounced 4."""

from tests.kit.service.club_evenings import Evening
from tests.recorded.scenes_settings import change
from tests.recorded.scenes_tournaments import scored
from tests.recorded.tables import Table

PLAN = {"format": {"kind": "single"}, "game": "parity"}
OUT_OF_TURN = {"do": "trump", "seat": 0, "suit": "S"}


def play(stage):
    """A club that changes its mind about who is told of what, with matches and tournaments before and behind."""
    house = stage.house()
    told(house)
    change(house, signals="silent")
    told(house)
    told(house, signals="loud")
    change(house, signals="quiet", opens="member")
    table = told(house, signals="silent")
    stage.sits(house, table.id, table.view["sides"][0]["players"][0])
    for signals in ("loud", "quiet", "silent"):
        evening(house, signals)


def told(house, **more):
    """A match with something to tell: a call out of turn, then the result of its deal."""
    table = Table(house, "parity", [["Annie"], ["Benny"]], **more)
    table.deal(dealer=0)
    table.done("facts", {"facts": [OUT_OF_TURN]})
    table.entered([9, 6])
    table.entered([8, 7])
    return table


def evening(house, signals):
    """A knock-out of two rounds under a policy."""
    found = Evening(house, [PLAN], players=4, plan={"signals": signals})
    for _ in range(2):
        found.act({"do": "pair_round"})
        scored(found, score=None)
    found.read()
