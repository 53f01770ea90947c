"""Permissions: every kind of caller gets the answer that tests/data/routes.txt has for each route.

One caller of each class asks in the first tier, the others in the second. What belongs to another club is answered byte
for byte like an unknown id. `python -m tests.service.api.test_roles` adds the rows of new routes: read what it wrote.
"""

import json
import logging
import re
from contextlib import ExitStack
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain import codec
from domain.games import find
from service.run.app import create_app
from service.run.settings import Settings
from service.store import tokens
from tests.conftest import new_database
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import FORM, NOWHERE, House, first_of_stream, well_formed
from tests.kit.service.callers_cast import BY_CODE, CallersCast
from tests.kit.service.doors import Phone, door_of
from tests.kit.service.routes_table import KINDS, SIGNS, TABLE, of_answers, read_table, written

UNKNOWN = UUID("01a1fea4-0000-7000-8000-000000000000")
TURN = {"seat": 1, "do": "trump", "suit": "H"}
ENTRY = {"entry": {"parity": "odd", "tricks": [9, 6]}}
NEW = {"game": "parity", "sides": [["Annie"], ["Benny"]]}
EIGHT = {"parity": "even", "tricks": [7, 8]}
RESULT_FORM = "parity=odd&tricks.0=9"


RULED = {"code": "REV", "deal": 1, "scores": [0, 17]}
ASKS = {"remedies": "?deal=1&code=REV", "equity": "?deal=1&at=3"}
RENEWS = ("/sign-out", "/clubs/{club_id:uuid}/who")  # they end or renew a sign-in, so each has one of its own
DELAYS = ("/sign-in/password",)  # who was wrong once waits, so each is wrong about somebody else
DEPENDS = ("/api/v1/me", "/api/v1/clubs", "/")  # answers that depend on the caller without an id in the address
ROWS, UNFILLED = read_table()
# what a write needs to find: events before it, then its body (API) and its form (page)
BEFORE = {
    "facts": (["deals"], {"facts": [TURN]}, 'fact={"seat":1,"do":"trump","suit":"H"}'),
    "deals": ([], {}, "dealer=0"),
    "results": ([], ENTRY, ""),
    "result": ([], ENTRY, RESULT_FORM),
    "pause": (["deals"], {}, ""),
    "undo": (["results"], {}, ""),
    "void-deal": (["deals"], {}, ""),
    "void": (["deals"], {}, "sure=1"),
    "abandon": ([], {}, "sure=1"),
    "corrections": (["results"], {"version": 3, "now": ENTRY["entry"], "reason": "misread"}, ""),
    "preview": (["results", "confirmations"], {"version": 3, "now": ENTRY["entry"], "reason": "misread"}, ""),
    "withdrawals": (["deals", "facts"], {"version": 3, "reason": "another suit"}, ""),
    "proposals": (["results", "confirmations"], {"version": 3, "now": EIGHT, "reason": "misread"}, ""),
    "answer": (["results", "confirmations", "proposals"], {"yes": False}, "proposal=5&yes=0"),
    "affirmations": (["results"], {"deal": 1, "versions": [3]}, ""),
    "withdraw": (["results"], {}, ""),
    "seal": (["sealable"], {"reason": "the prize is given today"}, "reason=the+prize+is+given"),
    "correct": (["deals", "facts"], {}, "at=3&do=remove&now=null&reason=twice"),
    "affirm": (["results"], {}, "deal=1&versions=3"),
    "unaffirm": (["results"], {}, "affirmation=4"),
    "confirmations": (["results"], {"deal": 1, "side": 0}, ""),
    "restore-deal": (["deals", "void-deal"], {}, ""),
    "open-hands": (["dealt", "void-deal"], {"reason": "a dispute"}, ""),
    "disputes": (["results"], {"deal": 1, "side": 0, "reason": "recount"}, ""),
    "settlements": (["results", "disputes"], {"how": "upheld"}, ""),
    "consents": (["results"], {"ruler": "somebody", "deal": 1}, "deal=1&ruler=somebody"),
    "rulings": (["results"], RULED, ""),
    "rulings/preview": (["results"], RULED, ""),
    "acceptances": (["results", "rulings"], {"deal": 1, "side": 0}, ""),
    "remedies": (["results"], {}, ""),
    "equity": (["results"], {}, ""),
    "names": ([], {"player": "somebody"}, "player=somebody"),
    "confirm": (["results"], {}, "deal=1&side=0&scores=19+0"),
    "restore": (["deals", "void-deal"], {}, ""),
    "dispute": (["results"], {}, "deal=1&side=0&reason=recount"),
    "settle": (["results", "disputes"], {}, "dispute=4&how=upheld"),
    "erasure": ([], {"reason": "asked"}, ""),
    "erase": ([], {}, "reason=asked&sure=1"),
    "call": ([], {}, "reason=A+rule+was+broken"),
    "my-hand": (["dealt"], {}, "person=somebody&pin=2468"),
    "hands": (["dealt", "void-deal"], {}, "deal=1&reason=a+dispute"),
}
CARDS = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
PREPARED = {
    "deals": {"dealer": 0},
    "results": ENTRY,
    "void-deal": {},
    "dealt": {"deal": CARDS},
    "facts": {"facts": [TURN]},
    "confirmations": {"deal": 1, "side": 1},
    "proposals": {"version": 3, "now": EIGHT, "reason": "misread"},
    "sealable": ENTRY,
    "disputes": {"deal": 1, "reason": "recount"},
    "rulings": RULED,
}
SENT = {"dealt": "deals", "sealable": "results"}
HEAD = {"stream": "01a1fea4-0000-7000-8000-000000000001", "version": 1, "hash": "ab" * 32}
FORK = """{"source": "00000000", "club": "01a1fea4-0000-7000-8000-000000000000", "streams": [{"stream":
    "01a1fea4-0000-7000-8000-000000000001", "events": [{"version": 1, "type": "TournamentAnnounced", "schema": 1,
    "data": "", "actor": null, "role": "owner", "seat": null, "device": null, "device_clock": null, "recorded_at": "",
    "command_id": "a", "cause": null, "fingerprint": "00", "hash": "%s"}]}]}""" % ("ab" * 32)
