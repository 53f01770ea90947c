"""What both eliminations answer alike: why two meet in a bracket or somebody has a bye there, and who ends where."""

from typing import Final

from domain.tournament.bracket import Fixture, LoserOf, SeedSlot, Slot, WinnerOf, size_for
from domain.tournament.format import Format, StageSoFar
from domain.tournament.meetings import NOBODY
from domain.tournament.places import Place, of_elimination, reach


class Elimination(Format, frozen=True):
    """A bracket, whichever."""

    def reason(self, field: StageSoFar, fixture: Fixture) -> str:
        """By seed, then winner against winner, or out of the winners bracket."""
        return by_bracket(field, fixture)

    def resting(self, field: StageSoFar, first: Fixture) -> tuple[int, ...]:
        """Byes are those of the first round; later on somebody only waits for an opponent."""
        return super().resting(field, first) if (first.id[0], first.round) == ("W", 1) else ()

    def rest(self, field: StageSoFar, seed: int) -> str:
        """Byes go to the best; else somebody has to be waited for."""
        return by_seed(field, seed)

    def places(self, field: StageSoFar) -> tuple[Place, ...]:
        """By how far everybody came."""
        return of_elimination(field.entrants, field.found)

    def came(self, field: StageSoFar, seed: int) -> str:
        """Still in, or by which match out."""
        return came_to(field, seed)


def by_bracket(field: StageSoFar, fixture: Fixture) -> str:
    """Where the two come from."""
    if fixture.id[0] == "C":
        return "The losers of the semi-finals play for third place."
    if fixture.id == "F2.1":
        return "The first final was the first defeat of its loser: it is played again."
    if all(isinstance(slot, SeedSlot) for slot in fixture.slots):
        one, other = (slot.seed for slot in fixture.slots if isinstance(slot, SeedSlot))
        return f"By seed: number {one} meets number {other}, so that the best can meet only at the end."
    return ", ".join(_came(field, slot) for slot in fixture.slots) + "."


def _came(field: StageSoFar, slot: Slot) -> str:
    """How a side came here."""
    if isinstance(slot, SeedSlot):
        return f"{{{slot.seed}}} had a bye"
    assert isinstance(slot, WinnerOf | LoserOf), "partners enter a bracket as one"
    before = field.found[slot.fixture]
    seed = before.winner if isinstance(slot, WinnerOf) else before.loser
    if seed <= NOBODY:
        return f"{'the winner' if isinstance(slot, WinnerOf) else 'the loser'} of {slot.fixture}"
    how = "won" if isinstance(slot, WinnerOf) else "lost"
    unplayed = before.decided is not None and before.decided.how != "played"
    return f"{{{seed}}} {how} {slot.fixture}{' without play' if unplayed else ''}"


def by_seed(field: StageSoFar, seed: int) -> str:
    """A bye in the first round, or waiting for an opponent."""
    size = size_for(field.entrants)
    byes = size - field.entrants
    if seed <= byes and not field.rounds:
        best = f"best {byes} seeds" if byes > 1 else "best seed"
        return f"{field.entrants} entries in a bracket of {size}: byes go to the {best}."
    return _next(field, seed) or f"{{{seed}}} waits for an opponent."


def _next(field: StageSoFar, seed: int) -> str:
    """The match that somebody is to play next, and whom in it as far as that is known."""
    for each in field.found.values():
        if each.status not in ("waiting", "ready") or seed not in each.sides:
            continue
        other = 1 - each.sides.index(seed)
        slot = each.fixture.slots[other]
        if each.sides[other] > NOBODY:
            return f"{{{seed}}} plays {{{each.sides[other]}}} in {each.fixture.id}, after this round."
        if isinstance(slot, WinnerOf | LoserOf):
            who = "winner" if isinstance(slot, WinnerOf) else "loser"
            return f"{{{seed}}} plays the {who} of {slot.fixture} in {each.fixture.id}."
    return ""


STILL_IN: Final = "is still in"


def came_to(field: StageSoFar, seed: int) -> str:
    """What became of somebody in a bracket."""
    own = [each for each in field.found.values() if seed in each.sides]
    over = [each for each in own if each.decided]
    if len(over) < len([each for each in own if each.status != "off"]):
        return STILL_IN
    rounds = max(each.fixture.round for each in field.found.values() if each.fixture.id[0] == "W")
    last = max(over, key=lambda each: reach(each, each.sides.index(seed), rounds))
    if last.decided is None or last.decided.how == "absent":
        return f"stayed away from {last.fixture.id}"
    won = "won" if last.winner == seed else "lost"
    match last.fixture.id[0]:
        case "C":
            return f"{won} the match for third place"
        case "L":
            return f"{won} in round {last.fixture.round} of the losers' side"
        case "W" if last.fixture.round < rounds or "F1.1" in field.found:
            return f"{won} in round {last.fixture.round}"
        case _:
            return f"{won} the final"
