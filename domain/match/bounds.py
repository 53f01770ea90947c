"""The scores that a side can have from one deal: what a ruling may give."""

from functools import lru_cache
from itertools import product
from typing import Final

from domain import codec
from domain.game.entry_form import place
from domain.game.protocol import AnyGame, AnyOptions
from domain.game.sheet import EntryError, EntryField
from domain.games import find
from domain.log.event import JsonObject

MOST: Final = 60_000


@lru_cache(64)
def score_bounds(key: str, options: AnyOptions) -> tuple[int, int]:
    """The lowest and the highest score of a side, tried out over the whole entry form; where it has too many answers,
    over the ends of its ranges, and the ranges themselves."""
    game = find(key)
    form = game.sheet.form(options)
    answers = [_answers(field) for field in form]
    size = 1
    for each in answers:
        size *= len(each)
    if size > MOST:
        answers = [(each[0], each[-1]) for each in answers]
    found = [score for given in product(*answers) for score in _scores(game, options, form, given)]
    if size > MOST or not found:
        found += [edge for field in form if not field.values for edge in (field.low, field.high)]
    return min(found), max(found)


def _answers(field: EntryField) -> tuple[str | int, ...] | range:
    return field.values or range(field.low, field.high + 1)


def _scores(
    game: AnyGame, options: AnyOptions, form: tuple[EntryField, ...], given: tuple[str | int, ...]
) -> tuple[int, ...]:
    """The scores that one filled form gives; none where it breaks an invariant."""
    entry: JsonObject = {}
    for field, answer in zip(form, given, strict=True):
        place(entry, field.path.split("."), answer)
    try:
        return game.sheet.score(options, codec.convert(entry, game.sheet.entry(options))).scores
    except (EntryError, ValueError):
        return ()
