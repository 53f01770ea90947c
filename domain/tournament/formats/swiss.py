"""Swiss: so many rounds, in each those of a score meet, and nobody meets twice."""

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Final, Literal

import msgspec

from domain.log.decider import Refusal
from domain.log.message import Catalogue, Explanation, Message, words
from domain.pairing.crosstable import NO_OPPONENT, Crosstable, Outcome, Rules
from domain.pairing.swiss.acceleration import baku
from domain.pairing.swiss.answer import NoLegalPairing, Paired
from domain.pairing.swiss.english import ENGLISH as SWISS
from domain.pairing.swiss.pairing import pair
from domain.pairing.swiss.relaxed import breaking_least, criteria_broken_by
from domain.tournament.crosstable_of import BYES, settled, table_of
from domain.tournament.events import ByeKind
from domain.tournament.fixtures import Fixture, SeedSlot, fixture_in
from domain.tournament.format import COMMON, DrawnRound, Format, Options, SeedPairs, StageSoFar, Template
from domain.tournament.places import RankedSeed, of_table

ENGLISH: Final = (
    COMMON
    | SWISS
    | Catalogue(
        {
            "swiss.by-director": "Paired by the director.",
            "swiss.bye-by-director": "The director gave the bye.",
            "swiss.open-half": "{player}'s match of round {round} is open and counted as half a point.",
            "swiss.open-draw": "{player}'s match of round {round} is open and counted as a draw.",
        }
    )
)


