"""Names in the place of ids: in refusals about entries, and in files, where no two people may have one name."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from domain.log.decider import Refusal
from domain.pairing.placeholders import fill


@contextmanager
def called(names: Mapping[str, str]) -> Iterator[None]:
    """Refusals from within have what entries are called in the place of marks like {entry}."""
    try:
        yield
    except Refusal as refusal:
        told = fill(refusal.detail, lambda entry: names.get(entry, f"{{{entry}}}"))
        raise Refusal(refusal.slug, told, refusal.rule, refusal.code, **refusal.extra) from None


def names_in_file(sides: Sequence[Sequence[str]], names: Mapping[str, str | None]) -> list[list[str]]:
    """The players of a match by name, as a file has them: of several whose names were removed each has a number."""
    nameless = [player for side in sides for player in side if not names.get(player)]
    numbers = {player: place for place, player in enumerate(nameless, start=1)}
    removed = {player: "(name removed)" if at == 1 else f"(name removed {at})" for player, at in numbers.items()}
    return [[names.get(player) or removed[player] for player in side] for side in sides]
