"""Tournaments of a club, directed over HTTP."""


class Evening:
    """A tournament with numbered players, directed over HTTP; `view` is its last known state."""

    def __init__(self, house, stages, players=8, **more):
        self.house = house
        people = [f"P{number} {house.next_name()}" for number in range(1, players + 1)]
        entries = more.pop("entries", None) or [{"do": "enter", "players": [name]} for name in people]
        body = {"name": "Thursday cup", "stages": stages, "entries": entries, **more}
        made = house.done(f"{house.path}/tournaments", body, "director")
        self.id, self.view = made["tournament"]["id"], made["tournament"]
        self.path = f"/api/v1/tournaments/{self.id}"

    def act(self, *actions, role="director", **more):
        answer = self.house.done(f"{self.path}/actions", {"actions": list(actions), **more}, role)
        self.view = answer["tournament"]
        return answer

    def refused(self, *actions, role="director", status=409, slug="misfit", **more):
        return self.house.refused(
            "POST", f"{self.path}/actions", {"actions": list(actions), **more}, status, slug, role
        )

    def preview(self, *actions):
        answer = self.house.post(f"{self.path}/actions", {"actions": list(actions), "preview": True}, "director")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def read(self, what="", **query):
        text = "&".join(f"{name}={value}" for name, value in query.items())
        answer = self.house.get(f"{self.path}{what}{'?' + text if text else ''}")
        assert answer.status_code == 200, answer.text
        if not what and not query:
            self.view = answer.json()
        return answer.json()

    def round(self):
        return self.view["rounds"][-1]

    def open(self):
        here = (at for at in self.view["rounds"] if at["stage"] == self.view["at"])
        return [each for at in here for each in at["pairings"] if each["status"] == "open"]

    def seeds(self):
        return {each["id"]: each["seed"] for each in self.view["entries"]}

    def play(self):
        """Report every open match as won by the better seed."""
        seeds = self.seeds()
        for each in self.open():
            first, second = (seeds[side["entries"][0]] for side in each["sides"])
            self.act({"do": "report", "fixture": each["fixture"], "winner": 0 if first < second else 1})

    def to_the_end(self):
        while True:
            self.act({"do": "pair_round"})
            self.play()
            last = self.view["stages"][-1]
            if last["status"] == "over":
                return self.act({"do": "finish"})["tournament"]["places"]
