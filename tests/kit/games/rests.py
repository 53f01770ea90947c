"""Claims of the remaining tricks in finished random deals: where a claim is possible, and its expected score."""

from typing import Any, NamedTuple

from domain.cards.card import cards_in
from domain.cards.facts import RestAnswered, RestClaimed


class Stretch(NamedTuple):
    """Consecutive tricks of a finished deal, from a place to their end, with the tricks won by each seat."""

    place: int
    end: int
    won: tuple[int, ...]


def stretches(game: Any, states: list) -> list[Stretch]:
    """Return every place of a deal where the rest can be claimed, with the tricks won from there on."""
    found = []
    for place, state in enumerate(states):
        if game.rest(state) is None:
            continue
        end = next(at for at in range(place, len(states)) if game.rest(states[at]) is None)
        pairs = zip(_taken(game, states[end]), _taken(game, state), strict=True)
        won = tuple(after - before for after, before in pairs)
        if sum(won) == game.rest(state).left:  # not where a question stands between the tricks
            found.append(Stretch(place, end, won))
    return found


def _taken(game: Any, state: Any) -> tuple[int, ...]:
    """Return the tricks of each seat in all phases so far."""
    view = game.view(state, None)
    earlier = getattr(view, "phase_tricks", None) or (0,) * len(view.tricks)
    return tuple(now + before for now, before in zip(view.tricks, earlier, strict=True))


def takes_all(stretch: Stretch) -> int | None:
    """Return the seat that won every trick of a stretch, or None."""
    seats = [seat for seat, count in enumerate(stretch.won) if count]
    return seats[0] if len(seats) == 1 else None


def claimed(game: Any, state: Any, claim: RestClaimed) -> list:
    """Return a claim and the agreement of each player asked."""
    return [claim, *(RestAnswered(seat, True) for seat in game.rest(state).asked(claim.seat))]


def faced(game: Any, state: Any, seat: int) -> tuple:
    """Return the hand of a seat as laid open; earlier seats lay nothing open."""
    return (*((),) * seat, tuple(cards_in(game.rest(state).hands[seat])))


def after(game: Any, state: Any, facts: list) -> Any:
    for fact in facts:
        state = game.evolve(state, fact)
    return state
