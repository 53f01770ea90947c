"""What a file says about the tournament as a whole, code by code; a code that is not here is kept and not read."""

from collections.abc import Callable
from typing import Final

from domain.tournament.crosstable import Rules, Tenths
from domain.tournament.trf import worth
from domain.tournament.trf.fields import (
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
from domain.tournament.trf.model import BadFile, Barred

_FROM_2026: Final = 2025  # TRF26 calls the rules of 2026 FIDE_DUTCH_2025


class Settings:
    """What has been read so far."""

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
        """Take what a line says, if it is of a known code."""
        reader = READERS.get(text[:3])
        if reader is not None:
            reader(self, words(text, line), text, line)

    @property
    def rules(self) -> Rules | None:
        """The rules of pairing by code 192; None when it says nothing of them."""
        parts = self.system.split("_")
        if parts[:2] == ["CUSTOM", "MONRAD"]:
            return "monrad"
        if parts[:2] != ["FIDE", "DUTCH"]:
            return None
        years = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) == 4]
        return "dutch-till-2026" if years and years[0] < _FROM_2026 else "dutch-2026"


def _name(into: Settings, found: list[Word], text: str, line: int) -> None:
    into.name = text[3:].strip()


def _rounds(into: Settings, found: list[Word], text: str, line: int) -> None:
    into.rounds = number(one(found, line, "the number of rounds"), "the number of rounds", 0, MOST_ROUNDS)


def _side(into: Settings, found: list[Word], text: str, line: int) -> None:
    """152: the side of number 1 in round 1, W or B."""
    word = one(found, line, "the initial side")
    if word.text.upper() not in ("W", "B"):
        raise word.bad(f"the initial side is W or B, not {word.text[:20]!r}")
    into.first_deals = word.text.upper() == "W"


def _configuration(into: Settings, found: list[Word], text: str, line: int) -> None:
    """XXC: white1 or black1; `rank` and whatever else is for other programs."""
    for word in found:
        if word.text.lower() in ("white1", "black1"):
            into.first_deals = word.text.lower() == "white1"


def _letters(into: Settings, found: list[Word], text: str, line: int) -> None:
    into.points |= worth.by_letter(found)


def _names(into: Settings, found: list[Word], text: str, line: int) -> None:
    into.points |= worth.by_name(found)


def _single(into: Settings, found: list[Word], text: str, line: int) -> None:
    """BBW and its kin: one number of points."""
    value = points(one(found, line, "the number of points"), "points")
    into.points |= dict.fromkeys(worth.OF_CODE[text[:3]], value)


def _system(into: Settings, found: list[Word], text: str, line: int) -> None:
    into.system = one(found, line, "the type of tournament").text.upper()


def _tiebreaks(into: Settings, found: list[Word], text: str, line: int) -> None:
    """202 names what breaks ties; 212 names the same with the points, PTS, in their place."""
    codes = tuple(word.text.upper() for word in found)
    into.tiebreaks = codes if "PTS" in codes else ("PTS", *codes)


def _byes(into: Settings, found: list[Word], text: str, line: int) -> None:
    """240: letter, round, players."""
    letter = one(found, line, "the kind of bye")
    if letter.text.upper() not in ("F", "H", "Z"):
        raise letter.bad(f"a bye is F, H or Z, not {letter.text[:20]!r}")
    round_ = round_number(one(found[1:], line, "the round"))
    into.byes += [(letter.text.upper(), round_, word) for word in found[2:]]
    into.named += found[2:]


def _absent(into: Settings, found: list[Word], text: str, line: int) -> None:
    """XXZ: who is not there in the round to be paired."""
    into.away += found
    into.named += found


def _group(into: Settings, found: list[Word], text: str, line: int) -> None:
    """XXP: players who never meet."""
    into.groups.append(each_of(found, player))
    into.named += found


def _barred(into: Settings, found: list[Word], text: str, line: int) -> None:
    """260: first and last round, and the players who do not meet in them."""
    first = round_number(one(found, line, "the first round"))
    last = round_number(one(found[1:], line, "the last round"))
    into.barred.append(Barred(first, last, each_of(found[2:], player)))
    into.named += found[2:]


def _acceleration(into: Settings, found: list[Word], text: str, line: int) -> None:
    """XXA: a player, and the virtual points of each round from the first."""
    word = one(found, line, "the player")
    into.named.append(word)
    for round_, each in enumerate(found[1 : MOST_ROUNDS + 1], start=1):
        into.extra.setdefault(round_, {})[player(word)] = points(each, "virtual points")


def _accelerated(into: Settings, found: list[Word], text: str, line: int) -> None:
    """250: virtual match points (of teams), virtual points, first and last round, first and last player."""
    if len(found) not in (5, 6):
        raise BadFile(line, 5, "an acceleration is points, first and last round, first and last player")
    worth, *rest = found[-5:]
    rounds, players = each_of(rest[:2], round_number), each_of(rest[2:], player)
    if len(found) == 6:
        points(found[0], "virtual match points")
    spans = range(rounds[0], rounds[1] + 1), range(players[0], min(players[1], LARGEST) + 1)
    into.spans.append((points(worth, "virtual points"), *spans))


Reader = Callable[[Settings, list[Word], str, int], None]
READERS: Final[dict[str, Reader]] = {
    "012": _name, "142": _rounds, "XXR": _rounds, "152": _side, "XXC": _configuration, "162": _letters, "XXS": _names,
    "192": _system, "202": _tiebreaks, "212": _tiebreaks, "240": _byes, "XXZ": _absent, "250": _accelerated,
    "XXA": _acceleration, "260": _barred, "XXP": _group,
    **dict.fromkeys(worth.OF_CODE, _single),
}  # fmt: skip
