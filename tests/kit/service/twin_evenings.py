"""Twin evenings: the same matches with the same ids and clock, played twice, with a revoke in them.

In one the audit finds the revoke and the opponent calls the director; in the other it finds nothing and there is no
call. Everything that each viewer receives is stored by stage, to be compared.
"""

import random
import sys
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

import pytest
from litestar.testing import TestClient

from domain import codec
from domain.match.audit import findings
from service.desk.cases import calling
from service.run.app import create_app
from service.run.settings import Settings
from service.store.ids import new_id
from service.store.tokens import digest
from tests.conftest import new_database
from tests.kit.faults.processes import until
from tests.kit.games.strategies import played_out
from tests.kit.service.asking import House, first_of_stream
from tests.kit.service.made_up_world import made_up_world
from tests.kit.service.receivers import receiving

FORM = ("parity", {})
MATCHES = {  # by name: signal policy, and whether hands are entered; in `looked` a director opens the case from the
    # finding
    "loud": ("loud", False),
    "quiet": ("quiet", False),
    "silent": ("silent", False),
    "typed": ("quiet", True),
    "looked": ("silent", False),
}
STAGES = ("on", "over", "next deal", "signed", "posted")
VIEWERS = ("director", "scorer", "player", "tapped", "spectator", "nobody")
RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}
VIEWS = ("", "/events", "/projections/tricks", "/projections/scoreboard", "?as_of=20")


def with_a_revoke(seed=1):
    """Return a deal, its dealer and facts with a revoke that a later card of the same hand reveals."""
    game, _, dealer, deal, facts, states = played_out(FORM, seed)
    for place, before in enumerate(states[:-1]):
        duty, seat = game.duty(before), game.to_act(before)
        held = game.view(before, "all").hands[seat]
        mask = duty.masks[0][0] if duty is not None and duty.masks else 0
        follow = [card for card in held if mask >> card & 1]
        others = [card for card in held if not mask >> card & 1]
        if not follow or not others or place > len(facts) // 2:
            continue
        played = [*facts[:place], type(facts[place])(seat, others[0])]
        return deal, dealer, played + shown(game, game.evolve(before, played[-1]), follow, random.Random(seed))
    raise AssertionError("nobody could revoke")


def shown(game, table, held, chance):
    """Play the deal out legally, with one of the held cards as soon as it is allowed."""
    facts = []
    while game.to_act(table) is not None:
        own = [fact for fact in game.legal(table) if getattr(fact, "card", None) in held]
        facts.append(own[0] if own else chance.choice(game.legal(table)))
        table = game.evolve(table, facts[-1])
    return facts


