"""Figures that the sides wrote down themselves about a deal: a slip never changes them."""

import itertools
import re
from typing import Final

import msgspec

from domain.cards.seats import NAMES
from domain.match.audit.slips import Bounds, by_side_of
from domain.match.state import Deal, Match

_FIGURE: Final = re.compile(r"-?\d{1,4}\Z")


def bounds_of(match: Match, deal: Deal) -> Bounds:
    """The score and the sums that were written down beside the facts of a deal, and whether an earlier deal fixed
    anything for the match. What somebody was only shown binds nothing."""
    return Bounds(_score(match, deal), _sums(match, deal), _fixed(match, deal))


def _score(match: Match, deal: Deal) -> tuple[int, ...] | None:
    """The score sheet by side: as it was stated, else as a result was entered."""
    game, options = match.setup.game, match.setup.options
    stated = next((_told(each.stated) for each in reversed(deal.stated) if each.what == "R"), "")
    found = _by_seat(stated, game.seats(options))
    if found is not None:
        return tuple(found[seats[0]] for seats in match.setup.seats)
    return None if deal.entry is None else by_side_of(game, options, game.sheet.score(options, deal.entry[1]).sheet)


def _sums(match: Match, deal: Deal) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The figures that sum a stretch of the deal, by the stretch's number."""
    marks = match.setup.game.script.sections(match.setup.options)
    told = {each.what: _told(each.stated) for each in deal.stated}
    read = ((number, _figures(told[mark])) for number, mark in enumerate(marks) if mark in told)
    return tuple((number, figures) for number, figures in read if figures)


def _fixed(match: Match, deal: Deal) -> bool:
    return any(each.number < deal.number and each.cards is not None and not each.void for each in match.deals)


def _told(raw: msgspec.Raw) -> str:
    told = msgspec.json.decode(raw)
    return told if isinstance(told, str) else ""


def _figures(text: str) -> tuple[int, ...]:
    """`7-6`: a figure a seat; nothing for anything else."""
    return tuple(int(each) for each in re.findall(r"(?<!\d)-?\d+", text.replace("-", " "))) if text else ()


def _by_seat(text: str, seats: int) -> dict[int, int] | None:
    """`A 48 B 49` or `N+E 35 S+W 6` by seat; None unless every seat has its figure."""
    found: dict[int, int] = {}
    for who, figure in itertools.pairwise(text.split()):
        letters = who.replace("+", "")
        if _FIGURE.match(figure) and letters and set(letters) <= {*NAMES[seats]}:
            found.update((NAMES[seats].index(letter), int(figure)) for letter in letters)
    return found if len(found) == seats else None
