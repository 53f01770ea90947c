"""A match recorded over HTTP for a scene, by devices with clocks of their own."""

from domain import codec

NO_DEVICE = object()


class Table:
    """One match: what is done at it, by whom, with which device."""

    devices = ("Zed's iPhone", "desk tablet – é", "scorer 3")

    def __init__(self, house, game=None, sides=(), match=None, **more):
        self.house = house
        self.path = f"/api/v1/matches/{match}" if match else house.match(game, sides, **more)
        self.id = self.path.rpartition("/")[2]
        self.writes = 0
        self.view = house.get(self.path, "director").json()

    @classmethod
    def of(cls, house, match):
        """A match that there is."""
        return cls(house, match=match)

    @property
    def deals(self):
        return len(self.view["deals"])

    def player(self, side):
        """A token of the first player of a side."""
        return self.house.token("player", player=self.view["sides"][side]["players"][0])

    def sent(self, what, body, token="scorer", device=NO_DEVICE):
        """A write, whether or not it is taken; every third names its key, every device has a clock."""
        self.writes += 1
        headers = {}
        if device is NO_DEVICE:
            headers["X-Lurch-Device"] = self.devices[self.writes % 3].encode()
            headers["X-Lurch-Device-Clock"] = f"2026-11-20T19:{self.writes % 60:02}:07.25+01:00"
        if self.writes % 3 == 0:
            headers["Idempotency-Key"] = f"{self.id[-12:]} {self.writes}"
        answer = self.house.post(f"{self.path}/{what}", body, token, **headers)
        if answer.status_code == 201:
            self.view = self.house.get(self.path, "director").json()
        return answer

    def done(self, what, body, token="scorer", device=NO_DEVICE):
        """A write that is taken."""
        answer = self.sent(what, body, token, device)
        assert answer.status_code == 201, (what, body, answer.text)

    def deal(self, **body):
        self.done("deals", {name: value for name, value in body.items() if value is not None})

    def facts(self, facts):
        if facts:
            self.done("facts", {"facts": [codec.plain(fact) for fact in facts], "it_happened": True})

    def entered(self, entry, token="scorer", device=NO_DEVICE):
        """A result, of the deal that is on or of the next; of Parity the tricks say it."""
        body = {"parity": "odd", "tricks": entry} if isinstance(entry, list) else entry
        on = self.deals and not self.view["deals"][-1]["complete"]
        self.done("results", {"entry": body, "deal": self.deals if on else self.deals + 1}, token, device)

    def confirm(self, side, token="scorer"):
        self.done("confirmations", {"deal": self.deals, "side": side}, token)