CUP = {"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}
PLACES = {
    "/api/v1/clubs/{club_id:uuid}/matches": NEW,
    "/api/v1/clubs/{club_id:uuid}/settings": {"zone": "Asia/Tokyo"},
    "/api/v1/clubs/{club_id:uuid}/house-rules": {"game": "garbo", "best_of": 3},
    "/api/v1/clubs/{club_id:uuid}/players": {"name": "Nora", "another": True},
    "/api/v1/clubs/{club_id:uuid}/players.csv": b"name\nNora of the table\n",
    "/api/v1/clubs/{club_id:uuid}/players/{player_id:uuid}/name": {"name": "Annie"},
    "/api/v1/clubs/{club_id:uuid}/players/{player_id:uuid}/membership": {"visitor": False},
    "/api/v1/clubs/{club_id:uuid}/players/{player_id:uuid}/description": {"note": "plays on Thursdays"},
    "/api/v1/clubs/{club_id:uuid}/webhooks": {"url": NOWHERE},
    "/api/v1/clubs/{club_id:uuid}/webhooks/{webhook_id:uuid}/test": {},
    "/api/v1/clubs/{club_id:uuid}/webhooks/{webhook_id:uuid}/enable": {},
    "/api/v1/clubs/{club_id:uuid}/tokens": {"role": "scorer", "name": "desk"},
    "/api/v1/clubs/{club_id:uuid}/tokens/{token_id:uuid}/revoke": {},
    "/api/v1/matches/{match_id:uuid}/cases": {"reason": "a revoke"},
    "/api/v1/tournaments/{tournament_id:uuid}/cases": {"fixture": "W1.1", "reason": "he is late"},
    "/api/v1/cases/{case_id:uuid}/statements": {"words": "he had the ten", "side": 0},
    "/api/v1/cases/{case_id:uuid}/open-statements": {},
    "/api/v1/cases/{case_id:uuid}/close": {"ended": "stands"},
    "/api/v1/cases/{case_id:uuid}/reopen": {},
    "/api/v1/cases/{case_id:uuid}/appeals": {"ruling": 3, "side": 0},
    "/api/v1/cases/{case_id:uuid}/appeals/{appeal:int}/decision": {"outcome": "withdrawn"},
    "/cases/{case_id:uuid}/{step:str}": "words=he+had+the+ten&side=0",
    "/matches/{match_id:uuid}/case/{step:str}": "words=he+had+the+ten",
    "/clubs/{club_id:uuid}/tokens": "role=scorer&name=desk",
    "/clubs/{club_id:uuid}/webhooks": f"url={NOWHERE}",
    "/api/v1/clubs/{club_id:uuid}/tournaments": CUP,
    "/api/v1/clubs/{club_id:uuid}/pushes": {"source": "0" * 8, "heads": [HEAD]},
    "/api/v1/clubs/{club_id:uuid}/pushes/plan": {"heads": [HEAD]},
    "/api/v1/clubs/{club_id:uuid}/pushes/streams": b"{}",
    "/clubs/{club_id:uuid}/pushes": f"fork={UNKNOWN}",
    "/api/v1/clubs/{club_id:uuid}/tournaments/trf": b"001    1      Ahti\n001    2      Bea\n",
    "/api/v1/tournaments/{tournament_id:uuid}/actions": {"actions": [{"do": "unpair_round"}]},
    "/api/v1/tournaments/{tournament_id:uuid}/results.csv": b"fixture,one,other,winner\nW1.1,Annie,Benny,Annie\n",
    "/clubs/{club_id:uuid}/tournaments/new": "name=Cup&game=parity&template=single",
    "/clubs/{club_id:uuid}/new": "game=parity&name0=Annie&name1=Benny",
    "/clubs/{club_id:uuid}/settings": "group=zone&version=1&zone=Asia/Tokyo",
    "/clubs/{club_id:uuid}/house-rules": "game=garbo&best_of=5",
    "/clubs/{club_id:uuid}/members": "name=Nora&visitor=yes&typed.0=Nora&meant.0=new",
    "/clubs/{club_id:uuid}/members/import": "text=name%0AQuentin",
    "/clubs/{club_id:uuid}/members/{player_id:uuid}/name": "name=Annie",
    "/clubs/{club_id:uuid}/members/{player_id:uuid}/membership": "visitor=no",
    "/clubs/{club_id:uuid}/members/{player_id:uuid}/description": "note=plays+on+Thursdays",
    "/clubs/new": "name=Thursday",
    "/copies": "do=gone",
    "/sign-in": "link=used",
    "/matches/{match_id:uuid}/seats": "do=change",
    "/tournaments/{tournament_id:uuid}/show/codes": "on=1",
    "/api/v1/matches/{match_id:uuid}/door/code": {},
    "/api/v1/matches/{match_id:uuid}/door/let-in": {"ask": str(UNKNOWN)},
    "/api/v1/matches/{match_id:uuid}/door/throw-out": {"seat": str(UNKNOWN)},
    "/sign-out": "",
    "/language": "language=fi",
    "/clubs/{club_id:uuid}/address": "address=http://192.0.2.1",
    "/clubs/{club_id:uuid}/players/{player_id:uuid}/doors": "do=pins_on",
}
FREE = {
    "{proposal:int}": "5",
    "{affirmation:int}": "4",
    "{name:str}": "tricks",
    "{key:str}": "parity",
    "{slug:str}": "misfit",
    "{path:str}": "nothing",
    "{step:str}": "statement",
    "{role:str}": "scorer",
}


class Cast:
    """A club with somebody in every role, and what there is to ask about."""

    def __init__(self, house):
        self.house, self.named, self.about = house, [], (None, None)
        self.people = [house.done(f"{house.path}/players", {"name": name}, "owner")["id"] for name in ("Nils", "Olga")]
        self.sides = [[{"id": self.people[0]}], [{"id": self.people[1]}]]
        self.other = house.match(sides=self.sides).rpartition("/")[2]
        self.callers = CallersCast(house, self.other, self.tournament("")[0])
        self.people = [self.callers.people["p"], self.callers.people["benny"]]
        self.sides = [[{"id": self.people[0]}], [{"id": self.people[1]}]]

    @property
    def owner(self):
        """The owner's browser."""
        return self.callers.cookie("O", None, None)

    def match(self, before, cup=False):
        """A match on which these things have happened; `cup`: one of a tournament."""
        game, tournament = "cross_game" if "dealt" in before else "parity", None
        if cup:
            tournament = self.tournament("", game, 15 if "sealable" in before else None)[0]
            view = self.house.get(f"/api/v1/tournaments/{tournament}", "owner").json()
            path = f"/api/v1/matches/{view['rounds'][0]['pairings'][0]['match']}"
        else:
            over = {"target": 15} if "sealable" in before else {}
            path = self.house.match(game, sides=self.sides, **over)
        self.about = (path.rpartition("/")[2], tournament)
        for what in before:
            by = ("director",) if what == "rulings" else ()
            self.house.done(f"{path}/{SENT.get(what, what)}", PREPARED[what], *by)
        return path.rpartition("/")[2]

    def tournament(self, path, game="parity", target=None):
        """A tournament of both, for what is asked of it: paired, or (for a table of entries) one that waits."""
        race = {} if target is None else {"race": {"target": target}}
        stage = {"format": {"kind": "swiss" if path.endswith("/trf") else "single"}, "game": game, **race}
        entries = (
            []
            if path.endswith(("entries.csv", "}/entries"))
            else [{"do": "enter", "players": side} for side in self.sides]
        )
        body = {**CUP, "stages": [stage], "entries": entries}
        made = self.house.done(f"{self.house.path}/tournaments", body, "director")["tournament"]
        if entries:
            pair = {"actions": [{"do": "pair_round"}]}
            made = self.house.done(f"/api/v1/tournaments/{made['id']}/actions", pair, "director")["tournament"]
        self.about = (None, made["id"])
        return made["id"], made["entries"][0]["id"] if made["entries"] else ""

    def another(self, merged):
        """Somebody who never met the first person, and is that person where it is said."""
        self.named.append("Annie")
        people = f"{self.house.path}/players"
        other = self.house.done(people, {"name": f"Annie {len(self.named)}"}, "owner")["id"]
        if merged:
            self.house.done(f"{people}/{self.people[0]}/merge", {"other": other}, "owner")
        return other

    def case(self, path, cup):
        """A case about a match of both in which each has stated, and what a step in it names."""
        match = self.match(["results"], cup)
        case = self.house.done(f"/api/v1/matches/{match}/cases", {"reason": "a revoke"}, "owner")["case"]
        self.house.done(f"/api/v1/cases/{case}/statements", {"words": "no", "side": 0}, "owner")
        if path.endswith("/reopen"):
            self.house.done(f"/api/v1/cases/{case}/close", {"ended": "stands"}, "owner")
        return case, {"match": match} if path.endswith("/join") else self.of_case(path)

    def of_case(self, path):
        """What a step in a case names: somebody, or a match."""
        if path.endswith("/witnesses"):
            return {"person": self.people[0], "words": "I saw it"}
        if path.endswith(("/ruler", "/recusals")):
            somebody = {"name": self.house.next_name()}
            person = self.house.done(f"{self.house.path}/players", somebody, "owner")["id"]
            self.house.done(f"{self.house.path}/roles", {"person": person, "role": "director"}, "owner")
            return {"person": person, **({"because": "asked"} if path.endswith("/recusals") else {})}
        return {"match": str(UNKNOWN)} if path.endswith("/join") else {}

    def at_a_door(self, path, match=None):
        """The body of what is done at a table's door: one phone is in as Annie, and another one asks to be; or the form
        of a scanned code of a table."""
        if match is None:
            form = f"secret={door_of(self.house, f'/api/v1/matches/{self.match([])}')['secret']}"
            self.about = (None, None)
            return f"{form}&as=score" if path.endswith("/in") else form
        table = f"/api/v1/matches/{match}"
        for _ in range(2):
            Phone(self.house.client).come_in(door_of(self.house, table), "Annie")
        door = door_of(self.house, table)
        return {"ask": door["asks"][0]["id"]} if path.endswith("/let-in") else {"seat": door["seats"][0]["id"]}

    def fork(self):
        """A fork that was pushed to the club, of a tournament."""
        fork = "01a1fea4-0000-7000-8000-00000000f0f0"
        self.house.log.execute(
            "insert into pushed_forks (club_id, id, stream_id, version, source, kept_at, data)"
            " values (%s, %s, %s, 1, '00000000', now(), %s) on conflict do nothing",
            [self.house.id, fork, UNKNOWN, FORK],
        )
        return fork

    def person(self, path):
        """Annie, or where she would be erased somebody else each time."""
        if not path.endswith(("/erasure", "/erase")):
            return self.people[0]
        body = {"name": f"Leaving {self.house.next_name()}"}
        return self.house.done(f"{self.house.path}/players", body, "owner")["id"]

    def of_people(self, path):
        """The body of what is asked of roles, people who are close and tokens, with what it has to find."""
        annie, benny = self.people
        role, pair = {"person": benny, "role": "scorer"}, {"one": annie, "other": benny}
        if path.endswith("/roles/revoke"):
            self.house.done(f"{self.house.path}/roles", role, "owner")
        if "/friends" not in path:
            return role
        if not path.endswith("/end"):
            return pair
        self.house.done(f"{self.house.path}/friends", pair, "owner")
        return {"version": self.house.get(f"{self.house.path}/friends", "owner").json()["items"][-1]["version"]}

    def request(self, method, path, unknown=False, cup=False):
        """Address and body of a request on a route, with ids of this club or of none; on a match of a tournament where
        `cup` says so."""
        self.about = (None, None)
        last = "rulings/preview" if path.endswith("/rulings/preview") else path.rpartition("/")[2]
        before, body, form = BEFORE.get(last, ([], PLACES.get(path), PLACES.get(path, "")))
        match = club = webhook = str(UNKNOWN)
        if not unknown:
            club = self.house.id
            match = self.match(before, cup) if "{match_id" in path else match
            webhook = self.house.webhook() if "/webhooks" in path else webhook
        if "{case_id" in path:
            case, more = (str(UNKNOWN), self.of_case(path)) if unknown else self.case(path, cup)
            body = {**(body if isinstance(body, dict) else {}), **more}  # a page's form stands beside it
            path = path.replace("{case_id:uuid}", case).replace("{appeal:int}", "2")
        tournament = entry = str(UNKNOWN)
        if "{tournament_id" in path and not unknown:
            tournament, entry = self.tournament(path)
        if method == "POST" and ("/roles" in path or "/friends" in path):
            body = self.of_people(path) if not unknown else {"person": str(UNKNOWN), "role": "scorer"}
            if unknown and "/friends" in path:
                body = {"version": 1} if path.endswith("/end") else {"one": str(UNKNOWN), "other": str(UNKNOWN)}
            form = "&".join(f"{name}={value}" for name, value in body.items())
        if "/tokens/" in path and not unknown:
            made = self.house.done(f"{self.house.path}/tokens", {"role": "scorer", "name": "desk"}, "owner")
            path = path.replace("{token_id:uuid}", made["id"])
        if path.startswith("/api/") and path.endswith(
            ("/settings", "/house-rules")
        ):  # what stands already is no change
            self.named.append("Rules")
            body = {"games": ["parity", "garbo"][: 1 + len(self.named) % 2]}
            if path.endswith("/house-rules"):
                body = {"game": "garbo", "best_of": 3 + 2 * (len(self.named) % 48)}
        if path.endswith("/actions"):
            body = {"actions": [{"do": "check_in", "entry": entry}]}
            form = f"do=check_in&entry={entry}&here=true"
        elif path.endswith("/tournaments/archive"):
            cup = str(UNKNOWN) if unknown else self.tournament("")[0]
            body = self.house.get(f"/api/v1/tournaments/{cup}/archive", "director").content
        elif path.endswith("/entries.csv"):
            body = f"name\nNora {len(self.named)}\n".encode()
            self.named.append("Nora")
        elif (method, path) == ("POST", "/sign-in/password"):
            form = f"name={self.house.id} {len(self.named)}&password=not+the+one"
            self.named.append("Nobody")
        elif (method, path) in (("POST", "/t"), ("POST", "/t/in")):
            form = self.at_a_door(path)
        elif path.endswith(("/door/let-in", "/door/throw-out")) and not unknown:
            body = self.at_a_door(path, match)
        elif (method, path) == ("POST", "/me"):
            form = f"do=pins_on&club={self.house.id}"
        elif (method, path) == ("POST", "/clubs/{club_id:uuid}/invitations"):
            form = f"player={self.people[0]}"
        elif (method, path) == ("POST", "/clubs/{club_id:uuid}/who"):
            form = f"name=Olga {len(self.named)}"
            self.named.append("Olga")
        elif (method, path) == ("POST", "/tournaments/{tournament_id:uuid}/entries"):
            form = f"lines=Nora {len(self.named)}"
            self.named.append("Nora")
        if path == "/api/v1/matches/{match_id:uuid}/consents":
            self.callers.sign_out()  # while a director who doesn't play here is signed in, a consent is forbidden
        address = path.replace("{club_id:uuid}", club).replace("{match_id:uuid}", match)
        if "{player_id" in path:
            address = address.replace("{player_id:uuid}", str(UNKNOWN) if unknown else self.person(path))
        if path.endswith(("/merge", "/part")):
            other = str(UNKNOWN) if unknown else self.another(merged=path.endswith("/part"))
            body, form = {"other": other}, f"with={other}"
            address += f"?with={other}" if method == "GET" else ""
        address = address.replace("{tournament_id:uuid}", tournament).replace("{entry:uuid}", entry)
        if "{fork_id" in path:
            address = address.replace("{fork_id:uuid}", str(UNKNOWN) if unknown else self.fork())
        address = address.replace("{webhook_id:uuid}", webhook).replace("{token_id:uuid}", str(UNKNOWN))
        address = address.replace("files/{name:str}", "files/entries.csv")
        for name, value in FREE.items():
            address = address.replace(name, value)
        address += ASKS.get(path.rpartition("/")[2], "") if "{match_id" in path else ""
        address = address.replace("{file_path:path}", "/app.css").replace("//app", "/app")
        return address, (body if path.startswith("/api/") else form) if method == "POST" else None

    def door(self, kind, path):
        """The header with which a kind of caller asks for what is asked about."""
        if kind in "nP":
            return {}
        if path.startswith("/api/") or path == "/metrics":
            return {"Authorization": f"Bearer {self.callers.token(kind, *self.about)}"}
        return self.callers.cookie(kind, *self.about, fresh=path in RENEWS)

    def send(self, client, method, request, headers):
        """Status, headers and body of what is answered to a request."""
        address, body = request
        if not address.startswith(("/api/", "/metrics")):
            if address.endswith("/live") and address.startswith(("/matches", "/tournaments", "/clubs")):
                return first_of_stream(client, address, headers)
            content = None if body is None else body.encode()
            sent = {**headers, **(FORM if method == "POST" else {})}
            answer = client.request(method, address, content=content, headers=sent, follow_redirects=False)
            client.cookies.clear()
        else:
            answer = self.house.ask(method, address, body, None, headers)
        return answer.status_code, dict(answer.headers), answer.content

    def ask(self, client, method, path, kind, unknown=False, headers=None):
        """What a kind of caller is answered on a route."""
        request = self.request(method, path, unknown)
        return self.send(client, method, request, self.door(kind, path) if headers is None else headers)


class Company:
    """Everybody who is asked about: a private club, a public one, and people of a third."""

    def __init__(self, client, stack, database):
        self.client = client
        self.private = Cast(stack.enter_context(House(client, database)))
        self.public = Cast(stack.enter_context(House(client, database, public=True)))
        self.foreign = Cast(stack.enter_context(House(client, database)))
        foreign = self.foreign.callers
        foreign.house.done(f"{foreign.house.path}/roles", {"person": foreign.people["S"], "role": "director"}, "owner")

    def door(self, kind, cast, path):
        """The header of a kind of caller: people of another club come with all that they hold there."""
        if kind not in "fV":
            return cast.door(kind, path)
        self.foreign.about = (None, None)
        return self.foreign.door("O" if path.startswith("/api/") or path == "/metrics" else "S", path)

    def asked(self, path):
        """The kinds that a route is asked by: no token comes by a table's code."""
        api = path.startswith("/api/") or path == "/metrics"
        return [kind for kind in KINDS if not (api and kind in BY_CODE)]

    def answers(self, method, path, kinds=KINDS, expected=None):
        """Return what each of these kinds of caller is answered: status, headers and body.

        A refused request changes nothing, so all callers who are refused share one request. Every caller who is allowed
        gets one of its own, since a write changes what it is about.
        """
        found = {}
        for cast, here in ((self.private, set(kinds) - set("PV")), (self.public, set(kinds) & set("PV"))):
            asking = [kind for kind in self.asked(path) if kind in here]
            of_match = "{match_id" in path or "{case_id" in path
            for cup in (False, True):
                group = [kind for kind in asking if (kind == "d" and of_match) is cup]
                alike = [
                    kind for kind in group if method == "GET" or (expected and expected.status(kind) in SIGNS.values())
                ]
                found |= self._together(cast, method, path, cup, alike)
                for kind in group:
                    if kind not in found:
                        found[kind] = self._one(cast, method, path, cup, kind)
        return found

    def _together(self, cast, method, path, cup, kinds):
        if not kinds:
            return {}
        request, about = cast.request(method, path, cup=cup), cast.about
        unknown = cast.request(method, path, unknown=True) if "_id:" in path and "n" in kinds else None
        cast.about = about
        doors = {kind: self.door(kind, cast, path) for kind in kinds}
        before = cast.house.asked_for()
        again = (lambda: cast.request(method, path, cup=cup)) if path in DELAYS else (lambda: request)
        found = {kind: cast.send(self.client, method, again(), door) for kind, door in doors.items()}
        if unknown:
            self._as_if_unknown(method, path, request, unknown, found)
        assert cast.house.asked_for() == before, f"{method} {path}: a refused request recorded something"
        return found

    def _as_if_unknown(self, method, path, request, unknown, found):
        """Assert that strangers are answered byte for byte as for unknown ids, and that the API ignores cookies."""
        cast, api = self.private, path.startswith("/api/")
        for kind in "nf" if api else "n":
            nowhere = cast.send(self.client, method, unknown, self.door(kind, cast, path))
            assert (nowhere[0], found[kind]) == (404, nowhere), kind
        if api:
            headers = {**cast.owner, **FORM, "Content-Type": "application/json"}
            assert cast.house.ask(method, *request, None, headers).status_code == 404, "a cookie counts in the API"

    def _one(self, cast, method, path, cup, kind):
        request = cast.request(method, path, cup=cup)
        return cast.send(self.client, method, request, self.door(kind, cast, path))


@pytest.fixture(scope="module")
def company(client, database):
    with ExitStack() as stack:
        yield Company(client, stack, database)


@pytest.fixture(scope="module")
def cast(company):
    return company.private


@pytest.fixture(scope="module")
def public(company):
    return company.public


@pytest.fixture(scope="module")
def foreign(company):
    """Tokens of another club, by role."""
    return company.foreign.house.tokens


def routes_of(app):
    return {(method, route.path) for route in app.routes for method in route.methods if method != "OPTIONS"}


def test_the_table_has_a_row_for_every_route(client):
    assert not UNFILLED, "run `python -m tests.service.api.test_roles`, and read what it wrote"
    assert routes_of(client.app) == set(ROWS)


CLASSES = "npqkdDSOf"  # one kind of caller of each class
AT_TABLES = "betwv"  # callers with a role for another match or tournament, and the player `p` by table code


@pytest.mark.parametrize("others", [False, pytest.param(True, marks=pytest.mark.extended)], ids=["classes", "others"])
@pytest.mark.parametrize(("method", "path"), ROWS)
def test_each_caller_is_answered_as_the_table_says(company, method, path, others):
    row = ROWS[method, path]
    assert [kind for kind in KINDS if row.status(kind) is not None] == company.asked(path)
    first = CLASSES + (AT_TABLES if re.search("{(match|case|tournament)_id", path) else "")
    found = company.answers(method, path, set(KINDS) - set(first) if others else first, row)
    wrong = {kind: answer for kind, answer in found.items() if answer[0] != row.status(kind)}
    assert not wrong
    for kind, (status, headers, body) in found.items():
        if headers.get("content-type") == "application/problem+json":
            well_formed(status, json.loads(body))
        else:
            assert status < 400 or headers["content-type"].startswith("text/html"), kind
        if kind not in "PV" and ("_id:" in path or path in DEPENDS):
            shared = (kind, path) == ("n", "/")  # the same page for everybody who isn't signed in
            assert headers["cache-control"] == ("no-cache" if shared else "no-store"), kind
            assert not shared or "Cookie" in headers["vary"]


POSTS = [path for method, path in ROWS if method == "POST" and not path.startswith("/api/")]
ELSEWHERE = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver.local"},
    {"Sec-Fetch-Site": ""},
    {"Origin": "https://evil.example"},
    {"Origin": "http://testserver.local.evil.example"},
    {"Origin": "http://evil.example/testserver.local"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "testserver.local"},
    {"Origin": "http://["},
    {"Origin": "http://[testserver.local]"},
    {"Origin": "null", "Host": ""},
    {"Referer": "http://testserver.local/"},
    {},
]


