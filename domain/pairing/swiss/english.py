"""The words of the explanations in English: a sentence by message id. Another language is another catalogue."""

from typing import Final

from domain.log.message import Catalogue
from domain.pairing.tenths import points, shown

_BYE: Final = "{player} has the bye, with {own:points}: "
_FLOATS: Final = "{high} floats down: "
_ON: Final = "on {score:points}{lent:of-them-lent}"

# where two want the same, what is said of both, and by which article (5.2.2 to 5.2.4) one of them gets it
_WANTED: Final = {
    "last-dealt": "Both last dealt {turn:turn}",
    "due": "Both are due to deal {turn:turn}",
    "neither-due": "Neither is due to deal first",
}
_GRANTED: Final = {
    2: "the stronger claim is granted",
    3: "they change from the last round in which they dealt differently",
    4: "the higher-ranked gets the wish",
}

TEMPLATES: Final = {
    # the scores of two who meet
    "swiss.level": "Both have {score:points}.",
    "swiss.level-lent": (
        "Both stand on {score:points}: {own:figure} and the {lent:figure} that the upper half is lent."
    ),
    "swiss.level-unlike": (
        "Both stand on {score:points}: {high} with {high_own:figure}{high_lent:and-lent} "
        "and {low} with {low_own:figure}{low_lent:and-lent}."
    ),
    "swiss.nearest": "{low} is the nearest player whom {high} has not met.",
    "swiss.floats-alone": f"{_FLOATS}alone {_ON}.",
    "swiss.floats-without-opponent": f"{_FLOATS}no opponent {_ON} whom {{high}} may meet.",
    "swiss.floats-odd": f"{_FLOATS}one too many {_ON}.",
    "swiss.floats-for-those-below": (
        f"{_FLOATS}if all {_ON} were paired there, somebody below would have nobody to meet."
    ),
    # who deals first
    "swiss.turn": "It is {player}'s turn to deal {turn:turn}.",
    "swiss.turns": "It is {one}'s turn to deal {turn:turn}, and {other}'s to deal {other_turn:turn}.",
    "swiss.lot-odd": "The lot gave odd seeds the {turn:turn} deal.",
    "swiss.lot-even": "The lot gave even seeds the {turn:turn} deal.",
    **{
        f"swiss.{wanted}-5.2.{article}": f"{both}; {granted}."
        for wanted, both in _WANTED.items()
        for article, granted in _GRANTED.items()
    },
    # what a pair costs that another one would not have
    "swiss.C10": (
        "One of them will have dealt first, or second, three times more often than the other way ({criteria})."
    ),
    "swiss.C11": "One of them deals first, or second, for the third time running ({criteria}).",
    "swiss.C12": "Both wanted to deal {turn:turn}; only one could ({criteria}).",
    "swiss.C13": "Both wanted to deal {turn:turn}, and had a strong claim; only one could ({criteria}).",
    "swiss.C14": "{player} floated down in the last round too ({criteria}).",
    "swiss.C15": "{player} floated up in the last round too ({criteria}).",
    "swiss.C16": "{player} floated down two rounds ago too ({criteria}).",
    "swiss.C17": "{player} floated up two rounds ago too ({criteria}).",
    # the bye
    "swiss.bye": f"{_BYE}nobody lower can have it.",
    "swiss.bye-rested": f"{_BYE}{{lower}} {{lower:has|have}} had it.",
    "swiss.bye-unplayed": f"{_BYE}{{lower}} {{lower:has|have}} had a win without play.",
    # a round in which the absolute criteria give way
    "swiss.again-all": "Everybody has met everybody: {pair} meet again (C1).",
    "swiss.again": "No round is left in which nobody meets again: {pair} meet again (C1).",
    "swiss.same-turn": (
        "No round is left that keeps every rule: {pair} both had to deal {turn:turn}; one does not (C3)."
    ),
    "swiss.unbroken": "No round is left that keeps every rule. {pair} break none: they have not met.",
    "swiss.bye-lowest": "{player} has the bye: nobody lower can have it.",
    "swiss.bye-again-all": "Everybody has had the bye: {player} has it a second time (C2).",
    "swiss.bye-again-unplayed": "Everybody has had the bye, or a win without play: {player} has another (C2).",
    "swiss.bye-again": "No round is left in which nobody has a second bye: {player} has another (C2).",
    # absolute criteria that given pairs break
    "swiss.breaks-C1": "{pair} have met before, or must not meet (C1)",
    "swiss.breaks-C2": "{player} has had a bye, or points without play (C2)",
    "swiss.breaks-C3": "{pair} must both deal {turn:turn} (C3)",
    # a round that nobody can pair
    "swiss.nobody-left": "nobody is left for {players} to meet",
    "swiss.no-bye-left": "everybody who is there has had a bye",
    "swiss.no-pairing-left": (
        "every pairing has two who have met, or must not meet, or must both deal first or second, or a second bye"
    ),
}


def _turn(place: int) -> str:
    return "first" if place == 1 else "second"


def _of_them_lent(lent: int) -> str:
    return f" ({shown(lent)} of them lent)" if lent else ""


def _and_lent(lent: int) -> str:
    return f" and {shown(lent)} lent" if lent else ""


ENGLISH: Final = Catalogue(
    TEMPLATES,
    numbers={
        "points": points,
        "figure": shown,
        "turn": _turn,
        "of-them-lent": _of_them_lent,
        "and-lent": _and_lent,
    },
)
