"""Every ledger number that a finding or a refusal can cite is explained on its game's page, under an anchor."""

import re
from pathlib import Path

import pytest

from domain.games import all_games
from domain.match.audit.findings import first_breach
from projections.games import option_views
from service.web.render import explained_at, slug
from tests.domain.games.test_cases import read, table_and_facts
from tests.kit.service.asking import squeezed

GAMES = Path(__file__).resolve().parents[3] / "domain" / "games"
EXPLAINED = re.compile(r'id="([a-z]+-[gi]?[0-9]+)"><dt>[^<]+</dt><dd>([^<]*)</dd>')
TEXTS = re.compile(r"    rules: ClassVar = \(\n.*?\n    \)", re.DOTALL)
NUMBER = re.compile(r'"([A-Z]{2,3}\.[gi]?[0-9]+)"')

every_game = pytest.mark.parametrize("key", list(all_games()))


def cited(key):
    """The numbers that a game's sources have as literals: in breaches, duties, entry errors and options."""
    files = [GAMES / f"{key}.py", *(GAMES / key).glob("*.py")]
    return {number for path in files if path.exists() for number in NUMBER.findall(TEXTS.sub("", path.read_text()))}


def explained(client, key):
    """What the game's page explains: anchor -> text."""
    answer = client.get(f"/games/{key}")
    assert answer.status_code == 200
    return dict(EXPLAINED.findall(squeezed(answer.text)))


@every_game
def test_a_number_that_the_sources_cite_has_its_text_and_anchor(client, key):
    numbers = cited(key)
    assert len(numbers) >= 3, "the scan has lost its way"
    found = explained(client, key)
    assert {number for number in numbers if not found.get(slug(number))} == set()


@every_game
def test_no_number_is_explained_twice_and_each_says_something_of_its_own(client, key):
    rules = all_games()[key].rules
    assert len({number for number, _ in rules}) == len(rules) == len(explained(client, key))
    assert all(len(text) >= 20 and text.endswith(".") for _, text in rules)


def test_a_number_that_a_broken_case_provokes_has_its_text(client):
    provoked = set()
    for each in read("breaches.jsonl"):
        game, _, start, facts = table_and_facts(each["history"])
        _, _, reasons = first_breach(game, start, facts)
        provoked |= {(game.key, reason.rule) for reason in reasons if not reason.misfit}
    assert len({key for key, _ in provoked}) == len(all_games())
    pages = {key: explained(client, key) for key in all_games()}
    assert {(key, rule) for key, rule in provoked if not pages[key].get(slug(rule))} == set()


@every_game
def test_an_option_leads_to_what_it_changes(client, key):
    text = client.get(f"/games/{key}").text
    for option in option_views(all_games()[key]):
        assert f'href="#{slug(option.ledger)}"' in text
        assert f'id="{slug(option.ledger)}"' in text


@every_game
def test_rules_come_before_open_questions_and_score_constraints(client, key):
    text = client.get(f"/games/{key}").text
    headings = re.findall("<h2>([^<]+)</h2>", text)
    assert headings == [
        "Rules",
        "What the rules leave open",
        "What a score must fulfil",
        "House rules",
        "Worked scores",
    ]


def test_findings_link_to_rules_and_wrong_facts_to_problems(client):
    assert explained_at("GA.g4", "garbo") == "/games/garbo#ga-g4"
    assert client.get(explained_at("misfit", "garbo")).status_code == 200
