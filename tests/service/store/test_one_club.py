"""One club a statement: whatever the store asks of a club's table names that club by a parameter, in each of its parts.

The database itself reads the statements: each is planned with its parameters open, and every scan of a club's table has
to be bounded by `club_id = $n`. A part that takes the club from the row outside has not got that."""

import ast
import importlib
import itertools
import json
import re
from pathlib import Path

import psycopg
import pytest

import service.store

ROOT = Path(service.store.__file__).parent
LISTED = Path(__file__).parents[2] / "data" / "of_all_clubs.txt"
SQL = re.compile(r"\s*(with|select|insert|update|delete)\s", re.IGNORECASE)
HANDED_ON = ("_rows", "_read", "_streams")  # helpers that are handed a statement behind their connection
BOUND = re.compile(r"\bclub_id = \(?\$\d+")
DOORS = {  # found by a hash, a code or a name before any club is known; one place holds them all
    *("tokens", "sign_ins", "sign_in_people", "table_seats", "table_doors", "table_asks", "wall_codes", "door_tries"),
    *("invitations", "secrets_of_people", "secret_failures", "languages_of_people", "case_calls"),
}


def texts(node, known):
    """Every text that an expression can be, as far as it can be read without running the program."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.FormattedValue):
        return texts(node.value, known)
    if isinstance(node, ast.JoinedStr):
        return ["".join(parts) for parts in itertools.product(*(texts(each, known) for each in node.values))]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        pairs = itertools.product(texts(node.left, known), texts(node.right, known))
        return [left + right for left, right in pairs]
    if isinstance(node, ast.IfExp):
        return texts(node.body, known) + texts(node.orelse, known)
    if isinstance(node, ast.Name):
        found = known[node.id]
        return [found] if isinstance(found, str) else [*found.values()] if isinstance(found, dict) else list(found)
    if isinstance(node, ast.Subscript):
        return texts(node.value, known)
    if isinstance(node, ast.Tuple):
        return [each for part in node.elts for each in texts(part, known)]
    raise LookupError(ast.unparse(node))


class Reader(ast.NodeVisitor):
    """The statements of a module, each with the name of the function or constant that it stands in."""

    def __init__(self, path):
        self.module = path.stem
        loaded = importlib.import_module(f"service.store.{path.stem}")
        self.constants = {name: each for name, each in vars(loaded).items() if isinstance(each, str | dict | tuple)}
        self.inside, self.known, self.found, self.dark = "", dict(self.constants), set(), set()
        self.visit(ast.parse(path.read_text()))

    def visit_AsyncFunctionDef(self, node):
        before = self.inside, self.known
        self.inside, self.known = node.name, dict(self.constants)
        for each in node.body[ast.get_docstring(node) is not None :]:
            self.visit(each)
        self.inside, self.known = before

    def visit_FunctionDef(self, node):
        self.visit_AsyncFunctionDef(node)

    def visit_ClassDef(self, node):
        for each in node.body[ast.get_docstring(node) is not None :]:
            self.visit(each)

    def visit_Assign(self, node):
        to = node.targets[0]
        if self.inside and isinstance(to, ast.Name):
            self.take(to.id, node.value)
        elif self.inside and isinstance(to, ast.Tuple) and isinstance(node.value, ast.IfExp):  # the same, for several
            for each, body, other in zip(to.elts, node.value.body.elts, node.value.orelse.elts, strict=True):
                self.take(each.id, ast.IfExp(node.value.test, body, other))
        self.generic_visit(node)

    def take(self, name, value):
        try:
            self.known[name] = texts(value, self.known)
        except LookupError:
            self.known.pop(name, None)

    def visit_For(self, node):
        if self.inside and isinstance(node.target, ast.Name):
            self.take(node.target.id, node.iter)
        self.generic_visit(node)

    def visit_Call(self, node):
        called, on = getattr(node.func, "id", ""), getattr(node.func, "attr", "")
        if on in ("execute", "executemany") or called in HANDED_ON:
            given = node.args[1 if called else 0]
            try:
                self.found |= {(f"{self.module} {self.inside}", text) for text in texts(given, self.known)}
            except LookupError:
                self.dark.add(f"{self.module} {self.inside}")
        self.generic_visit(node)


@pytest.fixture(scope="module")
def readers():
    return [Reader(path) for path in sorted(ROOT.glob("*.py")) if path.stem not in ("__init__", "roles")]


@pytest.fixture(scope="module")
def listed():
    rows = (line.split(":", 1) for line in LISTED.read_text().splitlines() if line and not line.startswith("#"))
    return {place.strip(): why.strip() for place, why in rows}


@pytest.fixture(scope="module")
def planner(database):
    """A connection that plans statements with their parameters open, and the tables that are a club's."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("set plan_cache_mode = force_generic_plan")
        rows = connection.execute("select table_name from information_schema.columns where column_name = 'club_id'")
        yield connection, {row[0] for row in rows} - DOORS


