"""The `world` fixture: the demo club, and a club with a tournament and a match in every state.

It has its own database, so the front page links to nothing else.
"""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from litestar.testing import TestClient
from msgspec.structs import replace

from domain import codec
from domain.games import all_games, find
from domain.tournament.formats import all_formats
from service.cli import clerk
from service.cli.demo import CLUB, load_demo
from service.run.app import create_app
from service.store import webhooks
from service.store.ids import new_id
from service.store.tokens import digest
from service.webhooks.signing import make_secret
from tests.conftest import new_database, with_pool
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import FORM, NOWHERE, House
from tests.kit.service.club_evenings import Evening
from tests.kit.service.pushed import ELSEWHERE, announce, bring, elsewhere, send, stream_of
from tests.kit.service.revoke_scene import RevokeScene
from tests.kit.tournament.entries import some_entry

LOOKERS = ("anybody", "player", "scorer", "director", "owner")
MORE = {"groups": {"groups": 2}}
ENTRANTS = {"individual": 5}
GROUPS = {"format": {"kind": "groups", "groups": 2}, "game": "cross_game", "go_on": 2, "minutes": 30}
FINAL = {"format": {"kind": "single"}, "game": "cross_game"}
STATES = ("announced", "paired", "disputed", "between rounds", "finished", "archived")
STAGES = ("announced", "first stage on", "between stages", "second stage on", "finished")
LONGEST = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswesse"  # 80 letters, no space


