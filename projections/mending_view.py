"""The view of what mends a record: windows with their ends, corrections that wait for an answer, affirmations."""

from datetime import datetime

import msgspec

from domain import codec
from domain.game.protocol import Viewer
from domain.log.actor import Strength
from domain.log.event import Json
from domain.match.event import Window
from domain.match.events import UNKNOWN
from domain.match.mending_events import Cause, Mend
from domain.match.said import Proposal
from domain.match.sight import seen
from domain.match.state import Deal, Match
from domain.match.windows import Moment, closing, closings


class WindowView(msgspec.Struct, frozen=True):
    """The window of a deal: T0 whoever keeps the score changes it, T1 the sides by agreement, T2 a director, T3 a
    director and the secretary for a slip, then nobody; `ends` is when it ends by itself (null: not by time)."""

    deal: int
    window: Window
    ends: datetime | None


class ProposalView(msgspec.Struct, frozen=True):
    """A correction that waits: of the entry `at`, what is done with it, the entry as it is and as it would be (null:
    nothing, or `hidden` from the viewer), who proposes it, and the sides that have agreed. `waits`: on the other sides
    (`sides`), on a director or on the secretary."""

    version: int
    deal: int
    at: int
    do: Mend
    was: Json
    now: Json
    hidden: bool
    cause: Cause
    side: int | None
    person: str | None
    agreed: tuple[int | None, ...]
    waits: str


class AffirmationView(msgspec.Struct, frozen=True):
    """An affirmation: these entries are what was played, says a side (null: a director who looked at the cards)."""

    version: int
    deal: int
    versions: tuple[int, ...]
    side: int | None
    person: str | None
    strength: Strength


def windows_of(match: Match, moment: Moment | None) -> tuple[WindowView, ...]:
    """The window of each deal at a moment; none where no moment is told."""
    if moment is None:
        return ()
    return tuple(
        WindowView(deal.number, each.window, each.ends)
        for deal, each in zip(match.deals, closings(match, moment), strict=True)
    )


def proposals_of(match: Match, viewer: Viewer, moment: Moment | None) -> tuple[ProposalView, ...]:
    """The corrections that wait, as a viewer may see them."""
    return tuple(_proposal(match, each, viewer, moment) for each in match.proposals)


def _proposal(match: Match, proposal: Proposal, viewer: Viewer, moment: Moment | None) -> ProposalView:
    said = proposal.event
    deal = match.deals[said.deal - 1]
    hidden = seen(said, viewer, match, proposal.version) is not said
    gone = said.now == UNKNOWN
    return ProposalView(
        proposal.version,
        said.deal,
        said.version,
        said.do,
        None if hidden or said.do == "insert" else entry_at(deal, said.version),
        None if hidden or gone else codec.decode(said.now, dict),
        hidden,
        said.cause,
        said.side,
        said.person,
        tuple(each.side for each in proposal.agreed),
        _waits(match, deal, proposal, moment),
    )


def _waits(match: Match, deal: Deal, proposal: Proposal, moment: Moment | None) -> str:
    window = closing(match, deal, moment).window
    if window == "T1":
        return "sides"
    return "secretary" if window == "T3" and proposal.event.side is None else "director"


def entry_at(deal: Deal, version: int) -> Json:
    """A fact or result in force, as JSON has it; null where there is none."""
    if deal.entry is not None and deal.entry[0] == version:
        return codec.plain(deal.entry[1])
    return next((codec.plain(fact) for each, fact in deal.facts if each == version), None)


def affirmations_of(match: Match, told: frozenset[int]) -> tuple[AffirmationView, ...]:
    """The affirmations in force of the deals of which a viewer may know what was found."""
    return tuple(
        AffirmationView(each.version, deal.number, each.versions, each.side, each.person, each.strength)
        for deal in match.deals
        if deal.number in told
        for each in deal.affirmed
    )
