"""Who may ask what: tests/data/routes.txt has a row for every route, and every role gets what it says.

What another club has is answered byte for byte as what there is not.
"""

from pathlib import Path
from uuid import UUID

import pytest

from domain import codec
from domain.games import find
from service.store import tokens
from tests.kit.match.tables import random_deal
from tests.kit.service.asking import FORM, NOWHERE, House, first_of_stream, sign_in

TABLE = Path(__file__).parents[2] / "data" / "routes.txt"
COLUMNS = ("nobody", "spectator", "player", "scorer", "bound", "director", "owner", "foreign", "public", "visitor")
UNKNOWN = UUID("01a1fea4-0000-7000-8000-000000000000")
TURN = {"seat": 1, "do": "trump", "suit": "H"}
ENTRY = {"entry": {"parity": "odd", "tricks": [9, 6]}}
NEW = {"game": "parity", "sides": [["Annie"], ["Benny"]]}
RESULT_FORM = "parity=odd&tricks.0=9"


def read_table():
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            method, path, *cells = line.split()
            assert (method, path) not in rows, f"{method} {path} stands twice"
            assert len(cells) == len(COLUMNS), line
            rows[method, path] = dict(zip(COLUMNS, cells, strict=True))
    return rows


ROWS = read_table()
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
    "corrections": (["results"], {"version": 3, "now": ENTRY["entry"], "reason": "misread"}, ""),
    "confirmations": (["results"], {"deal": 1, "side": 0}, ""),
    "restore-deal": (["deals", "void-deal"], {}, ""),
    "open-hands": (["dealt", "void-deal"], {"reason": "a dispute"}, ""),
    "disputes": (["results"], {"deal": 1, "side": 0, "reason": "recount"}, ""),
    "settlements": (["results", "disputes"], {"how": "upheld"}, ""),
    "confirm": (["results"], {}, "deal=1&side=0&scores=19+0"),
    "restore": (["deals", "void-deal"], {}, ""),
    "dispute": (["results"], {}, "deal=1&side=0&reason=recount"),
    "settle": (["results", "disputes"], {}, "dispute=4&how=upheld"),
    "erasure": ([], {"reason": "asked"}, ""),
    "erase": ([], {}, "reason=asked&sure=1"),
    "hands": (["dealt", "void-deal"], {}, "deal=1&reason=a+dispute"),
}
CARDS = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
PREPARED = {
    "deals": {"dealer": 0},
    "results": ENTRY,
    "void-deal": {},
    "dealt": {"deal": CARDS},
    "disputes": {"deal": 1, "reason": "recount"},
}
CUP = {"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}
PLACES = {
    "/api/v1/clubs/{club_id:uuid}/matches": NEW,
    "/api/v1/clubs/{club_id:uuid}/players": {"name": "Nora"},
    "/api/v1/clubs/{club_id:uuid}/webhooks": {"url": NOWHERE},
    "/api/v1/clubs/{club_id:uuid}/webhooks/{webhook_id:uuid}/test": {},
    "/api/v1/clubs/{club_id:uuid}/webhooks/{webhook_id:uuid}/enable": {},
    "/api/v1/clubs/{club_id:uuid}/tournaments": CUP,
    "/api/v1/clubs/{club_id:uuid}/tournaments/trf": b"001    1      Ahti\n001    2      Bea\n",
    "/api/v1/tournaments/{tournament_id:uuid}/actions": {"actions": [{"do": "unpair_round"}]},
    "/api/v1/tournaments/{tournament_id:uuid}/results.csv": b"fixture,one,other,winner\nW1.1,Annie,Benny,Annie\n",
    "/clubs/{club_id:uuid}/tournaments/new": "name=Cup&game=parity&template=single",
    "/clubs/{club_id:uuid}/new": "game=parity&name0=Annie&name1=Benny",
    "/clubs/new": "name=Thursday",
    "/sign-in": "link=used",
    "/sign-out": "",
}
FREE = {"{name:str}": "tricks", "{key:str}": "parity", "{slug:str}": "misfit", "{path:str}": "nothing"}


class Cast:
    """A club with somebody in every role: players registered, tokens bound, a browser signed in."""

    def __init__(self, house, owner):
        self.house, self.owner, self.named = house, owner, []
        self.people = [
            house.done(f"{house.path}/players", {"name": name}, "owner")["id"] for name in ("Annie", "Benny")
        ]
        self.sides = [[{"id": self.people[0]}], [{"id": self.people[1]}]]
        self.other = house.match(sides=self.sides).rpartition("/")[2]
        house.tokens["player"] = house.token("player", player=self.people[0])
        house.tokens["bound"] = house.token("scorer", match=self.other)

    def match(self, before):
        """A match on which these things have happened."""
        path = self.house.match("cross_game" if "dealt" in before else "parity", sides=self.sides)
        for what in before:
            self.house.done(f"{path}/{'deals' if what == 'dealt' else what}", PREPARED[what])
        return path.rpartition("/")[2]

    def tournament(self, path):
        """A tournament of both, for what is asked of it: paired, or (for a table of entries) one that waits."""
        stage = {"format": {"kind": "swiss" if path.endswith("/trf") else "single"}, "game": "parity"}
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
        return made["id"], made["entries"][0]["id"] if made["entries"] else ""

    def person(self, path):
        """Annie, or where she would be erased somebody else each time."""
        if not path.endswith(("/erasure", "/erase")):
            return self.people[0]
        body = {"name": f"Leaving {self.house.next_name()}"}
        return self.house.done(f"{self.house.path}/players", body, "owner")["id"]

    def request(self, method, path, unknown=False):
        """Address and body of a request on a route, with ids of this club or of none."""
        before, body, form = BEFORE.get(path.rpartition("/")[2], ([], PLACES.get(path), PLACES.get(path, "")))
        match = club = webhook = str(UNKNOWN)
        if not unknown:
            club = self.house.id
            match = self.match(before) if "{match_id" in path else match
            webhook = self.house.webhook() if "/webhooks" in path else webhook
        tournament = entry = str(UNKNOWN)
        if "{tournament_id" in path and not unknown:
            tournament, entry = self.tournament(path)
        if path.endswith("/actions"):
            body = {"actions": [{"do": "check_in", "entry": entry}]}
            form = f"do=check_in&entry={entry}&here=true"
        elif path.endswith("/tournaments/archive"):
            cup = str(UNKNOWN) if unknown else self.tournament("")[0]
            body = self.house.get(f"/api/v1/tournaments/{cup}/archive", "director").content
        elif path.endswith("/entries.csv"):
            body = f"name\nNora {len(self.named)}\n".encode()
            self.named.append("Nora")
        elif (method, path) == ("POST", "/tournaments/{tournament_id:uuid}/entries"):
            form = f"lines=Nora {len(self.named)}"
            self.named.append("Nora")
        address = path.replace("{club_id:uuid}", club).replace("{match_id:uuid}", match)
        if "{player_id" in path:
            address = address.replace("{player_id:uuid}", str(UNKNOWN) if unknown else self.person(path))
        address = address.replace("{tournament_id:uuid}", tournament).replace("{entry:uuid}", entry)
        address = address.replace("{webhook_id:uuid}", webhook)
        address = address.replace("files/{name:str}", "files/entries.csv")
        for name, value in FREE.items():
            address = address.replace(name, value)
        address = address.replace("{file_path:path}", "/app.css").replace("//app", "/app")
        return address, (body if path.startswith("/api/") else form) if method == "POST" else None

    def ask(self, client, method, path, role, unknown=False, token=None):
        """Status, headers and body of what a role is answered; pages know people by their cookie."""
        address, body = self.request(method, path, unknown)
        if path.startswith("/api/") or path == "/metrics":
            answer = self.house.ask(method, address, body, token or role)
        else:
            cookie = {"owner": self.owner}.get(role, {})
            if path.endswith("/live"):
                return first_of_stream(client, address, cookie)
            content = None if body is None else body.encode()
            sent = {**cookie, **(FORM if method == "POST" else {})}
            answer = client.request(method, address, content=content, headers=sent, follow_redirects=False)
            client.cookies.clear()
        return answer.status_code, dict(answer.headers), answer.content


@pytest.fixture(scope="module")
def cast(client, database, owner):
    with House(client, database) as house:
        yield Cast(house, owner)


@pytest.fixture(scope="module")
def public(client, database, owner):
    with House(client, database, public=True) as house:
        yield Cast(house, owner)


@pytest.fixture(scope="module")
def foreign(client, database):
    """Somebody in every role of another club."""
    with House(client, database) as house:
        yield house.tokens


def test_the_table_has_a_row_for_every_route(client):
    routes = {(method, route.path) for route in client.app.routes for method in route.methods if method != "OPTIONS"}
    assert routes == set(ROWS)


@pytest.mark.parametrize(("method", "path"), ROWS)
def test_every_role_is_answered_as_the_table_says(client, database, cast, public, foreign, method, path):
    found = {}
    for role, said in ROWS[method, path].items():
        if said == "-":
            continue
        if path == "/sign-out" and role == "owner":  # it ends this sign-in, so it needs one of its own
            own = Cast.__new__(Cast)
            own.house, own.owner = cast.house, sign_in(client, database)
            found[role] = own.ask(client, method, path, role)[0]
            continue
        where = public if role in ("public", "visitor") else cast
        who = None if role in ("nobody", "public") else role
        token = foreign["owner"] if role in ("foreign", "visitor") else None
        found[role] = where.ask(client, method, path, who, token=token)[0]
    assert {role: str(status) for role, status in found.items()} == {
        role: said for role, said in ROWS[method, path].items() if said != "-"
    }


WITH_IDS = [(method, path) for method, path in ROWS if "_id:" in path]


@pytest.mark.parametrize(("method", "path"), WITH_IDS)
def test_another_clubs_answer_is_that_of_what_there_is_not(client, cast, foreign, method, path):
    asking = [None, *foreign.values()] if path.startswith("/api/") else [None]
    for token in asking:
        status, headers, body = cast.ask(client, method, path, None, unknown=True, token=token)
        assert (status, cast.ask(client, method, path, None, token=token)) == (404, (status, headers, body))


@pytest.mark.parametrize(("method", "path"), [*WITH_IDS, ("GET", "/api/v1/me"), ("GET", "/api/v1/clubs"), ("GET", "/")])
def test_what_depends_on_who_asks_is_kept_by_no_cache(client, cast, method, path):
    for role in (None, "owner"):
        headers = cast.ask(client, method, path, role)[1]
        everybodys = (role, path) == (None, "/")  # asked for again each time, and another page for who signs in
        assert headers["cache-control"] == ("no-cache" if everybodys else "no-store"), role
        assert not everybodys or "Cookie" in headers["vary"]


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
    {"Referer": "http://testserver.local/"},
    {},
]


