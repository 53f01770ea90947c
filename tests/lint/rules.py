"""The rules: each takes a `Tree` and yields (path, line, message) for every breach."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from domain.game.protocol import Table
from domain.games import all_games, fact_types
from domain.tournament.formats import all_formats
from projections.match_view import MatchView
from projections.tournaments.rounds import PairingView
from tests.lint.tree import PRODUCT

SQL = re.compile(
    r"\s*(select\s.+\sfrom\s|select\s+pg_|select\s+1\b|insert\s+into\s|update\s+\w+\s+(\w+\s+)?set\s|delete\s+from\s|(un)?listen\s"
    r"|notify\s|truncate\s|grant\s\w+.*\s(on|to)\s|(create|alter|drop)\s+(table|role|database|schema|view)\s|with\s+\w+\s+as\s*\()",
    re.IGNORECASE | re.DOTALL,
)
SQL_PACKAGES = {"store", "eventstore", "database", "postgres"}


def sql(tree):
    """No SQL outside the packages of the database and the modules named `queries*`."""
    for path in tree.files(*PRODUCT):
        if not SQL_PACKAGES & {*path.parts} and not path.stem.startswith("queries"):
            yield from ((path, node.lineno, "SQL") for node in tree.nodes(path) if _is_sql(node))


def _is_sql(node):
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(SQL.match(node.value))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "copy" and bool(node.args)  # that of a dict or hash takes no argument
    return isinstance(node, ast.Attribute) and node.attr in ("execute", "executemany")


BUILT_IN = {"input", "__import__"}  # import-linter and ruff find every other way out


def pure_calls(tree):
    """No call of a built-in function that leaves the pure core."""
    for path in tree.files("domain", "projections"):
        for node in tree.nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BUILT_IN:
                yield path, node.lineno, f"`{node.func.id}` in the pure core"


def pure_dependencies(tree):
    """Import contracts keep each dependency of the service out of the domain, or out of all of it but one module."""
    modules = {"rich-click": "rich_click", "uvloop": "asyncio", "argon2-cffi": "argon2"}
    contracts = [each for each in tree.contracts.values() if "domain" in each.get("source_modules", ())]
    forbidden = {"msgspec"}.union(*(contract["forbidden_modules"] for contract in contracts))
    path = Path("pyproject.toml")
    for wanted in tree.config["project"]["dependencies"]:
        name = re.match(r"[A-Za-z0-9_-]+", wanted)[0]
        if modules.get(name, name.replace("-", "_")) not in forbidden:
            line = tree.text(path)[: tree.text(path).index(wanted)].count("\n") + 1
            yield path, line, f"no import contract keeps {name} out of the domain"


# words of games that mean something else too: members of events, figures of ratings, directions, placeholders
COMMON_WORDS = {
    *("came", "card", "cell", "down", "drawn", "move", "place", "points", "propose", "rest", "shown", "stated"),
    *("total", "value"),
}
NO_INTERFACE = SQL_PACKAGES | {"languages", "i18n", "demo"}
GAME_WORDS = {"service/cli/tournaments.py"}  # the default game of report files, which don't name one


def game_words(tree):
    """Templates, pages, API and CLI name no game, none of its own facts and no member of its own table."""
    words = words_of_games()
    for path in tree.files("service", suffixes=(".py", ".html")):
        if not NO_INTERFACE & {*path.parts} and path.as_posix() not in GAME_WORDS:
            for line, word in _words(tree, path):
                if word in words:
                    yield path, line, f"{word!r} belongs to a game"


def words_of_games():
    """Return the keys of all games, and the names that only games use."""
    games = set(all_games())
    tables = {heir for heir in _heirs(Table) if heir.__module__.startswith("domain.games.")}
    members = {name for table in tables for name in table.__struct_fields__} - set(Table.__struct_fields__)
    facts = [kind for kind in fact_types() if kind.__module__.startswith("domain.games.")]
    members |= {name for fact in facts for name in fact.__struct_fields__} - {"seat"}
    tags = {str(kind.__struct_config__.tag) for kind in fact_types()}
    return (games | members | tags) - {*MatchView.__struct_fields__, *PairingView.__struct_fields__} - COMMON_WORDS


def _heirs(kind):
    for heir in kind.__subclasses__():
        yield heir
        yield from _heirs(heir)


FORMAT_WORDS = {
    "domain/exchange/trf_plan.py",  # a report file says which of two systems it is of
    "domain/tournament/fixtures.py",  # a bracket has one of two forms
    "service/cli/draws.py",  # `bracket` and `schedule` take options of their own
    "service/cli/movements.py",  # a movement without a tournament
    "service/cli/simulate.py",  # an option
    "service/web/words.py",  # a field
}


def format_words(tree):
    """No module but a format's own names a tournament format by word, class or module."""
    package, classes = "domain.tournament.formats", {kind.__name__ for kind in all_formats().values()}
    for path in tree.files(*PRODUCT, suffixes=(".py", ".html")):
        own = path.as_posix().startswith(f"{package.replace('.', '/')}/")
        if own or "demo" in path.parts or path.as_posix() in FORMAT_WORDS:
            continue
        found = [(line, word) for line, word in _words(tree, path) if word in all_formats()]
        for node in tree.nodes(path) if path.suffix == ".py" else ():
            if isinstance(node, ast.Name) and node.id in classes:
                found.append((node.lineno, node.id))
            elif isinstance(node, ast.ImportFrom) and f"{node.module}".startswith(f"{package}."):
                found.append((node.lineno, node.module))
        yield from ((path, line, f"{word!r} belongs to a format") for line, word in found)


