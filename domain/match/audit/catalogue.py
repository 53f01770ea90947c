"""The catalogue of codes for a game: what every game shares, and what the game itself adds or says otherwise."""

from collections.abc import Mapping
from functools import cache

from domain.game.codes import BY_CODE, Code
from domain.game.protocol import AnyGame


def catalogue(game: AnyGame) -> Mapping[str, Code]:
    """Every code that a finding of this game may have."""
    return _with(game.codes)


@cache
def _with(own: tuple[Code, ...]) -> Mapping[str, Code]:
    return {**BY_CODE, **{each.code: each for each in own}}


def is_offence(game: AnyGame, code: str | None) -> bool:
    """Tells whether a code is a breach of the rules: not a claim that lapsed, nor a slip of the scorer."""
    known = catalogue(game).get(code or "")
    return known is None or known.offence


def severity(game: AnyGame, code: str | None) -> int:
    """The most that a breach of this code may weigh; 1 for one without a code of its own."""
    known = catalogue(game).get(code or "")
    return 1 if known is None else known.severity[1]
