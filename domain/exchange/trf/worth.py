"""Points of a round as files set them: 162 of TRF26, XXS of JaVaFo, BBW BBD BBL BBZ BBF BBU of bbpPairings."""

from typing import Final

from domain.exchange.trf.fields import Word, points
from domain.pairing.crosstable import PointSystem, Tenths

# forfeit win, full-point bye and pairing bye are a win, a half-point bye is a draw, unless the file says otherwise
_LIKE: Final = (("forfeit_win", "win"), ("full_bye", "win"), ("pairing_bye", "win"), ("half_bye", "draw"))
_WINS: Final = ("win", "forfeit_win", "full_bye")
_DRAWS: Final = ("draw", "half_bye")
_OF_162: Final = {
    "W": _WINS,
    "D": _DRAWS,
    "L": ("loss",),
    "A": ("zero_bye", "forfeit_loss"),
    "P": ("pairing_bye",),
    "X": (),
}
_OF_XXS: Final = {
    "W": _WINS,
    "D": _DRAWS,
    "L": ("loss",),
    **dict.fromkeys(("WW", "BW"), ("win",)),
    **dict.fromkeys(("WD", "BD"), ("draw",)),
    **dict.fromkeys(("WL", "BL"), ("loss",)),
    "ZPB": ("zero_bye",),
    "HPB": ("half_bye",),
    "FPB": ("full_bye",),
    "PAB": ("pairing_bye",),
    "FW": ("forfeit_win",),
    "FL": ("forfeit_loss",),
}
OF_CODE: Final = {
    "BBW": _WINS,
    "BBD": _DRAWS,
    "BBL": ("loss",),
    "BBZ": ("zero_bye",),
    "BBF": ("forfeit_loss",),
    "BBU": ("pairing_bye",),
}
_TWINS: Final = {"WW": "BW", "BW": "WW", "WD": "BD", "BD": "WD", "WL": "BL", "BL": "WL"}


def all_points(said: dict[str, Tenths]) -> PointSystem:
    """The points of a file, completed by those that follow from them."""
    full: dict[str, Tenths] = dict(said)
    for name, like in _LIKE:
        if like in said:
            full.setdefault(name, said[like])
    return PointSystem(**full)


def points_by_letter(found: list[Word]) -> dict[str, Tenths]:
    """162: a letter and its points, again and again; a blank between them or none."""
    said: dict[str, Tenths] = {}
    parts = _apart(found)
    for letter, value in zip(parts[::2], parts[1::2], strict=True):
        names = _OF_162.get(letter.text)
        if names is None:
            raise letter.bad(f"points are given for W, D, L, A, P or X, not for {letter.text!r}")
        said |= dict.fromkeys(names, points(value, f"the points of {letter.text}"))
    return said


def _apart(found: list[Word]) -> list[Word]:
    """The words cut into letters and points, by turns."""
    parts: list[Word] = []
    for word in found:
        if len(parts) % 2:
            parts.append(word)
            continue
        parts.append(Word(word.text[0].upper(), word.line, word.column))
        if word.text[1:]:
            parts.append(Word(word.text[1:], word.line, word.column + 1))
    if len(parts) % 2:
        raise parts[-1].bad(f"{parts[-1].text} has no points")
    return parts


def points_by_code(found: list[Word]) -> dict[str, Tenths]:
    """XXS: CODE=POINTS; W, D and L stand for several of the others. A result is worth the same to both sides, as at any
    card table."""
    said: dict[str, Tenths] = {}
    given: dict[str, Tenths] = {}
    for word in sorted(found, key=lambda each: len(each.text.partition("=")[0])):
        code, equals, value = word.text.upper().partition("=")
        if code not in _OF_XXS or not equals:
            raise word.bad(f"{word.text[:20]!r} is not a code and its points")
        worth = points(Word(value, word.line, word.column + len(code) + 1), f"the points of {code}")
        if given.get(_TWINS.get(code, ""), worth) != worth:
            raise word.bad("both sides have the same points for the same result")
        given[code] = worth
        said |= dict.fromkeys(_OF_XXS[code], worth)
    return said
