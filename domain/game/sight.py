"""The sight of a viewer: built from what that viewer has seen, never by deleting."""

from typing import Any

from domain.cards.card import Card, sorted_hand
from domain.game.protocol import ALL, Played, Viewer


def hands_for(
    viewer: Viewer, hands: tuple[int, ...], known: bool, open_hands: bool = False
) -> tuple[tuple[Card, ...] | None, ...]:
    """Each seat's hand where the viewer may see it, else null. Hands that nobody knows are null."""
    if not known:
        return (None,) * len(hands)
    return tuple(sorted_hand(hand) if open_hands or viewer in (ALL, seat) else None for seat, hand in enumerate(hands))


def legal_for(
    viewer: Viewer, to_act: int | None, known: bool, legal: tuple[Any, ...], open_hands: bool = False
) -> tuple[Any, ...] | None:
    """The facts open to the viewer; null for one who may not know them while hands are hidden."""
    if viewer == ALL or not known or open_hands:
        return legal
    if viewer is None:
        return None if to_act is not None else ()
    return legal if viewer == to_act else ()


def on_table(seats: tuple[int, ...], cards: tuple[int, ...]) -> tuple[Played, ...]:
    """Cards of a trick with whose they are."""
    return tuple(Played(seat, Card(card)) for seat, card in zip(seats, cards, strict=True))
