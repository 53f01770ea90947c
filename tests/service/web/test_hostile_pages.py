"""Malformed forms, and names with characters that reverse the direction of text."""

import re
from urllib.parse import quote

import pytest
from litestar.testing import TestClient

from service.run.app import create_app
from service.run.settings import Settings
from tests.conftest import new_database
from tests.kit.service.asking import FORM, squeezed

OF_A_PROGRAM = re.compile(r"`|\$\.|Expected|\b(str|int|bool|msgspec|JSON|Bearer)\b|\w\[\d\]")
RTL = "\u202eAnnie"
TURN = quote('{"seat":1,"do":"trump","suit":"H"}')


@pytest.fixture(scope="module")
def database():
    """A database of its own: the first page lists every match of it to the owner."""
    with new_database() as found:
        yield found


@pytest.fixture(scope="module")
def client(database):
    with TestClient(create_app(database, Settings())) as running:
        yield running


@pytest.fixture(scope="module")
def table(house):
    """Parity at the first call of a deal: its page."""
    path = house.match()
    house.done(f"{path}/deals", {"dealer": 0})
    return path.removeprefix("/api/v1")


def send(client, owner, path, body, **headers):
    return client.post(path, content=body, headers={**owner, **FORM, **headers}, follow_redirects=False)


def refused(house, owner, path, body, *statuses, **headers):
    """A form that has to be refused, with a page that says so or a problem; nothing is recorded."""
    before = house.position()
    answer = send(house.client, owner, path, body, **headers)
    assert answer.status_code in statuses, (answer.status_code, answer.text[:500])
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "Traceback" not in answer.text
    assert house.position() == before
    if answer.headers["content-type"].startswith("text/html"):
        (said,) = re.findall(r'role="alert"[^>]*>(?:<p>)?([^<]*)', squeezed(answer.text))
        assert 8 <= len(said) <= 500
        assert not OF_A_PROGRAM.search(said), said
        return said
    assert answer.headers["content-type"] == "application/problem+json"
    said = answer.json()["detail"]
    assert not OF_A_PROGRAM.search(said), said
    return said


NUMBERS = [
    "--5",
    "-",
    "%2B5",
    "1e2",
    "0x10",
    "1_0",
    "5.5",
    "%00",
    "%FF",
    "2147483648",
    "9" * 300,
    "five",
    "%C2%B2",
    "5%0D%0A6",
]


@pytest.mark.parametrize(
    "number", [NUMBERS[0], *(pytest.param(each, marks=pytest.mark.extended) for each in NUMBERS[1:])]
)
def test_a_field_that_is_not_a_number_is_refused(house, owner, table, number):
    new = f"/clubs/{house.id}/new"
    names = "game=parity&name0=Annie&name1=Benny"
    refused(house, owner, new, f"{names}&target={number}", 400)
    refused(house, owner, new, f"{names}&win_by={number}", 400)
    refused(house, owner, f"{table}/facts", f"version={number}&fact={TURN}", 400)
    refused(house, owner, f"{table}/facts", f"seat={number}&card=SA", 400)
    refused(house, owner, f"{table}/deals", f"dealer={number}", 400)
    refused(house, owner, f"{table}/confirm", f"deal={number}&side=0", 400)
    refused(house, owner, f"{table}/confirm", f"deal=1&side=0&scores={number}", 400)
    refused(house, owner, f"{table}/dispute", f"deal={number}&reason=recount", 400)
    refused(house, owner, f"{table}/settle", f"dispute={number}&how=upheld", 400)
    refused(house, owner, f"{table}/hands", f"deal={number}&reason=recount", 400)
    refused(house, owner, f"{table}/result", f"version={number}&parity=odd&tricks.0=9", 400)
    refused(house, owner, f"{table}/result", f"deal={number}&parity=odd&tricks.0=9", 400)


def test_a_deal_in_an_address_must_be_a_number(house, owner, table):
    for number in ("--5", "x", "9" * 300, "%00", "%C2%B2"):
        answer = house.client.get(f"{table}/result?deal={number}", headers=owner)
        assert (answer.status_code, answer.json()["type"]) == (400, "/problems/malformed")


