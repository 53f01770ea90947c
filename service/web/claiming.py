"""Claims of the rest at a table: what can be claimed, who still has to answer, and the form that says it."""

from typing import Final

import msgspec

from domain.cards.facts import RestAnswered, RestClaimed
from domain.log.event import JsonObject
from domain.match.state import Match, open_deal
from service.web.controls import Tap, tap_of
from service.web.forms import Form, number_of

WORD: Final = str(RestClaimed.__struct_config__.tag)
FACED: Final = "faced."  # before the code of a card, in the form's fields


class Resting(msgspec.Struct, frozen=True):
    """The tricks that are left, as far as they can be claimed: how many they are, and the numbers that may be claimed
    beside all of them. While a claim lies on the table: whose it is, of how many, and the answers of whoever is asked
    next, yes and no. What may come to be left is not `exact`."""

    left: int
    fewer: tuple[int, ...] = ()
    claimant: int | None = None
    tricks: int | None = None
    asked: tuple[Tap, ...] = ()
    exact: bool = True


def resting_of(match: Match) -> Resting | None:
    """The claims of the rest and the answers that this table takes now; nothing where no tricks are under way."""
    deal, game = open_deal(match), match.setup.game
    if deal is None or deal.paused or deal.depth == "summary" or (on := game.rest(deal.table)) is None or not on.left:
        return None
    if on.claim is not None:
        waits = [seat for seat in on.asked(on.claim.seat) if not on.claim.yes >> seat & 1][:1]
        taps = tuple(tap_of(game.key, RestAnswered(seat, yes)) for seat in waits for yes in (True, False))
        return Resting(on.left, claimant=on.claim.seat, tricks=on.claim.tricks, asked=taps)
    # with four players nobody says who takes the others
    return Resting(on.left, tuple(range(on.left)) if len(on.hands) == len((0, 1)) else ())


def claimed(form: Form, seat: int) -> JsonObject:
    """The members of a claim that a form makes: the tricks, and the cards that the claimant faced. Raises Refusal."""
    cards = sorted(name.removeprefix(FACED) for name in form if name.startswith(FACED))
    return {"tricks": number_of(form, "tricks"), "hands": [[]] * seat + [cards] if cards else []}
