"""The claim of the rest where players follow suit: the tricks under way, and their end as it was claimed."""

import msgspec

from domain.game.rest import Rest, Tricks, Won, faced_cards
from domain.game.tricks import Playing


def rest_on(state: Playing, pack: int, sides: tuple[tuple[int, ...], ...]) -> Tricks:
    """The tricks under way, for a claim of the rest."""
    left = (state.left + len(state.cards)) // len(state.hands)
    return Tricks(state.hands, state.seen, pack, left, sides, state.claim)


def rest_taken(state: Playing, won: Won, claim: Rest) -> Playing:
    """The end of the tricks under way when the rest went as claimed. Cards that nobody faced stay unseen."""
    return msgspec.structs.replace(
        state,
        hands=(0,) * len(state.hands),
        seats=(),
        cards=(),
        tricks=tuple(had + more for had, more in zip(state.tricks, won, strict=True)),
        seen=state.seen | faced_cards(claim),
        left=0,
        last=(state.seats, state.cards) if state.cards else state.last,
        claim=None,
    )
