"""Cases in the closed log: every event of a case, the setting of sealed minutes (SettingsChanged 2), a ruling that is
appealed against, a dispute whose case the steward opened, a walkover without a match."""

import asyncio
from pathlib import Path

from domain import codec
from domain.cards.facts import Fact
from domain.log.decider import New
from domain.match.events import DealStarted
from domain.notation.ctn_read import loads
from tests.kit.service.case_scene import CaseScene
from tests.kit.service.club_evenings import Evening

NOTATION = Path(__file__).parents[2] / "examples" / "notation.ctn"
KNOCKOUT = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}


def play(stage):
    """The planted revoke with a case about it, and three smaller ones."""
    house = stage.house()
    house.done(f"{house.path}/settings", {"statement_minutes": 10}, "secretary")
    scene = revoked(house)
    stage.sits(house, scene.match, scene.annie)
    heard(scene)
    disputed(scene)
    walked_over(house)
    for match in house.get(f"{house.path}/matches", "director").json()["items"]:
        house.get(f"/api/v1/matches/{match['id']}", "director")


def planted():
    """The facts of the first deal of the notation's examples: Benny discards in trick 4 of phase 2, and holds H3."""
    events = [each.event if isinstance(each, New) else each for each in loads(NOTATION.read_text("utf-8"))[0].events]
    starts = [at for at, each in enumerate(events) if isinstance(each, DealStarted)]
    return [each for each in events[starts[0] : starts[1]] if isinstance(each, Fact)]


def revoked(house):
    """A match whose first deal holds the planted revoke."""
    scene = CaseScene(house, 0)
    scene.path = house.match("cross_purposes", sides=[[{"id": scene.benny}], [{"id": scene.annie}]], target=100)
    scene.match = scene.path.rpartition("/")[2]
    house.done(f"{scene.path}/deals", {"dealer": 1})
    facts = [codec.plain(fact) for fact in planted()]
    house.done(f"{scene.path}/facts", {"facts": facts, "it_happened": True})
    return scene


def heard(scene):
    """A case from the call to the decision on an appeal."""
    witness = scene.person()
    played = scene.house.get(f"{scene.path}/events").text.count('"CardPlayed"')
    assert played == 52
    case = scene.call(reason="He threw a spade on my heart.", code="REV", deal=1)
    scene.call(role=scene.as_benny, reason="I had no heart.", deal=1)
    scene.step(case, "statements", scene.as_annie, words="In the fourth trick of the second phase.")
    scene.step(case, "open-statements", scene.as_dora)
    scene.step(case, "statements", scene.as_benny, words="I thought I had none.")
    scene.step(case, "witnesses", scene.as_dora, person=witness, words="The three of hearts lay in trick nine.")
    scene.step(case, "ruler", scene.as_dora, person=scene.dora)
    scene.step(case, "recusals", scene.as_dora, person=scene.dirk, because="asked", reason="He was asked not to.")
    ruling = scene.rule((40, 56))
    scene.step(case, "close", scene.as_dora, ended="ruled", reason="One trick passes.")
    lodged = scene.step(case, "appeals", scene.as_annie, ruling=ruling, grounds="He won the trick: two pass.")
    where = f"appeals/{lodged['version']}/decision"
    chair = scene.token("secretary", scene.person())
    panel = [witness, scene.person(), scene.person()]
    decision = {"outcome": "stands", "panel": panel, "dissent": panel[2:], "grounds": "He did not win it."}
    scene.step(case, where, chair, **decision)
    scene.step(case, "reopen", scene.as_dora, reason="A card was found.")


def disputed(scene):
    """A dispute in another match: the steward opens its case, and it is settled."""
    path = scene.house.match(sides=[[{"id": scene.annie}], [{"id": scene.benny}]])
    scene.house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    scene.house.done(f"{path}/disputes", {"deal": 1, "side": 1, "reason": "Ten and five."}, scene.as_benny)
    before = 1
    while len(scene.house.get(f"{scene.house.path}/cases", scene.as_dora).json()["items"]) == before:
        scene.house.client.blocking_portal.call(asyncio.sleep, 0.05)
    scene.house.done(f"{path}/settlements", {"how": "upheld", "reason": "The piles say eleven."}, "director")


def walked_over(house):
    """A case about a match of a plan that nobody has played."""
    evening = Evening(house, [KNOCKOUT], players=4)
    evening.act({"do": "pair_round"})
    for fixture, how in (("W1.1", "played"), ("W1.2", "walkover")):
        evening.act({"do": "report", "fixture": fixture, "winner": 0, "how": how})
    body = {"fixture": "W2.1", "reason": "He has left already.", "matter": "slow"}
    house.done(f"{evening.path}/cases", body, "director")
    evening.act({"do": "pair_round", "provisional": True})
    evening.read()
