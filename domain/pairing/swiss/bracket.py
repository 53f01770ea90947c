"""A bracket to be paired: who was moved down into it, who lives there, who comes next and who further below."""

from collections.abc import Iterator

import msgspec

from domain.pairing.crosstable import Tenths
from domain.pairing.swiss.entrants import SwissPlayer, legal


class SwissBracket(msgspec.Struct, frozen=True):
    """Players by rank. `bye` is the score at which the bye of the round falls, None when nobody below needs one or it
    does not matter yet; `whole` says that everybody left over must be pairable by what is in `following` and `below`.
    """

    moved: tuple[SwissPlayer, ...]
    residents: tuple[SwissPlayer, ...]
    following: tuple[SwissPlayer, ...]
    below: tuple[SwissPlayer, ...]
    bye: tuple[Tenths, ...] | None
    whole: bool = True

    @property
    def players(self) -> tuple[SwissPlayer, ...]:
        """Those of the bracket, in the order of their numbers in it (4.1)."""
        return self.moved + self.residents

    @property
    def nodes(self) -> tuple[SwissPlayer, ...]:
        """Everybody who matters: the bracket, the next score group and, where all must be pairable, the rest."""
        return self.players + self.following + (self.below if self.whole else ())

    def may_rest(self, player: SwissPlayer) -> bool:
        """True if the bye can be this player's (C2, C5)."""
        return self.bye is not None and player.score in self.bye and not player.barred

    def meetings(self) -> Iterator[tuple[int, int]]:
        """The pairs of nodes that may meet; two who were both moved down never do, they are not in S2."""
        nodes, moved = self.nodes, len(self.moved)
        for one, player in enumerate(nodes):
            for other in range(max(one + 1, moved), len(nodes)):
                if legal(player, nodes[other]):
                    yield one, other


class Split(msgspec.Struct, frozen=True):
    """The result of a bracket: pairs (the higher-ranked first), and who is left over."""

    pairs: tuple[tuple[SwissPlayer, SwissPlayer], ...]
    left: tuple[SwissPlayer, ...]
