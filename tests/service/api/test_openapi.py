"""The OpenAPI document says what the API does, and its page and every other page come from ourselves alone."""

import re
from html.parser import HTMLParser
from uuid import UUID

import pytest

from domain.cards.card import parse_card
from service.http.kinds import KINDS
from service.http.problems import Problem
from service.run.app import SECURITY_HEADERS
from tests.kit.service.asking import NOWHERE, House, a_problem, first_of_stream, is_text, sign_in

ONLY_ASKED = {"previewRuling", "planPush"}  # nothing is ever recorded by it
PROBLEMS = ("400", "401", "403", "404", "409", "413", "422", "429", "503")


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


def operations(document):
    return [
        (path, method, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in ("get", "post", "put", "patch", "delete")
    ]


def followed(document, schema):
    """A schema with its reference followed."""
    while "$ref" in schema:
        at = document
        for step in schema["$ref"].removeprefix("#/").split("/"):
            at = at[step]
        schema = at
    return schema


def schemas_in(document, schema, seen):
    """A schema and every one inside it, references followed, each once."""
    schema = followed(document, schema)
    if id(schema) in seen:
        return
    seen.add(id(schema))
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("prefixItems", ())]
    for word in ("oneOf", "anyOf", "allOf"):
        inner += schema.get(word, ())
    inner += [schema[word] for word in ("items", "additionalProperties") if isinstance(schema.get(word), dict)]
    for each in inner:
        yield from schemas_in(document, each, seen)


def test_every_operation_has_a_name_a_summary_and_a_tag(document):
    found = operations(document)
    names = [operation["operationId"] for _, _, operation in found]
    assert len(set(names)) == len(names) > 15
    for path, method, operation in found:
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", operation["operationId"]), (method, path)
        assert len(operation["summary"]) > 5, (method, path)
        assert operation["tags"], (method, path)
        assert path.startswith("/api/v1/")


def test_every_route_of_the_api_is_in_the_document(client, document):
    routes = {
        (re.sub(r":\w+}", "}", route.path), method.lower())
        for route in client.app.routes
        for method in route.methods
        if route.path.startswith("/api/") and method != "OPTIONS"
    }
    assert {(path, method) for path, method, _ in operations(document)} == routes


def _somewhere(path, item):
    """An address of this form: 1 for a number, and an id for anything else."""
    parameters = [each for one in item.values() if isinstance(one, dict) for each in one.get("parameters", [])]
    numbers = {each["name"] for each in parameters if each["schema"].get("type") == "integer"}
    return re.sub(r"{(\w+)}", lambda name: "1" if name[1] in numbers else str(UUID(int=0)), path)


def test_options_lists_every_method_of_an_address(client, document):
    for path, item in document["paths"].items():
        methods = {method.upper() for method in item if method in ("get", "post", "put", "patch", "delete")}
        answer = client.options(_somewhere(path, item))
        assert (path, set(answer.headers["Allow"].split(", "))) == (path, methods | {"OPTIONS"})


def test_every_operation_says_which_problems_it_may_answer(document):
    for path, method, operation in operations(document):
        for status in PROBLEMS:
            answer = operation["responses"][status]
            (media,) = answer["content"]
            assert media == "application/problem+json"
            schema = followed(document, answer["content"][media]["schema"])
            assert set(schema["required"]) == {"type", "title", "status", "detail"}
            for slug, kind in KINDS.items():
                assert str(kind.status) != status or slug in answer["description"], (method, path)
        good = {status for status in operation["responses"] if status.startswith("2")}
        taken = (
            [{"201"}, {"200", "201"}] if method == "post" and operation["operationId"] not in ONLY_ASKED else [{"200"}]
        )
        assert good in taken, (method, path)


