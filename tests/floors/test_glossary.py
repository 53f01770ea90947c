"""The glossary: one word for one thing, so no word has two rows."""

import re
from collections import Counter
from pathlib import Path

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
ROW = re.compile(r"^\| (?P<words>[^|]+) \| (?P<meaning>[^|]+) \|$", re.MULTILINE)


def twice(text: str) -> list[str]:
    """The words that have two rows; in parentheses stands what sets one of two meanings apart."""
    rows = [each["words"] for each in ROW.finditer(text)][1:]
    return [word for word, rows_of in Counter(word for row in rows for word in row.split(", ")).items() if rows_of > 1]


def test_no_word_is_listed_twice():
    assert twice(GLOSSARY.read_text(encoding="utf-8")) == []


def test_a_word_that_is_listed_twice_is_told():
    rows = ("| word | meaning |", "| --- | --- |", "| deal | one |", "| bid, deal | two |", "| deal (of a match) | 3 |")
    assert twice("\n".join(rows)) == ["deal"]


def test_every_row_is_read():
    lines = GLOSSARY.read_text(encoding="utf-8").splitlines()
    assert [each for each in lines if each.startswith("|") and not ROW.fullmatch(each)] == []
