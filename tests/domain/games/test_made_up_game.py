"""An eighth game is one module: discovery, conformance and a whole match work and nothing else changes."""

import importlib
import sys

import pytest

from domain import codec, games
from domain.game.protocol import ALL, TwoHands
from domain.games import TwoMeaningsError, discover
from domain.match import commands as c
from domain.match.audit.findings import findings
from projections.table_view import table_view
from tests.kit.games import conformance
from tests.kit.games.made_up_game import among_the_games
from tests.kit.match.tables import Table, fact

COUNT = 0


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A folder for games, importable, and cleared away again."""
    global COUNT  # noqa: PLW0603
    COUNT += 1
    name = f"made_up_games_{COUNT}"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield name, folder
    for module in [module for module in sys.modules if module.split(".")[0] == name]:
        del sys.modules[module]


@pytest.fixture
def eighth(package):
    """The games with the made-up one among them, as if its file lay in the folder of games."""
    name, folder = package
    (folder / "high_card.py").write_text("from tests.kit.games.made_up_game import GAME as GAME\n")
    together = discover([*games.__path__], games.__name__) | discover([str(folder)], name)
    games.words_of(together)
    with among_the_games(together) as before:
        yield before


def test_a_module_with_a_game_in_it_is_discovered(package):
    name, folder = package
    (folder / "high_card.py").write_text("from tests.kit.games.made_up_game import GAME as GAME\n")
    (folder / "helpers.py").write_text("NOTHING = 1\n")
    assert list(discover([str(folder)], name)) == ["high_card"]


def test_a_folder_with_a_game_in_it_is_discovered_too(package):
    name, folder = package
    (folder / "big").mkdir()
    (folder / "big" / "__init__.py").write_text("from tests.kit.games.made_up_game import GAME as GAME\n")
    assert list(discover([str(folder)], name)) == ["high_card"]


def test_the_made_up_game_owes_what_every_game_owes(eighth):
    game = games.find("high_card")
    assert conformance.unanswered(game) == []
    for seed in range(5):
        conformance.whole_check(game, game.options(), games.all_games().values(), seed)


def test_a_game_that_lacks_an_answer_cannot_be_made():
    class Mute(TwoHands):
        """Everything but the defaults is missing."""

    with pytest.raises(TypeError, match="legal"):
        Mute()


def test_a_whole_match_of_the_made_up_game_is_decided_and_folded(eighth):
    table = Table("high_card", recording="strict")
    deal = {"hands": [["AC", "AS"], ["AD", "AH"]]}
    for number in range(2):
        table.start(deal=deal, lot=1)
        leader = table.match.setup.game.to_act(table.match.deals[-1].table)
        assert leader == number
        refusal = table.refused(c.RecordFacts(facts=(fact(leader, "play", "AS"),)))
        assert refusal.slug == "misfit"
        table.record((leader, "hchand"))
        first, second = ("AS", "AH") if leader == 0 else ("AH", "AS")
        table.record((leader, "play", first), (1 - leader, "play", second))
        rest = ((0, "play", "AC"), (1, "play", "AD"))
        table.record(*rest)
    assert (table.race.totals, table.race.finished) == ((2, 2), False)
    table.enter({"tricks": [2, 0]})
    assert (table.race.totals, table.race.winner) == ((4, 2), 0)
    assert findings(table.match) == ()


def test_hidden_members_of_a_fact_stay_hidden_in_every_view(eighth, monkeypatch):
    # `told_by` is for open cards: a game that reveals more there is ignored.
    told_by = staticmethod(lambda deal, each: type(each)(each.seat, deal.hands[0][0]))
    monkeypatch.setattr(type(games.find("high_card")), "told_by", told_by)
    table = Table("high_card")
    table.start(deal={"hands": [["AC", "AS"], ["AD", "AH"]]}, dealer=0)
    table.record((1, "hcpeek"))
    deal = table.match.deals[-1]
    latest = {viewer: table_view(table.match, deal, viewer)["latest"]["values"] for viewer in (0, 1, None, ALL)}
    assert latest == {viewer: {} for viewer in (0, 1, None, ALL)}


def test_a_made_up_games_fact_is_encoded_without_affecting_other_games(eighth):
    shaken = fact(1, "hchand")
    assert codec.to_list(shaken) == [1, "hchand"]
    assert codec.fact_decoder().decode(codec.encode(shaken)) == shaken
    for key, game in eighth.items():
        assert games.find(key) is game


def test_without_it_the_word_is_unknown():
    with pytest.raises(ValueError, match="hchand"):
        fact(1, "hchand")


def test_one_word_with_two_meanings_fails_discovery_with_both_names(package):
    name, folder = package
    (folder / "high_card.py").write_text("from tests.kit.games.made_up_game import GAME as GAME\n")
    (folder / "other.py").write_text(
        "from types import SimpleNamespace\n"
        "from domain.cards.facts import Fact\n"
        "class Nodded(Fact, frozen=True, tag='hchand'):\n    pass\n"
        "GAME = SimpleNamespace(key='other', facts=(Nodded,), remarks=())\n"
    )
    with pytest.raises(TwoMeaningsError) as error:
        discover([str(folder)], name)
    assert "HandShaken" in str(error.value)
    assert "Nodded" in str(error.value)
    assert "hchand" in str(error.value)


def test_two_games_of_one_key_fail_discovery(package):
    name, folder = package
    (folder / "one.py").write_text("from tests.kit.games.made_up_game import GAME as GAME\n")
    (folder / "two.py").write_text("from tests.kit.games.made_up_game import HighCard\nGAME = HighCard()\n")
    with pytest.raises(Exception, match="high_card"):
        discover([str(folder)], name)


def test_a_game_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(KeyError, match="cross_game"):
        games.find("bridge")


@pytest.mark.parametrize("size", [1, 2])
def test_one_game_stands_in_for_sides_of_a_size(size):
    standing = [game for game in games.all_games().values() if game.stands_in]
    same = [game for game in standing if {len(side) for side in game.sides(games.defaults(game))} == {size}]
    assert same == [games.stand_in(size)]


def test_no_game_stands_in_for_sides_of_a_size_that_none_has():
    with pytest.raises(KeyError, match="sides of 7"):
        games.stand_in(7)
