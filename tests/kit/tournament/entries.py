"""Entries made with the controls of an entry form."""

import random

import pytest

from domain import codec


def some_entry(game, options) -> dict:
    """Return a valid entry made with random values of the form's controls."""
    for seed in range(400):
        chance, entry = random.Random(seed), {}
        for control in game.sheet.form(options):
            numbers = range(control.low, control.high + 1)
            place(entry, control.path.split("."), chance.choice(control.values or numbers))
        try:
            game.sheet.score(options, codec.convert(entry, game.sheet.entry(options)))
        except ValueError:
            continue
        return entry
    pytest.fail("no choice on the form makes an entry")


def place(entry: dict, path: list[str], value) -> None:
    """Set a value at a path like `phases.0.0`; numbers are indexes of lists."""
    at = entry
    for here, below in zip(path, [*path[1:], None], strict=True):
        made = value if below is None else [] if below.isdigit() else {}
        if isinstance(at, list):
            if int(here) == len(at):
                at.append(made)
            at = at[int(here)]
        else:
            at = at.setdefault(here, made)
