"""Every ledger number of the games here has a test that carries it in its name."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
NUMBERS = TESTS / "data" / "ledger-numbers.txt"
NAMED = re.compile(r"^\s*(?:async )?def test_(\w+)", re.MULTILINE)


def numbers() -> list[str]:
    """The list kept beside the tests, one number a line."""
    return [line for line in NUMBERS.read_text().split("\n") if line and not line.startswith("#")]


def sources() -> list[str]:
    return [path.read_text() for path in sorted(TESTS.rglob("*.py"))]


def missing(wanted: list[str], texts: list[str]) -> list[str]:
    """The numbers that no test's name begins with: `CP.g8` is `test_cp_g8_…`."""
    names = {name + "_" for text in texts for name in NAMED.findall(text)}
    return [
        number
        for number in wanted
        if not any(name.startswith(number.lower().replace(".", "_") + "_") for name in names)
    ]


def test_every_ledger_number_has_a_test():
    assert missing(numbers(), sources()) == []


def test_a_number_without_a_test_is_noticed():
    text = "def test_cp_1_one():\n    ...\n\ndef test_cp_g2_two():\n    ...\n"
    assert missing(["CP.1", "CP.g2"], [text]) == []
    assert missing(["CP.1", "CP.2", "CP.g2", "CP.10", "CP.g1"], [text]) == ["CP.2", "CP.10", "CP.g1"]
    assert "CP.16" in missing([*numbers(), "CP.16"], sources())


def test_the_list_is_not_empty_and_names_nothing_twice():
    assert len(numbers()) == len(set(numbers())) > 100