@pytest.mark.parametrize("path", POSTS)
def test_a_form_from_another_site_is_forbidden(client, cast, path):
    address, form = cast.request("POST", path)
    before = cast.house.position()
    for headers in ELSEWHERE:
        sent = {**cast.owner, "Content-Type": FORM["Content-Type"], **headers}
        answer = client.post(address, content=form.encode(), headers=sent, follow_redirects=False)
        assert (answer.status_code, answer.json()["type"]) == (403, "/problems/forbidden"), headers
        assert "set-cookie" not in answer.headers
    assert cast.house.position() == before


def test_a_form_of_ours_is_known_by_either_header(client, cast):
    address, form = cast.request("POST", "/matches/{match_id:uuid}/deals")
    for headers in ({"Sec-Fetch-Site": "none"}, {"Origin": "http://testserver.local"}):
        sent = {**cast.owner, "Content-Type": FORM["Content-Type"], **headers}
        answer = client.post(address, content=form.encode(), headers=sent, follow_redirects=False)
        assert answer.status_code in (303, 409)


@pytest.mark.parametrize(("method", "path"), [row for row in WITH_IDS if row[1].startswith("/api/")])
def test_a_cookie_opens_nothing_in_the_api(client, cast, method, path):
    address, body = cast.request(method, path)
    answer = cast.house.ask(method, address, body, None, {**cast.owner, **FORM, "Content-Type": "application/json"})
    assert answer.status_code == 404