def with_numbers(statement):
    """The statement with the database's own marks of parameters, and how many there are."""
    names = []

    def number(match):
        if match[0] == "%%":
            return "%"
        name = match[1] or f"place {len(names)}"
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return re.sub(r"%%|%(?:\((\w+)\))?[sb]", number, statement), len(names)


def scans(plan):
    yield plan
    for part in plan.get("Plans", ()):
        yield from scans(part)


def unbounded(planner, statement):
    """The scans of clubs' tables in a statement that no parameter bounds to one club."""
    connection, tables = planner
    text, count = with_numbers(statement)
    connection.execute(f"prepare asked as {text}".encode())
    try:
        given = f"({', '.join(['null'] * count)})" if count else ""
        row = connection.execute(f"explain (format json) execute asked{given}".encode()).fetchone()
    finally:
        connection.execute("deallocate asked")
    found = []
    for plan in scans((row[0] if not isinstance(row[0], str) else json.loads(row[0]))[0]["Plan"]):
        if plan.get("Relation Name") not in tables or plan["Node Type"] == "ModifyTable":
            continue
        bounds = " ".join(str(plan.get(each, "")) for each in ("Index Cond", "Recheck Cond", "Filter"))
        if not BOUND.search(bounds):
            found.append(f"{plan['Node Type']} of {plan['Relation Name']} by {bounds or 'nothing'}")
    return found


def test_every_statement_and_every_part_of_one_names_its_club(readers, planner, listed):
    wrong, seen = [], set()
    a_clubs = re.compile(rf"\b({'|'.join(planner[1])})\b")
    for place, statement in sorted(itertools.chain(*(each.found for each in readers))):
        if not SQL.match(statement) or not a_clubs.search(statement):
            continue
        without = unbounded(planner, statement)
        if without and place in listed:
            seen.add(place)
        elif without:
            wrong.append(f"{place}: {'; '.join(without)}")
    assert wrong == []
    seen |= set().union(*(each.dark for each in readers)) & set(listed)
    assert seen == set(listed), "what is listed with a reason still needs it"


def test_every_reason_is_said(listed):
    assert all(len(why) > 20 for why in listed.values())


def test_no_statement_is_hidden_from_this_test(readers, listed):
    dark = set().union(*(each.dark for each in readers)) - set(listed)
    left = {each for each in dark if each.rpartition(" ")[2] not in HANDED_ON}
    assert left == {"people_secrets write", "traced execute"}, "of a door, and handed on by every other one"
    assert len({statement for each in readers for _, statement in each.found}) > 150


@pytest.mark.parametrize(
    ("statement", "parts"),
    [
        ("select 1 from logs limit 1", 1),
        ("select count(*) from events where command_id = %s", 1),
        ("select data from events where club_id = %(club)s and stream_id = %(stream)s", 0),
        (
            "select (select count(*) from events n where n.club_id = e.club_id and n.stream_id = e.stream_id)"
            " from events e where e.club_id = %s and e.command_id = %s",
            1,
        ),
        ("select 1 from events e join private p using (club_id, stream_id, version) where e.club_id = %s", 0),
        ("select 1 from events e join private p using (stream_id, version) where e.club_id = %s", 1),
        ("update webhooks set claimed_until = null where id = %s", 1),
        ("delete from views where club_id in (select club_id from logs)", 2),
    ],
)
def test_what_names_no_club_is_found(planner, statement, parts):
    assert len(unbounded(planner, statement)) == parts
