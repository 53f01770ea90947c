"""Garbo: the facts that may be recorded at a table, and the rules that any other breaks."""

from domain.cards.card import cards_in
from domain.cards.facts import CardDrawn, Fact, Passed, TotalCalled
from domain.game.judgement import Breach, misfit
from domain.game.tricks import draw_breaches, place_breaches, turn_breaches
from domain.games.garbo.layout import CELLS, INDEX, cells_in
from domain.games.garbo.options import PACK, CardCovered, CardPlaced, ClaimMade
from domain.games.garbo.state import Building, Covering, LastClaim, Level, Scored, State, claimant, held, level_of


def legal(state: State) -> tuple[Fact, ...]:
    """Claims low to high, then cards with their squares, then draws of physical cards."""
    if isinstance(state, Scored):
        return ()
    if isinstance(state, LastClaim):
        return (*_claims(state.play), Passed(claimant(state)))
    kind, turn, cells = state.takes, state.turn, tuple(cells_in(state.free))
    plays = (kind(turn, card, cell) for card in cards_in(held(state, turn)) for cell in cells)
    return (*_claims(state), *plays, *_draws(state))


def _claims(state: Level) -> tuple[ClaimMade, ...]:
    return tuple(ClaimMade(seat, points) for seat in (0, 1) for points in range(1, state.due[seat] + 1))


def _draws(state: Level) -> tuple[CardDrawn, ...]:
    seats = (seat for seat in (0, 1) if state.drawing[seat])
    return tuple(CardDrawn(seat, card) for seat in seats for card in (None, *cards_in(state.hands[0] & state.hands[1])))


def breaches(state: State, fact: Fact) -> tuple[Breach, ...]:
    """Reasons against a fact; a legal card takes the first lines."""
    if isinstance(fact, (CardPlaced, CardCovered)) and isinstance(state, (Building, Covering)):
        place = INDEX.get(fact.cell)
        if (
            place is not None
            and state.free >> place & 1
            and fact.seat == state.turn
            and state.hands[fact.seat] >> fact.card & 1
            and type(fact) is state.takes
        ):
            return ()
        return _card(state, fact, place)
    if isinstance(fact, TotalCalled) and fact.seat < 2:
        return _total(level_of(state), fact)
    if isinstance(state, Scored):
        return misfit("the deal is complete")
    if fact.seat > 1:
        return misfit("two play: seats 0 and 1")
    level = level_of(state)
    if isinstance(fact, ClaimMade) and level.base.manual:
        return _claim(level, fact)
    if isinstance(state, LastClaim):
        return _pass(state, fact)
    if isinstance(fact, CardDrawn) and state.base.packets is None:
        return _draw(state, fact)
    return misfit(f"the table waits for `{_word(state)}` from seat {state.turn}")


def _word(state: Level) -> str:
    return str(state.takes.__struct_config__.tag)


def _card(state: Level, fact: CardPlaced | CardCovered, place: int | None) -> tuple[Breach, ...]:
    if type(fact) is not state.takes:
        return misfit(f"this level is not on: the table waits for `{_word(state)}` from seat {state.turn}")
    if fact.seat > 1:
        return misfit("two play: seats 0 and 1")
    if not PACK >> fact.card & 1:
        return misfit(f"{fact.card} is not in the pack of this game")
    if not state.taken and tuple(fact.cell) != CELLS[INDEX[0, 0]]:
        return misfit(f"squares are counted from the first card: it stands at [0, 0], not {list(fact.cell)}")
    rule = "GA.3" if isinstance(state, Building) else "GA.6"
    found = [*turn_breaches(fact.seat, state.turn, state.left < 16, rule)]
    found += place_breaches(fact.card, held(state, fact.seat), state.seen, PACK, rule)
    if place is None:
        detail = f"{list(fact.cell)} is more than three squares from the first card: the square is four by four"
        found.append(Breach("GA.g4", "PLC", detail))
    elif not state.free >> place & 1:
        found += _beside(state, place) if isinstance(state, Building) else _uncovered(state, place)
    return tuple(found)


def _beside(state: Building, place: int) -> list[Breach]:
    """The reasons against a card on this square of the first level (PLC: GA.3, GA.g4)."""
    where = list(CELLS[place])
    if state.taken >> place & 1:
        return [Breach("GA.3", "PLC", f"there is a card at {where}")]
    found = []
    if not state.beside >> place & 1:
        found.append(Breach("GA.3", "PLC", f"{where} is not side by side with any card"))
    if not state.within >> place & 1:
        found.append(Breach("GA.g4", "PLC", f"a card at {where} makes the layout wider or taller than four"))
    return found


def _uncovered(state: Covering, place: int) -> list[Breach]:
    """The reasons against a card on this square in the second level (PLC: GA.6)."""
    what = "has been covered before" if state.taken >> place & 1 else "holds no card to cover"
    return [Breach("GA.6", "PLC", f"{list(CELLS[place])} {what}")]


def _claim(state: Level, fact: ClaimMade) -> tuple[Breach, ...]:
    """More than there is to claim (OVC), or after the claimant's next card (LTC)."""
    due = state.due[fact.seat]
    if fact.claim <= due:
        return ()
    if state.last == fact.seat:
        return (Breach("GA.4", "LTC", f"seat {fact.seat} claims after its own next card"),)
    return (Breach("GA.4", "OVC", f"seat {fact.seat} claims {fact.claim}, and {due} can be claimed"),)


def _total(state: Level, fact: TotalCalled) -> tuple[Breach, ...]:
    """The fault of a total that was called: the cards decide, and the claims where they are made (GA.g7)."""
    right = state.points[fact.seat]
    return () if fact.total == right else (Breach("GA.g7", "WTA", f"{fact.total} was called, it is {right}"),)


def _pass(state: LastClaim, fact: Fact) -> tuple[Breach, ...]:
    """Claiming nothing more, by the one who may claim."""
    seat = claimant(state)
    if not isinstance(fact, Passed):
        return misfit(f"all cards lie: the table waits for a claim or a pass from seat {seat}")
    if fact.seat == seat:
        return ()
    return (Breach("GA.g6", "OOB", f"seat {fact.seat} passes, but it is seat {seat} who may claim"),)


def _draw(state: Level, fact: CardDrawn) -> tuple[Breach, ...]:
    found = []
    if not state.drawing[fact.seat]:
        found.append(Breach("GA.5", "DRW", f"no card is due to seat {fact.seat}"))
    if fact.card is not None:
        found += draw_breaches(fact.card, state.hands, state.seen, PACK, "GA.5")
    return tuple(found)
