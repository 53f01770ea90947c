"""Ristikontra: what a breach rests on."""

from collections.abc import Iterator

from domain.cards.card import Card
from domain.game.judgement import Breach
from domain.game.replay import START, Replay, card_of, places
from domain.games.ristikontra.options import KINGS, OF_RANK, PACK, SpiceDecided
from domain.games.ristikontra.state import Playing, State, held


def rests_on(replay: Replay, place: int, breach: Breach) -> tuple[int, ...] | None:
    """The answers of this game's own; None for what every game has."""
    match breach.code:
        case "LKG" | "DRW" if breach.rule in ("RK.13", "RK.g8"):
            return places(place, _shown(replay, place, KINGS), _decided(replay, place), _turned(replay, place))
        case "RK4":
            return places(place, _leads(replay, place), _other_ranks(replay, place))
        case "OOB":
            return places(place, replay.trick_to(place))
        case "NIH" if not replay.known:
            return places(place, _known_elsewhere(replay, place))
        case _:
            return None


def _play(state: State) -> Playing:
    return state if isinstance(state, Playing) else state.play


def _shown(replay: Replay, place: int, cards: int) -> Iterator[int]:
    """The places before a fact that put one of these cards on the table, or took it back."""
    for at in range(place):
        before, after = _play(replay.tables[at]), _play(replay.tables[at + 1])
        if (before.seen ^ after.seen) & cards:
            yield at


def _decided(replay: Replay, place: int) -> tuple[int, ...]:
    """For a card put in by spicing: the trick, whose winning card goes back, and the draw."""
    if not isinstance(replay.facts[place], SpiceDecided):
        return ()
    draws = tuple(at for at in range(place - 1, max(-1, place - 6), -1) if not replay.acts(at))
    return (*replay.trick_to(place), *draws, *((START,) if replay.known else ()))


def _turned(replay: Replay, place: int) -> tuple[int, ...]:
    """The fact before one that follows the last king: it turned him up."""
    table = replay.tables[place]
    return (place - 1,) if isinstance(table, Playing) and table.turned and place else ()


def _leads(replay: Replay, place: int) -> tuple[int, ...]:
    """The three leads before a fourth."""
    found: list[int] = []
    at = place
    while at > 0 and len(found) < 3:
        at -= 1
        table, after = replay.tables[at], replay.tables[at + 1]
        if isinstance(table, Playing) and not table.cards and isinstance(after, Playing) and after.cards:
            found.append(at)
    return tuple(found)


def _other_ranks(replay: Replay, place: int) -> tuple[int, ...]:
    """That the seat has another rank: by the deal, or because so much of this one has fallen."""
    table, fact = replay.tables[place], replay.facts[place]
    assert isinstance(table, Playing)
    rank = (card_of(fact) or 0) % 13
    if not replay.known:
        return tuple(_shown(replay, place, OF_RANK[rank] | KINGS))
    others = held(table, fact.seat) & ~OF_RANK[rank] & PACK
    return (START, *(replay.own(fact.seat, place) if others.bit_count() == 1 else ()), *_shown(replay, place, KINGS))


def _known_elsewhere(replay: Replay, place: int) -> Iterator[int]:
    """The facts which tell that a card is not where it was played from: its draws, and its ways from the open to a
    hand."""
    card = card_of(replay.facts[place])
    if card is None:
        return
    yield from replay.draws_of(card, place)
    bit = 1 << Card(card)
    for at in range(place):
        before, after = _play(replay.tables[at]), _play(replay.tables[at + 1])
        if (before.seen & ~after.seen | before.taken.open ^ after.taken.open) & bit:
            yield at
            yield from replay.trick_to(at)
