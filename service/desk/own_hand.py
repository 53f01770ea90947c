"""A hand on a shared device: a player who has typed the PIN is shown the own one, for one answer; nothing is kept."""

from uuid import UUID

import msgspec

from domain.game.protocol import Viewer
from domain.log.decider import Refusal
from domain.match.sight import hands_open
from domain.match.state import Deal, Match
from projections.merged import sides_with
from projections.table_view import table_view
from service.desk.access import at_table, match_to_write, viewer_in
from service.desk.cases.acting import alone
from service.desk.services import Services
from service.desk.showing import names_of
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedMatch


class OwnHand(msgspec.Struct, frozen=True):
    """A hand as its player may see it: the number of the deal, the player's name, the cards."""

    deal: int
    name: str | None
    cards: tuple[str, ...]


def players_by_pin(
    caller: Caller, loaded: LoadedMatch, club: LoadedClub
) -> tuple[tuple[tuple[str, str | None], ...], ...]:
    """The players, side by side, each with the name, whose hands a PIN that is typed here shows: those of the last deal
    that this device, which has come in at the table, may not see. Who of them has a PIN is not told."""
    hidden, names, setup = _hidden_from(caller, loaded), names_of(club), loaded.match.setup
    sides = zip(sides_with(club.state.firsts(), setup.sides), setup.seats, strict=True)
    found = (
        tuple((player, names.get(player)) for player, seat in zip(side, seats, strict=True) if seat in hidden)
        for side, seats in sides
    )
    return tuple(side for side in found if side)


def _hidden_from(caller: Caller, loaded: LoadedMatch) -> tuple[int, ...]:
    """The seats whose hands of the last deal are hidden from this device at the table, and not from their players."""
    match = loaded.match
    deal = match.deals[-1] if match.deals else None
    if deal is None or deal.cards is None or not at_table(caller, loaded.stream):
        return ()
    here = _hands(match, deal, viewer_in(caller, loaded))
    return tuple(seat for seat, hand in enumerate(here) if hand is None and _hands(match, deal, seat)[seat] is not None)


def _hands(match: Match, deal: Deal, viewer: Viewer) -> list[list[str] | None]:
    """The hands of a deal by seat, as the view of the table has them for a viewer."""
    hands: list[list[str] | None] = table_view(match, deal, viewer, hands_open(match, deal))["hands"]
    return hands


async def own_hand(services: Services, caller: Caller, match: UUID, person: str, pin: str) -> OwnHand:
    """The hand of the player whose PIN was typed on this device, of the last deal when it was found right. Raises
    Refusal: the same for a person who has no PIN as for a wrong one, and for one who does not sit here as for none."""
    loaded = await match_to_write(services, caller, match)
    if not at_table(caller, loaded.stream):
        raise Refusal("forbidden", "a hand is shown by PIN on a phone that is in at this table: scan its code first")
    club = await services.recorder.club(loaded.club)
    players = players_by_pin(caller, loaded, club)
    if not players:
        raise _nothing_hidden()
    if not any(person == player for side in players for player, _ in side):
        raise Refusal("malformed", "say whose PIN it is: somebody who plays at this table")
    signer = await alone(services, caller, loaded.club, person, pin)
    now = await services.streams.match(loaded.stream)  # the PIN took its time
    assert now is not None, "it was just read"
    seat = viewer_in(signer, now)
    if not isinstance(seat, int) or seat not in _hidden_from(caller, now):
        raise _nothing_hidden()
    deal = now.match.deals[-1]
    return OwnHand(deal.number, names_of(club).get(person), tuple(_hands(now.match, deal, seat)[seat] or ()))


def _nothing_hidden() -> Refusal:
    return Refusal("misfit", "no hand of this table is hidden from this phone")