def test_a_form_from_another_site_is_forbidden(client, cast):
    for path in POSTS:
        address, form = cast.request("POST", path)
        before = cast.house.position()
        for headers in ELSEWHERE if path == POSTS[0] else (ELSEWHERE[0], {}):
            sent = {**cast.owner, "Content-Type": FORM["Content-Type"], **headers}
            answer = client.post(address, content=form.encode(), headers=sent, follow_redirects=False)
            assert (answer.status_code, answer.json()["type"]) == (403, "/problems/forbidden"), (path, headers)
            assert "set-cookie" not in answer.headers
        assert cast.house.position() == before


def test_a_form_of_ours_is_known_by_either_header(client, cast):
    address, form = cast.request("POST", "/matches/{match_id:uuid}/deals")
    for headers in ({"Sec-Fetch-Site": "none"}, {"Origin": "http://testserver.local"}):
        sent = {**cast.owner, "Content-Type": FORM["Content-Type"], **headers}
        answer = client.post(address, content=form.encode(), headers=sent, follow_redirects=False)
        assert answer.status_code in (303, 409)


@pytest.mark.parametrize("path", ["/matches/{match_id:uuid}", "/clubs/{club_id:uuid}", "/clubs/{club_id:uuid}/new"])
def test_a_token_opens_no_page(client, cast, path):
    address, _ = cast.request("GET", path)
    assert client.get(address, headers=cast.house.bearer("owner")).status_code == 404


