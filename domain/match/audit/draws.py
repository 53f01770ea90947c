"""Draws of physical cards: which nobody saw, and at the close the one that was not made (DRW)."""

from collections.abc import Iterator
from typing import Final

from domain.cards.facts import CardDrawn, Fact
from domain.game.judgement import Breach, Late
from domain.game.protocol import AnyGame, AnyTable
from domain.game.replay import Replay, places

LEAST: Final = 3  # draws on record: with fewer nobody meant to write them all down


class Drawn:
    """The draws of a deal so far, by seat: how many nobody saw, recorded or not; the cards of those that were seen, and
    the places of all that are on record."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self.game = game
        self.unseen = [0] * seats
        self.named = [0] * seats
        self.places: list[list[int]] = [[] for _ in range(seats)]

    def kept(self) -> "Drawn":
        """The same, which stays as it is when this one goes on."""
        same = Drawn(self.game, 0)
        same.unseen, same.named, same.places = [*self.unseen], [*self.named], [[*each] for each in self.places]
        return same

    def noted(self, place: int, before: AnyTable, fact: Fact, after: AnyTable) -> None:
        """Count what a fact drew in a game with draws, and what was due before it and cannot be drawn any more."""
        card = fact.card if type(fact) is CardDrawn else None
        if type(fact) is CardDrawn and fact.seat < len(self.places):
            self.places[fact.seat].append(place)
            if card is not None:
                self.named[fact.seat] |= 1 << card
            elif fact.seat not in self.game.due_draws(before):
                self.unseen[fact.seat] += 1
        if before is not after:
            for seat in _gone(self.game, before, after, None if card is None else fact.seat):
                self.unseen[seat] += 1


def not_drawn(game: AnyGame, replay: Replay) -> Iterator[Late]:
    """The one draw that was due and is not on record, of a deal that is over; none where another was made instead."""
    if replay.known or not game.drawing_rule or game.to_act(replay.tables[-1]) is not None:
        return
    draws = [place for place, fact in enumerate(replay.facts) if isinstance(fact, CardDrawn)]
    due = game.due_draws
    if len(draws) < LEAST or any(replay.facts[place].seat not in due(replay.tables[place]) for place in draws):
        return
    missing = [(place, seat) for place in range(len(replay.facts)) for seat in _passed_over(game, replay, place)]
    if len(missing) == 1:
        ((place, seat),) = missing
        detail = f"seat {seat} did not draw, and every other draw is on record"
        yield Late(places(place, replay.trick_before(place)), Breach(game.drawing_rule, "DRW", detail), seat)


def _passed_over(game: AnyGame, replay: Replay, place: int) -> Iterator[int]:
    """The seats whose draw was due before a fact, is not this fact, and cannot be made any more."""
    table, after, fact = replay.tables[place], replay.tables[place + 1], replay.facts[place]
    if table is after:
        return
    yield from _gone(game, table, after, fact.seat if isinstance(fact, CardDrawn) else None)


def _gone(game: AnyGame, before: AnyTable, after: AnyTable, made: int | None) -> list[int]:
    """The seats whose draw was due, was not `made`, and is not due any more."""
    gone = [*game.due_draws(before)]
    if gone:
        for seat in (*game.due_draws(after), made):
            if seat in gone:
                gone.remove(seat)
    return gone