class Evening:
    """The matches of one evening, and what each viewer receives of them."""

    def __init__(self, client, database, world, house, receiver, calls):
        self.client, self.database, self.world, self.house, self.receiver = client, database, world, house, receiver
        self.calls = calls
        self.paths, self.heads, self.received, self.answers, self.hooked = {}, {}, {}, {}, []
        self.cases = {}
        house.done(f"{house.path}/webhooks", {"url": receiver.url}, "owner")
        for name, (policy, typed) in MATCHES.items():
            more = {"signals": policy, "target": None, "deals": 2, "options": {"open_hands": not typed}}
            made = house.done(f"{house.path}/matches", {"game": FORM[0], "sides": [["Annie"], ["Benny"]], **more})
            self.paths[name] = f"/api/v1/matches/{made['match']['id']}"
            self.seated, self.opponent = (side["players"][0] for side in made["match"]["sides"])
        own = house.token("player", player=self.seated)
        self.tokens = {**house.tokens, "player": own, "nobody": None, "tapped": None}
        self.browsers = {each: self._browser(each) for each in VIEWERS}

    def _browser(self, viewer):
        """Return the cookie header of this viewer; `tapped` used the table code of every match as the player."""
        if viewer == "nobody":
            return {}
        plays = viewer in ("player", "tapped")
        secret, club = f"{viewer} {new_id()}", None if plays else self.house.id
        role = "spectator" if plays else viewer
        log, ends = self.house.log, datetime.now(UTC) + timedelta(days=1)
        log.execute(
            "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)"
            " values (%s, %s, %s, %s, false, now(), %s)",
            [digest(secret), club, role, viewer, ends],
        )
        if viewer == "player":
            log.execute(
                "insert into sign_in_people (hash, club_id, player, created_at) values (%s, %s, %s, now())",
                [digest(secret), self.house.id, self.seated],
            )
        for path in self.paths.values() if viewer == "tapped" else ():
            log.execute(
                "insert into table_seats (id, hash, club_id, match_id, player, counter, created_at, last_used,"
                " good_until) values (%s, %s, %s, %s, %s, 1, now(), now(), %s)",
                [new_id(), digest(secret), self.house.id, path.rpartition("/")[2], self.seated, ends],
            )
        return {"Cookie": f"lurch_sign_in={secret}"}

    def play(self):
        """Play the whole evening and look at every stage."""
        deal, dealer, facts = with_a_revoke()
        for name, (_, typed) in MATCHES.items():
            body = {"dealer": dealer, **({"deal": codec.plain(deal), "depth": "full"} if typed else {})}
            self.write(name, "deals", body)
            for fact in facts[:-1]:
                self.write(name, "facts", {"facts": [codec.plain(fact)]})
        if self.calls:
            self._call()
        self.look("on")
        self.write_all("facts", {"facts": [codec.plain(facts[-1])]})
        self._innocent()
        self.look("over")
        self.write_all("results", {**RESULT, "deal": 2})
        self.look("next deal")
        for side in (0, 1):
            self.write_all("confirmations", {"deal": 2, "side": side})
        self.look("signed")
        self.world.passes(minutes=31)
        self.look("posted")

    def _call(self):
        """The other player calls the director to each match."""
        with self.world.aside():
            token = self.house.token("player", player=self.opponent)
            for name, path in self.paths.items():
                if name == "looked":
                    found = {"matter": "finding", "deal": 1, "at": [20], "code": "REV"}
                    self.house.done(f"{path}/cases", found, "director")
                else:
                    self.house.done(f"{path}/cases", {"reason": "that was no diamond", "code": "REV"}, token)

    def _innocent(self):
        """Call the director for an unrelated reason in both evenings and store what that shows."""
        path = self.paths["looked"]
        answer = self.house.post(f"{path}/cases", {"reason": "how many tricks?", "deal": 1}, self.tokens["player"])
        case = answer.json()["case"]
        api, page = f"/api/v1/cases/{case}", f"/cases/{case}"
        later = "at=2099-01-01T00:00:00Z"
        found = {each: self._asked(f"{api}{each}", "player") for each in ("", "?closed=1", "?closed=2", f"?{later}")}
        found |= {f"page{each}": self._looked(f"{page}{each}", "player") for each in ("", "?at=20", f"?{later}")}
        found |= {"table": self._looked(f"{path.removeprefix('/api/v1')}/case", "player"), "call": self._kept(answer)}
        said = self.house.post(f"{api}/statements", {"words": "nine"}, self.tokens["player"])
        found |= {"stated": self._kept(said), "then": self._asked(api, "player")}
        self.cases = found
        self.queues = {each: self._asked(f"{self.house.path}/cases", each) for each in VIEWERS}
        self.world.passes(seconds=7)

    def write_all(self, what, body):
        """Send the same write to each match."""
        for name in MATCHES:
            self.write(name, what, body)

    def write(self, name, what, body):
        """Send a write as the scorer and store its answer."""
        answer = self.house.post(f"{self.paths[name]}/{what}", body)
        assert answer.status_code == 201, answer.text
        self.answers.setdefault(name, []).append(self._kept(answer))
        self.heads[self.paths[name]] = answer.json()["version"]
        self.world.passes(seconds=7)

    def look(self, stage):
        """Store everything that each viewer receives at this stage."""
        for viewer in VIEWERS:
            for name, path in self.paths.items():
                self.received[stage, viewer, name] = self._of_match(path, viewer)
            self.received[stage, viewer, "club"] = self._of_club(viewer)
        self.hooked.append(self._delivered())

    def _of_match(self, path, viewer):
        page = path.removeprefix("/api/v1")
        found = {each: self._asked(f"{path}{each}", viewer) for each in VIEWS}
        found |= {each: self._looked(each, viewer) for each in (page, f"{page}/replay?at=20", f"{page}/case")}
        found["live"] = self._streamed(f"{page}/live", self.browsers[viewer], b"data: ")
        found["stream"] = self._streamed(f"{path}/events", self._bearer(viewer), b"\nid: %d\n" % self.heads[path])
        return found

    def _of_club(self, viewer):
        club = self.house.path
        found = {each: self._asked(f"{club}{each}", viewer) for each in ("", "/matches", "/events", "/players")}
        pages = ("/", f"/clubs/{self.house.id}", f"/clubs/{self.house.id}/members")
        return found | {each: self._looked(each, viewer) for each in pages}

    def _bearer(self, viewer):
        token = self.tokens[viewer]
        return {} if token is None else {"Authorization": f"Bearer {token}"}

    def _asked(self, path, viewer):
        return self._kept(self.client.get(path, headers=self._bearer(viewer)))

    def _looked(self, path, viewer):
        return self._kept(self.client.get(path, headers={"Accept": "text/html", **self.browsers[viewer]}))

    def _streamed(self, path, headers, enough):
        """Return status, headers and first messages of a stream."""
        status, names, got = first_of_stream(self.client, path, {"Accept": "text/event-stream", **headers}, enough)
        assert enough in got, got[:200]
        return status, sorted(names.items()), got

    @staticmethod
    def _kept(answer):
        """Return status, headers in order, and body of an answer."""
        return answer.status_code, answer.headers.raw, answer.content

    def _delivered(self):
        """Wait until the webhook has received every event and return them without repetitions."""
        head = self.house.position()
        until(lambda: self.receiver.positions[-1:] == [head])
        sent = [codec.encode_plain(event) for each in self.receiver.got for event in each.events]
        return list(dict.fromkeys(sent))


@contextmanager
def named_cases():
    """Derive the id of a case from its place, so that a call has the same id in both evenings."""

    def named(_, club, place, __):
        return str(uuid5(UUID(club), f"{place.match} {place.at}"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calling, "_id", named)
        yield


@contextmanager
def blind():
    """Make the audit find nothing, in every module that uses it."""
    asked = {name: getattr(findings, name) for name in ("deal_findings", "findings")}
    with pytest.MonkeyPatch.context() as patch:
        for module in [*sys.modules.values()]:
            for name, own in asked.items():
                if getattr(module, name, None) is own:
                    patch.setattr(module, name, lambda *_: ())
        yield


def evening(calls):
    """Play an evening in a database of its own, with made-up ids and clock."""
    with new_database() as database, made_up_world() as world, receiving() as receiver, named_cases():
        app = create_app(database, Settings(webhook_private=True))
        with TestClient(app) as client, House(client, database, public=True) as house:
            found = Evening(client, database, world, house, receiver, calls)
            found.play()
            return found


def twins():
    """Return the evening with a finding and a call, and the one without."""
    told = evening(calls=True)
    with blind():
        return told, evening(calls=False)
