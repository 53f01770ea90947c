"""Each lint rule finds a breach in a made-up tree; `make check` runs the rules over this one."""

import pytest

from tests.lint.rules import RULES, words_of_games
from tests.lint.tree import Tree

BREACHES = {  # by rule: file, line of the breach, text
    "sql": [
        ("service/web/a.py", 1, 'A = "select name from events"'),
        ("service/web/a.py", 2, '\nA = "  INSERT INTO logs values (1)"'),
        ("service/web/a.py", 1, 'f"update tokens set name = {x}"'),
        ("service/clubs/pages.py", 1, 'A = "delete from sign_ins"'),
        ("domain/a.py", 1, 'A = "listen lurch"'),
        ("service/web/a.py", 1, "connection.execute(statement)"),
        ("service/web/a.py", 1, "cursor.copy(statement)"),
        ("service/web/a.py", 1, 'A = "with log as (select 1)"'),
    ],
    "pure-calls": [("domain/a.py", 1, "x = __import__('os')"), ("projections/a.py", 2, "\nx = input()")],
    "pure-dependencies": [("pyproject.toml", 2, '[project]\ndependencies = ["requests>=2"]')],
    "game-words": [
        ("service/web/a.html", 2, "<p>\n{% if t.grid is defined %}{% endif %}"),
        ("service/web/a.html", 1, '{{ "is stuck" if fact.do == "pass" else "" }}'),
        ("service/web/a.html", 1, "{% for\n  n in t.cross_points %}{{ n }}{% endfor %}"),
        ("service/matches/templates/a.html", 1, '{% if match.game == "garbo" %}{% endif %}'),
        ("service/web/a.py", 1, 'at["squares"]'),
        ("service/cli/a.py", 2, '\nif word == "bid": ...'),
        ("service/web/a.py", 1, 'ACTS = {"play": "plays"}'),
    ],
    "format-words": [
        ("service/web/a.html", 1, '{% if stage.kind == "swiss" %}{% endif %}'),
        ("service/web/a.html", 1, "{{ shown(stage, 'round-robin') }}"),
        ("domain/tournament/a.py", 1, 'A = "swiss"'),
        ("service/web/a.py", 2, "\nisinstance(stage, Swiss)"),
        ("service/web/a.py", 1, "from domain.tournament.formats.swiss import FORMAT"),
    ],
    "glossary": [
        ("docs/glossary.md", 3, "| bid | two |\n| deal | one |\n| call, deal | two |"),
        ("docs/glossary.md", 1, "| deal | one | two |"),
    ],
    "test-names": [
        ("tests/test_a.py", 2, f"\ndef {'_'.join(['test', *map(str, range(13))])}(): ..."),
        ("tests/test_a.py", 3, f"class A:\n\n    async def {'_'.join(['test', *map(str, range(13))])}(self): ..."),
    ],
}
FINE = {
    "sql": [
        ("service/store/a.py", 'A = "select name from events"'),
        ("service/clubs/queries.py", "connection.execute(statement)"),
        ("service/web/a.py", 'digest.copy(); A = "select a card"'),
    ],
    "pure-calls": [("service/a.py", "input()")],
    "pure-dependencies": [("pyproject.toml", '[project]\ndependencies = ["msgspec>=0.22"]')],
    "game-words": [("service/web/a.html", "<p>pass</p>"), ("service/store/a.py", 'A = "bid"')],
    "format-words": [("domain/tournament/formats/a.py", 'A = "swiss"'), ("service/web/a.html", "<p>swiss</p>")],
    "glossary": [("docs/glossary.md", "| deal | one |\n| deal (of a match) | two |")],
    "test-names": [("tests/test_a.py", f"def {'_'.join(['test', *map(str, range(12))])}(): ...")],
}
CONTRACTS = '[[tool.importlinter.contracts]]\nname = "pure"\nsource_modules = ["domain"]\nforbidden_modules = ["os"]\n'
DEAL = "class Deal: ..."


@pytest.fixture
def check(tmp_path):
    """Run a rule over files given by path; return the place of each breach as path:line."""

    def run(rule, files):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(f"{text}\n{CONTRACTS if path == 'pyproject.toml' else ''}")
        return [f"{path}:{line}" for path, line, _ in RULES[rule](Tree(tmp_path))]

    return run


@pytest.mark.parametrize(
    ("rule", "path", "line", "text"), [(rule, *each) for rule in BREACHES for each in BREACHES[rule]]
)
def test_a_breach_is_found(check, rule, path, line, text):
    assert check(rule, {path: text}) == [f"{path}:{line}"]


@pytest.mark.parametrize(("rule", "path", "text"), [(rule, *each) for rule in FINE for each in FINE[rule]])
def test_what_is_allowed_is_not_reported(check, rule, path, text):
    assert check(rule, {path: text}) == []


def test_every_rule_has_a_breach():
    assert RULES.keys() == BREACHES.keys() | {"open-types", "shared-names"}


@pytest.mark.parametrize(("word", "most"), [("Any", 270), ("cast(", 0), ("type: ignore", 5), ("object", 37)])
def test_one_open_type_too_many_lists_all(check, word, most):
    assert check("open-types", {"domain/a.py": f"{word}\n" * most}) == []
    assert len(check("open-types", {"service/a.py": f"{word}\n"})) == most + 1


def test_words_of_games_hold_games_facts_and_members():
    assert {"parity", "bid", "grid", "squares"} <= words_of_games()


SHARED = ["domain/cards/pack.py:1", "domain/match/state.py:1"]


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"service/one.py": "from domain.match.state import Deal"}, SHARED),
        ({"service/one.py": "from domain.match import state as s\nA: s.Deal"}, SHARED),
        (
            {
                "domain/match/state.py": "Deal: TypeAlias = int",
                "service/one.py": "import domain.match.state as s\ns.Deal",
            },
            SHARED,
        ),
        (
            {
                "domain/match/__init__.py": "from domain.match.state import Deal",
                "service/one.py": "from domain.match import Deal",
            },
            SHARED,
        ),
        ({"domain/match/evolve.py": "from domain.match.state import Deal"}, []),
    ],
    ids=["class", "member", "alias", "package", "private"],
)
def test_a_name_that_two_packages_share_is_found(check, files, found):
    both = {"domain/cards/pack.py": DEAL, "domain/match/state.py": DEAL}
    reader = {"service/two.py": "def late():\n    from domain.cards.pack import Deal"}
    assert check("shared-names", both | reader | files) == found
