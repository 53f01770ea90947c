"""The ranks that a match's sides have in their tournament, as somebody may see it."""

from collections import OrderedDict
from typing import Final

import msgspec

from projections.tournaments.standings import standings_view
from projections.tournaments.view import calling
from service.desk.delays import tournament_seen
from service.desk.services import Services
from service.desk.showing import names_of
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedMatch, LoadedTournament

KEPT: Final = 64
_KEPT: Final[OrderedDict[tuple[str, int], dict[str, "RankRange"]]] = OrderedDict()


class RankRange(msgspec.Struct, frozen=True):
    """A place by now, and the best and the worst that are still possible, where they are worked out."""

    now: int
    best: int | None
    worst: int | None

    @property
    def open(self) -> bool:
        """True while other places are possible."""
        return (self.best, self.worst) not in ((None, None), (self.now, self.now))


async def ranks_of(
    services: Services, caller: Caller, loaded: LoadedMatch, club: LoadedClub
) -> tuple[RankRange | None, ...]:
    """The rank of each side in the standings of its stage; nothing where there are none, or for a match of its own."""
    cup, sides = loaded.match.setup.tournament, loaded.match.setup.sides
    known = None if cup is None else await services.streams.tournament(cup)
    if known is None:
        return ()
    shown = await tournament_seen(services.streams, caller, known, services.recorder.clock())
    found = _standing(shown, club)
    entries = {player: each.id for each in shown.tournament.entries.values() for player in each.players}
    ranks = tuple(found.get(entries.get(side[0], "")) for side in sides)
    return ranks if any(ranks) else ()


def _standing(loaded: LoadedTournament, club: LoadedClub) -> dict[str, RankRange]:
    """The ranks of a tournament at a version, by entry; those of the last ones are remembered."""
    key, state = (loaded.stream, loaded.head.version), loaded.tournament
    if key in _KEPT:
        return _KEPT[key]
    found: dict[str, RankRange] = {}
    if state.at >= 0 and state.stage.decided and not state.stage.format.bracket:
        table = standings_view(state, state.at, calling(state, names_of(club)), {})
        found = {row.entry: RankRange(row.rank, row.best, row.worst) for row in table.rows}
    _KEPT[key] = found
    while len(_KEPT) > KEPT:
        _KEPT.popitem(last=False)
    return found
