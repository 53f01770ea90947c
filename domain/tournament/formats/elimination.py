"""What both eliminations answer alike: why two meet in a bracket or somebody has a bye there, and who ends where."""

from domain.tournament.bracket import Fixture, LoserOf, SeedSlot, Slot, WinnerOf, size_for
from domain.tournament.format import Field, Format
from domain.tournament.places import Place, of_elimination


class Elimination(Format, frozen=True):
    """A bracket, whichever."""

    def reason(self, field: Field, fixture: Fixture) -> str:
        """By seed, then winner against winner, or out of the winners bracket."""
        return by_bracket(field, fixture)

    def resting(self, field: Field, first: Fixture) -> tuple[int, ...]:
        """Byes are those of the first round; later on somebody only waits for an opponent."""
        return super().resting(field, first) if (first.id[0], first.round) == ("W", 1) else ()

    def rest(self, field: Field, seed: int) -> str:
        """Byes go to the best; else somebody has to be waited for."""
        return by_seed(field, seed)

    def places(self, field: Field) -> tuple[Place, ...]:
        """By how far everybody came."""
        return of_elimination(field.entrants, field.found)


def by_bracket(field: Field, fixture: Fixture) -> str:
    """Where the two come from."""
    if fixture.id[0] == "C":
        return "The losers of the semi-finals play for third place."
    if fixture.id == "F2.1":
        return "The first final was the first defeat of its loser: it is played again."
    if all(isinstance(slot, SeedSlot) for slot in fixture.slots):
        one, other = (slot.seed for slot in fixture.slots if isinstance(slot, SeedSlot))
        return f"By seed: number {one} meets number {other}, so that the best can meet only at the end."
    return "; ".join(_came(slot) for slot in fixture.slots).capitalize() + "."


def _came(slot: Slot) -> str:
    if isinstance(slot, SeedSlot):
        return f"seed {slot.seed} had a bye"
    if isinstance(slot, WinnerOf):
        return f"the winner of {slot.fixture}"
    return f"the loser of {slot.fixture}" if isinstance(slot, LoserOf) else "partners"


def by_seed(field: Field, seed: int) -> str:
    """A bye in the first round, or waiting for an opponent."""
    size = size_for(field.entrants)
    byes = size - field.entrants
    if seed <= byes and not field.rounds:
        best = f"best {byes} seeds" if byes > 1 else "best seed"
        return f"{field.entrants} entries in a bracket of {size}: byes go to the {best}."
    return f"{{{seed}}} waits for an opponent."
