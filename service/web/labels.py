"""Names of things in the domain and its views, in the reader's language: rounds, stages, formats, goals."""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from domain.tournament.format import Template
from domain.tournament.formats import OptionField
from projections.tournaments.bracket import BracketPart, BracketView, SlotView
from projections.tournaments.view import TournamentView
from service.languages.spoken import N_, ntranslate, ptranslate, translate

NUMBERED: Final = (N_("Round {number}"), N_("Losers bracket, round {number}"), N_("part {number}"))
ROUNDS: Final = (  # what `round_name` says
    N_("Final of the bracket"),
    N_("Semi-finals"),
    N_("Quarter-finals"),
    N_("Third place"),
    N_("Grand final"),
    N_("Grand final again"),
)
PARTS: Final = (N_("the end"), N_("losers"))  # what `parts_of` says beside numbers
SLOTS: Final = {"winner": N_("winner of {match}"), "loser": N_("loser of {match}")}
SCORES: Final = (N_("nobody"), N_("won"), N_("w.o."), N_("absent"))  # where a slot has no name, or no number
_NUMBER: Final = re.compile(r"\d+$")


def round_text(title: str) -> str:
    """The name of a round or of a part of a bracket, which may end with its number."""
    found = _NUMBER.search(title)
    if found is None:
        return translate(title)
    return translate(_NUMBER.sub("{number}", title)).replace("{number}", found[0])


def tournament_labelled(view: TournamentView) -> TournamentView:
    """A tournament with the names of its rounds and stages; a name that the director gave stays."""
    return msgspec.structs.replace(
        view,
        stages=tuple(
            msgspec.structs.replace(each, name=translate(each.name), title=translate(each.title))
            for each in view.stages
        ),
        rounds=tuple(msgspec.structs.replace(each, title=round_text(each.title)) for each in view.rounds),
    )


def bracket_labelled(view: BracketView | None) -> BracketView | None:
    """A bracket with the names of its rounds, and what stands where nobody does yet."""
    if view is None:
        return None
    boxes = {
        box.id: msgspec.structs.replace(box, slots=(_slot(box.slots[0]), _slot(box.slots[1]))) for box in view.boxes
    }
    columns = tuple(
        msgspec.structs.replace(each, name=round_text(each.name), boxes=tuple(boxes[box.id] for box in each.boxes))
        for each in view.columns
    )
    return msgspec.structs.replace(view, name=translate(view.name), boxes=tuple(boxes.values()), columns=columns)


def _slot(slot: SlotView) -> SlotView:
    score = translate(slot.score) if slot.score in SCORES else slot.score
    if slot.entry is not None:
        return msgspec.structs.replace(slot, score=score)
    word, _, match = slot.text.partition(" of ")
    text = translate(SLOTS[word]).format(match=match) if match else translate(slot.text)
    return msgspec.structs.replace(slot, text=text)


def left_text(status: str) -> str:
    """Words for how a player has left the tournament; another state as it is."""
    match status:
        case "withdrawn":
            return ptranslate("player", "withdrawn")
        case "no-show":
            return ptranslate("player", "no-show")
        case "excluded":
            return ptranslate("player", "excluded")
        case _:
            return translate(status)


def parts_labelled(parts: Iterable[BracketPart]) -> tuple[BracketPart, ...]:
    """The parts of a large bracket by name."""
    return tuple(msgspec.structs.replace(each, name=round_text(each.name)) for each in parts)


def templates_labelled(found: Iterable[Template]) -> tuple[Template, ...]:
    """The plans that a director can choose from."""
    return tuple(
        msgspec.structs.replace(each, title=translate(each.title), sentence=translate(each.sentence)) for each in found
    )


def fields_labelled(found: Iterable[OptionField]) -> tuple[OptionField, ...]:
    """The options of formats that a form asks for."""
    return tuple(msgspec.structs.replace(each, title=translate(each.title)) for each in found)


def goal(target: int | None, win_by: int, deals: int | None) -> str:
    """The goal of a match, in words."""
    if target is not None:
        return translate("to {target}, won by {win_by}").format(target=target, win_by=win_by)
    if not deals:
        return translate("no end of its own")
    said = ntranslate("{n} deal, the higher total wins", "{n} deals, the higher total wins", deals)
    return said.format(n=deals)
