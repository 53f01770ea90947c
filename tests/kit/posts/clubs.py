"""Writes to a club: settings, house rules, people, roles, tokens, webhooks and erasure."""

from tests.kit.service.asking import NOWHERE

MEMBERS = "name,visitor\nDora,\nElof,yes\nAnnie,\n"


def play(posts):
    """Make every write to a club once."""
    path = posts.house.path
    _rules(posts, path)
    annie, benny, carla = _people(posts, path)
    _roles(posts, path, annie, benny)
    _tokens(posts, path)
    _webhooks(posts, path)
    posts.done(f"{path}/players/{annie}/merge", {"other": carla}, "owner")
    posts.done(f"{path}/players/{annie}/part", {"other": carla}, "owner")
    for _ in range(2):  # the second time nothing is taken
        posts.done(f"{path}/players/{benny}/erasure", {"reason": "asked", "whole_names": True}, "owner")


def _rules(posts, path):
    settings = {"zone": "Europe/Vienna", "games": ["parity", "cross_game"], "statement_minutes": 12}
    for _ in range(2):  # the second time nothing changes
        posts.done(f"{path}/settings", settings, "owner")
    rules = {"game": "cross_game", "target": 50, "win_by": 2, "cap": 60, "deals": 9, "best_of": 3}
    for _ in range(2):
        posts.done(f"{path}/house-rules", rules, "owner")


def _people(posts, path):
    bodies = ({"name": "Annie"}, {"name": "Benny"}, {"name": "Carla", "visitor": True})
    annie, benny, carla = (posts.done(f"{path}/players", each, "owner")["id"] for each in bodies)
    posts.post(f"{path}/players", {"name": "Annie"}, "owner")
    posts.done(f"{path}/players/{benny}/name", {"name": "Benjamin"}, "owner")
    posts.done(f"{path}/players/{carla}/membership", {"visitor": False}, "owner")
    described = {"note": "has a key", "ids": {"FIDE": "1503014"}, "rating": 1850}
    posts.done(f"{path}/players/{annie}/description", described, "owner")
    posts.done(f"{path}/players.csv?preview=true", MEMBERS.encode(), "owner")
    posts.done(f"{path}/players.csv", MEMBERS.encode(), "owner")
    return annie, benny, carla


def _roles(posts, path, annie, benny):
    posts.done(f"{path}/roles", {"person": annie, "role": "director"}, "owner")
    posts.done(f"{path}/roles", {"person": benny, "role": "scorer"}, "owner")
    posts.done(f"{path}/roles/revoke", {"person": annie, "role": "director"}, "owner")
    close = posts.done(f"{path}/friends", {"one": annie, "other": benny}, "owner")
    posts.done(f"{path}/friends/end", {"version": close["version"]}, "owner")


def _tokens(posts, path):
    made = posts.done(f"{path}/tokens", {"role": "scorer", "name": "desk"}, "owner")
    posts.done(f"{path}/tokens/{made['id']}/revoke", {}, "owner")


def _webhooks(posts, path):
    hook = posts.done(f"{path}/webhooks", {"url": NOWHERE, "types": ["ResultEntered"]}, "owner")["id"]
    posts.done(f"{path}/webhooks/{hook}/test", {}, "owner")
    posts.done(f"{path}/webhooks/{hook}/enable", {"skip": True}, "owner")
    posts.done(f"{path}/webhooks/{hook}", None, "owner", "DELETE")
