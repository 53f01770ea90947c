"""Settings of the tournament as a whole, code by code; the line of another code is kept and not read."""

from collections.abc import Callable
from typing import Final

from domain.exchange.trf import worth
from domain.exchange.trf.fields import (
    LARGEST,
    MOST_ROUNDS,
    Word,
    each_of,
    number,
    one,
    player,
    points,
    round_number,
    words,
)
from domain.exchange.trf.model import BadFile, Barred
from domain.pairing.crosstable import Rules, Tenths

_FROM_2026: Final = 2025  # TRF26 calls the rules of 2026 FIDE_DUTCH_2025


class FileSettings:
    """The settings that have been read so far."""

    def __init__(self) -> None:
        self.name = ""
        self.rounds = 0
        self.first_deals: bool | None = None
        self.system = ""
        self.tiebreaks: tuple[str, ...] = ()
        self.points: dict[str, Tenths] = {}
        self.groups: list[tuple[int, ...]] = []
        self.barred: list[Barred] = []
        self.byes: list[tuple[str, int, Word]] = []
        self.away: list[Word] = []
        self.extra: dict[int, dict[int, Tenths]] = {}
        self.spans: list[tuple[Tenths, range, range]] = []
        self.named: list[Word] = []

    def read(self, text: str, line: int) -> None:
        """Take the setting of a line with a known code."""
        reader = READERS.get(text[:3])
        if reader is not None:
            reader(self, words(text, line), text, line)

    @property
    def rules(self) -> Rules | None:
        """The rules of pairing by code 192; None for a code without them."""
        parts = self.system.split("_")
        if parts[:2] == ["CUSTOM", "MONRAD"]:
            return "monrad"
        if parts[:2] != ["FIDE", "DUTCH"]:
            return None
        years = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) == 4]
        return "dutch-till-2026" if years and years[0] < _FROM_2026 else "dutch-2026"


def _name(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    into.name = text[3:].strip()


def _rounds(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    into.rounds = number(one(found, line, "the number of rounds"), "the number of rounds", 0, MOST_ROUNDS)


def _side(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """152: the side of number 1 in round 1, W or B."""
    word = one(found, line, "the initial side")
    if word.text.upper() not in ("W", "B"):
        raise word.bad(f"the initial side is W or B, not {word.text[:20]!r}")
    into.first_deals = word.text.upper() == "W"


def _configuration(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """XXC: white1 or black1; other words are for other programs."""
    for word in found:
        if word.text.lower() in ("white1", "black1"):
            into.first_deals = word.text.lower() == "white1"


def _letters(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    into.points |= worth.points_by_letter(found)


def _names(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    into.points |= worth.points_by_code(found)


def _single(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """BBW and its kin: one number of points."""
    value = points(one(found, line, "the number of points"), "points")
    into.points |= dict.fromkeys(worth.OF_CODE[text[:3]], value)


def _system(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    into.system = one(found, line, "the type of tournament").text.upper()


def _tiebreaks(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """202 names what breaks ties; 212 names the same with the points, PTS, in their place."""
    codes = tuple(word.text.upper() for word in found)
    into.tiebreaks = codes if "PTS" in codes else ("PTS", *codes)


def _byes(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """240: letter, round, players."""
    letter = one(found, line, "the kind of bye")
    if letter.text.upper() not in ("F", "H", "Z"):
        raise letter.bad(f"a bye is F, H or Z, not {letter.text[:20]!r}")
    round_ = round_number(one(found[1:], line, "the round"))
    into.byes += [(letter.text.upper(), round_, word) for word in found[2:]]
    into.named += found[2:]


def _absent(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """XXZ: the absent players of the round to be paired."""
    into.away += found
    into.named += found


def _group(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """XXP: players who never meet."""
    into.groups.append(each_of(found, player))
    into.named += found


def _barred(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """260: first and last round, and the players who do not meet in them."""
    first = round_number(one(found, line, "the first round"))
    last = round_number(one(found[1:], line, "the last round"))
    into.barred.append(Barred(first, last, each_of(found[2:], player)))
    into.named += found[2:]


def _acceleration(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """XXA: a player, and the virtual points of each round from the first."""
    word = one(found, line, "the player")
    into.named.append(word)
    for round_, each in enumerate(found[1 : MOST_ROUNDS + 1], start=1):
        into.extra.setdefault(round_, {})[player(word)] = points(each, "virtual points")


def _accelerated(into: FileSettings, found: list[Word], text: str, line: int) -> None:
    """250: virtual match points (of teams), virtual points, first and last round, first and last player."""
    if len(found) not in (5, 6):
        raise BadFile(line, 5, "an acceleration is points, first and last round, first and last player")
    worth, *rest = found[-5:]
    rounds, players = each_of(rest[:2], round_number), each_of(rest[2:], player)
    if len(found) == 6:
        points(found[0], "virtual match points")
    spans = range(rounds[0], rounds[1] + 1), range(players[0], min(players[1], LARGEST) + 1)
    into.spans.append((points(worth, "virtual points"), *spans))


SettingReader = Callable[[FileSettings, list[Word], str, int], None]
READERS: Final[dict[str, SettingReader]] = {
    "012": _name,
    **dict.fromkeys(("142", "XXR"), _rounds),
    "152": _side,
    "XXC": _configuration,
    "162": _letters,
    "XXS": _names,
    "192": _system,
    **dict.fromkeys(("202", "212"), _tiebreaks),
    "240": _byes,
    "XXZ": _absent,
    "250": _accelerated,
    "XXA": _acceleration,
    "260": _barred,
    "XXP": _group,
    **dict.fromkeys(worth.OF_CODE, _single),
}