def test_what_stands_already_is_answered_with_a_200_that_the_document_knows(document, house):
    by_id = {operation["operationId"]: operation for _, _, operation in operations(document)}
    match = house.match()
    entry = {"entry": {"parity": "odd", "tricks": [9, 6]}, "deal": 1}
    ruling = {"code": "REV", "deal": 1, "scores": [0, 17]}
    asked = [
        ("changeSettings", f"{house.path}/settings", {"public": True}, "owner"),
        ("enterResult", f"{match}/results", entry, "scorer"),
        ("previewRuling", f"{match}/rulings/preview", ruling, "director"),
    ]
    for name, path, body, role in asked:
        house.post(path, body, role)
        assert house.post(path, body, role).status_code == 200, name
        assert "200" in by_id[name]["responses"], name
    entries = [{"do": "enter", "players": [name]} for name in ("Ahti", "Bea")]
    announced = {**MORE["announceTournament"], "entries": entries}
    cup = house.done(f"{house.path}/tournaments", announced, "owner")["tournament"]["id"]
    tried = {"actions": [{"do": "pair_round"}], "preview": True}
    answer = house.post(f"/api/v1/tournaments/{cup}/actions", tried, "owner")
    told = followed(document, by_id["directTournament"]["responses"]["200"]["content"]["application/json"]["schema"])
    assert answer.status_code == 200
    assert answer.json().keys() == set(told["required"])


def test_a_text_of_an_address_that_has_a_form_says_so(document):
    found = [
        (each["name"], each["schema"])
        for _, _, operation in operations(document)
        for each in operation.get("parameters", ())
        if each["in"] == "query"
        and (each["name"] in ("cursor", "as_of") or each.get("description") == "a time in RFC 3339")
    ]
    forms = {
        name: {schema.get("format") or tuple(each.get("format", "a count") for each in schema["anyOf"])}
        for name, schema in found
    }
    assert forms == {"cursor": {"uuid"}, "as_of": {("a count", "date-time")}, "at": {"date-time"}}


def test_members_of_a_fact_stand_together_as_the_service_takes_them(document, house):
    parts = document["components"]["schemas"]
    pairs = {
        name: {(dim, value) for each in part["anyOf"] for dim, value in _pairs(each["properties"])}
        for name, part in parts.items()
        if name in ("ValueDeclared", "ValueProposed")
    }
    assert len(pairs) == 2
    sides = [["Annie"], ["Benny"], ["Carla"], ["Dora"]]
    match = house.match("cross_purposes", sides=sides, options={"variant": "alliance"})
    for name, word in (("ValueDeclared", "declare"), ("ValueProposed", "propose")):
        for dim in ("trump", "top"):
            for value in "CDHS23456789TJQKA":
                fact = {"seat": 0, "do": word, "dim": dim, "value": value}
                problem = a_problem(house.post(f"{match}/facts", {"facts": [fact]}))
                assert (problem["status"] == 400) == ((dim, value) not in pairs[name]), (name, dim, value)


def _pairs(properties):
    return [(dim, value) for dim in properties["dim"]["enum"] for value in properties["value"]["enum"]]


def test_every_reference_leads_somewhere(document):
    assert document["openapi"].startswith("3.1")
    found = set(re.findall(r"'\$ref': '(#/[^']+)'", str(document)))
    assert len(found) > 10
    for reference in found:
        assert followed(document, {"$ref": reference}), reference


def bodies(document):
    for _, _, operation in operations(document):
        if "application/json" in operation.get("requestBody", {}).get("content", {}) and not is_text(operation):
            yield operation["operationId"], operation["requestBody"]["content"]["application/json"]["schema"]


def test_every_body_refuses_unknown_members(document):
    found = dict(bodies(document))
    assert len(found) > 8
    for name, schema in found.items():
        for each in schemas_in(document, schema, set()):
            if each.get("properties"):
                assert each["additionalProperties"] is False, (name, each.get("title"))


def test_every_number_of_a_body_or_parameter_has_bounds(document):
    asked = [schema for _, schema in bodies(document)]
    for _, _, operation in operations(document):
        asked += [each["schema"] for each in operation.get("parameters", ()) if each["in"] == "query"]
    numbers = [
        each for schema in asked for each in schemas_in(document, schema, set()) if each.get("type") == "integer"
    ]
    scalar = followed(document, dict(bodies(document))["openMatch"])["properties"]["options"]
    free = [id(each) for each in schemas_in(document, scalar, set())]
    bounded = [each for each in numbers if id(each) not in free]
    assert len(bounded) > 20
    for each in bounded:
        assert {"minimum", "maximum"} <= set(each), each


def test_every_pattern_is_one_that_json_schema_can_say(document):
    for pattern in set(re.findall(r"'pattern': '([^']+)'", str(document))):
        assert "\\Z" not in pattern
        assert "\\ud8" not in pattern.lower()
        assert pattern.startswith("^")
        assert not pattern.endswith("$"), "it would let a last newline pass"
        re.compile(pattern.encode().decode("unicode_escape"))