def test_a_card_from_a_seat_that_does_not_exist_is_refused(house, owner):
    path = house.match()
    house.done(f"{path}/deals", {"dealer": 0})
    facts = [{"seat": 1, "do": "trump", "suit": "H"}, {"seat": 0, "do": "parity", "parity": "odd"}]
    house.done(f"{path}/facts", {"facts": facts})
    for seat in ("-1", "-5", "2", "3", "4", "99", "9999999"):
        refused(house, owner, f"{path.removeprefix('/api/v1')}/facts", f"seat={seat}&card=SA", 400, 409)
    assert house.get(path).json()["version"] == 4


FIELDS = [
    ("facts", ""),
    ("facts", "fact=%00"),
    ("facts", "fact={"),
    ("facts", "fact=%22play%22"),
    ("facts", f"fact={'[' * 390}"),
    ("facts", f"fact={'[' * 60_000}"),
    ("facts", f"fact={quote(chr(0xD7FF))}&fact=x"),
    ("facts", "fact=%ED%A0%80"),
    ("facts", "card=ZZ&seat=0"),
    ("facts", "card=%00&seat=0"),
    ("facts", f"version=999999&fact={TURN}"),
    ("deals", "dealer=9"),
    ("confirm", "deal=0&side=0"),
    ("confirm", "deal=1&side=-1"),
    ("confirm", "deal=1&side=9"),
    ("confirm", ""),
    ("confirm", "deal=1&side=0&scores=1+2+3+4+5"),
    ("confirm", "deal=1&side=0&scores=19+0"),
    ("dispute", ""),
    ("dispute", "deal=1&reason=recount"),
    ("dispute", "deal=-1&reason=recount"),
    ("dispute", "side=9&reason=recount"),
    ("dispute", "reason=%00"),
    ("dispute", f"reason={'x' * 301}"),
    ("settle", ""),
    ("settle", "dispute=1&how=upheld"),
    ("settle", "dispute=-1&how=upheld"),
    ("settle", "dispute=1&how=%00"),
    ("settle", "dispute=1&how=forgotten"),
    ("hands", ""),
    ("hands", "deal=1"),
    ("hands", "deal=-1&reason=recount"),
    ("hands", "deal=1&reason=recount"),
    ("hands", f"deal=1&reason={'x' * 301}"),
    ("restore", ""),
    ("result", ""),
    ("result", "parity=odd"),
    ("result", "parity=%00&tricks.0=9"),
    ("result", "parity=odd&tricks.0=99"),
    ("result", "parity=neither&tricks.0=9"),
    ("result", "parity=odd&parity=even&tricks.0=x"),
    ("result", "void=1"),
    ("result", "correct=1&deal=1&parity=odd&tricks.0=9"),
    ("result", "correct=1&deal=7&parity=odd&tricks.0=9"),
    ("result", "deal=7&parity=odd&tricks.0=9"),
    ("undo", "\u00ff"),
]


@pytest.mark.parametrize("where", dict.fromkeys(where for where, _ in FIELDS))
def test_fields_that_no_form_has_are_refused(house, owner, table, where):
    for body in (body for step, body in FIELDS if step == where):
        refused(house, owner, f"{table}/{where}", body, 400, 404, 409)


NAMES = [
    "",
    "%00",
    "a%00b",
    "a%0Ab",
    "a%0D%0AX: 1",
    "a%1B[2J",
    "a%C2%85b",
    "a%E2%80%A8b",
    "++",
    "%E3%80%80",
    "x" * 81,
    "x" * 9000,
]


def test_names_in_forms_are_one_line_and_not_blank(house, owner):
    for name in NAMES:
        refused(house, owner, f"/clubs/{house.id}/new", f"game=parity&name0={name}&name1=Benny", 400)
        refused(house, owner, "/clubs/new", f"name={name}", 400)


