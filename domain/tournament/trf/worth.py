"""What a round is worth, as files say it: 162 of TRF26, XXS of JaVaFo, BBW BBD BBL BBZ BBF BBU of bbpPairings."""

from typing import Any, Final

from domain.tournament.crosstable import Points, Tenths
from domain.tournament.trf.fields import Word, points

# forfeit win, full-point bye and pairing bye are a win, a half-point bye is a draw, unless the file says otherwise
_LIKE: Final = (("forfeit_win", "win"), ("full_bye", "win"), ("pairing_bye", "win"), ("half_bye", "draw"))
_OF_162: Final = {
    "W": ("win", "forfeit_win", "full_bye"), "D": ("draw", "half_bye"), "L": ("loss",),
    "A": ("zero_bye", "forfeit_loss"), "P": ("pairing_bye",), "X": (),
}  # fmt: skip
_OF_XXS: Final = {
    "W": ("win", "forfeit_win", "full_bye"), "D": ("draw", "half_bye"), "L": ("loss",), "WW": ("win",), "BW": ("win",),
    "WD": ("draw",), "BD": ("draw",), "WL": ("loss",), "BL": ("loss",), "ZPB": ("zero_bye",), "HPB": ("half_bye",),
    "FPB": ("full_bye",), "PAB": ("pairing_bye",), "FW": ("forfeit_win",), "FL": ("forfeit_loss",),
}  # fmt: skip
OF_CODE: Final = {
    "BBW": ("win", "forfeit_win", "full_bye"), "BBD": ("draw", "half_bye"), "BBL": ("loss",), "BBZ": ("zero_bye",),
    "BBF": ("forfeit_loss",), "BBU": ("pairing_bye",),
}  # fmt: skip
_TWINS: Final = {"WW": "BW", "BW": "WW", "WD": "BD", "BD": "WD", "WL": "BL", "BL": "WL"}


def whole(said: dict[str, Tenths]) -> Points:
    """What was said, and what follows from it for the rest."""
    full: dict[str, Any] = dict(said)
    for name, like in _LIKE:
        if like in said:
            full.setdefault(name, said[like])
    return Points(**full)


def by_letter(found: list[Word]) -> dict[str, Tenths]:
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
    """Letter, points, letter, points …"""
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


def by_name(found: list[Word]) -> dict[str, Tenths]:
    """XXS: CODE=POINTS, where W, D and L stand for several of the others. The same result is worth the same to both
    sides: a card table knows no other."""
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
