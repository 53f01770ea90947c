"""Deals, options and plays for property tests: Hypothesis draws seeds, and the rest is shuffled from them."""

import itertools
import random
from contextlib import contextmanager
from functools import cache, wraps
from inspect import signature
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import settings
from hypothesis import strategies as st

from domain import codec
from domain.games import all_games
from tests.kit.match.tables import random_deal, random_legal

SEEDS = st.integers(min_value=0, max_value=2**32)


@contextmanager
def naming(value: Any):
    """Add the value to any error: for a test that loops over many values."""
    try:
        yield
    except Exception as error:
        error.add_note(f"with {value}")
        raise


def for_seeds(count: int):
    """Run a test with each `seed` below `count` as one case; an error names the seed."""

    def looped(test):
        @wraps(test)
        def of_all(**others):
            for seed in range(count):
                with naming(f"seed {seed}"):
                    test(seed=seed, **others)

        wanted = signature(test)
        others = [each for name, each in wanted.parameters.items() if name != "seed"]
        of_all.__signature__ = wanted.replace(parameters=others)  # what pytest passes
        return of_all

    return looped


def quick(examples: int) -> settings:
    """Return Hypothesis settings with this number of examples, always the same ones."""
    return settings(max_examples=examples, database=None, derandomize=True)


def values_of(kind: Any) -> list[Any]:
    """Return the values of an option: its choices, or both booleans."""
    if kind is bool:
        return [False, True]
    return list(get_args(kind)) if get_origin(kind) is Literal else []


def option_sets(game: Any) -> list[dict[str, Any]]:
    """Return the default options, each other value of each option alone, and combinations that need each other."""
    defaults = game.options()
    found: list[dict[str, Any]] = [{}]
    for name, kind in get_type_hints(game.options).items():
        found += [{name: value} for value in values_of(kind) if value != getattr(defaults, name)]
    if game.key == "cross_purposes":
        for variant in ("fixed", "alliance"):
            others = ({"open_proposals": "latest"}, {"own_repeat": False}, {"scoring": "winner_only"})
            found += [{"variant": variant, **other} for other in others]
        found.append({"variant": "alliance", "open_proposals": "latest", "own_repeat": False})
    return [given for given in found if _possible(game, given)]


def _possible(game: Any, given: dict[str, Any]) -> bool:
    try:
        codec.convert(given, game.options)
    except msgspec.ValidationError:
        return False
    return True


def named(key: str, given: dict[str, Any]) -> str:
    """Return the test id of a form."""
    return "-".join([key, *(f"{name}={value}" for name, value in given.items())])


FORMS = [(key, given) for key, game in all_games().items() for given in option_sets(game)]
FORM_IDS = [named(key, given) for key, given in FORMS]
SMALL = [form for form in FORMS if form[0] in ("cross_purposes", "cross_game", "parity")]


def setup(form: tuple[str, dict[str, Any]]) -> tuple[Any, Any]:
    """Return a game and its options."""
    key, given = form
    game = all_games()[key]
    return game, codec.convert(given, game.options)


def played_out(form: tuple[str, dict[str, Any]], seed: int, known: bool = True):
    """Play a complete random deal; return game, options, dealer, deal, facts and the states from first to last."""
    game, options = setup(form)
    chance = random.Random(seed)
    dealer = chance.randrange(game.seats(options))
    deal = random_deal(game.key, options, seed) if known else None
    state = game.start(options, dealer, deal)
    facts = random_legal(game, state, chance)
    states = [state]
    for fact in facts:
        states.append(game.evolve(states[-1], fact))
    return game, options, dealer, deal, facts, states


def of_form(*forms: tuple[str, dict[str, Any]]):
    """Draw one of these forms and a seed."""
    return st.tuples(st.sampled_from(list(forms)), SEEDS)


def universe(game: Any) -> list[Any]:
    """Return every fact that the types of a game can make, for seats 0 to 3."""
    return [each for kind in (*game.facts, *game.remarks) for each in candidates(kind)]


def junk(games: Any, chance: random.Random, count: int) -> list[Any]:
    """Return random facts of any game, each type as likely as another."""
    kinds = [kind for game in games for kind in game.facts]
    return [chance.choice(candidates(chance.choice(kinds))) for _ in range(count)]


@cache
def candidates(kind: type) -> list[Any]:
    """Return every fact of a type whose members have few values."""
    rows: list[list[Any]] = [[]]
    for field in msgspec.structs.fields(kind):
        rows = [[*row, value] for row in rows for value in member_values(field.type)]
    return [made for row in rows if (made := _make(kind, row)) is not None]


def _make(kind: type, row: list[Any]) -> Any | None:
    try:
        made = kind(*row)
        codec.fact_decoder().decode(codec.encode(made))
    except ValueError:
        return None
    return made


def member_values(kind: Any) -> list[Any]:
    """Return values of a member of a fact: all cards and choices, numbers up to 180, squares near the first."""
    info = msgspec.inspect.type_info(kind)
    return list(_from_info(info))


def _from_info(info: Any):
    inspect = msgspec.inspect
    if isinstance(info, inspect.Metadata):
        yield from _from_info(info.type)
    elif isinstance(info, inspect.LiteralType):
        yield from info.values
    elif isinstance(info, inspect.BoolType):
        yield from (False, True)
    elif isinstance(info, inspect.NoneType):
        yield None
    elif isinstance(info, inspect.IntType):
        low, high = info.ge if info.ge is not None else -2, info.le if info.le is not None else 9
        yield from range(max(low, -2), min(high, 180) + 1)
    elif isinstance(info, inspect.UnionType):
        for each in info.types:
            yield from _from_info(each)
    elif isinstance(info, inspect.TupleType):
        steps = [range(-3, 5) if each.ge is None or each.ge < 0 else range(8) for each in info.item_types]
        yield from itertools.product(*steps)
    elif isinstance(info, inspect.VarTupleType):
        some = [value for value in _from_info(info.item_type) if value != ()]
        yield from ((), tuple(some[:1]))
    else:
        from domain.cards.card import CARDS

        yield from CARDS
