"""All SQL stands in the store and in the migrations."""

import ast
import re
from pathlib import Path

import pytest

from tests.kit.sources import parsed

ROOT = Path(__file__).parents[2]
STATEMENT = re.compile(
    r"\s*(select\s.+\sfrom\s|select\s+pg_|select\s+1\b|insert\s+into\s|update\s+\w+\s+(\w+\s+)?set\s|delete\s+from\s|(un)?listen\s"
    r"|notify\s|truncate\s|grant\s\w+.*\s(on|to)\s|(create|alter|drop)\s+(table|role|database|schema|view)\s|with\s+\w+\s+as\s*\()",
    re.IGNORECASE | re.DOTALL,
)
ELSEWHERE = sorted(
    path.relative_to(ROOT)
    for floor in ("domain", "projections", "service")
    for path in (ROOT / floor).rglob("*.py")
    if "store" not in path.relative_to(ROOT).parts
)


def sql_in(source):
    """Lines of statements, and of cursors that are given one."""
    for node in ast.walk(parsed(source)):
        if is_statement(node) or is_cursor(node):
            yield node.lineno


def is_statement(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(STATEMENT.match(node.value))


def is_cursor(node):
    """A statement that is run; a copy of a hash or a dict is asked for without one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "copy" and bool(node.args)
    return isinstance(node, ast.Attribute) and node.attr in ("execute", "executemany")


@pytest.mark.parametrize("path", ELSEWHERE, ids=str)
def test_no_sql_outside_the_store(path):
    assert list(sql_in((ROOT / path).read_text(encoding="utf-8"))) == []


def test_the_store_is_full_of_it():
    found = {path.name for path in (ROOT / "service" / "store").glob("*.py") if list(sql_in(path.read_text()))}
    assert {"log.py", "tokens.py", "views.py", "webhooks.py", "notices.py", "roles.py", "finding.py"} <= found


@pytest.mark.parametrize(
    "line",
    [
        'A = "select name from events"',
        'A = "  INSERT INTO logs values (1)"',
        'f"update tokens set name = {x}"',
        'A = "delete from sign_ins"',
        'A = "listen lurch"',
        "connection.execute(statement)",
        'A = "with log as (select 1)"',
    ],
)
def test_a_line_of_sql_is_noticed(line):
    assert list(sql_in(line)) == [1]
