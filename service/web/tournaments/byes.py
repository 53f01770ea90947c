"""A round without a match, in words: in a list, in a sentence and in a cell of the cross table."""

from typing import Final

NAMES: Final = {
    "bye": "bye",
    "half": "half-point bye",
    "full": "full-point bye",
    "zero": "absent",
    "rest": "sits out",
}
_IN_A_SENTENCE: Final = {
    "bye": "a bye, which counts as a win",
    "half": f"a {NAMES['half']}",
    "full": f"a {NAMES['full']}",
    "zero": NAMES["zero"],
    "rest": "sitting out",
}
_IN_A_CELL: Final = {"U": "bye", "H": "½ bye", "F": "1 bye", "Z": "–"}


def bye_text(kind: str) -> str:
    """The name of a bye, in a list."""
    return NAMES[kind]


def bye_sentence(kind: str) -> str:
    """The end of the sentence "No match in this round: …"."""
    return _IN_A_SENTENCE[kind]


def bye_cell(letter: str) -> str:
    """A cell of the cross table without an opponent, by the report file's letter; empty for any other letter."""
    return _IN_A_CELL.get(letter, "")
