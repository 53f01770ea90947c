"""The view of a table: the position of a deal as one viewer may see it, with words for what has no name of its own."""

import msgspec

from domain import codec, english
from domain.cards.facts import Fact
from domain.game.protocol import ALL, Table, Viewer
from domain.game.shown import Figure
from domain.log.event import JsonObject
from domain.log.message import Message
from domain.match.sight import seen, table_seen
from domain.match.state import Deal, Match, is_complete


def table_view(match: Match, deal: Deal, viewer: Viewer, opened: bool = False) -> JsonObject:
    """The table of a deal as the viewer may see it; `opened` when everybody may see all of it by now."""
    sight: Viewer = ALL if opened else viewer
    shown: Table = match.setup.game.view(table_seen(match, deal, sight), sight)
    table: JsonObject = codec.plain(shown) | _in_words(match, deal, shown, sight)
    if is_complete(match, deal) or deal.paused or deal.depth == "summary":
        table["to_act"] = None
        table["legal"] = []
    return {"deal": deal.number, **table}


def turn_of(match: Match, viewer: Viewer) -> int | None:
    """The seat whose turn it is at the last table, as the viewer may see it; None where nobody's is."""
    deal = match.deals[-1] if match.deals else None
    if deal is None or is_complete(match, deal) or deal.paused or deal.depth == "summary":
        return None
    return match.setup.game.to_act(table_seen(match, deal, viewer))


def _in_words(match: Match, deal: Deal, shown: Table, viewer: Viewer) -> JsonObject:
    """The parts of a table that say themselves: figures, notes and the last fact with their English, the layout."""
    key = match.setup.game.key
    return {
        "figures": [_figure(key, each) for each in shown.figures],
        "notes": [_message(key, each) for each in shown.notes],
        "layout": codec.plain(shown.layout),
        "stated": list(shown.numbers),
        "latest": _latest(key, told(match, deal, seen(deal.facts[-1][1], viewer))) if deal.facts else None,
    }


def told(match: Match, deal: Deal, fact: Fact) -> Fact:
    """A fact of a deal, with what cards that lie open tell of it; what it hides stays as it was told."""
    if deal.cards is None:
        return fact
    full: Fact = match.setup.game.told_by(deal.cards, fact)
    return msgspec.structs.replace(full, **{name: getattr(fact, name) for name in fact.hides}) if fact.hides else full


def _figure(key: str, each: Figure) -> JsonObject:
    said = [english.counted(key, each.label, number) for number in each.values]
    return {"label": each.label, "by": each.by, "values": list(each.values), "said": said}


def _message(key: str, message: Message) -> JsonObject:
    return {"id": message.id, "values": codec.plain(message.values), "said": english.sentence(key, message)}


def _latest(key: str, fact: Fact) -> JsonObject:
    return {"seat": fact.seat, **_message(key, fact.said())}
