"""A club for each role, with a token and the ids of the things in it."""

from typing import NamedTuple

from service.store import tokens
from tests.kit.posts.matches import CALLS
from tests.kit.service.asking import House

NOBODY = "nobody"
ROLES = (*tokens.ROLES, NOBODY)
SIDES = (("Annie",), ("Benny",))
ENTRIES = tuple({"do": "enter", "players": [name]} for name in ("Annie", "Benny", "Carla", "Dora"))
CUP = {"name": "Cup", "stages": [{"format": {"kind": "swiss", "rounds": 3}, "game": "parity"}], "entries": ENTRIES}


class ApiClub(NamedTuple):
    """A club with a match, a tournament and a case, and the caller's token, None for an anonymous one."""

    id: str
    token: str | None
    known: dict[str, str | list[str]]


def club_of(role, client, database):
    """Make the club of a role; the anonymous caller's is public."""
    with House(client, database, public=role == NOBODY, name=f"Club of {role}") as house:
        match = house.match(sides=SIDES, target=100).rpartition("/")[2]
        _affirmed(house, f"/api/v1/matches/{match}")
        made = house.done(f"{house.path}/tournaments", CUP, "director")["tournament"]
        cup, entry = made["id"], made["entries"][0]["id"]
        house.done(f"/api/v1/tournaments/{cup}/actions", {"actions": [{"do": "pair_round"}]}, "director")
        case = house.done(f"/api/v1/matches/{match}/cases", {"reason": "a revoke", "side": 0}, "director")["case"]
        desk = house.done(f"{house.path}/tokens", {"role": "scorer", "name": "desk"}, "owner")["id"]
        people = [each["id"] for each in house.get(f"{house.path}/players").json()["items"]]
        bound = {
            "player": {"player": people[0]},
            "deputy": {"player": people[1], "tournament": cup},
            "scorer": {"match": match},
        }
        token = None if role == NOBODY else house.tokens[role] if role != "player" else house.token(role, **bound[role])
        if role == "deputy":
            token = house.token(role, **bound[role])
        known = {"club": house.id, "people": people, "match": match, "tournament": cup, "case": case, "token": desk}
        return ApiClub(house.id, token, {**known, "webhook": house.webhook(), "entry": entry})


def _affirmed(house, path):
    """Record a deal with calls and a result, and affirm the first call as a director."""
    house.done(f"{path}/deals", {"dealer": 0})
    called = house.done(f"{path}/facts", {"facts": CALLS})["version"]
    house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    first = called - len(CALLS) + 1
    house.done(f"{path}/affirmations", {"deal": 1, "versions": [first], "inspected": True}, "director")
