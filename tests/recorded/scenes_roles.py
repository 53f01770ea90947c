"""Roles of persons and tokens, given and ended; people who are close, declared and taken back."""

from tests.kit.service.club_evenings import Evening
from tests.recorded.scenes_tournaments import scored, stage_of


def play(stage):
    """An evening with a deputy and a scorer of one table, who are no more when it is over."""
    house = stage.house()
    names = ("Annie", "Benny", "Carla", "Denny")
    people = {name: house.done(f"{house.path}/players", {"name": name}, "owner")["id"] for name in names}

    def role(path, name, role, by, **scope):
        house.done(f"{house.path}/{path}", {"person": people[name], "role": role, **scope}, by)

    role("roles", "Annie", "secretary", "owner")
    role("roles", "Benny", "director", "secretary")
    evening = Evening(house, [stage_of("single")], players=2)
    evening.act({"do": "pair_round"})
    match = evening.round()["pairings"][0]["match"]
    role("roles", "Carla", "deputy", "director", tournament=evening.id)
    role("roles", "Denny", "scorer", "director", match=match)
    role("roles", "Denny", "scorer", "secretary")
    friends = {"one": people["Carla"], "other": people["Annie"]}
    house.done(f"{house.path}/friends", friends, "director")
    kept = house.done(f"{house.path}/friends", {**friends, "other": people["Denny"]}, "director")
    house.done(f"{house.path}/friends/end", {"version": kept["items"][0]["version"]}, "director")
    tokens = [
        house.done(f"{house.path}/tokens", {"role": "deputy", "name": "hall", "tournament": evening.id}, "secretary"),
        house.done(f"{house.path}/tokens", {"role": "scorer", "name": "table 1", "match": match}, "secretary"),
        house.done(f"{house.path}/tokens", {"role": "spectator", "name": "wall"}, "owner"),
    ]
    scored(evening)
    for each in tokens[:2]:
        house.done(f"{house.path}/tokens/{each['id']}/revoke", {}, "secretary")
    role("roles/revoke", "Carla", "deputy", "director", tournament=evening.id)
    role("roles/revoke", "Denny", "scorer", "director", match=match)
    stage.sits(house, match, evening.view["entries"][0]["players"][0])