def test_a_token_says_who_it_is(cast):
    for role in set(tokens.ROLES) - {"deputy"}:  # one of no tournament directs nothing
        me = cast.house.get("/api/v1/me", role).json()
        assert (me["role"], me["club"], me["known"]) == (role, cast.house.id, True)
    player = cast.callers.token("p", None, None)
    assert cast.house.get("/api/v1/me", player).json()["player"] == cast.people[0]
    assert cast.house.get("/api/v1/me", cast.callers.token("b", None, None)).json()["match"] == cast.other
    nobody = cast.house.get("/api/v1/me", None).json()
    assert (nobody["role"], nobody["known"], nobody["club"]) == ("spectator", False, None)


def test_a_list_holds_only_the_clubs_that_one_may_see(cast, public, foreign):
    def seen(token):
        found, cursor = [], ""
        while cursor is not None:
            page = cast.house.get(f"/api/v1/clubs?limit=200{cursor and f'&cursor={cursor}'}", token).json()
            found += [each["id"] for each in page["items"]]
            cursor = page["next"]
        return set(found)

    assert public.house.id in seen(None)
    assert cast.house.id not in seen(None) | seen(foreign["owner"])
    assert cast.house.id in seen(cast.house.tokens["spectator"])


def test_a_bound_scorer_records_at_its_own_match(cast):
    bound = cast.callers.token("b", None, None)
    assert cast.house.post(f"/api/v1/matches/{cast.other}/deals", {}, bound).status_code == 201