@pytest.mark.parametrize("path", ["/matches/{match_id:uuid}", "/clubs/{club_id:uuid}", "/clubs/{club_id:uuid}/new"])
def test_a_token_opens_no_page(client, cast, path):
    address, _ = cast.request("GET", path)
    assert client.get(address, headers=cast.house.bearer("owner")).status_code == 404


def test_a_token_says_who_it_is(cast):
    for role in tokens.ROLES:
        me = cast.house.get("/api/v1/me", role).json()
        assert (me["role"], me["club"], me["known"]) == (role, cast.house.id, True)
    assert cast.house.get("/api/v1/me", "player").json()["player"] == cast.people[0]
    assert cast.house.get("/api/v1/me", "bound").json()["match"] == cast.other
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
    assert cast.house.post(f"/api/v1/matches/{cast.other}/deals", {}, "bound").status_code == 201


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
    for where in (path, public.house.path):
        for token in (None, "spectator", "player", "scorer", "bound", *foreign.values()):
            assert "tired" not in public.house.get(f"{where}/events", token).text
        for role in ("director", "owner"):
            assert "tired" in public.house.get(f"{where}/events", role).text
    page = path.removeprefix("/api/v1")
    assert "tired" not in public.house.client.get(f"{page}/replay").text


def test_metrics_are_for_an_owner(client, cast):
    for role in (None, "spectator", "player", "scorer", "bound", "director"):
        cast.house.refused("GET", "/metrics", None, 404, "not-found", role)
    assert "lurch_requests_total" in cast.house.get("/metrics", "owner").text
