"""The scores that a deal can give, tried out over the whole entry form: what a ruling may say."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

from domain import codec
from domain.game.entry_form import place
from domain.game.protocol import AnyGame, AnyOptions
from domain.game.sheet import EntryError, EntryField, Result
from domain.games import find
from domain.log.event import JsonObject

Scores: TypeAlias = tuple[int, ...]
MOST: Final = 60_000  # forms with more answers are not tried out


@lru_cache(64)
def score_bounds(key: str, options: AnyOptions) -> tuple[int, int]:
    """The lowest and the highest score of a side, tried out over the whole entry form; where it has too many answers,
    over the ends of its ranges, and the ranges themselves."""
    game = find(key)
    form = game.sheet.form(options)
    answers = [_answers(field) for field in form]
    many = _size(answers) > MOST
    if many:
        answers = [(each[0], each[-1]) for each in answers]
    found = [score for result in _results(game, options, form, answers) for score in result.scores]
    if many or not found:
        found += [edge for field in form if not field.values for edge in (field.low, field.high)]
    return min(found), max(found)


@lru_cache(64)
def deal_scores(key: str, options: AnyOptions) -> frozenset[Scores] | None:
    """Every score by side that one deal of a game can give; None where there are too many to try."""
    game = find(key)
    form = game.sheet.form(options)
    answers = [_answers(field) for field in form]
    if _size(answers) > MOST:
        return None
    return frozenset(_by_side(game, options, each) for each in _results(game, options, form, answers) if not each.void)


@lru_cache(1024)
def can_be(key: str, options: AnyOptions, scores: Scores) -> bool:
    """Tells whether some deal of a game gives these scores by side. Where the form has too many answers, its numbers
    are taken for the scores; what cannot be tried so is believed."""
    known = deal_scores(key, options)
    if known is not None:
        return scores in known
    game = find(key)
    form = game.sheet.form(options)
    answers = [_fixed(game, options, field, scores) for field in form]
    if all(field.kind != "number" for field in form) or _size(answers) > MOST:
        return True
    return any(_by_side(game, options, each) == scores for each in _results(game, options, form, answers))


def _fixed(game: AnyGame, options: AnyOptions, field: EntryField, scores: Scores) -> tuple[str | int, ...] | range:
    """The answers to a field when its number is a score."""
    if field.kind != "number" or field.seat is None:
        return _answers(field)
    side = next(side for side, seats in enumerate(game.sides(options)) if field.seat in seats)
    return (scores[side],) if field.low <= scores[side] <= field.high else ()


def _answers(field: EntryField) -> tuple[str | int, ...] | range:
    return field.values or range(field.low, field.high + 1)


def _size(answers: Iterable[tuple[str | int, ...] | range]) -> int:
    size = 1
    for each in answers:
        size *= len(each)
    return size


def _results(
    game: AnyGame, options: AnyOptions, form: tuple[EntryField, ...], answers: Iterable[tuple[str | int, ...] | range]
) -> Iterator[Result]:
    """The results of every filled form that breaks no invariant."""
    kind = game.sheet.entry(options)
    for given in product(*answers):
        entry: JsonObject = {}
        for field, answer in zip(form, given, strict=True):
            place(entry, field.path.split("."), answer)
        try:
            yield game.sheet.score(options, codec.convert(entry, kind))
        except (EntryError, ValueError):
            continue


def _by_side(game: AnyGame, options: AnyOptions, result: Result) -> Scores:
    sides = game.sides(options)
    if len(result.scores) == len(sides):
        return result.scores
    return tuple(result.scores[seats[0]] for seats in sides)