class World:
    """Two clubs. `scenes` maps the name of every state to the address that shows it to everybody; `office` maps those
    that only a secretary or the owner may see."""

    def __init__(self, client, database, whole=False):
        self.client, self.database, self.scenes, self.office = client, database, {}, {}
        with_pool(database, lambda pool: load_demo(pool, whole=whole))
        self.demo = with_pool(database, lambda pool: clerk.club_named(pool, CLUB))
        with House(client, database, public=True) as house:
            self.house = house
            for kind in all_formats():
                self._of_a_format(kind)
            self._of_two_stages()
            self._of_two_rounds()
            for key, game in all_games().items():
                self._of_a_game(key, game)
            self._of_a_match()
            self._of_long_names()
            self._of_merged_people()
            self._of_who_may()
            self._of_cases()
            self._of_what_was_pushed()
            self._of_a_new_club()

    def _of_a_format(self, kind):
        """Make one tournament per state."""
        game = "ristikontra" if kind == "individual" else "cross_game"
        stage = {"format": {"kind": kind, **MORE.get(kind, {})}, "game": game, "minutes": 30}
        count = ENTRANTS.get(kind, 4)
        for last, state in enumerate(STATES):
            plan = {"fee": 500, "season": "2026", "prizes": [{"first": 1, "last": 1, "what": "the cup"}]}
            evening = Evening(self.house, [stage], count, name=f"{kind}, {state}", plan=plan)
            if last >= STATES.index("paired"):
                evening.act({"do": "pair_round"}, {"do": "start_round", "minutes": 30})
            if last >= STATES.index("disputed"):
                evening.play()
                fixture = evening.round()["pairings"][0]["fixture"]
                evening.act({"do": "dispute", "fixture": fixture}, reason="the sheet says 12–10")
            if last >= STATES.index("between rounds"):
                evening.act({"do": "uphold", "fixture": fixture})
            if last >= STATES.index("finished"):
                evening.act({"do": "withdraw", "entry": evening.view["entries"][-1]["id"]})
                evening.act({"do": "finish", "early": True})
            if last >= STATES.index("archived"):
                evening.act({"do": "archive"})
            self.scenes[f"tournament: {kind}, {state}"] = f"/tournaments/{evening.id}"

    def _of_two_stages(self):
        for last, state in enumerate(STAGES):
            evening = Evening(self.house, [GROUPS, FINAL], 6, name=f"two stages, {state}")
            if last >= STAGES.index("first stage on"):
                evening.act({"do": "pair_round"})
            while last >= STAGES.index("between stages") and evening.view["stages"][0]["status"] != "over":
                evening.play()
                if evening.view["stages"][0]["status"] != "over":
                    evening.act({"do": "pair_round"})
            if last >= STAGES.index("second stage on"):
                evening.act({"do": "pair_round"})
            if last >= STAGES.index("finished"):
                evening.play()
                evening.act({"do": "finish"})
            self.scenes[f"tournament: two stages, {state}"] = f"/tournaments/{evening.id}"

    def _of_two_rounds(self):
        """Make a bracket whose final depends on results that can still be corrected."""
        evening = Evening(self.house, [FINAL], 4, name="single, final on")
        evening.act({"do": "pair_round"})
        evening.play()
        evening.act({"do": "pair_round"})
        self.scenes["tournament: single, final on"] = f"/tournaments/{evening.id}"

    def _match(self, state, *steps, game="parity", sides=(("Annie",), ("Benny",)), **more):
        path = self.house.match(game, sides, **more)
        for what, body in steps:
            self.house.done(f"{path}/{what}", body, "director")
        self.scenes[f"match: {state}"] = path.removeprefix("/api/v1")

    def _of_a_game(self, key, game):
        """Make two matches of a game: between deals, and with a deal in progress."""
        options = game.options()
        names = iter(("Annie", "Benny", "Carla", "Denny"))
        sides = tuple(tuple(next(names) for _ in side) for side in game.sides(options))
        self._match(f"{key}, deal on", ("deals", {"dealer": 0}), game=key, sides=sides)
        self._match(f"{key}, entered", ("results", {"entry": some_entry(game, options)}), game=key, sides=sides)

    def _of_a_match(self):
        odd, even = ({"parity": each, "tricks": [11, 4]} for each in ("odd", "even"))
        entered = ("results", {"entry": odd})
        on = [("deals", {"dealer": 0}), ("facts", {"facts": [{"seat": 1, "do": "trump", "suit": "H"}]})]
        playing = [*on, ("facts", {"facts": [{"seat": 0, "do": "parity", "parity": "odd"}]})]
        reason = "the piles were counted again"
        steps = {
            "opened": [],
            "deal on": on,
            "playing": playing,
            "entered": [entered],
            "paused": [*on, ("pause", {})],
            "confirmed": [entered, ("confirmations", {"deal": 1, "side": 1})],
            "corrected": [entered, ("corrections", {"version": 3, "now": even, "reason": reason})],
            "proposed": [
                entered,
                ("confirmations", {"deal": 1, "side": 1}),
                ("proposals", {"version": 3, "now": even, "reason": reason}),
            ],
            "void": [*on, ("void-deal", {})],
            "undone": [*on, ("undo", {})],
            "disputed": [entered, ("disputes", {"deal": 1, "side": 1, "reason": reason})],
        }
        for state, before in steps.items():
            self._match(state, *before)
        self._match("finished", entered, deals=1)
        self._of_hidden_hands()

    def _of_hidden_hands(self):
        """Make two deals with hidden hands: one void, one that one side claims is void."""
        dealt = ("deals", {"deal": codec.plain(random_deal("cross_game", find("cross_game").options(), 7))})
        self._match("void, hands hidden", dealt, ("void-deal", {}), game="cross_game")
        self._match("claimed", dealt, game="cross_game")
        path = f"/api/v1{self.scenes['match: claimed']}"
        annie = self.house.get(path).json()["sides"][0]["players"][0]
        self.house.done(f"{path}/void-deal", {}, self.house.token("scorer", player=annie))

    def _of_long_names(self):
        """Make a match and two tournaments with names too long for any line."""
        sides = ((LONGEST,), (LONGEST[::-1].capitalize(),))
        entry = {"entry": {"parity": "odd", "tricks": [11, 4]}}
        self._match("long names", ("results", entry), ("deals", {"dealer": 0}), sides=sides)
        for kind in ("single", "swiss"):
            entries = [{"do": "enter", "players": [name]} for (name,) in sides]
            stage = {"format": {"kind": kind}, "game": "cross_game"}
            evening = Evening(self.house, [stage], entries=entries, name=LONGEST)
            evening.act({"do": "pair_round"})
            evening.play()
            self.scenes[f"tournament: {kind}, long names"] = f"/tournaments/{evening.id}"

    def _of_merged_people(self):
        """Make people to be merged, people who cannot be merged, and a merged person."""
        names = ("Bennny King", "Benny King", "Ben King", LONGEST)
        ids = [
            self.house.done(f"{self.house.path}/players", {"name": name, "another": True}, "owner")["id"]
            for name in names
        ]
        short = {"target": 15}
        for one, other in ((ids[0], ids[3]), (ids[1], ids[3])):
            match = self.house.match(sides=[[{"id": one}], [{"id": other}]], **short)
            self.house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
        self.house.done(f"{self.house.path}/players/{ids[1]}/merge", {"other": ids[2]}, "owner")
        page = f"/clubs/{self.house.id}/members/{ids[1]}"
        self.office["merge: what moves"] = f"{page}/merge?with={ids[0]}"
        self.office["merge: refused"] = f"{page}/merge?with={ids[3]}"
        self.office["part"] = f"{page}/part?with={ids[2]}"

    def _of_who_may(self):
        """Grant roles, declare friends, and make a token and a webhook whose receiver does not exist."""
        one, other = (each["id"] for each in self.house.get(f"{self.house.path}/players").json()["items"][:2])
        cup = self.scenes["tournament: swiss, announced"].rpartition("/")[2]
        for role in ({"role": "secretary"}, {"role": "deputy", "tournament": cup}):
            self.house.done(f"{self.house.path}/roles", {"person": one, **role}, "owner")
        self.house.done(f"{self.house.path}/friends", {"one": one, "other": other}, "director")
        self.house.done(f"{self.house.path}/tokens", {"role": "scorer", "name": "desk"}, "owner")
        hook = (self.house.id, new_id(), NOWHERE, make_secret(), None, datetime.now(UTC), None, b"")
        made = with_pool(self.database, lambda pool: webhooks.create(pool, *hook))
        assert made is not None
        self.office["webhook"] = f"/clubs/{self.house.id}/webhooks/{hook[1]}"
        headers = {**FORM, **self.cookie("owner", self.house.id)}
        answer = self.client.post(f"{self.office['webhook']}/test", headers=headers, follow_redirects=False)
        assert answer.status_code == 303, answer.text

    def _of_cases(self):
        """Make cases: one waiting, one about a finding, one with a ruling under appeal."""
        called, found, ruled = (RevokeScene(self.house, mark=f" of case {number}") for number in range(3))
        where = called.call(reason="He looked at my cards.")
        called.step(where, "statements", called.as_annie, words="He looked at my cards.")
        cases = {"case: called": where}
        for name, scene in (("case: of a finding", found), ("case: ruled on", ruled)):
            finding = scene.finding()
            cases[name] = scene.call(scene.as_dora, matter="finding", deal=1, at=[finding["version"]], code="REV")
        version = ruled.rule(scores=[40, 56])
        for side, who in enumerate((ruled.as_annie, ruled.as_benny)):
            ruled.step(cases["case: ruled on"], "statements", who, words=f"Side {side} says so.")
        ruled.step(cases["case: ruled on"], "appeals", ruled.as_annie, ruling=version, grounds="I had no heart.")
        self._of_a_ruled_table()
        self.office |= {name: case.removeprefix("/api/v1") for name, case in cases.items()}

    def _of_a_ruled_table(self):
        """Make a match with an unaccepted ruling and a closed case."""
        table = RevokeScene(self.house, mark=" of a table")
        case = table.call()
        table.rule(scores=[40, 56])
        table.step(case, "close", table.as_dora, ended="ruled")
        self.office["match: ruled on"] = table.path.removeprefix("/api/v1")

    def _of_what_was_pushed(self):
        """Push a match recorded elsewhere, with a person whose name exists here, and a fork."""
        match = self.house.match(sides=(("Nora Fjeld",), ("Olga Fjeld",)), target=100)
        self.house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
        found = stream_of(self.house, match.rpartition("/")[2])
        came, other = (
            elsewhere(self.house, found, 1),
            elsewhere(self.house, found, 1, lambda each: replace(each, seat=1)),
        )
        announce(self.house, [came], [{"id": ELSEWHERE.format(0xA0), "name": "Nora Fjeld"}])
        bring(self.house, came)
        assert send(self.house, other).status_code == 409
        self.scenes["recorded elsewhere"] = f"/matches/{came.streams[0].stream}"
        self.office["pushes"] = f"/clubs/{self.house.id}/pushes"

    def _of_a_new_club(self):
        """Make a club without matches; its page shows the first steps."""
        with House(self.client, self.house.database, name="Beginners") as new:
            for name in ("Ada", "Bo"):
                new.done(f"{new.path}/players", {"name": name}, "owner")
            self.office["a new club"] = f"/clubs/{new.id}"

    def entry_of(self, state):
        """Return the id of an entry of the tournament that shows a state."""
        return self.house.get(f"/api/v1{self.scenes[state]}").json()["entries"][0]["id"]

    def cookie(self, role, club):
        """Sign a browser in with this role and return its header; it is empty for `anybody`."""
        if role == "anybody":
            return {}
        secret, at = f"{role}-of-{club}", datetime.now(UTC)
        row = [digest(secret), None if role == "owner" else club, role, role, at, at + timedelta(days=1)]

        async def enter(pool):
            async with pool.connection() as connection:
                await connection.execute(
                    "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)"
                    " values (%s, %s, %s, %s, false, %s, %s) on conflict do nothing",
                    row,
                )

        with_pool(self.database, enter)
        return {"Cookie": f"lurch_sign_in={secret}"}


@contextmanager
def made(whole=False):
    """Make the world in its own database, with the `whole` season of the demo club if asked."""
    with new_database() as database, TestClient(create_app(database)) as client:
        yield World(client, database, whole)
