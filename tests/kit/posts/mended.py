"""Writes to a match that depend on earlier ones: corrections, affirmations, consents, seals and table codes."""

from domain import codec
from domain.games import find
from tests.kit.match.tables import random_deal
from tests.kit.posts.matches import CALLS, EIGHT, NINE, card
from tests.kit.service.doors import Phone, door_of
from tests.kit.service.people import Phone as OwnPhone

PIN = "2468"


def play(posts):
    """Make the writes with two players, one of them a director, in several matches."""
    house = posts.house
    annie, benny = (posts.done(f"{house.path}/players", {"name": each}, "owner")["id"] for each in ("Annie", "Benny"))
    OwnPhone(house, benny).does("/me", do="pin", club=house.id, pin=PIN)
    tables = [_opened(posts, annie, benny) for _ in range(4)]
    _proposed(posts, tables[0])
    _mended(posts, tables[1])
    _agreed(posts, tables[2], annie)
    _sealed(posts, tables[3])
    _hands(posts)
    _door(posts, _opened(posts, annie, benny))


def _opened(posts, annie, benny):
    sides = [[{"id": annie}], [{"id": benny}]]
    opened = posts.done(f"{posts.house.path}/matches", {"game": "parity", "sides": sides, "target": 100})
    return f"/api/v1/matches/{opened['match']['id']}"


def _proposed(posts, path):
    posts.done(f"{path}/results", {"entry": NINE})
    posts.done(f"{path}/confirmations", {"deal": 1, "side": 1, "pin": PIN})
    posts.done(f"{path}/corrections/preview", {"version": 3, "now": EIGHT, "reason": "misread"})
    proposal = posts.done(f"{path}/proposals", {"version": 3, "now": EIGHT, "reason": "it was eight"})["version"]
    posts.done(f"{path}/proposals/{proposal}/answer", {"yes": True, "side": 1, "pin": PIN})


def _mended(posts, path):
    posts.done(f"{path}/deals", {"dealer": 0})
    plays = [card(1, "HA"), card(0, "HK"), card(1, "DQ"), card(0, "DJ")]
    posts.done(f"{path}/facts", {"facts": [*CALLS, *plays]})
    posts.done(f"{path}/withdrawals", {"version": 8, "code": "REV", "reason": "he had a heart"})
    posts.done(f"{path}/results", {"entry": NINE})
    affirmed = {"deal": 1, "versions": [5, 6], "side": 1, "pin": PIN}
    affirmation = posts.done(f"{path}/affirmations", affirmed)["version"]
    posts.done(f"{path}/affirmations/{affirmation}/withdraw", {"side": 1, "pin": PIN, "reason": "not so sure"})


def _agreed(posts, path, annie):
    """Let Annie, who directs and plays, rule after her opponent has consented, and let him accept."""
    posts.done(f"{posts.house.path}/roles", {"person": annie, "role": "director"}, "owner")
    posts.done(f"{path}/results", {"entry": NINE})
    posts.done(f"{path}/disputes", {"deal": 1, "side": 1, "reason": "it was eight"}, "director")
    posts.done(f"{path}/consents", {"ruler": annie, "deal": 1, "side": 1, "pin": PIN})
    posts.done(f"{path}/rulings", {"code": "REV", "deal": 1, "scores": [0, 15]}, "director")
    posts.done(f"{path}/acceptances", {"deal": 1, "side": 1, "pin": PIN})


def _sealed(posts, path):
    for _ in range(4):
        posts.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [15, 0]}})
    posts.done(f"{path}/seal", {"reason": "the hall closes"}, "director")


def _hands(posts):
    """Void a deal before its hands have been shown, and open them."""
    opened = posts.done(f"{posts.house.path}/matches", {"game": "cross_game", "sides": [["Cleo"], ["Dag"]]})
    path = f"/api/v1/matches/{opened['match']['id']}"
    deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
    posts.done(f"{path}/deals", {"deal": deal})
    posts.done(f"{path}/void-deal", {"reason": "a card lay open"})
    posts.done(f"{path}/open-hands", {"deal": 1, "reason": "both ask"}, "director")


def _door(posts, path):
    """Let a second phone of a player in by table code, then end both."""
    for _ in range(2):
        Phone(posts.house.client).come_in(door_of(posts.house, path), "Annie")
    ask = door_of(posts.house, path)["asks"][0]["id"]
    seat = posts.done(f"{path}/door/let-in", {"ask": ask}, "director")["seats"][0]["id"]
    posts.done(f"{path}/door/throw-out", {"seat": seat}, "director")
    posts.done(f"{path}/door/code", {}, "director")
