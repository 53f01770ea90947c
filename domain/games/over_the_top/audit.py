"""Over the Top: what a breach rests on."""

from domain.cards.facts import CardPlayed
from domain.game.judgement import Breach
from domain.game.replay import Replay, card_of, places
from domain.games.over_the_top.state import Playing


def rests_on(replay: Replay, place: int, breach: Breach) -> tuple[int, ...] | None:
    """The answers of this game's own; None for what every game has."""
    if breach.code == "OSU":
        suit = (card_of(replay.facts[place]) or 0) // 13
        same = [at for at in replay.trick_to(place) if _suit(replay, at) == suit]
        return places(place, same[:1])
    if breach.code == "WTA":
        return places(place, _counted(replay, place))
    if breach.code == "DRW" and isinstance(replay.facts[place], CardPlayed):
        return places(place, replay.own(replay.facts[place].seat, place))
    return None


def _suit(replay: Replay, place: int) -> int | None:
    card = card_of(replay.facts[place])
    return None if card is None else card // 13


def _counted(replay: Replay, place: int) -> tuple[int, ...]:
    """The cards of which a total was called: those of the trick under way, else of the one before."""
    table = replay.tables[place]
    if isinstance(table, Playing) and table.cards:
        return replay.trick_to(place)
    return replay.trick_before(place)
