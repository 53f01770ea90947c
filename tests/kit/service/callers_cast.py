"""Callers of every kind in a club, signed in by token, own device, table code or owner link."""

import os
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from service.store import tokens
from service.store.ids import new_id
from tests.kit.service.asking import sign_in

ROLES = {"s": "spectator", "k": "scorer", "D": "director", "S": "secretary", "O": "owner"}
PERSONS = {"k": "scorer", "h": "scorer", "b": "scorer", "d": "deputy", "e": "deputy", "D": "director", "S": "secretary"}
NAMES = {"k": "Kaisa", "h": "Henrik", "b": "Bertil", "d": "Doris", "e": "Elof", "D": "Dagny", "S": "Solveig"}
BY_CODE = {"t": ("p", True), "w": ("q", False), "c": (None, True), "v": (None, False)}


class CallersCast:
    """Registers a person for every kind of caller of tests/data/routes.txt and makes their tokens and cookies.

    `match` and `tournament` are those that the callers bound elsewhere (`b`, `e`, `w`, `v`) have their roles for.
    """

    def __init__(self, house, match, tournament):
        self.house, self.match, self.tournament = house, match, tournament
        names = {"p": "Annie", "benny": "Benny", "q": "Carla", **{kind: NAMES[kind] for kind in PERSONS}}
        self.people = {kind: self._registered(name) for kind, name in names.items()}
        for kind in "kDS":
            self.grant(kind)
        self.grant("b", match=match)
        self.grant("e", tournament=tournament)
        self._kept = {}

    def _registered(self, name):
        return self.house.done(f"{self.house.path}/players", {"name": name}, "owner")["id"]

    def grant(self, kind, **scope):
        """Give the person of this kind its role, for a match or tournament if named."""
        body = {"person": self.people[kind], "role": PERSONS[kind], **scope}
        self.house.done(f"{self.house.path}/roles", body, "owner")

    def token(self, kind, match, tournament):
        """Return the token of a kind for requests about this match or tournament."""
        bound = {
            "p": {"player": self.people["p"]},
            "q": {"player": self.people["q"]},
            "h": {"match_id": match or self.match},
            "b": {"match_id": self.match},
            "d": {"tournament_id": tournament or self.tournament},
            "e": {"tournament_id": self.tournament},
        }.get(kind)
        if bound is None:
            return self.house.tokens[ROLES[kind]]
        key = (kind, *bound.values())
        if key not in self._kept:
            self._kept[key] = self._token_row("player" if kind in "pq" else PERSONS[kind], bound)
        return self._kept[key]

    def _token_row(self, role, bound):
        secret = tokens.new_secret()
        columns = {"id": new_id(), "club_id": self.house.id, "hash": tokens.digest(secret), "name": role, "role": role}
        columns |= {**bound, "created_at": datetime.now(UTC)}
        self._insert("tokens", columns)
        return secret

    def cookie(self, kind, match, tournament, fresh=False):
        """Return the cookie header of a kind for requests about this match or tournament; a new one if `fresh`."""
        if kind == "O":
            return self._once((kind, fresh and uuid4()), lambda: sign_in(self.house.client, self.house.database))
        if kind in BY_CODE:
            return self._seated(kind, match or self.match)
        if kind == "h" and match:
            self._once((kind, "granted", match), lambda: self.grant(kind, match=match))
        if kind == "d":
            led = tournament or self.tournament
            self._once((kind, "granted", led), lambda: self.grant(kind, tournament=led))
        person = None if kind == "s" else self.people[kind]
        return self._once((kind, "cookie", fresh and uuid4()), lambda: self.signed_in(person))

    def _once(self, key, make):
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def sign_out(self):
        """End the sign-ins of all people of the club, as if none of them had been here today."""
        self.house.log.execute("delete from sign_in_people where club_id = %s", [self.house.id])
        self._kept = {key: kept for key, kept in self._kept.items() if key[1] != "cookie"}

    def signed_in(self, person):
        """Return the cookie header of a new device on which this person, if any, has signed in."""
        secret, columns = self._sign_in()
        if person is not None:
            at = datetime.now(UTC)
            self._insert(
                "sign_in_people",
                {"hash": columns["hash"], "club_id": self.house.id, "player": person, "created_at": at},
            )
        return {"Cookie": f"lurch_sign_in={secret}"}

    def _seated(self, kind, match):
        """Return the cookie header of a device that used a table code, for a player's name or for scoring."""
        whose, here = BY_CODE[kind]
        secret, columns = self._sign_in()
        at = datetime.now(UTC)
        seat = {"id": new_id(), "hash": columns["hash"], "club_id": self.house.id, "counter": 1}
        seat |= {"match_id": match if here else self.match, "player": whose and self.people[whose]}
        seat |= {"created_at": at, "last_used": at, "good_until": at + timedelta(hours=1)}
        self.house.log.execute(
            "update table_seats set ended_at = %s, ended_why = 'replaced' where match_id = %s and player = %s"
            " and ended_at is null",
            [at, seat["match_id"], seat["player"]],
        )
        self._insert("table_seats", seat)
        return {"Cookie": f"lurch_sign_in={secret}"}

    def _sign_in(self):
        secret, at = os.urandom(16).hex(), datetime.now(UTC)
        columns = {"hash": tokens.digest(secret), "club_id": None, "role": "spectator", "name": "phone"}
        columns |= {"one_time": False, "created_at": at, "expires_at": at + timedelta(days=1)}
        self._insert("sign_ins", columns)
        return secret, columns

    def _insert(self, table, columns):
        names, places = ", ".join(columns), ", ".join(["%s"] * len(columns))
        self.house.log.execute(f"insert into {table} ({names}) values ({places})", [*columns.values()])