def cards_of(document):
    for schema in schemas_in(document, dict(bodies(document))["recordFacts"], set()):
        if "card" in schema.get("properties", {}):
            yield from schemas_in(document, schema["properties"]["card"], set())


def test_a_card_is_told_by_examples_that_are_cards(document):
    found = [each for each in cards_of(document) if each.get("type") == "string"]
    assert found
    for each in found:
        assert len(each["examples"]) >= 3
        for example in each["examples"]:
            assert re.search(each["pattern"], example)
            assert str(parse_card(example)) == example


SOMEBODY = "01939f5e-0000-7000-8000-000000000000"
NO_ID = "-" * 36  # as long as one, of its signs
MORE = {
    "openMatch": {"game": "parity", "sides": [["A"], ["B"]]},
    "registerPlayer": {"name": "Nora"},
    "renamePlayer": {"name": "Nora"},
    "changeMembership": {"visitor": True},
    "erasePerson": {"reason": "asked"},
    "recordFacts": {"facts": [{"seat": 0, "do": "pass"}]},
    "enterResult": {"entry": {}},
    "correct": {"version": 1, "now": {}, "reason": "misread"},
    "previewCorrection": {"version": 1, "now": {}, "reason": "misread"},
    "withdrawFact": {"version": 1},
    "proposeCorrection": {"version": 1, "now": {}, "reason": "misread"},
    "answerCorrection": {"yes": True},
    "affirm": {"deal": 1, "versions": [3]},
    "sealMatch": {"reason": "today"},
    "confirm": {"deal": 1, "side": 0},
    "announceTournament": {"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}]},
    "directTournament": {"actions": [{"do": "finish"}]},
    "createWebhook": {"url": NOWHERE},
    "mergePlayers": {"other": SOMEBODY},
    "partPlayers": {"other": SOMEBODY},
    "grantRole": {"person": SOMEBODY, "role": "director"},
    "revokeRole": {"person": SOMEBODY, "role": "director"},
    "declareFriends": {"one": SOMEBODY, "other": SOMEBODY},
    "endFriends": {"version": 3},
    "createToken": {"role": "scorer", "name": "desk"},
    "letIn": {"ask": SOMEBODY},
    "throwOut": {"seat": SOMEBODY},
    "agreeOwnTable": {"ruler": SOMEBODY},
    "rule": {"code": "REV", "scores": [0, 17]},
    "previewRuling": {"code": "REV", "remedy": "stands"},
    "acceptRuling": {"deal": 1, "side": 0},
    "adoptHouseRules": {"game": "parity"},
    "callDirectorToFixture": {"fixture": "W1.1"},
    "makeStatement": {"words": "he had the ten"},
    "hearWitness": {"person": SOMEBODY, "words": "I saw it"},
    "assignRuler": {"person": SOMEBODY},
    "recuseRuler": {"person": SOMEBODY, "because": "asked"},
    "joinCase": {"match": SOMEBODY},
    "closeCase": {"ended": "stands"},
    "lodgeAppeal": {"ruling": 3},
    "decideAppeal": {"outcome": "stands"},
}


def test_the_api_refuses_unknown_members_as_the_document_says(document, house):
    match, hook = house.match().rpartition("/")[2], house.webhook()
    cup = house.done(f"{house.path}/tournaments", MORE["announceTournament"], "owner")["tournament"]["id"]
    player = house.get(f"{house.path}/players").json()["items"][0]["id"]
    ids = {"club_id": house.id, "match_id": match, "tournament_id": cup, "webhook_id": hook, "player_id": player}
    ids |= {"token_id": SOMEBODY, "case_id": SOMEBODY, "appeal": 2}
    ids["token_id"] = SOMEBODY
    ids["proposal"] = ids["affirmation"] = 1
    for path, method, operation in operations(document):
        if method == "post" and not is_text(operation):
            address = path.format(**ids)
            body = {**MORE.get(operation["operationId"], {}), "colour": "red"}
            assert "colour" in house.refused("POST", address, body, 400, "malformed", "owner")["detail"]
    inside = [
        {"sides": [["A"], [{"id": "x", "colour": 1}]]},
        {"lurch": {"lines": [], "win_points": [1], "colour": 1}},
    ]
    for more in inside:
        body = {**MORE["openMatch"], **more}
        assert "colour" in house.refused("POST", f"{house.path}/matches", body, 400, "malformed")["detail"]


@pytest.mark.parametrize(("what", "member"), [("let-in", "ask"), ("throw-out", "seat")])
def test_an_id_of_a_door_has_the_form_of_one(house, what, member):
    problem = house.refused("POST", f"{house.match()}/door/{what}", {member: NO_ID}, 400, "malformed", "director")
    assert member in problem["errors"][0]["path"]


def parameters(operation, where):
    return {each["name"]: each for each in operation.get("parameters", ()) if each["in"] == where}


def test_a_write_that_knows_a_repeat_by_its_key_says_so(document, house):
    match, hook = house.match().rpartition("/")[2], house.webhook()
    player = house.get(f"{house.path}/players").json()["items"][0]["id"]
    ids = {"club_id": house.id, "match_id": match, "webhook_id": hook, "player_id": player, "proposal": 1}
    ids |= {"token_id": SOMEBODY, "case_id": SOMEBODY, "appeal": 2, "affirmation": 1}
    ids["tournament_id"] = house.done(f"{house.path}/tournaments", MORE["announceTournament"], "owner")["tournament"][
        "id"
    ]
    found, read = {}, set()
    for path, method, operation in operations(document):
        name = operation["operationId"]
        if "Idempotency-Key" in parameters(operation, "header"):
            found[name] = parameters(operation, "header")["Idempotency-Key"]
        if method == "post" and not is_text(operation):
            sent = {"Idempotency-Key": "k" * 129}
            answer = house.post(path.format(**ids), MORE.get(name, {}), "owner", **sent)
            if answer.status_code == 400 and answer.json()["detail"].startswith("Idempotency-Key"):
                read.add(name)
    assert len(read) > 30
    assert read - ONLY_ASKED <= found.keys()
    assert {"enterTable", "takePlayersTable", "importArchive", "pushStreams"} <= found.keys(), "texts too"
    assert found.keys().isdisjoint({"planPush", "previewCorrection", "changeCode", "testWebhook", "enableWebhook"})
    (schema,) = {str(each["schema"]) for each in found.values()}
    pattern = found["enterResult"]["schema"]["pattern"]
    for key, good in (("tonight-1", True), ("k" * 128, True), ("k" * 129, False), ("", False), ("é", False)):
        assert bool(re.search(pattern, key)) == good, (schema, key)


def test_every_member_of_a_problem_is_in_the_document(document):
    schema = document["components"]["schemas"]["Problem"]
    assert schema["properties"].keys() == set(Problem.__struct_fields__)
    assert schema["properties"]["errors"]["items"]["properties"].keys() == {"path", "detail"}
    for name in ("recorded", "yours", "misfits", "versions"):
        assert schema["properties"][name]["items"]["type"] == "integer"


def test_retry_after_is_documented_where_it_is_sent(document):
    for _, _, operation in operations(document):
        for status in PROBLEMS:
            headers = operation["responses"][status].get("headers", {})
            assert ("Retry-After" in headers) == (status in ("429", "503"))


def test_json_lines_and_streams_are_called_what_they_are(document, client, house):
    path = house.match()
    for where in (path, house.path):
        assert house.get(f"{where}/events").headers["content-type"].startswith("application/x-ndjson")
        sent = {**house.bearer(), "Accept": "text/event-stream"}
        _, headers, _ = first_of_stream(client, f"{where}/events", sent)
        assert headers["content-type"].startswith("text/event-stream")
        assert headers["cache-control"] == "no-store"
    for name in ("matchEvents", "clubEvents"):
        (operation,) = [each for _, _, each in operations(document) if each["operationId"] == name]
        assert list(operation["responses"]["200"]["content"]) == ["application/x-ndjson"]


class Parts(HTMLParser):
    """What a page loads, where its forms go, and what a policy without `unsafe-inline` would stop."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.inline, self.scripts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        for name in ("src", "href", "action", "data-live", "hx-get", "srcset", "poster", "formaction"):
            if given.get(name) is not None:
                self.loads.append(given[name])
        self.inline += [name for name in given if name.startswith(("on", "hx-on")) or name == "style"]
        if tag in ("style", "base", "iframe", "object", "embed", "meta") and "http-equiv" in given:
            self.inline.append(tag)
        if tag == "style":
            self.inline.append(tag)
        if tag == "script":
            self.scripts.append(given)

    def handle_data(self, data):
        if self.lasttag == "script" and data.strip():
            self.inline.append(data)


@pytest.fixture(scope="module")
def pages(client, database, house):
    """Every page, as the owner sees it."""
    owner = sign_in(client, database)
    path = house.match()
    house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    house.done(f"{path}/deals", {"dealer": 0})
    table = path.removeprefix("/api/v1")
    club = f"/clubs/{house.id}"
    addresses = ["/", "/games", "/games/parity", "/games/cross_game", "/problems/misfit", "/sign-in?link=x", "/docs"]
    addresses += [
        club,
        f"{club}/ratings",
        f"{club}/season",
        f"{club}/new",
        f"{club}/new?game=cross_purposes&variant=fixed",
        table,
        f"{table}/replay",
    ]
    addresses += [f"{table}/result", f"{table}/result?deal=1", "/nothing"]
    found = {}
    for address in addresses:
        answer = client.get(address, headers={**owner, "Accept": "text/html"})
        assert answer.headers["content-type"].startswith("text/html"), address
        found[address] = answer.text
    client.cookies.clear()  # a page renews the cookie, and the tests behind this one share the client
    return found


def test_pages_load_from_ourselves_and_hold_no_script_or_style(client, pages):
    loaded = set()
    for address, text in pages.items():
        parts = Parts(text)
        assert parts.inline == [], address
        assert all("src" in script for script in parts.scripts), address
        for each in parts.loads:
            assert each.startswith(("/", "?", "#", "data:,")), (address, each)
            assert not each.startswith("//"), (address, each)
        loaded |= {each for each in parts.loads if each.startswith("/static/")}
    assert len(loaded) >= 7
    for each in loaded:
        assert client.get(each).status_code == 200, each


def test_styles_and_scripts_of_ours_load_nothing_from_elsewhere(client, pages):
    loaded = {each for text in pages.values() for each in Parts(text).loads if each.startswith("/static/")}
    for each in loaded:
        text = client.get(each).text.replace('xmlns="http://www.w3.org/2000/svg"', "")  # a name, which nobody fetches
        if ".css" in each:
            assert not re.search(r"@import|url\(\s*(?![\s\"']*data:)", text), each
        elif "/vendor/" not in each:
            text = re.sub(r'import\("\./[\w/]+\.js"\)', "", text)  # a file of ours, by its own name
            assert not re.search(r"https?:|//\w+\.\w|eval\(|import\(|document\.write", text), each
    assert "validatorUrl: null" in client.get("/static/docs.js").text, "Swagger UI would ask its makers"


def test_every_answer_carries_the_policy(client, house):
    match = house.match()
    asked = [
        ("GET", "/"),
        ("GET", "/docs"),
        ("GET", "/docs/openapi.json"),
        ("GET", "/static/app.css"),
        ("GET", "/nothing"),
        ("HEAD", "/static/app.css"),
        ("GET", "/static/nothing"),
        ("OPTIONS", "/"),
        ("PUT", "/"),
        ("GET", match),
        ("POST", match),
        ("GET", "/health/ready"),
        ("POST", f"{match}/facts"),
        ("GET", "/api/v1/clubs?limit=x"),
        ("POST", "/sign-out"),
        ("GET", "/metrics"),
        ("GET", f"{match}/events"),
        ("GET", "/problems/misfit"),
    ]
    for method, path in asked:
        answer = client.request(method, path, follow_redirects=False)
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers.get_list(name) == [value], (method, path, name)
    for path in (f"{match}/events", f"{match.removeprefix('/api/v1')}/live"):
        headers = first_of_stream(client, path, {"Accept": "text/event-stream"})[1]
        assert headers["content-security-policy"] == SECURITY_HEADERS["Content-Security-Policy"]


def test_the_policy_lets_nothing_in():
    policy = SECURITY_HEADERS["Content-Security-Policy"]
    said = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert said["default-src"] == said["form-action"] == "'self'"
    assert said["object-src"] == said["base-uri"] == said["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy
    assert "http" not in policy
    assert SECURITY_HEADERS["X-Content-Type-Options"] == "nosniff"
    assert SECURITY_HEADERS["Referrer-Policy"] == "same-origin"


def test_errors_are_pages_for_browsers_and_problems_for_programs(client):
    assert "There is nothing here" in client.get("/nothing", headers={"Accept": "text/html"}).text
    a_problem(client.get("/api/v1/nothing", headers={"Accept": "text/html"}), 404, "not-found")
