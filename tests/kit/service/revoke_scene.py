"""A match with the revoke of examples/notation.ctn, its players and its directors."""

from pathlib import Path

from domain import codec
from domain.notation.ctn_read import loads
from tests.kit.service.case_scene import CaseScene
from tests.kit.service.people import Phone

NOTATION = Path(__file__).parents[3] / "examples/notation.ctn"


def planted():
    """The first deal of the notation's examples, before it was ruled on."""
    text = NOTATION.read_text(encoding="utf-8").split("! ruling")[0]
    return loads(text)[0].state


class RevokeScene(CaseScene):
    """Cross Purposes between Annie and Benny after the deal with the revoke, 48–49.

    With `known` the record has the hands, otherwise only the played cards. A `mark` makes the names unique.
    """

    def __init__(self, house, known=False, mark="", **more):
        self.house = house
        self.annie, self.benny = self.named(f"Annie{mark}"), self.named(f"Benny{mark}")
        self.dora, self.dirk = self.named(f"Dora{mark}"), self.named(f"Dirk{mark}")
        self.as_annie, self.as_benny = (self.token("player", each) for each in (self.annie, self.benny))
        self.as_dora, self.as_dirk = (self.directs(each) for each in (self.dora, self.dirk))
        self.path = house.match("cross_purposes", sides=[[{"id": self.annie}], [{"id": self.benny}]], **more)
        self.match = self.path.rpartition("/")[2]
        self.play(known)

    def named(self, name):
        """Add a person, even if the name exists, and return the id."""
        body = {"name": name, "another": True}
        return self.house.done(f"{self.house.path}/players", body, "owner")["id"]

    def play(self, known=False):
        """Record the deal card by card."""
        deal = planted().deals[0]
        start = {"dealer": deal.dealer}
        if known and deal.cards is not None:
            start["deal"] = codec.plain(deal.cards)
        self.house.done(f"{self.path}/deals", start)
        facts = [codec.plain(fact) for _, fact in deal.facts]
        self.house.done(f"{self.path}/facts", {"facts": facts, "it_happened": True})

    def finding(self, role=None):
        """Return the finding of the revoke as a director reads it."""
        found = self.house.get(self.path, role or self.as_dora).json()["findings"]
        return next(each for each in found if each["code"] == "REV")

    def phone(self, person):
        """Return a phone signed in as this person."""
        return Phone(self.house, person)