class Swiss(Format, frozen=True, tag="swiss"):
    """Those of a score meet. `sides: none` where nobody deals first more often than the other, as in matches of an
    even number of deals."""

    title: ClassVar = "Swiss"
    sentence: ClassVar = "You meet players with as many points as you. Nobody is out."
    templates: ClassVar = (
        Template("swiss", title, sentence, ({"kind": "swiss"},), place=3),
        Template(
            "monrad",
            "Swiss, simple (Monrad)",
            "You meet the nearest player you have not met.",
            ({"kind": "swiss", "rules": "monrad"},),
            place=4,
        ),
    )
    report_system: ClassVar = "FIDE_DUTCH_2025"
    english: ClassVar = ENGLISH
    balances_first_deal: ClassVar = True
    tiebreaks: ClassVar = ("PTS", "DE", "BH/C1", "BH", "SB", "WON")
    late_entry: ClassVar = True
    drawn_round_by_round: ClassVar = True
    rounds: Annotated[int, msgspec.Meta(ge=1, le=100, title="Rounds")] = 5
    rules: Rules = "dutch-2026"
    acceleration: Literal["none", "baku"] = "none"
    sides: Literal["balanced", "none"] = "balanced"

    @classmethod
    def usual_options(cls, entrants: int) -> Options:
        """As many rounds as part so many players."""
        return {"rounds": math.ceil(math.log2(entrants))}

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """Nothing is known beforehand."""
        if not 2 <= entrants <= self.most:
            raise Refusal("entrants", f"a Swiss is played by 2 to {self.most}, not {entrants}")
        return ()

    def draw(self, field: StageSoFar) -> DrawnRound:
        """The next round by the rules; where no pairing keeps their absolute criteria, the one that breaks them least,
        and it says which."""
        round_ = self._next(field)
        table = self._known(field)
        absent = self._absent(field)
        found = pair(table, round_, self.rules, absent, self.sides == "balanced")
        if isinstance(found, NoLegalPairing):
            made = breaking_least(table, round_, absent, found, self.sides == "balanced")
            return _as_drawn(made, field, {each.pair: each.told for each in made.why})
        told = {each.pair: (*each.told, *_assumed(field, each.pair)) for each in found.why}
        return _as_drawn(found, field, told)

    def director_pairs(self, field: StageSoFar, pairs: SeedPairs, knowingly: bool) -> DrawnRound:
        """The director's own round. Raises Refusal for one that leaves somebody out, or breaks an absolute criterion
        without its being said."""
        round_, table = self._next(field), self._known(field)
        absent = self._absent(field)
        wanted = sorted(seed for seed in range(1, field.entrants + 1) if seed not in absent)
        given = sorted(seed for each in pairs for seed in each if seed)
        if given != wanted or sum(NO_OPPONENT in each for each in pairs) > len(wanted) % 2:
            raise Refusal(
                "malformed", "pair everybody who is there, each once; there is a bye only when their number is odd"
            )
        broken = criteria_broken_by(table, round_, absent, pairs, self.sides == "balanced")
        if broken and not knowingly:
            said = "; ".join(words(each, self.english, lambda seed: f"seed {seed}") for each in broken.values())
            raise Refusal("confirm-needed", f"{said}: record it all the same (`knowingly`) if you mean it")
        seated = [place for place, each in enumerate(pairs) if NO_OPPONENT not in each]
        fixtures = _fixtures(round_, [pairs[place] for place in seated])
        why = {
            each.id: (Message("swiss.by-director"), *([broken[place]] if place in broken else []))
            for place, each in zip(seated, fixtures, strict=True)
        }
        resting = next((max(each) for each in pairs if NO_OPPONENT in each), None)
        byes: dict[int, ByeKind] = {**self._rest(field), **({resting: "bye"} if resting else {})}
        given_bye = {resting: (Message("swiss.bye-by-director"),)} if resting else {}
        return DrawnRound(round_, fixtures, byes, why, given_bye)

    def further(self, field: StageSoFar) -> DrawnRound:
        """Tables for who came after the last round was drawn: they meet among themselves; of an odd number one
        plays who has the bye. Raises Refusal."""
        round_ = field.rounds
        found = {name: each for name, each in field.found.items() if each.fixture.round < round_}
        here = [each for each in field.found.values() if each.fixture.round == round_]
        free = _free(field, {seed for each in here for seed in each.seeds})
        if len(free) < 2:
            raise Refusal(
                "misfit",
                "nobody is there to be paired: tables are added for two who came late, or for one and who has the bye",
            )
        away = {seed: "zero" for seed in range(1, field.entrants + 1) if seed not in free}
        before = msgspec.structs.replace(field, found=found, byes=field.byes[:-1], away=away)
        drawn = msgspec.structs.replace(self.draw(before), byes={}, why_bye={})
        return _numbered_from(drawn, max(each.fixture.number for each in here) + 1)

    def breaks(self, field: StageSoFar) -> bool:
        """True where the round that was paired last breaks an absolute criterion."""
        round_ = field.rounds
        pairs = [(each.sides[0], each.sides[1]) for each in field.found.values() if each.fixture.round == round_]
        pairs += [(seed, NO_OPPONENT) for seed, kind in field.byes[-1].items() if kind == "bye"]
        there = {seed for each in pairs for seed in each}
        absent = {seed: Outcome.ZERO_BYE for seed in range(1, field.entrants + 1) if seed not in there}
        return bool(
            criteria_broken_by(self._before(field, round_ - 1), round_, absent, pairs, self.sides == "balanced")
        )

    def over(self, field: StageSoFar) -> bool:
        """True once the last round is paired and decided."""
        return field.rounds >= self.rounds and super().over(field)

    def to_come(self, field: StageSoFar) -> int:
        """The rounds that have not been drawn."""
        return max(self.rounds - field.rounds, 0)

    def crosstable(self, field: StageSoFar) -> Crosstable:
        """The results so far."""
        table = table_of(field, max(field.rounds, 1), fixed=False)
        return msgspec.structs.replace(table, rules=self.rules)

    def reported(self, table: Crosstable, field: StageSoFar) -> Crosstable:
        """With the rounds to come, who must not meet, and the virtual points; sides are told only where they count."""
        if self.sides == "none":
            rows = (
                msgspec.structs.replace(
                    row, cells=tuple(msgspec.structs.replace(cell, first=None) for cell in row.cells)
                )
                for row in table.rows
            )
            table = msgspec.structs.replace(table, rows=tuple(rows))
        table = msgspec.structs.replace(table, rounds=self.rounds, forbidden=field.met)
        return baku(table) if self.acceleration == "baku" else table

    def system_reported(self) -> str:
        """By the rules, with the acceleration."""
        return SYSTEMS[self.rules] + ("_BAKU" if self.acceleration == "baku" else "")

    def places(self, field: StageSoFar) -> tuple[RankedSeed, ...]:
        """By points and tie-breaks."""
        return of_table(self.crosstable(field), self.ordered_by(field))

    def _next(self, field: StageSoFar) -> int:
        if field.rounds >= self.rounds:
            raise Refusal("misfit", f"all {self.rounds} rounds have been paired")
        return field.rounds + 1

    def _known(self, field: StageSoFar) -> Crosstable:
        """The cross table from which the next round is paired."""
        return self._before(field, field.rounds)

    def _before(self, field: StageSoFar, rounds: int) -> Crosstable:
        """The cross table from which a round was paired, after so many."""
        table = table_of(field, rounds, fixed=False)
        table = msgspec.structs.replace(settled(table), rounds=self.rounds, rules=self.rules, forbidden=field.met)
        return baku(table) if self.acceleration == "baku" else table

    def _absent(self, field: StageSoFar) -> dict[int, Outcome]:
        granted = {seed: BYES[kind] for seed, kind in field.away.items()}
        return {**granted, **dict.fromkeys(field.gone, Outcome.ZERO_BYE)}

    def _rest(self, field: StageSoFar) -> dict[int, ByeKind]:
        return {seed: kind for seed, kind in field.away.items() if seed not in field.gone}