def test_a_form_does_not_open_an_impossible_match(house, owner):
    for body in (
        "game=bridge&name0=A&name1=B",
        "game=parity&variant=four&name0=A&name1=B",
        "game=parity&option.colour=red&name0=A&name1=B",
        "game=parity&option.open_hands=2&name0=A&name1=B",
        f"game=parity&option.{'x' * 5000}=1&name0=A&name1=B",
        "game=parity&name0=A&name1=a",
        "name0=A&name1=B",
        "&".join(f"x{n}=1" for n in range(6000)),
        "&" * 60_000,
        "=" * 60_000,
    ):
        refused(house, owner, f"/clubs/{house.id}/new", body, 400, 422)


OTHER_SHAPES = [
    b"game=parity&name0=A&name1=B",
    b'--x\r\nContent-Disposition: form-data; name="game"\r\n\r\nparity',
    b'--x\r\nContent-Disposition: form-data; name="game"; filename="f"\r\n\r\nparity\r\n--x--\r\n',
    b"--x\r\nContent-Disposition\xff\r\n\r\nparity\r\n--x--\r\n",
    b"--x\r\n" * 10_000,
    b"",
]


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", "multipart/form-data; boundary=x", "application/json", "text/plain", ""]
)
def test_a_form_of_another_content_type_is_refused(house, owner, kind):
    for body in OTHER_SHAPES:
        refused(house, owner, f"/clubs/{house.id}/new", body, 400, **{"Content-Type": kind})


def test_a_form_beyond_the_limit_is_too_large(house, owner, table):
    refused(house, owner, f"{table}/void", b"x" * 65_537, 413)


def test_a_malformed_cookie_signs_nobody_in(house, table):
    for cookie in ("%00", "%FF", "x" * 9000, "%uD800", "", '"', "a;b=c,d"):
        sent = {"Cookie": f"lurch_sign_in={cookie}"}
        answer = house.client.get("/games", headers=sent)
        assert (answer.status_code, "Sign out" in answer.text) == (200, False)
        assert house.client.get(table, headers=sent).status_code == 404


@pytest.fixture(scope="module")
def turned(house, owner):
    """A match of somebody whose name turns the text behind it around; a result has been entered."""
    path = house.match(sides=[[RTL], ["Benny\u200d"]])
    house.done(f"{path}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    house.done(f"{path}/deals", {"dealer": 1})
    house.done(f"{path}/facts", {"facts": [{"seat": 0, "do": "trump", "suit": "H"}]})
    house.done(f"{path}/facts", {"facts": [{"seat": 1, "do": "parity", "parity": "odd"}]})
    return path.removeprefix("/api/v1")


WITHOUT = re.compile(r"<option[^>]*>[^<]*</option>|(value|data-said)=\"[^\"]*\"", re.S)  # not laid out in a line
KEPT = re.compile("<bdi>[^<]*\u202e[^<]*</bdi>|\u2068[^<\u2069]*\u202e[^<\u2069]*\u2069")


@pytest.mark.parametrize(
    "where",
    [
        "{table}",
        "{table}/replay",
        "{table}/replay?at=1",
        "{table}/result",
        "/clubs/{club}",
        "/",
        "{table}/result/preview?parity=odd&tricks.0=9",
        "/clubs/{club}/new?game=parity",
    ],
)
def test_a_name_that_turns_text_around_is_kept_apart(house, owner, turned, where):
    page = house.client.get(where.format(table=turned, club=house.id), headers=owner)
    assert page.status_code == 200
    assert "\u202e" in page.text
    shown = WITHOUT.sub("", page.text)
    assert shown.count("\u202e") == len(KEPT.findall(shown))


def test_an_error_that_names_a_seat_keeps_its_name_apart(house, owner, turned):
    page = send(house.client, owner, f"{turned}/facts", f"fact={TURN}")
    assert page.status_code == 409
    (said,) = re.findall(r'role="alert"[^>]*><p>([^<]*)', squeezed(page.text))
    assert said == f"the table waits for a card from \u2068{RTL}\u2069"


def test_what_a_form_sent_comes_back_escaped(house, owner):
    body = quote('"><script>alert(1)</script>')
    answer = send(house.client, owner, f"/clubs/{house.id}/new", f"game=parity&name0={body}&target=x")
    assert answer.status_code == 400
    assert "<script>alert" not in answer.text
