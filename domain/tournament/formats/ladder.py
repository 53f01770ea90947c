"""A club ladder: who is lower challenges somebody a few places higher, and takes that place by winning."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final

import msgspec

from domain.log.decider import Refusal
from domain.log.message import Catalogue, Explanation, Message
from domain.tournament.events import ByeKind
from domain.tournament.fixtures import Fixture, SeedSlot, fixture_in
from domain.tournament.format import COMMON, DrawnRound, Format, Options, SeedPairs, StageSoFar, Template
from domain.tournament.places import RankedSeed

ENGLISH: Final = COMMON | Catalogue(
    {
        "ladder.challenge": "{challenger} (place {place}) challenges {challenged} (place {above}).",
        "ladder.stays": "{player} keeps the place: no challenge.",
    }
)


class Ladder(Format, frozen=True, tag="ladder"):
    """Places are held until they are lost. `reach` is how many places above the own one may be challenged; `rounds` how
    many there are (0: until the director ends it)."""

    title: ClassVar = "Ladder"
    sentence: ClassVar = "Challenge somebody above you; beat them and you take their place."
    templates: ClassVar = (Template("ladder", title, sentence, ({"kind": "ladder"},), place=8),)
    moves_club_ladder: ClassVar = True
    english: ClassVar = ENGLISH
    late_entry: ClassVar = True
    drawn_round_by_round: ClassVar = True
    reach: Annotated[int, msgspec.Meta(ge=1, le=100)] = 3
    rounds: Annotated[int, msgspec.Meta(ge=0, le=400, title="Rounds")] = 0

    @classmethod
    def usual_options(cls, entrants: int) -> Options:
        """As many rounds as players."""
        return {"rounds": entrants}

    def endless(self) -> bool:
        """Without a number of rounds."""
        return not self.rounds

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """Nothing is known beforehand: who is challenged decides."""
        if entrants < 2:
            raise Refusal("entrants", "a ladder of one has nobody to challenge: enter somebody first")
        return ()

    def draw(self, field: StageSoFar) -> DrawnRound:
        """Neighbours meet, in odd rounds from the first place on, in even rounds from the second."""
        standing = [seed for seed in self.standing(field) if seed not in field.gone and seed not in field.away]
        start = field.rounds % 2
        if len(standing) - start < 2:
            start = 0
        line = standing[start:]
        pairs = [(low, high) for high, low in zip(line[::2], line[1::2], strict=False)]
        return self._drawn(field, pairs)

    def director_pairs(self, field: StageSoFar, pairs: SeedPairs, knowingly: bool) -> DrawnRound:
        """Challenges as they were made: the challenger first. Raises Refusal for one out of reach."""
        standing = {seed: place for place, seed in enumerate(self.standing(field), start=1)}
        busy = [seed for each in pairs for seed in each]
        if len(set(busy)) < len(busy) or 0 in busy or not set(busy) <= standing.keys() - field.gone - field.away.keys():
            raise Refusal(
                "malformed",
                "a pair is a challenger and the player challenged, both there and on the ladder, each in one match",
            )
        for one, other in pairs:
            above = standing[one] - standing[other]
            if not 1 <= above <= self.reach and not knowingly:
                said = f"place {standing[one]} may challenge the {self.reach} places above, not place {standing[other]}"
                raise Refusal("confirm-needed", f"{said}: record it all the same (`knowingly`) if you mean it")
        return self._drawn(field, pairs)

    def _drawn(self, field: StageSoFar, pairs: SeedPairs) -> DrawnRound:
        if self.rounds and field.rounds >= self.rounds:
            raise Refusal("misfit", f"all {self.rounds} rounds have been paired")
        if not pairs:
            raise Refusal("misfit", "nobody is there to be challenged")
        round_ = field.rounds + 1
        places = {seed: place for place, seed in enumerate(self.standing(field), start=1)}
        fixtures = tuple(
            fixture_in("round", round_, board, (SeedSlot(one), SeedSlot(other)))
            for board, (one, other) in enumerate(pairs, start=1)
        )
        why = {
            fixture.id: _challenge(one, other, places) for fixture, (one, other) in zip(fixtures, pairs, strict=True)
        }
        busy = {seed for each in pairs for seed in each}
        byes: dict[int, ByeKind] = {seed: "rest" for seed in places if seed not in busy and seed not in field.gone}
        stays = {seed: (Message("ladder.stays", people={"player": seed}),) for seed in byes}
        return DrawnRound(round_, fixtures, byes, why, stays)

    def standing(self, field: StageSoFar) -> tuple[int, ...]:
        """The ladder from the top: a challenger who won took the other's place, who moved down by one with all between;
        who came late stands at the bottom."""
        order = list(range(1, field.entrants + 1))
        for each in sorted(field.found.values(), key=lambda each: each.fixture.round):
            if each.decided is None or each.decided.winner is None or each.decided.how == "absent":
                continue
            won, lost = order.index(each.winner), order.index(each.loser)
            if won > lost:
                order.insert(lost, order.pop(won))
        return tuple(order)

    def over(self, field: StageSoFar) -> bool:
        """After its rounds; without a number of them never."""
        return 0 < self.rounds <= field.rounds and super().over(field)

    def to_come(self, field: StageSoFar) -> int:
        """The rounds that have not been drawn; without a number of them there is always one."""
        return max(self.rounds - field.rounds, 0) if self.rounds else 1

    def may_end(self, field: StageSoFar) -> bool:
        """Whenever nothing is open."""
        return field.rounds > 0 and super().over(field)

    def came(self, field: StageSoFar, seed: int) -> str:
        """The place that is held."""
        return f"holds place {self.standing(field).index(seed) + 1}"

    def places(self, field: StageSoFar) -> tuple[RankedSeed, ...]:
        """The ladder."""
        return tuple(RankedSeed(place, seed) for place, seed in enumerate(self.standing(field), start=1))


FORMAT = Ladder


def _challenge(one: int, other: int, places: Mapping[int, int]) -> Explanation:
    """A challenge, with the places of both."""
    people = {"challenger": one, "challenged": other}
    return (Message("ladder.challenge", {"place": places[one], "above": places[other]}, people),)
