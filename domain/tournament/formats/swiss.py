"""Swiss: so many rounds, in each those of a score meet, and nobody meets twice."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

import msgspec

from domain.decider import Refusal
from domain.tournament.bracket import Fixture, SeedSlot
from domain.tournament.crosstable import Crosstable, Outcome, Rules
from domain.tournament.format import Drawn, Format, Own, StageSoFar
from domain.tournament.places import Place, of_table
from domain.tournament.swiss.acceleration import baku
from domain.tournament.swiss.answer import NoLegalPairing, Paired
from domain.tournament.swiss.pairing import pair
from domain.tournament.swiss.relaxed import broken_by, relaxed
from domain.tournament.tabled import BYES, settled, table_of


class Swiss(Format, frozen=True, tag="swiss"):
    """Those of a score meet. `sides: none` where nobody deals first more often than the other, as in matches of an
    even number of deals."""

    title: ClassVar = "Swiss"
    balances_first_deal: ClassVar = True
    tiebreaks: ClassVar = ("PTS", "DE", "BH/C1", "BH", "SB", "WON")
    late_entry: ClassVar = True
    drawn_round_by_round: ClassVar = True
    rounds: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    rules: Rules = "dutch-2026"
    acceleration: Literal["none", "baku"] = "none"
    sides: Literal["balanced", "none"] = "balanced"

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """Nothing is known beforehand."""
        if not 2 <= entrants <= self.most:
            raise Refusal("entrants", f"a Swiss is played by 2 to {self.most}, not {entrants}")
        return ()

    def draw(self, field: StageSoFar) -> Drawn:
        """The next round by the rules; where no pairing keeps their absolute criteria, the one that breaks them least,
        and it says which."""
        round_ = self._next(field)
        table = self._known(field)
        absent = self._absent(field)
        found = pair(table, round_, self.rules, absent, self.sides == "balanced", "{{{}}}".format)
        if isinstance(found, NoLegalPairing):
            made = relaxed(table, round_, absent, found, self.sides == "balanced")
            return msgspec.structs.replace(made, byes={**self._rest(field), **made.byes})
        return _drawn(found, field)

    def director_pairs(self, field: StageSoFar, pairs: Own, knowingly: bool) -> Drawn:
        """The director's own round. Raises Refusal for one that leaves somebody out, or breaks an absolute criterion
        without its being said."""
        round_, table = self._next(field), self._known(field)
        absent = self._absent(field)
        wanted = sorted(seed for seed in range(1, field.entrants + 1) if seed not in absent)
        given = sorted(seed for each in pairs for seed in each if seed)
        if given != wanted or sum(0 in each for each in pairs) > len(wanted) % 2:
            raise Refusal(
                "malformed", "pair everybody who is there, each once; there is a bye only when their number is odd"
            )
        broken = broken_by(table, round_, absent, pairs, self.sides == "balanced")
        if broken and not knowingly:
            said = "; ".join(broken.values())
            raise Refusal(
                "confirm-needed", f"{said.translate(_BARE)}: record it all the same (`knowingly`) if you mean it"
            )
        fixtures = _fixtures(round_, tuple(each for each in pairs if 0 not in each))
        why = {
            each.id: f"Paired by the director. {broken.get(place, '')}".strip() for place, each in enumerate(fixtures)
        }
        resting = next((max(each) for each in pairs if 0 in each), None)
        byes = {**self._rest(field), **({resting: "bye"} if resting else {})}
        return Drawn(round_, fixtures, byes, why, {resting: "The director gave the bye."} if resting else {})

    def further(self, field: StageSoFar) -> Drawn:
        """Tables for who came after the last round was drawn: they meet among themselves; of an odd number one
        plays who has the bye. Raises Refusal."""
        round_ = field.rounds
        found = {name: each for name, each in field.found.items() if each.fixture.round < round_}
        here = [each for each in field.found.values() if each.fixture.round == round_]
        free = _free(field, {seed for each in here for seed in each.seeds})
        if len(free) < 2:
            raise Refusal("misfit", "nobody is there to be paired: tables are added for two who came late, or for one "
                                    "and who has the bye")  # fmt: skip
        away = {seed: "zero" for seed in range(1, field.entrants + 1) if seed not in free}
        before = msgspec.structs.replace(field, found=found, byes=field.byes[:-1], away=away)
        drawn = msgspec.structs.replace(self.draw(before), byes={}, why_bye={})
        return _numbered_from(drawn, max(int(each.fixture.id.partition(".")[2]) for each in here) + 1)

    def breaks(self, field: StageSoFar) -> bool:
        """Whether the round that was paired last breaks an absolute criterion."""
        round_ = field.rounds
        pairs = [(each.sides[0], each.sides[1]) for each in field.found.values() if each.fixture.round == round_]
        pairs += [(seed, 0) for seed, kind in field.byes[-1].items() if kind == "bye"]
        there = {seed for each in pairs for seed in each}
        absent = {seed: Outcome.ZERO_BYE for seed in range(1, field.entrants + 1) if seed not in there}
        return bool(broken_by(self._before(field, round_ - 1), round_, absent, pairs, self.sides == "balanced"))

    def over(self, field: StageSoFar) -> bool:
        """Whether the last round is paired and decided."""
        return field.rounds >= self.rounds and super().over(field)

    def to_come(self, field: StageSoFar) -> int:
        """The rounds that have not been drawn."""
        return max(self.rounds - field.rounds, 0)

    def crosstable(self, field: StageSoFar) -> Crosstable:
        """Who met whom so far."""
        table = table_of(field, max(field.rounds, 1), fixed=False)
        return msgspec.structs.replace(table, rules=self.rules)

    def places(self, field: StageSoFar) -> tuple[Place, ...]:
        """By points and tie-breaks."""
        return of_table(self.crosstable(field), self.ordered_by(field))

    def _next(self, field: StageSoFar) -> int:
        if field.rounds >= self.rounds:
            raise Refusal("misfit", f"all {self.rounds} rounds have been paired")
        return field.rounds + 1

    def _known(self, field: StageSoFar) -> Crosstable:
        """What the next round is paired from."""
        return self._before(field, field.rounds)

    def _before(self, field: StageSoFar, rounds: int) -> Crosstable:
        """What a round was paired from, after so many."""
        table = table_of(field, rounds, fixed=False)
        table = msgspec.structs.replace(settled(table), rounds=self.rounds, rules=self.rules, forbidden=field.met)
        return baku(table) if self.acceleration == "baku" else table

    def _absent(self, field: StageSoFar) -> dict[int, Outcome]:
        granted = {seed: BYES[kind] for seed, kind in field.away.items()}
        return {**granted, **dict.fromkeys(field.gone, Outcome.ZERO_BYE)}

    def _rest(self, field: StageSoFar) -> dict[int, str]:
        return {seed: kind for seed, kind in field.away.items() if seed not in field.gone}


FORMAT = Swiss
_BARE = {ord("{"): "seed ", ord("}"): None}


def _fixtures(round_: int, pairs: Own) -> tuple[Fixture, ...]:
    return tuple(
        Fixture(f"R{round_}.{board}", round_, (SeedSlot(one), SeedSlot(other)))
        for board, (one, other) in enumerate(pairs, start=1)
    )


def _free(field: StageSoFar, seated: set[int]) -> set[int]:
    """Who can still play in the last round, an even number: who has the bye stands back first, then who came last."""
    byes = field.byes[-1]
    late = [
        seed for seed in range(1, field.entrants + 1)
        if seed not in seated and seed not in field.gone and seed not in byes
    ]  # fmt: skip
    resting = [seed for seed, kind in byes.items() if kind == "bye" and seed not in field.gone]
    if not late:
        return set()
    free = [*late, *resting]
    return set(free if len(free) % 2 == 0 else free[:-1])


def _numbered_from(drawn: Drawn, board: int) -> Drawn:
    """The same tables, their boards counted from another number on."""
    names = {each.id: f"R{drawn.round}.{at}" for at, each in enumerate(drawn.fixtures, start=board)}
    fixtures = tuple(msgspec.structs.replace(each, id=names[each.id]) for each in drawn.fixtures)
    why = {names[name]: text for name, text in drawn.why.items()}
    return msgspec.structs.replace(drawn, fixtures=fixtures, why=why)


def _drawn(found: Paired, field: StageSoFar) -> Drawn:
    fixtures = _fixtures(found.round, found.pairs)
    told = {each.pair: " ".join((each.text, *_assumed(field, each.pair))) for each in found.why}
    why = {fixture.id: told[pair] for fixture, pair in zip(fixtures, found.pairs, strict=True)}
    byes = {seed: kind for seed, kind in field.away.items() if seed not in field.gone}
    if found.bye is None:
        return Drawn(found.round, fixtures, byes, why)
    return Drawn(found.round, fixtures, {**byes, found.bye: "bye"}, why, {found.bye: told[found.bye, 0]})


def _assumed(field: StageSoFar, seeds: tuple[int, ...]) -> Iterator[str]:
    """What was assumed of matches that are still open."""
    worth = "half a point" if field.terms.match_points().draw == 5 else "a draw"
    for each in field.found.values():
        if each.status == "ready":
            for seed in sorted(set(seeds) & set(each.seeds)):
                yield f"{{{seed}}}'s match of round {each.fixture.round} is open and counted as {worth}."
