"""Explanations as a page shows them, in small tournaments of every format; refusals as they are read."""

from typing import Any, Final

from tests.kit.tournament.directed import Event
from tests.kit.tournament.explained import PARTNERS, PEOPLE, told, why_of
from tests.texts.refusals import of_matches, of_tournaments

SITUATIONS: Final[tuple[tuple[str, dict[str, Any], int, dict[str, Any]], ...]] = (
    ("Single elimination of five, with a match for third place", {"kind": "single", "third_place": True}, 5, {}),
    ("Double elimination of four", {"kind": "double"}, 4, {}),
    ("Round robin of three", {"kind": "round-robin"}, 3, {}),
    ("Two groups of five players", {"kind": "groups", "groups": 2}, 5, {}),
    ("Swiss of three, a round longer than there are opponents", {"kind": "swiss", "rounds": 4}, 3, {}),
    ("Swiss of seven", {"kind": "swiss", "rounds": 4}, 7, {}),
    ("Swiss of eight with Baku acceleration", {"kind": "swiss", "rounds": 3, "acceleration": "baku"}, 8, {}),
    ("Monrad of six", {"kind": "swiss", "rounds": 3, "rules": "monrad"}, 6, {}),
    ("Ladder of three", {"kind": "ladder", "rounds": 2}, 3, {}),
    ("Individual movement of five", {"kind": "individual", "rounds": 3}, 5, PARTNERS),
)


def examples() -> list[tuple[str, list[str]]]:
    """Every situation, played with the better seed winning, with each sentence that it came to once; then refusals."""
    played = [(title, _said(Event(format_, entries=entries, **more))) for title, format_, entries, more in SITUATIONS]
    refused = [("Refusals of a single elimination", of_tournaments()), ("Refusals of a match", of_matches())]
    return played + [(title, list(dict.fromkeys(said))) for title, said in refused]


def _said(event: Event) -> list[str]:
    said: list[str] = []
    while not event.over():
        event.pair()
        said += told(event).values()
        event.play()
    for name in PEOPLE[: len(event.state.entries)]:
        why = why_of(event, name)
        said += [why.ahead, why.behind, *(term.words for value in why.values for term in value.terms)]
    return list(dict.fromkeys(filter(None, said)))
