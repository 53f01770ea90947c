"""A round without a match, in words: in a list, in a sentence and in a cell of the cross table."""

from typing import Final

from service.languages.spoken import N_, translate

NAMES: Final = {
    "bye": N_("bye"),
    "half": N_("half-point bye"),
    "full": N_("full-point bye"),
    "zero": N_("absent"),
    "rest": N_("sits out"),
}
_IN_A_SENTENCE: Final = {
    "bye": N_("a bye, which counts as a win"),
    "half": N_("a half-point bye"),
    "full": N_("a full-point bye"),
    "zero": NAMES["zero"],
    "rest": N_("sitting out"),
}
_IN_A_CELL: Final = {"U": N_("bye"), "H": N_("½ bye"), "F": N_("1 bye"), "Z": "–"}


def bye_text(kind: str) -> str:
    """The name of a bye, in a list."""
    return translate(NAMES[kind])


def bye_sentence(kind: str) -> str:
    """The end of the sentence "No match in this round: …"."""
    return translate(_IN_A_SENTENCE[kind])


def bye_cell(letter: str) -> str:
    """A cell of the cross table without an opponent, by the report file's letter; empty for any other letter."""
    return translate(_IN_A_CELL.get(letter, ""))
