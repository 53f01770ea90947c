"""A match of two players and two directors, each with a token, and the steps of its cases."""

from domain.club.commands import GrantRole
from domain.match import commands as c
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.kinds import CLUB
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool

RESULT = {"parity": "odd", "tricks": [11, 4]}


class CaseScene:
    """A Parity match with `deals` entered deals between Annie and Benny; Dora and Dirk direct."""

    def __init__(self, house, deals=1):
        self.house = house
        self.annie, self.benny = self.person(), self.person()
        self.dora, self.dirk = self.person(), self.person()
        self.as_annie, self.as_benny = (self.token("player", each) for each in (self.annie, self.benny))
        self.as_dora, self.as_dirk = (self.directs(each) for each in (self.dora, self.dirk))
        self.path = house.match(sides=[[{"id": self.annie}], [{"id": self.benny}]])
        self.match = self.path.rpartition("/")[2]
        for _ in range(deals):
            house.done(f"{self.path}/results", {"entry": RESULT})

    def person(self):
        """Add a member and return the id."""
        return self.house.done(f"{self.house.path}/players", {"name": self.house.next_name()}, "owner")["id"]

    def token(self, role, person):
        """Make a token of this role for a person."""
        return self.house.token(role, player=person)

    def directs(self, person):
        """Grant a person the role of director and return a token."""
        grant = GrantRole(person, "director")
        self.with_recorder(lambda recorder: recorder.on_stream(self.house.id, CLUB, grant, own_request(BY)))
        return self.token("director", person)

    def with_recorder(self, act):
        """Run `act` with a recorder of its own, as another process would."""

        async def done(pool):
            return await act(Recorder(Streams(pool)))

        return with_pool(self.house.database, done)

    def call(self, role=None, path=None, **body):
        """Call the director and return the path of the case."""
        said = {"reason": "He revoked.", **body}
        return self.at(self.house.done(f"{path or self.path}/cases", said, role or self.as_annie)["case"])

    def at(self, case):
        return f"/api/v1/cases/{case}"

    def step(self, case, what, role, **body):
        return self.house.done(f"{case}/{what}", body, role)

    def refused(self, case, what, role, status, slug, **body):
        return self.house.refused("POST", f"{case}/{what}", body, status, slug, role)

    def read(self, case, role, query=""):
        answer = self.house.get(f"{case}{query}", role)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def rule(self, scores=(0, 20), by=None, deal=1):
        """Record a ruling in the match and return its version."""
        ruling = c.Rule(code="REV", deal=deal, scores=scores, note="It was a revoke.")
        request = own_request(By(by or self.dora, "director"))
        done = self.with_recorder(lambda recorder: recorder.match(self.match, ruling, request))
        return next(each.version for each in done.events if each.type == "RulingMade")


BY = By(None, "owner")