def _words(tree, path):
    """Yield (line, word) for the strings of a module, or the strings and attributes of a template."""
    if path.suffix == ".py":
        for node in tree.nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, node.value.strip()
        return
    strings = re.compile(r"\"([\w-]+)\"|'([\w-]+)'")
    for _, line, match in tree.matches(re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL), [path]):
        yield from ((line, one or other) for one, other in strings.findall(match[0]))
        yield from ((line, name) for name in re.findall(r"\.(\w+)", strings.sub("", match[0])))


SHARED_NAMES = {"CountSilence"}  # one command that two kinds of stream take


def shared_names(tree):
    """A name that packages use from each other is defined once.

    A class or type alias that another package imports must not have the name of one that a different module exports.
    """
    nodes = {_module(path): (path, tree.nodes(path)) for path in tree.files(*PRODUCT)}
    homes = {
        (module, name): (path, line) for module, (path, found) in nodes.items() for name, line in _defined(found[0])
    }
    imports = {(module, known): place for module, (_, found) in nodes.items() for known, place in _imported(found)}

    def home_of(place):
        """Return the module that defines a name, and the name in it, through packages that only import it."""
        further = imports.get(place, place)
        return place if place in homes or further == place else home_of(further)

    used = defaultdict(set)
    for reader, (_, found) in nodes.items():
        for home, name in map(home_of, _used(found)):
            if (home, name) in homes and home.split(".")[:2] != reader.split(".")[:2]:
                used[name].add(home)
    for name, modules in sorted(used.items()):
        if len(modules) > 1 and name not in SHARED_NAMES:
            for module in sorted(modules):
                yield *homes[module, name], f"{name} is exported by {' and '.join(sorted(modules))}"


def _module(path):
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _defined(module):
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).endswith("TypeAlias"):
            yield ast.unparse(node.target), node.lineno


def _imported(nodes):
    """Yield each imported name of a module with the place that it comes from."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            yield from ((each.asname or each.name, (node.module, each.name)) for each in node.names)


def _used(nodes):
    """Return the places that a module takes names from; `c.Rule` is taken from the module `c`."""
    modules, places = defaultdict(set), set()
    for known, (module, name) in _imported(nodes):
        places.add((module, name))
        modules[known].add(f"{module}.{name}")
    for node in nodes:
        for each in node.names if isinstance(node, ast.Import) else ():
            modules[each.asname].add(each.name)
    members = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    return places | {(module, node.attr) for node in members for module in modules.get(node.value.id, ())}


OPEN_TYPES = {r"\bAny\b": 270, r"\bcast\(": 0, r"type: ignore": 5, r"\bobject\b": 37}  # may only fall


def open_types(tree):
    """Words that leave a type open stay below a limit, over the whole product."""
    for word, most in OPEN_TYPES.items():
        found = list(tree.matches(re.compile(word), tree.files(*PRODUCT)))
        if len(found) > most:
            yield from ((path, line, f"one of {len(found)} times `{word}`, at most {most}") for path, line, _ in found)


GLOSSARY = Path("docs/glossary.md")


def glossary(tree):
    """Every row of the glossary has a word and a meaning, and no word has two rows."""
    seen = set()
    for number, line in enumerate(tree.text(GLOSSARY).splitlines(), start=1):
        row = re.fullmatch(r"\| ([^|]+) \| ([^|]+) \|", line)
        if line.startswith("|") and row is None:
            yield GLOSSARY, number, "not a row of two cells"
        for word in row[1].split(", ") if row else ():
            if word in seen:
                yield GLOSSARY, number, f"{word!r} has a row already"
            seen.add(word)


MOST_WORDS = 12


def test_names(tree):
    """The name of a test has at most twelve words after `test_`."""
    for path, line, match in tree.matches(
        re.compile(r"^ *(?:async )?def test_(\w+)\(", re.MULTILINE), tree.files("tests")
    ):
        words = len(match[1].strip("_").split("_"))
        if words > MOST_WORDS:
            yield path, line, f"test_{match[1]} has {words} words, at most {MOST_WORDS}"


RULES = {
    rule.__name__.replace("_", "-"): rule
    for rule in (
        *(sql, pure_calls, pure_dependencies, game_words, format_words, shared_names, open_types, glossary),
        test_names,
    )
}
