"""Claims of the rest in deals that were played out: where one could be made, and what it should give."""

from typing import Any, NamedTuple

from domain.cards.card import cards_in
from domain.cards.facts import CardPlayed, RestAnswered, RestClaimed


class Stretch(NamedTuple):
    """Tricks of a played-out deal from a place to where they end, and who took them, by seat."""

    place: int
    end: int
    won: tuple[int, ...]


def stretches(game: Any, states: list) -> list[Stretch]:
    """Every table of tricks in a deal, with what was taken from there on."""
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
    """The tricks by seat of all phases so far."""
    view = game.view(state, None)
    earlier = getattr(view, "phase_tricks", None) or (0,) * len(view.tricks)
    return tuple(now + before for now, before in zip(view.tricks, earlier, strict=True))


def takes_all(stretch: Stretch) -> int | None:
    """The seat that took every trick of a stretch."""
    seats = [seat for seat, count in enumerate(stretch.won) if count]
    return seats[0] if len(seats) == 1 else None


def claimed(game: Any, state: Any, claim: RestClaimed) -> list:
    """The claim, and a yes of each player who is asked."""
    return [claim, *(RestAnswered(seat, True) for seat in game.rest(state).asked(claim.seat))]


def faced(game: Any, state: Any, seat: int) -> tuple:
    """The hand of a seat as it would be laid on the table; the earlier seats face nothing."""
    return (*((),) * seat, tuple(cards_in(game.rest(state).hands[seat])))


def after(game: Any, state: Any, facts: list) -> Any:
    for fact in facts:
        state = game.evolve(state, fact)
    return state


def cards_of(facts: list) -> list[CardPlayed]:
    return [fact for fact in facts if isinstance(fact, CardPlayed)]
