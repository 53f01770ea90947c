"""What every format answers: the plan of its matches, and who ends where."""

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from domain.tournament.bracket import Fixture
from domain.tournament.meetings import Meeting
from domain.tournament.places import Place


class Format(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A way to find a winner, with its own options as members. A further one is a module in `formats/`."""

    title: ClassVar[str]
    columns: ClassVar[tuple[str, ...]] = ()  # what the values of a place are

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The plan for so many, round by round. Raises Refusal for a field that it is not made for."""
        raise NotImplementedError

    def places(self, entrants: int, found: Mapping[str, Meeting]) -> tuple[Place, ...]:
        """Everybody's place so far, or at the end."""
        raise NotImplementedError