FORMAT = Swiss
SYSTEMS: Final[Mapping[Rules, str]] = {
    "dutch-2026": Swiss.report_system,
    "dutch-till-2026": "FIDE_DUTCH_2017",
    "monrad": "CUSTOM_MONRAD",
}


def _fixtures(round_: int, pairs: SeedPairs) -> tuple[Fixture, ...]:
    return tuple(
        fixture_in("round", round_, board, (SeedSlot(one), SeedSlot(other)))
        for board, (one, other) in enumerate(pairs, start=1)
    )


def _free(field: StageSoFar, seated: set[int]) -> set[int]:
    """The seeds that can still play in the last round, an even number: who has the bye stands back first, then who came
    last."""
    byes = field.byes[-1]
    late = [
        seed
        for seed in range(1, field.entrants + 1)
        if seed not in seated and seed not in field.gone and seed not in byes
    ]
    resting = [seed for seed, kind in byes.items() if kind == "bye" and seed not in field.gone]
    if not late:
        return set()
    free = [*late, *resting]
    return set(free if len(free) % 2 == 0 else free[:-1])


def _numbered_from(drawn: DrawnRound, board: int) -> DrawnRound:
    """The same tables, their boards counted from another number on."""
    fixtures = tuple(
        fixture_in("round", drawn.round, number, each.slots) for number, each in enumerate(drawn.fixtures, start=board)
    )
    names = {before.id: after.id for before, after in zip(drawn.fixtures, fixtures, strict=True)}
    why = {names[name]: told for name, told in drawn.why.items()}
    return msgspec.structs.replace(drawn, fixtures=fixtures, why=why)


def _as_drawn(found: Paired, field: StageSoFar, told: Mapping[tuple[int, int], Explanation]) -> DrawnRound:
    """The round as fixtures, each with the explanation of its pair."""
    fixtures = _fixtures(found.round, found.pairs)
    why = {fixture.id: told[pair] for fixture, pair in zip(fixtures, found.pairs, strict=True)}
    byes = {seed: kind for seed, kind in field.away.items() if seed not in field.gone}
    if found.bye is None:
        return DrawnRound(found.round, fixtures, byes, why)
    return DrawnRound(found.round, fixtures, {**byes, found.bye: "bye"}, why, {found.bye: told[found.bye, NO_OPPONENT]})


def _assumed(field: StageSoFar, seeds: tuple[int, ...]) -> Iterator[Message]:
    """The assumptions about matches that are still open."""
    kind = "swiss.open-half" if field.terms.match_points().draw == 5 else "swiss.open-draw"
    for each in field.found.values():
        if each.status == "ready":
            for seed in sorted(set(seeds) & set(each.seeds)):
                yield Message(kind, {"round": each.fixture.round}, {"player": seed})
