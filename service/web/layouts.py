"""A layout that lies open: the page on which its cards are tapped in reading order, and the deal that they are."""

import re
from typing import Any, Final
from uuid import UUID

from litestar import get
from litestar.params import FromPath
from msgspec.structs import asdict

from domain import codec
from domain.cards.card import CARD_OF, RED_JOKER, Card, parse_card
from domain.game.script import DealCards
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.rights import check_any
from domain.match.state import Match, open_deal
from service.desk.access import actor_at, match_for, match_to_write
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, era_of, services_of
from service.http.cookies import caller_of, go
from service.web.ahead import first_colour
from service.web.boards import board_of
from service.web.forms import Form, number_of, text_of
from service.web.matches import lies_open, table_values, without_network
from service.web.render import page

GAP: Final = "--"
NO_LAYOUT: Final = "the cards of this game are not laid out in the open: there is no layout to type"


def typed_deal(form: Form, match: Match) -> Any:
    """The deal that was typed in reading order; None where the form has no cards. Raises Refusal, ValueError."""
    typed = [each for each in re.split(r"[\s,;/]+", text_of(form, "cards")) if each]
    if not typed:
        return None
    game, setup = match.setup.game, match.setup
    if game.frame is None or not game.frame.filled:
        raise Refusal("misfit", NO_LAYOUT)
    wide, cards = len(game.frame.columns), [_typed(each) for each in typed]
    if len(cards) != wide * len(game.frame.rows):
        raise Refusal("malformed", f"{wide * len(game.frame.rows)} squares are to be filled, not {len(cards)}")
    rows = tuple(tuple(cards[at : at + wide]) for at in range(0, len(cards), wide))
    first = number_of(form, "red") if game.frame.framed else None
    return codec.plain(game.script.deal_of(setup.options, DealCards(rows=rows, red=first)))


def _typed(text: str) -> Card | None:
    """A card, or the gap for dashes and a joker."""
    if text == GAP:
        return None
    card = CARD_OF.get(text.upper()) or parse_card(text)
    return None if card >= RED_JOKER else card


@get("/matches/{match_id:uuid}/layout", include_in_schema=False)
async def layout_page(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The board that fills as cards are tapped; the table where there is none to fill, or a deal is on."""
    services, caller = services_of(request), await caller_of(request)
    await match_to_write(services, caller, match_id)
    loaded, club = await match_for(services, caller, match_id)
    match = loaded.match
    check_any(match, c.StartDeal(), actor_at(caller, loaded))
    if not lies_open(match.setup.game) or open_deal(match) is not None:
        return go(f"/matches/{match_id}")
    values = table_values(caller, loaded, club, era=await era_of(request))
    frame = match.setup.game.frame
    assert frame is not None
    more = without_network(match, values)
    board, red = board_of(frame, None), first_colour(match)
    return page("layout.html", caller, board=board, framed=frame.framed, red=red, **asdict(values), **more)
