"""Templates, pages and the command line name no game, no fact's word and no member of a game's own table."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.game.protocol import Table
from domain.games import all_games, fact_types
from projections.match_view import MatchView
from projections.tournaments.rounds import PairingView
from tests.kit.sources import parsed

ROOT = Path(__file__).parents[2]
DOORS = (ROOT / "service" / "web", ROOT / "service" / "cli")
# `card` and `cell` are members that a fact's control asks for, whatever the game
OF_CONTROLS = {"card", "cell"}
# words that mean something else where they stand: a member of an event, a figure of ratings and standings, a direction
ELSEWHERE = {
    "service/web/moments.py": {"stated"},
    "service/web/controls.py": {"stated"},
    "service/cli/notation.py": {"stated"},
    "service/cli/records.py": {"stated", "total"},
    "service/cli/pairing.py": {"down"},
    "service/web/templates/ratings.html": {"drawn"},
    "service/web/templates/_cards.html": {"drawn"},
    "service/web/templates/_tally.html": {"drawn"},
    "service/web/templates/tournaments/_parts.html": {"drawn"},
    "service/web/templates/player.html": {"drawn"},
    # a round in which a side sits out
    "service/web/tournaments/byes.py": {"rest"},
    "service/cli/tournament_text.py": {"rest"},
    # to another database
    "service/cli/__init__.py": {"move"},
    # the claim of the rest, which every game with tricks knows
    "service/web/templates/_claims.html": {"rest"},
    # a correction that is put to the other sides, and the value of a form's choice
    "service/web/correcting.py": {"propose"},
    "service/web/results.py": {"propose"},
    "service/web/templates/_deals.html": {"propose"},
    "service/web/templates/correct.html": {"propose", "value"},
    "service/web/templates/result.html": {"propose"},
    # a place in the record of a case, procedural and standings points, what sides stated, what came of a finding
    "service/web/cases/page.py": {"points"},
    "service/web/cases/whatif.py": {"points"},
    "service/web/templates/cases/_head.html": {"place"},
    "service/web/templates/cases/_position.html": {"came", "shown"},
    "service/web/templates/cases/_ruling.html": {"points"},
    # the club to look at, and its evenings
    "service/cli/demo/season.py": {
        *("cross_game", "parity", "cross_purposes", "get_stuck", "garbo", "over_the_top"),
    },
    "service/cli/demo/evening.py": {
        *("cross_game", "parity", "cross_purposes", "get_stuck", "garbo", "over_the_top", "ristikontra"),
        *("bid", "bidder", "cross_points"),
    },
    # the usual game of a report file, which does not say it: an example that the help shows
    "service/cli/tournaments.py": {"parity"},
    "service/web/tournaments/tables.py": {"drawn"},
    "service/web/tournaments/results.py": {"drawn"},
    "service/web/templates/tournaments/_bracket.html": {"points"},
    "service/web/templates/tournaments/why.html": {"value"},
}


def heirs(kind: type) -> Iterator[type]:
    for heir in kind.__subclasses__():
        yield heir
        yield from heirs(heir)


def names() -> set[str]:
    """What only games may say."""
    of_games = {heir for heir in heirs(Table) if heir.__module__.startswith("domain.games.")}
    members = {name for table in of_games for name in table.__struct_fields__} - set(Table.__struct_fields__)
    # what a shared fact names (cards faced, tricks claimed, a yes) is no game's own
    own_facts = [kind for kind in fact_types() if kind.__module__.startswith("domain.games.")]
    of_facts = {name for kind in own_facts for name in kind.__struct_fields__} - {"seat"}
    words = {str(kind.__struct_config__.tag) for kind in fact_types()}
    views = set(MatchView.__struct_fields__) | set(PairingView.__struct_fields__)
    return (words | of_facts | members | set(all_games())) - views - OF_CONTROLS


def said_in_python(source: str) -> set[str]:
    """The strings and the attributes of a module."""
    nodes = list(ast.walk(parsed(source)))
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return strings | {each for text in strings for each in [text.strip()]}


def said_in_template(source: str) -> set[str]:
    """The strings and the attributes in the expressions and statements of a template."""
    found = re.findall(r"\{\{.*?\}\}|\{%.*?%\}", source, re.DOTALL)
    texts = [name for each in found for name in re.findall(r"\"(\w+)\"", each)]
    return {*texts, *(name for each in found for name in re.findall(r"\.(\w+)", re.sub(r"\"[^\"]*\"", "", each)))}


def files() -> list[Path]:
    return sorted(file for door in DOORS for file in door.rglob("*") if file.suffix in (".py", ".html"))


@pytest.mark.parametrize("file", files(), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_nothing_of_a_game_is_named(file):
    source, name = file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix()
    said = said_in_python(source) if file.suffix == ".py" else said_in_template(source)
    assert said & names() == said & names() & ELSEWHERE.get(name, set())


def test_what_is_let_through_is_still_there():
    for name, words in ELSEWHERE.items():
        source = (ROOT / name).read_text(encoding="utf-8")
        said = said_in_python(source) if name.endswith(".py") else said_in_template(source)
        assert words <= said & names(), name


@pytest.mark.parametrize(
    "source",
    [
        "{% if t.grid is defined %}{% endif %}",
        '{{ "is stuck" if fact.do == "pass" else "" }}',
        "{% for\n  n in t.cross_points %}{{ n }}{% endfor %}",
        '{% if match.game == "garbo" %}{% endif %}',
    ],
)
def test_a_template_that_names_something_is_found(source):
    assert said_in_template(source) & names()


@pytest.mark.parametrize(
    "source", ['at["squares"]', 'if word == "bid": ...', 'ACTS = {"play": "plays"}', 'x = "cross_game"']
)
def test_a_module_that_names_something_is_found(source):
    assert said_in_python(source) & names()
