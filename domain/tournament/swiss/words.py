"""Why two players meet, in words that a player understands."""

from collections.abc import Iterator, Sequence

from domain.tournament.crosstable import Rules, Tenths
from domain.tournament.swiss.answer import NO_OPPONENT, Why
from domain.tournament.swiss.bracket import Bracket, Split
from domain.tournament.swiss.criteria import broken_sides
from domain.tournament.swiss.criteria_till_2026 import SIDES
from domain.tournament.swiss.entrants import Entrant, Float, legal
from domain.tournament.swiss.sides import allocated

OLD = SIDES | {"C14": "C12", "C15": "C13", "C16": "C14", "C17": "C15"}


def called(player: Entrant) -> str:
    """A number where a name may stand: {7}."""
    return f"{{{player.number}}}"


def points(score: Tenths) -> str:
    """2 points, 1 point, 0.5 points."""
    return f"{score / 10:g} point{'' if score == 10 else 's'}"


class Words:
    """Tells of one bracket after the other, remembering who floated and why."""

    def __init__(self, rules: Rules, odd_first: bool, sides: bool) -> None:
        self.rules, self.odd_first, self.sides = rules, odd_first, sides
        self.floated: dict[int, str] = {}
        self.repeated: dict[int, list[str]] = {}

    def bracket(self, bracket: Bracket, split: Split) -> Iterator[Why]:
        """Each pair of a bracket, and at the end the bye."""
        for high, low in split.pairs:
            yield self.pair(high, low, bracket)
        for player in split.left:
            if player.number not in self.floated:
                self.floated[player.number] = _cause(player, bracket)
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
        cause = self.floated.get(high.number, "the next one not met")
        told = f"{called(high)} floats down: {cause}." if floats else f"Both have {points(high.score)}."
        wishes = f" {_sides(high, low, rule)}" if self.sides else ""
        return Why(
            (first.number, second.number), level, (high.number,) if floats else (), (low.number,) if floats else (),
            tuple(self._named(criteria)), self._article(rule), told + wishes,
        )  # fmt: skip

    def bye(self, player: Entrant, level: Tenths, criteria: Sequence[str] = ()) -> Why:
        """Who meets nobody."""
        told = f"{called(player)} has the bye, with {points(player.score)}: nobody lower can have it."
        names = tuple(self._named(criteria))
        return Why((player.number, NO_OPPONENT), level, (player.number,), (), names, None, told)

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


def _cause(player: Entrant, bracket: Bracket) -> str:
    """Why somebody is left over in a bracket."""
    others = [other for other in bracket.players if other is not player]
    where = points(player.score)
    if not others:
        return f"alone on {where}"
    if not any(legal(player, other) for other in others):
        return f"no opponent on {where} whom {called(player)} may meet"
    if len(others) % 2 == 0:
        return f"one too many on {where}"
    return f"not all on {where} can be paired there so that everybody below can be paired too"


def _repeated(player: Entrant, bracket: Bracket) -> list[str]:
    """C14 and C16, where somebody else could have floated for whom it was the first time."""
    if player not in bracket.residents:
        return []
    others = [other for other in bracket.residents if other is not player]
    last = player.last is Float.DOWN and any(other.last is not Float.DOWN for other in others)
    before = player.before is Float.DOWN and any(other.before is not Float.DOWN for other in others)
    return [name for name, broken in (("C14", last), ("C16", before)) if broken]


def _sides(high: Entrant, low: Entrant, rule: int) -> str:
    """How it was settled who deals first."""
    if rule == 1:
        wishes = [(player, player.wish) for player in (high, low) if player.wish is not None]
        told = " and ".join(f"{called(player)} is due to deal {_turn(wish)}" for player, wish in wishes)
        return f"{told[0].upper()}{told[1:]}: granted."
    if rule == 5:
        parity = "odd" if high.place % 2 else "even"
        return f"Nothing else decides: {called(high)} has an {parity} place by seed, as the lot fell."
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
