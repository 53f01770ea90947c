"""The explanation of each pair and of the bye, as messages: the scores, who deals first, and what the pair costs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from domain.log.message import Message
from domain.pairing.crosstable import NO_OPPONENT, Rules, Tenths
from domain.pairing.swiss.answer import PairReason
from domain.pairing.swiss.bracket import Split, SwissBracket
from domain.pairing.swiss.criteria import broken_sides
from domain.pairing.swiss.criteria_till_2026 import SIDES
from domain.pairing.swiss.entrants import Float, SwissPlayer, legal
from domain.pairing.swiss.sides import allocated

OLD: Final = SIDES | {"C14": "C12", "C15": "C13", "C16": "C14", "C17": "C15"}


class Reasons:
    """Explains one bracket after the other, remembering who floated and why. `players` are all who are there, `rested`
    the numbers that have had the bye, `lent` the virtual points of this round by number."""

    def __init__(
        self,
        rules: Rules,
        odd_first: bool,
        sides: bool,
        players: Sequence[SwissPlayer] = (),
        rested: Collection[int] = (),
        lent: Mapping[int, Tenths] | None = None,
    ) -> None:
        self.rules, self.odd_first, self.sides = rules, odd_first, sides
        self.players, self.rested, self.lent = players, rested, lent or {}
        self.floated: dict[int, Message] = {}
        self.repeated: dict[int, list[str]] = {}

    def bracket(self, bracket: SwissBracket, split: Split) -> Iterator[PairReason]:
        """Each pair of a bracket, and at the end the bye."""
        for high, low in split.pairs:
            yield self.pair(high, low, bracket)
        for player in split.left:
            if player.number not in self.floated:
                self.floated[player.number] = _floated(player, bracket, self._lent(player))
                self.repeated[player.number] = _repeated(player, bracket)
        if not bracket.following and not bracket.below:
            yield from (self._bye(player, bracket) for player in split.left)

    def pair(self, high: SwissPlayer, low: SwissPlayer, bracket: SwissBracket | None) -> PairReason:
        """A pair; without a bracket nothing is said of criteria."""
        first, second, rule = allocated(high, low, self.odd_first)
        level, floats = high.score, high.score != low.score
        criteria: list[str] = []
        if bracket is not None:
            level = min(player.score for player in bracket.residents)
            criteria = [*self.repeated.get(high.number, []), *self._broken(high, low, bracket)]
        told = [self._floats(high, low) if floats else self._level(high, low)]
        told += [turn_to_deal(high, low, rule, self.odd_first)] if self.sides else []
        told += self._costs(criteria, high, low)
        return PairReason(
            pair=(first.number, second.number),
            bracket=level,
            down=(high.number,) if floats else (),
            up=(low.number,) if floats else (),
            criteria=self._numbers(criteria),
            sides=self._article(rule),
            told=tuple(told),
        )

    def bye(self, player: SwissPlayer, level: Tenths, criteria: Sequence[str] = ()) -> PairReason:
        """The bye."""
        told = (self._bye_message(player), *self._costs(criteria, player, player))
        pair = player.number, NO_OPPONENT
        return PairReason(pair, level, (player.number,), (), self._numbers(criteria), None, told)

    def _bye_message(self, player: SwissPlayer) -> Message:
        """The bye with the reason for which nobody below has it."""
        own = {"own": player.score - self._lent(player)}
        lower = [other for other in self.players if other.rank > player.rank]
        if not lower or not all(other.barred for other in lower):
            return Message("swiss.bye", own, {"player": player.number})
        kind = "swiss.bye-rested" if all(other.number in self.rested for other in lower) else "swiss.bye-unplayed"
        return Message(kind, own, {"player": player.number, "lower": tuple(other.number for other in lower)})

    def _lent(self, player: SwissPlayer) -> Tenths:
        return self.lent.get(player.number, 0)

    def _level(self, high: SwissPlayer, low: SwissPlayer) -> Message:
        """The score of two who stand on the same, with what is lent of it."""
        lent, low_lent = self._lent(high), self._lent(low)
        own = high.score - lent
        if lent != low_lent:
            values = {"score": high.score, "high_own": own, "high_lent": lent}
            values |= {"low_own": low.score - low_lent, "low_lent": low_lent}
            return Message("swiss.level-unlike", values, {"high": high.number, "low": low.number})
        if lent:
            return Message("swiss.level-lent", {"score": high.score, "own": own, "lent": lent})
        return Message("swiss.level", {"score": high.score})

    def _floats(self, high: SwissPlayer, low: SwissPlayer) -> Message:
        nearest = Message("swiss.nearest", people={"low": low.number, "high": high.number})
        return self.floated.get(high.number, nearest)

    def _bye(self, player: SwissPlayer, bracket: SwissBracket) -> PairReason:
        level = min(other.score for other in bracket.residents)
        return self.bye(player, level, self.repeated.get(player.number, []))

    def _broken(self, high: SwissPlayer, low: SwissPlayer, bracket: SwissBracket) -> Iterator[str]:
        """The criteria that the pair breaks, and that another legal opponent of one of the two would have kept."""
        broken = self._breaches(high, low)
        for name in broken:
            if any(name not in self._breaches(*each) for each in _others(high, low, bracket)):
                yield name

    def _breaches(self, high: SwissPlayer, low: SwissPlayer) -> list[str]:
        found = sorted(broken_sides(high, low, self.odd_first))
        if high.score > low.score:
            found += [name for name, last in (("C15", low.last), ("C17", low.before)) if last is Float.UP]
        return found

    def _costs(self, criteria: Sequence[str], high: SwissPlayer, low: SwissPlayer) -> Iterator[Message]:
        """The costs that another pair would not have had, each with the number of the rule."""
        strongly = "C13" in criteria
        for name in criteria:
            if name == "C12" and strongly:
                continue
            numbers = self._numbers(("C12", "C13") if name == "C13" else (name,))
            yield _cost(name, ", ".join(numbers), high, low)

    def _numbers(self, criteria: Sequence[str]) -> tuple[str, ...]:
        """The criteria by their numbers in the edition that the round is paired by."""
        old = self.rules == "dutch-till-2026"
        return tuple(OLD[name] if old else name for name in criteria)

    def _article(self, rule: int) -> str | None:
        if not self.sides:
            return None
        return f"E.{rule}" if self.rules == "dutch-till-2026" else f"5.2.{rule}"


def _others(high: SwissPlayer, low: SwissPlayer, bracket: SwissBracket) -> Iterator[tuple[SwissPlayer, SwissPlayer]]:
    for other in bracket.residents:
        if other not in (high, low) and legal(high, other):
            yield min(high, other, key=_rank), max(high, other, key=_rank)
    for other in bracket.players:
        if other not in (high, low) and legal(low, other) and (low.score == other.score or other.score > low.score):
            yield min(low, other, key=_rank), max(low, other, key=_rank)


def _rank(player: SwissPlayer) -> tuple[int, int]:
    return player.rank


def _cost(name: str, numbers: str, high: SwissPlayer, low: SwissPlayer) -> Message:
    """A criterion that a pair breaks."""
    named = {"criteria": numbers}
    match name:
        case "C10" | "C11":
            return Message(f"swiss.{name}", named)
        case "C12" | "C13":
            return Message(f"swiss.{name}", {"turn": turn(high.wish), **named})
        case "C14" | "C16":
            return Message(f"swiss.{name}", named, {"player": high.number})
        case _:
            return Message(f"swiss.{name}", named, {"player": low.number})


def _floated(player: SwissPlayer, bracket: SwissBracket, lent: Tenths) -> Message:
    """The reason for which a player is left over in a bracket."""
    return Message(
        f"swiss.floats-{_cause(player, bracket)}", {"score": player.score, "lent": lent}, {"high": player.number}
    )


def _cause(player: SwissPlayer, bracket: SwissBracket) -> str:
    others = [other for other in bracket.players if other is not player]
    if not others:
        return "alone"
    if not any(legal(player, other) for other in others):
        return "without-opponent"
    return "odd" if len(others) % 2 == 0 else "for-those-below"


def _repeated(player: SwissPlayer, bracket: SwissBracket) -> list[str]:
    """C14 and C16, where somebody else could have floated for whom it was the first time."""
    if player not in bracket.residents:
        return []
    others = [other for other in bracket.residents if other is not player]
    last = player.last is Float.DOWN and any(other.last is not Float.DOWN for other in others)
    before = player.before is Float.DOWN and any(other.before is not Float.DOWN for other in others)
    return [name for name, broken in (("C14", last), ("C16", before)) if broken]


def turn_to_deal(high: SwissPlayer, low: SwissPlayer, rule: int, odd_first: bool) -> Message:
    """The reason for which one of two deals first: a wish (5.2.1), what both want (5.2.2 to 5.2.4), the lot (5.2.5)."""
    if rule == 1:
        return _wish_granted(high, low)
    if rule == 5:
        first, *_ = allocated(high, low, odd_first)
        return Message("swiss.lot-odd" if high.place % 2 else "swiss.lot-even", {"turn": turn(first is high)})
    article = f"5.2.{rule}"
    if high.wish is None:
        return Message(f"swiss.neither-due-{article}")
    if high.sides and low.sides and high.sides[-1] == low.sides[-1]:
        return Message(f"swiss.last-dealt-{article}", {"turn": turn(high.sides[-1])})
    return Message(f"swiss.due-{article}", {"turn": turn(high.wish)})


def _wish_granted(high: SwissPlayer, low: SwissPlayer) -> Message:
    wishes = [(player.number, player.wish) for player in (high, low) if player.wish is not None]
    if len(wishes) == 1:
        ((player, wish),) = wishes
        return Message("swiss.turn", {"turn": turn(wish)}, {"player": player})
    (one, wish), (other, _) = wishes
    return Message("swiss.turns", {"turn": turn(wish), "other_turn": turn(not wish)}, {"one": one, "other": other})


def turn(first: bool | None) -> int:
    """1 for who deals first, 2 for who deals second."""
    return 1 if first else 2
