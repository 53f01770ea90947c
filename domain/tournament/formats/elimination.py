"""Answers of both eliminations: why two meet in a bracket or somebody has a bye there, and who ends where."""

from typing import ClassVar, Final

from domain.log.message import Catalogue, Explanation, Message
from domain.tournament.fixtures import Fixture, LoserOf, SeedSlot, Slot, WinnerOf, size_for
from domain.tournament.format import COMMON, Format, StageSoFar
from domain.tournament.meetings import NOBODY
from domain.tournament.places import RankedSeed, of_elimination, reach

_CAME: Final = {
    "bye": "{player} had a bye",
    "won": "{player} won {match}",
    "lost": "{player} lost {match}",
    "won-unplayed": "{player} won {match} without play",
    "lost-unplayed": "{player} lost {match} without play",
    "winner": "the winner of {match}",
    "loser": "the loser of {match}",
}
ENGLISH: Final = COMMON | Catalogue(
    {
        "bracket.third-place": "The losers of the semi-finals play for third place.",
        "bracket.final-again": "The first final was the first defeat of its loser: it is played again.",
        "bracket.by-seed": (
            "By seed: number {one_seed} meets number {other_seed}, so that the best can meet only at the end."
        ),
        **{f"bracket.one-{how}": f"{came}," for how, came in _CAME.items()},
        **{f"bracket.other-{how}": f"{came}." for how, came in _CAME.items()},
        "bracket.byes": "{entries} entries in a bracket of {size}: byes go to the best {byes} seeds.",
        "bracket.bye": "{entries} entries in a bracket of {size}: byes go to the best seed.",
        "bracket.next": "{player} plays {opponent} in {match}, after this round.",
        "bracket.next-winner": "{player} plays the winner of {before} in {match}.",
        "bracket.next-loser": "{player} plays the loser of {before} in {match}.",
    }
)


class Elimination(Format, frozen=True):
    """A bracket, whichever."""

    bracket: ClassVar = True
    english: ClassVar = ENGLISH

    def reason(self, field: StageSoFar, fixture: Fixture) -> Explanation:
        """By seed, then winner against winner, or out of the winners bracket."""
        return by_bracket(field, fixture)

    def resting(self, field: StageSoFar, first: Fixture) -> tuple[int, ...]:
        """Byes are those of the first round; later on somebody only waits for an opponent."""
        return super().resting(field, first) if (first.part, first.round) == ("winners", 1) else ()

    def rest(self, field: StageSoFar, seed: int) -> Explanation:
        """Byes go to the best; else somebody has to be waited for."""
        return by_seed(field, seed)

    def places(self, field: StageSoFar) -> tuple[RankedSeed, ...]:
        """By how far everybody came."""
        return of_elimination(field.entrants, field.found)

    def came(self, field: StageSoFar, seed: int) -> str:
        """Still in, or by which match out."""
        return came_to(field, seed)


def by_bracket(field: StageSoFar, fixture: Fixture) -> Explanation:
    """The way of both sides into a match."""
    if fixture.part == "third":
        return (Message("bracket.third-place"),)
    if (fixture.part, fixture.round) == ("final", 2):
        return (Message("bracket.final-again"),)
    if all(isinstance(slot, SeedSlot) for slot in fixture.slots):
        one, other = (slot.seed for slot in fixture.slots if isinstance(slot, SeedSlot))
        return (Message("bracket.by-seed", {"one_seed": one, "other_seed": other}),)
    return tuple(
        _came(field, slot, f"bracket.{place}") for place, slot in zip(("one", "other"), fixture.slots, strict=True)
    )


def _came(field: StageSoFar, slot: Slot, place: str) -> Message:
    """The way of one side into a match."""
    if isinstance(slot, SeedSlot):
        return Message(f"{place}-bye", people={"player": slot.seed})
    assert isinstance(slot, WinnerOf | LoserOf), "partners enter a bracket as one"
    before = field.found[slot.fixture]
    match = {"match": slot.fixture}
    won = isinstance(slot, WinnerOf)
    seed = before.winner if won else before.loser
    if seed <= NOBODY:
        return Message(f"{place}-{'winner' if won else 'loser'}", match)
    unplayed = before.decided is not None and before.decided.how != "played"
    return Message(f"{place}-{'won' if won else 'lost'}{'-unplayed' if unplayed else ''}", match, {"player": seed})


def by_seed(field: StageSoFar, seed: int) -> Explanation:
    """A bye in the first round, or waiting for an opponent."""
    size = size_for(field.entrants)
    byes = size - field.entrants
    if seed <= byes and not field.rounds:
        kind = "bracket.byes" if byes > 1 else "bracket.bye"
        return (Message(kind, {"entries": field.entrants, "size": size, "byes": byes}),)
    return (_next(field, seed) or Message("format.waits", people={"player": seed}),)


def _next(field: StageSoFar, seed: int) -> Message | None:
    """The match that a seed is to play next, and against whom as far as that is known."""
    for each in field.found.values():
        if each.status not in ("waiting", "ready") or seed not in each.sides:
            continue
        other = 1 - each.sides.index(seed)
        slot = each.fixture.slots[other]
        if each.sides[other] > NOBODY:
            people = {"player": seed, "opponent": each.sides[other]}
            return Message("bracket.next", {"match": each.fixture.id}, people)
        if isinstance(slot, WinnerOf | LoserOf):
            kind = "bracket.next-winner" if isinstance(slot, WinnerOf) else "bracket.next-loser"
            return Message(kind, {"before": slot.fixture, "match": each.fixture.id}, {"player": seed})
    return None


STILL_IN: Final = "is still in"


def came_to(field: StageSoFar, seed: int) -> str:
    """The way of somebody through a bracket."""
    own = [each for each in field.found.values() if seed in each.sides]
    over = [each for each in own if each.decided]
    if len(over) < len([each for each in own if each.status != "off"]):
        return STILL_IN
    rounds = max(each.fixture.round for each in field.found.values() if each.fixture.part == "winners")
    last = max(over, key=lambda each: reach(each, each.sides.index(seed), rounds))
    if last.decided is None or last.decided.how == "absent":
        return f"stayed away from {last.fixture.id}"
    won = "won" if last.winner == seed else "lost"
    grand_final = any(each.fixture.part == "final" for each in field.found.values())
    match last.fixture.part:
        case "third":
            return f"{won} the match for third place"
        case "losers":
            return f"{won} in round {last.fixture.round} of the losers' side"
        case "winners" if last.fixture.round < rounds or grand_final:
            return f"{won} in round {last.fixture.round}"
        case _:
            return f"{won} the final"