def test_a_player_confirms_for_the_own_side_only(database, cast):
    path = f"/api/v1/matches/{cast.match(['results'])}"
    benny = cast.house.token("player", player=cast.people[1])
    stranger = cast.house.token("player")
    cast.house.refused("POST", f"{path}/confirmations", {"deal": 1, "side": 0}, 403, "forbidden", benny)
    for side in (0, 1):
        cast.house.refused("POST", f"{path}/confirmations", {"deal": 1, "side": side}, 403, "forbidden", stranger)
    cast.house.done(f"{path}/confirmations", {"deal": 1, "side": 1}, benny)


def test_notes_are_read_by_directors_of_the_club_alone(public, foreign):
    path = f"/api/v1/matches/{public.match(['results'])}"
    public.house.done(f"{path}/undo", {"reason": "Annie was tired"})
    deputy = public.callers.token("e", None, None)
    for where in (path, public.house.path):
        for token in (None, "spectator", "player", "scorer", "secretary", deputy, *foreign.values()):
            assert "tired" not in public.house.get(f"{where}/events", token).text
        for role in ("director", "owner"):
            assert "tired" in public.house.get(f"{where}/events", role).text
    page = path.removeprefix("/api/v1")
    assert "tired" not in public.house.client.get(f"{page}/replay").text


def test_metrics_are_for_an_owner(client, cast):
    for role in (None, "spectator", "player", "scorer", "deputy", "director", "secretary"):
        cast.house.refused("GET", "/metrics", None, 404, "not-found", role)
    assert "lurch_requests_total" in cast.house.get("/metrics", "owner").text


def fill():
    """Ask every route that has no row of this form yet, and write the file."""
    logging.disable(logging.INFO)  # a line for each request
    with (
        new_database() as database,
        TestClient(create_app(database, Settings(webhook_private=True))) as client,
        ExitStack() as stack,
    ):
        company = Company(client, stack, database)
        wanted = routes_of(client.app)
        rows = [row for key, row in ROWS.items() if key in wanted]
        for method, path in sorted(wanted - set(ROWS)):
            found = {kind: answer[0] for kind, answer in company.answers(method, path).items()}
            try:
                rows.append(of_answers(method, path, found))
            except AssertionError as wrong:
                print("no row can be made of", wrong)  # noqa: T201  # a command of ours
                continue
            print(rows[-1].line(60))  # noqa: T201  # as above
            TABLE.write_text(written(rows))


if __name__ == "__main__":
    fill()
