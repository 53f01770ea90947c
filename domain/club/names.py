"""Names of people: what may be one, and which people of the club a name may mean."""

import unicodedata
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Final, Literal, TypeAlias

import msgspec

from domain.club.state import Club, Player, same_name
from domain.log.decider import Refusal

Names: TypeAlias = Mapping[str, str | None]  # of people by id; None: erased
Likeness: TypeAlias = Literal["same", "earlier", "accents", "order", "part", "spelling"]
REASONS: Final[tuple[Likeness, ...]] = ("same", "accents", "order", "earlier", "spelling", "part")  # the nearest first
LONGEST: Final = 80
MOST: Final = 5
_JOINERS: Final = "\u200c\u200d"  # part of names in Persian, and of signs that are made of several
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters by name, and nothing to see
_WORD: Final = 0.8  # of two words: one letter of five is another
_WHOLE: Final = 0.88  # of two names


class Near(msgspec.Struct, frozen=True):
    """A person whom a name may mean: how he is called, and what is alike (an `earlier` name, the `part` of a name)."""

    player: str
    name: str
    visitor: bool
    reason: Likeness


def checked_name(text: str) -> str:
    """A name as it is kept, without blanks around it. Raises Refusal for what nobody is called."""
    name = text.strip()
    if not name or len(name) > LONGEST:
        raise Refusal("malformed", f"a name is one line of 1 to {LONGEST} characters")
    if any(not char.isprintable() and char not in _JOINERS for char in name):
        raise Refusal("malformed", "a name has no signs that cannot be seen, and none that turn the text around")
    if not any(unicodedata.category(char)[0] in "LNPS" and char not in _BLANK for char in name):
        raise Refusal("malformed", "a name has at least one letter: write what the person is called")
    return name


def readable_name(text: str) -> str | None:
    """A name that came into a log by a match or a file, as `checked_name` takes it: without signs that cannot be seen,
    and no longer than a name is; None where nothing is left."""
    seen = "".join(char if char.isprintable() or char in _JOINERS else _instead_of(char) for char in text)
    try:
        return checked_name(" ".join(seen.split())[:LONGEST])
    except Refusal:
        return None


def _instead_of(char: str) -> str:
    """The sign in the place of one that is not printed: a blank for a blank, nothing for marks of direction."""
    return "" if unicodedata.category(char) == "Cf" else " "


def bearers(club: Club, name: str) -> tuple[Player, ...]:
    """The people who are called so now, whatever the capitals, width or spaces; who was merged counts once."""
    wanted = same_name(name)
    return tuple(each for each in people(club) if each.name is not None and same_name(each.name) == wanted)


def people(club: Club) -> Iterator[Player]:
    """Everybody whom the club knows by name, each once."""
    for each in club.players.values():
        if each.name is not None and each.id not in club.merged:
            yield each


def near(club: Club, name: str, earlier: bool, but: str | None = None) -> tuple[Near, ...]:
    """The people whom a name may mean, the nearest first; `but` leaves one person out. Names that people had before
    count for those only who may know them (`earlier`)."""
    return Called(club, earlier).near(name, but)


class Called:
    """Everybody of a club with what he is called, for many questions about names."""

    def __init__(self, club: Club, earlier: bool) -> None:
        self._all = tuple(
            (each, Written(each.name or ""), tuple(map(Written, _before(club, each))) if earlier else ())
            for each in people(club)
        )

    def near(self, name: str, but: str | None = None) -> tuple[Near, ...]:
        """The people whom a name may mean, the nearest first."""
        asked, found = Written(name), []
        for each, now, before in self._all:
            if each.id != but and (reason := _alike(now, before, asked)) is not None:
                found.append(Near(each.id, each.name or "", each.visitor, reason))
        return tuple(sorted(found, key=lambda one: (REASONS.index(one.reason), same_name(one.name)))[:MOST])

    def search(self, text: str) -> tuple[Player, ...]:
        """The people whose name holds a text, those first whose name begins with it; then those whose name is near to
        it."""
        asked = Written(text)
        ranks = ((_rank(now, before, asked), each) for each, now, before in self._all)
        found = [(rank, *_by_name(each), each) for rank, each in ranks if rank is not None]
        return tuple(each for *_, each in sorted(found, key=lambda one: one[:3]))


class Written:
    """A name as it is compared: folded, without accents and signs that cannot be seen, and in words."""

    __slots__ = ("folded", "plain", "words")

    def __init__(self, name: str) -> None:
        self.folded = same_name(name)
        bare = (char for char in unicodedata.normalize("NFKD", self.folded) if unicodedata.category(char) not in _LOST)
        self.plain = " ".join("".join(bare).replace("-", " ").replace(".", " ").replace(",", " ").split())
        self.words = tuple(self.plain.split())


_LOST: Final = frozenset(("Mn", "Cf"))


def _before(club: Club, player: Player) -> Iterator[str]:
    """The earlier names of a person, also under the ids that were merged with this one."""
    for id in club.ids_of(player.id) if club.merged else (player.id,):
        known = club.players.get(id)
        if known is not None:
            yield from known.earlier
            if id != player.id and known.name is not None:
                yield known.name


def _alike(now: Written, before: tuple[Written, ...], asked: Written) -> Likeness | None:
    """The likeness between the names of a person and the one that is asked for."""
    reason = _compared(now, asked)
    if reason in ("same", "accents", "order"):
        return reason
    return "earlier" if any(_compared(each, asked) for each in before) else reason


def _rank(now: Written, before: tuple[Written, ...], asked: Written) -> int | None:
    """Ranks how well a text finds a person, 0 best; None where it does not."""
    if not asked.plain or now.plain.startswith(asked.plain):
        return 0
    if any(asked.plain in each.plain for each in (now, *before)):
        return 1
    return 2 if _alike(now, before, asked) else None


def _compared(one: Written, other: Written) -> Likeness | None:
    if one.folded == other.folded:
        return "same"
    if not one.words or not other.words:
        return None
    if one.plain == other.plain:
        return "accents"
    if sorted(one.words) == sorted(other.words):
        return "order"
    if _numbers(one) != _numbers(other):
        return None  # Player 1 is not Player 2
    if _as_close(one.plain, other.plain, _WHOLE) or _words_meet(one, other, whole=True):
        return "spelling"
    return "part" if _words_meet(one, other, whole=False) else None


def _numbers(name: Written) -> tuple[str, ...]:
    return tuple(sorted(word for word in name.words if any(char.isdecimal() for char in word)))


def _words_meet(one: Written, other: Written, whole: bool) -> bool:
    """Tells whether each word of the shorter name is one of the longer, or nearly; `whole`: as many words."""
    shorter, longer = sorted((one.words, other.words), key=lambda words: (len(words), words))
    if whole is not (len(shorter) == len(longer)):
        return False
    left = list(longer)
    for word in shorter:
        found = next((each for each in left if _same_word(each, word)), None)
        if found is None:
            return False
        left.remove(found)
    return any(len(word) > 1 for word in shorter)


def _same_word(one: str, other: str) -> bool:
    return one == other or (one[0] == other[0] and min(len(one), len(other)) > 2 and _as_close(one, other, _WORD))


def _as_close(one: str, other: str, least: float) -> bool:
    """Tells whether two texts are close, by what they share; most pairs are told apart by their lengths."""
    if 2 * min(len(one), len(other)) < least * (len(one) + len(other)):
        return False
    first, second = sorted((one, other))  # its answer depends on the order
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.quick_ratio() >= least and matcher.ratio() >= least


def _by_name(player: Player) -> tuple[str, str]:
    return same_name(player.name or ""), player.id
