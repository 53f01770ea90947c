"""The fold of what mends a deal: an entry taken back, replaced, taken out or put in; its deal is folded again."""

import msgspec

from domain import codec
from domain.cards.facts import Fact
from domain.game.protocol import AnyEntry
from domain.match import events as e
from domain.match.event import Window
from domain.match.mends import later, without
from domain.match.running import refolded
from domain.match.said import Proposal
from domain.match.state import Deal, Match, is_complete


def mended(
    match: Match, version: int, event: e.FactUndone | e.FactWithdrawn | e.EntryCorrected | e.FactInserted
) -> Match:
    """The match after an entry was taken back, replaced, taken out or put in: from a director's window on the deal does
    not go back, and what was proposed for that entry is settled."""
    if isinstance(event, e.FactInserted):
        return _inserted(match, version, event)
    now = event.now if isinstance(event, e.EntryCorrected) and event.now != e.UNKNOWN else None
    number = deal_of(match, event.version)
    after = _superseded(match, version, event.version, now)
    window = None if isinstance(event, e.FactUndone) else event.window
    left = tuple(each for each in after.proposals if each.event.version != event.version)
    return msgspec.structs.replace(after, deals=_in_window(after.deals, number, window), proposals=left)


def deal_of(match: Match, version: int) -> int | None:
    """The number of the deal in which a fact, a claim or a result in force stands."""
    for deal in match.deals:
        claims = (claim.version for claim in deal.claims)
        if any(version == each for each, _ in deal.facts) or version in claims:
            return deal.number
        if deal.entry is not None and deal.entry[0] == version:
            return deal.number
    return None


def _in_window(deals: tuple[Deal, ...], number: int | None, window: Window | None) -> tuple[Deal, ...]:
    """The deals after one of them was changed in a window."""
    return tuple(
        msgspec.structs.replace(deal, mended_in=later(deal.mended_in, window)) if deal.number == number else deal
        for deal in deals
    )


def _superseded(match: Match, version: int, old: int, now: msgspec.Raw | None) -> Match:
    """An undo (`now` is None) or a correction of the fact or result at version `old`."""
    superseded = {**match.superseded, old: version}
    deals = tuple(_back_on(match, _replaced(match, without(deal, old), version, old, now)) for deal in match.deals)
    return msgspec.structs.replace(match, deals=deals, superseded=superseded)


def _back_on(match: Match, deal: Deal) -> Deal:
    """A deal that is not over after all has nothing that everybody may see."""
    return msgspec.structs.replace(deal, opened=False) if deal.opened and not is_complete(match, deal) else deal


def _replaced(match: Match, deal: Deal, version: int, old: int, now: msgspec.Raw | None) -> Deal:
    if deal.entry is not None and deal.entry[0] == old:
        entry = None if now is None else (version, stored_entry(match, now))
        return msgspec.structs.replace(deal, entry=entry, confirmed=(), signed={}, signatures={}, claims=())
    if any(claim.version == old for claim in deal.claims):
        return msgspec.structs.replace(deal, claims=tuple(each for each in deal.claims if each.version != old))
    if all(each != old for each, _ in deal.facts):
        return deal
    facts = []
    for each, fact in deal.facts:
        if each != old:
            facts.append((each, fact))
        elif now is not None:
            # the corrected fact keeps its place in the deal and takes the version of its correction
            facts.append((version, codec.fact_decoder().decode(now)))
    return refolded(match, deal, facts)


def _inserted(match: Match, version: int, event: e.FactInserted) -> Match:
    """A fact stands behind the entry at a version now, with the version of its insertion; the proposal to put it there
    is settled."""
    fact = codec.fact_decoder().decode(event.fact)
    deals = tuple(
        _with_one_more(match, deal, event.after, (version, fact)) if deal.number == event.deal else deal
        for deal in match.deals
    )
    left = tuple(each for each in match.proposals if not _is_that(each, event))
    return msgspec.structs.replace(match, deals=_in_window(deals, event.deal, event.window), proposals=left)


def _is_that(proposal: Proposal, event: e.FactInserted) -> bool:
    """Tells the proposal that an insertion carries out."""
    said = proposal.event
    return (said.do, said.version, said.now) == ("insert", event.after, event.fact)


def _with_one_more(match: Match, deal: Deal, after: int, more: tuple[int, Fact]) -> Deal:
    """A deal with one more fact behind that of a version, or at its beginning; it may be the first word on it."""
    places = [place for place, (each, _) in enumerate(deal.facts, start=1) if each == after]
    if not places and after != deal.version:
        return deal
    at = places[0] if places else 0
    begun = msgspec.structs.replace(deal, first=deal.first or more[0], last=deal.last or more[0])
    return _back_on(match, refolded(match, begun, [*deal.facts[:at], more, *deal.facts[at:]]))


def stored_entry(match: Match, raw: msgspec.Raw) -> AnyEntry:
    """A result as the game's own entry Struct."""
    return codec.decode(raw, match.setup.game.sheet.entry(match.setup.options))
