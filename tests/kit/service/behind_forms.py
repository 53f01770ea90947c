"""Pages that no link reaches: behind a table code, a submitted form or a typed name.

Each is requested once from the application; a browser is shown the answer at an address under `/behind/`.
"""

import re

from domain import codec
from domain.games import find
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import FORM
from tests.kit.service.crawling import HTML
from tests.kit.service.doors import Phone, door_of
from tests.kit.service.people import Phone as OwnPhone
from tests.kit.service.scenes import LONGEST

BEHIND = (
    "guest: table",
    "guest: table, long names",
    "guest: wrong code",
    "guest: waiting",
    "guest: last",
    "guest: ended",
    "guest: not let in",
    "guest: table where hands are hidden",
    "guest: own hand",
    "form: invitation",
    "form: further device",
    "form: who is meant",
    "form: what a correction moves",
    "form: what a ruling gives",
    "typed: new member",
    "typed: new match",
)
REASON = "The side which had stated its suit played another one, while it had a card of that suit: it changes nothing."


class _Spoken:
    """A client with a language cookie."""

    def __init__(self, client, language):
        self.client, self.cookies, self.said = client, client.cookies, f"lurch_language={language}"

    def _headers(self, headers):
        return {**headers, "Cookie": "; ".join(filter(None, (headers.get("Cookie"), self.said)))}

    def get(self, path, headers=(), **more):
        return self.client.get(path, headers=self._headers(dict(headers)), **more)

    def post(self, path, headers=(), **more):
        return self.client.post(path, headers=self._headers(dict(headers)), **more)


