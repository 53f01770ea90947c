"""Why two players meet, in words that a player understands."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from domain.tournament.crosstable import Rules, Tenths
from domain.tournament.naming import listed
from domain.tournament.swiss.answer import NO_OPPONENT, Why
from domain.tournament.swiss.bracket import Bracket, Split
from domain.tournament.swiss.criteria import broken_sides
from domain.tournament.swiss.criteria_till_2026 import SIDES
from domain.tournament.swiss.entrants import Entrant, Float, legal
from domain.tournament.swiss.sides import allocated
from domain.tournament.tiebreaks.terms import points

OLD = SIDES | {"C14": "C12", "C15": "C13", "C16": "C14", "C17": "C15"}


def called(player: Entrant) -> str:
    """A number where a name may stand: {7}."""
    return f"{{{player.number}}}"


class Words:
    """Tells of one bracket after the other, remembering who floated and why. `players` are all who are there, `rested`
    the numbers that have had the bye, `lent` the virtual points of this round by number."""

    def __init__(
        self,
        rules: Rules,
        odd_first: bool,
        sides: bool,
        players: Sequence[Entrant] = (),
        rested: Collection[int] = (),
        lent: Mapping[int, Tenths] | None = None,
    ) -> None:
        self.rules, self.odd_first, self.sides = rules, odd_first, sides
        self.players, self.rested, self.lent = players, rested, lent or {}
        self.floated: dict[int, str] = {}
        self.repeated: dict[int, list[str]] = {}

    def bracket(self, bracket: Bracket, split: Split) -> Iterator[Why]:
        """Each pair of a bracket, and at the end the bye."""
        for high, low in split.pairs:
            yield self.pair(high, low, bracket)
        for player in split.left:
            if player.number not in self.floated:
                self.floated[player.number] = _cause(player, bracket, self._stands(player))
                self.repeated[player.number] = _repeated(player, bracket)
        if not bracket.following and not bracket.below:
            yield from (self._bye(player, bracket) for player in split.left)

    def pair(self, high: Entrant, low: Entrant, bracket: Bracket | None) -> Why:
        """A pair; without a bracket nothing is said of criteria."""
        first, second, rule = allocated(high, low, self.odd_first)
        level, floats = high.score, high.score != low.score
        criteria: list[str] = []
        if bracket is not None:
            level = min(player.score for player in bracket.residents)
            criteria = [*self.repeated.get(high.number, []), *self._broken(high, low, bracket)]
        told = [self._floats(high, low) if floats else self._level(high, low)]
        told += [_sides(high, low, rule, self.odd_first)] if self.sides else []
        told += self._costs(criteria, high, low)
        return Why(
            (first.number, second.number), level, (high.number,) if floats else (), (low.number,) if floats else (),
            tuple(self._named(criteria)), self._article(rule), " ".join(told),
        )  # fmt: skip

    def bye(self, player: Entrant, level: Tenths, criteria: Sequence[str] = ()) -> Why:
        """Who meets nobody."""
        told = [
            f"{called(player)} has the bye, with {points(player.score - self._lent(player))}: {self._lower(player)}."
        ]
        told += self._costs(criteria, player, player)
        names = tuple(self._named(criteria))
        return Why((player.number, NO_OPPONENT), level, (player.number,), (), names, None, " ".join(told))

    def _lower(self, player: Entrant) -> str:
        """Why it is nobody below who has the bye."""
        lower = [other for other in self.players if other.rank > player.rank]
        if not lower or not all(other.barred for other in lower):
            return "nobody lower can have it"
        names = listed([called(other) for other in lower])
        had = "have" if len(lower) > 1 else "has"
        rested = all(other.number in self.rested for other in lower)
        return f"{names} {had} had {'it' if rested else 'a win without play'}"

    def _lent(self, player: Entrant) -> Tenths:
        return self.lent.get(player.number, 0)

    def _stands(self, player: Entrant) -> str:
        """2 points; of a player of the accelerated half: 2 points (1 of them lent)."""
        lent = self._lent(player)
        return points(player.score) + (f" ({lent / 10:g} of them lent)" if lent else "")

    def _level(self, high: Entrant, low: Entrant) -> str:
        """The score of two who stand on the same."""
        own, lent = high.score - self._lent(high), self._lent(high)
        if lent == self._lent(low):
            if not lent:
                return f"Both have {points(high.score)}."
            return (
                f"Both stand on {points(high.score)}: {own / 10:g} and the {lent / 10:g} that the upper half is lent."
            )
        return f"Both stand on {points(high.score)}: {listed([self._made_of(high), self._made_of(low)])}."

    def _made_of(self, player: Entrant) -> str:
        own, lent = player.score - self._lent(player), self._lent(player)
        return f"{called(player)} with {own / 10:g}" + (f" and {lent / 10:g} lent" if lent else "")

    def _floats(self, high: Entrant, low: Entrant) -> str:
        cause = self.floated.get(high.number)
        if cause is None:
            return f"{called(low)} is the nearest player whom {called(high)} has not met."
        return f"{called(high)} floats down: {cause}."

    def _bye(self, player: Entrant, bracket: Bracket) -> Why:
        level = min(other.score for other in bracket.residents)
        return self.bye(player, level, self.repeated.get(player.number, []))

    def _broken(self, high: Entrant, low: Entrant, bracket: Bracket) -> Iterator[str]:
        """What the pair breaks and another legal opponent, for one of the two, would not have broken."""
        broken = self._breaches(high, low)
        for name in broken:
            if any(name not in self._breaches(*each) for each in _others(high, low, bracket)):
                yield name

    def _breaches(self, high: Entrant, low: Entrant) -> list[str]:
        found = sorted(broken_sides(high, low, self.odd_first))
        if high.score > low.score:
            found += [name for name, last in (("C15", low.last), ("C17", low.before)) if last is Float.UP]
        return found

    def _costs(self, criteria: Sequence[str], high: Entrant, low: Entrant) -> Iterator[str]:
        """What a pair costs that another one would not have, with the number of the rule."""
        strongly = "C13" in criteria
        for name in criteria:
            if name == "C12" and strongly:
                continue
            named = ", ".join(self._named(("C12", "C13") if name == "C13" else (name,)))
            yield f"{_cost(name, high, low)} ({named})."

    def _named(self, criteria: Sequence[str]) -> Iterator[str]:
        old = self.rules == "dutch-till-2026"
        return (OLD[name] if old else name for name in criteria)

    def _article(self, rule: int) -> str | None:
        if not self.sides:
            return None
        return f"E.{rule}" if self.rules == "dutch-till-2026" else f"5.2.{rule}"


def _others(high: Entrant, low: Entrant, bracket: Bracket) -> Iterator[tuple[Entrant, Entrant]]:
    for other in bracket.residents:
        if other not in (high, low) and legal(high, other):
            yield min(high, other, key=_rank), max(high, other, key=_rank)
    for other in bracket.players:
        if other not in (high, low) and legal(low, other) and (low.score == other.score or other.score > low.score):
            yield min(low, other, key=_rank), max(low, other, key=_rank)


def _rank(player: Entrant) -> tuple[int, int]:
    return player.rank


def _cost(name: str, high: Entrant, low: Entrant) -> str:
    """A criterion that a pair breaks, in words."""
    match name:
        case "C10":
            return "One of them will have dealt first, or second, three times more often than the other way"
        case "C11":
            return "One of them deals first, or second, for the third time running"
        case "C12":
            return f"Both wanted to deal {_turn(high.wish)}; only one could"
        case "C13":
            return f"Both wanted to deal {_turn(high.wish)}, and had a strong claim; only one could"
        case "C14":
            return f"{called(high)} floated down in the last round too"
        case "C15":
            return f"{called(low)} floated up in the last round too"
        case "C16":
            return f"{called(high)} floated down two rounds ago too"
        case _:
            return f"{called(low)} floated up two rounds ago too"


def _cause(player: Entrant, bracket: Bracket, where: str) -> str:
    """Why somebody who stands on `where` points is left over in a bracket."""
    others = [other for other in bracket.players if other is not player]
    if not others:
        return f"alone on {where}"
    if not any(legal(player, other) for other in others):
        return f"no opponent on {where} whom {called(player)} may meet"
    if len(others) % 2 == 0:
        return f"one too many on {where}"
    return f"if all on {where} were paired there, somebody below would have nobody to meet"


def _repeated(player: Entrant, bracket: Bracket) -> list[str]:
    """C14 and C16, where somebody else could have floated for whom it was the first time."""
    if player not in bracket.residents:
        return []
    others = [other for other in bracket.residents if other is not player]
    last = player.last is Float.DOWN and any(other.last is not Float.DOWN for other in others)
    before = player.before is Float.DOWN and any(other.before is not Float.DOWN for other in others)
    return [name for name, broken in (("C14", last), ("C16", before)) if broken]


def _sides(high: Entrant, low: Entrant, rule: int, odd_first: bool) -> str:
    """How it was settled who deals first."""
    if rule == 1:
        wishes = [(player, player.wish) for player in (high, low) if player.wish is not None]
        if len(wishes) == 1:
            (player, wish), *_ = wishes
            return f"It is {called(player)}'s turn to deal {_turn(wish)}."
        (one, wish), (other, _) = wishes
        return f"It is {called(one)}'s turn to deal {_turn(wish)}, and {called(other)}'s to deal {_turn(not wish)}."
    if rule == 5:
        first, *_ = allocated(high, low, odd_first)
        parity = "odd" if high.place % 2 else "even"
        return f"The lot gave {parity} seeds the {_turn(first is high)} deal."
    both = high.sides and low.sides and high.sides[-1] == low.sides[-1]
    told = f"Both last dealt {_turn(high.sides[-1])}" if both else f"Both are due to deal {_turn(bool(high.wish))}"
    if high.wish is None:
        told = "Neither is due to deal first"
    how = {
        2: "the stronger claim is granted",
        3: "they change from the last round in which they dealt differently",
        4: "the higher-ranked gets the wish",
    }
    return f"{told}; {how[rule]}."


def _turn(first: bool | None) -> str:
    return "first" if first else "second"