class Behind:
    """The pages of a world that no link reaches: their texts by name in `pages`, their addresses in `found`."""

    def __init__(self, world, language="en"):
        self.world, self.house, self.pages, self.found = world, world.house, {}, set()
        self.client = _Spoken(world.client, language)
        self.club = f"/clubs/{self.house.id}"
        self._tables()
        self._phones_at_a_table()
        self._a_hand_by_pin()
        self._invitations()
        self._who_is_meant()
        self._what_a_correction_moves()
        self._what_a_ruling_gives()
        self._while_a_name_is_typed()
        assert set(self.pages) == set(BEHIND)

    def _sent(self, name, path, form, status, role="owner"):
        headers = {**HTML, **FORM, **self.world.cookie(role, self.house.id)}
        answer = self.client.post(path, data=form, headers=headers)
        self.client.cookies.clear()
        assert answer.status_code == status, (name, answer.text)
        self.pages[name] = answer.text

    def _got(self, name, phone, path, status=200):
        answer = phone.get(path)
        assert answer.status_code == status, (name, answer.text)
        self.pages[name] = answer.text
        self.found.add(path)

    def _phone(self):
        return Phone(self.client)

    def _tables(self):
        """A table of a tournament where a phone is in, one of long names, and a code that no table has."""
        cup = self.house.get(f"/api/v1{self.world.scenes['tournament: swiss, paired']}").json()
        match = f"/api/v1/matches/{cup['rounds'][0]['pairings'][0]['match']}"
        self._phone().come_in(door_of(self.house, match), r"P\d+ \w+")
        self.pages["guest: table"] = self._phone().scan(door_of(self.house, match))
        long = f"/api/v1{self.world.scenes['match: long names']}"
        self._phone().come_in(door_of(self.house, long), LONGEST)
        self.pages["guest: table, long names"] = self._phone().scan(door_of(self.house, long))
        self.pages["guest: wrong code"] = self._phone().type("BBB BBB").text

    def _phones_at_a_table(self):
        """One that is in, and two that want its name: one is let in in its place, the other one is not."""
        match = self.house.match()
        own = match.removeprefix("/api/v1")
        self.house.done(f"{match}/deals", {"dealer": 0})
        first, second, third = phones = [self._phone() for _ in range(3)]
        found = [phone.come_in(door_of(self.house, match), "Annie") for phone in phones]
        self._got("guest: last", first, found[0])
        for phone, address in ((second, found[1]), (third, found[2])):  # whoever asks again asks last
            self._got("guest: waiting", phone, address)
        ask = {each["at"]: each["id"] for each in door_of(self.house, match)["asks"]}
        self.house.done(f"{match}/door/let-in", {"ask": ask[min(ask)]}, "director")
        self.house.done(f"{match}/door/let-in", {"ask": ask[max(ask)], "yes": False}, "director")
        self._got("guest: not let in", third, f"{own}/waiting", 403)
        self._got("guest: ended", first, f"{own}/seats", 403)

    def _a_hand_by_pin(self):
        """A table where the hands are hidden, and what a PIN shows there one time."""
        match, phone = self.house.match("cross_game"), self._phone()
        deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
        self.house.done(f"{match}/deals", {"deal": deal})
        (person,) = self.house.get(match).json()["sides"][0]["players"]
        OwnPhone(self.house, person).does("/me", do="pin", club=self.house.id, pin="2468")
        phone.come_in(door_of(self.house, match), "I keep the score")
        own = match.removeprefix("/api/v1")
        self._got("guest: table where hands are hidden", phone, own)
        answer = phone.post(f"{own}/my-hand", {"person": person, "pin": "2468"})
        assert answer.status_code == 200, answer.text
        self.pages["guest: own hand"] = answer.text

    def _invitations(self):
        """The link, shown this one time: of a person with a role, and of somebody's further device."""
        player = self.house.get(f"{self.house.path}/players").json()["items"][0]["id"]
        form = {"player": player, "role": "scorer"}
        self._sent("form: invitation", f"{self.club}/invitations", form, 200)
        secret = re.search(r"/sign-in#([\w-]{43})", self.pages["form: invitation"])[1]
        phone = self._phone()
        assert phone.post("/sign-in", {"link": secret}).status_code == 303
        answer = phone.post("/me", {"do": "link", "club": self.house.id})
        assert answer.status_code == 200, answer.text
        self.pages["form: further device"] = answer.text

    def _who_is_meant(self):
        """The question about a name that is near to somebody's."""
        self.house.done(f"{self.house.path}/players", {"name": "Quentin Zoll", "another": True}, "owner")
        self._sent("form: who is meant", f"{self.club}/members", {"name": "Quentinn"}, 409, "director")

    def _what_a_correction_moves(self):
        """The winner of a semi-final is another, and the final is on."""
        path = self.world.scenes["tournament: single, final on"]
        form = {"do": "report", "fixture": "W1.1", "side": "1"}
        self._sent("form: what a correction moves", f"{path}/actions", form, 409, "director")

    def _what_a_ruling_gives(self):
        """A ruling before it is made."""
        case = self.world.office["case: called"]
        page = self.client.get(case, headers={**HTML, **self.world.cookie("director", self.house.id)}).text
        match = re.search(r"/matches/([0-9a-f-]{36})", page)[1]
        form = {"match": match, "deal": "1", "code": "REV", "remedy": "stands", "reason": REASON}
        self._sent("form: what a ruling gives", f"{case}/rule", form, 200, "director")

    def _while_a_name_is_typed(self):
        """What a page's script is answered, where it puts it."""
        headers = {**HTML, **self.world.cookie("owner", self.house.id)}
        for name, page, place, query in (
            ("typed: new member", f"{self.club}/members", "near", ""),
            ("typed: new match", f"{self.club}/new?game=parity", "near0", "&fill=1"),
        ):
            near = self.client.get(f"{self.club}/members/near?name=Bennny{query}", headers=headers).text
            whole, count = re.subn(
                rf'(<div id="{place}" role="status">)(</div>)',
                lambda found, near=near: found[1] + near + found[2],
                self.client.get(page, headers=headers).text,
            )
            assert (count, "<li>" in near) == (1, True)
            self.pages[name] = whole

    def lead(self, context):
        """Serve the pages to a browser context at `address_behind(name)`."""
        pages = {address_behind(name): text for name, text in self.pages.items()}

        def answer(route):
            where = "/" + route.request.url.split("/", 3)[3]
            route.fulfill(body=pages[where], content_type="text/html; charset=utf-8")

        def follow(route):
            """Leave a page of theirs unanswered: this browser is signed in as another, whose table is taller."""
            if "/behind/" not in route.request.frame.url:
                route.fallback()

        context.route("**/behind/*", answer)
        context.route("**/live", follow)


def address_behind(name):
    """Return the address at which a browser is shown a page; the service has none."""
    return "/behind/" + re.sub(r"\W+", "-", name)
