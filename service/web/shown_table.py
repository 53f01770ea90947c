"""The table as its template has it: the match for one viewer, what is said of it, and what the viewer may do there."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from projections.match_view import MatchView
from service.desk.cases.heard import Heard
from service.desk.ranks import RankRange
from service.web.claiming import Resting
from service.web.controls import Controls, Tap
from service.web.forms import Form
from service.web.mends import Mends
from service.web.offers import Offers


class Again(msgspec.Struct, frozen=True):
    """The button that sends the same once more: where, with which fields, the field that answers, and its words."""

    action: str
    fields: Form
    ask: str
    yes: str


class HomeClub(msgspec.Struct, frozen=True):
    """The club of a match."""

    id: str
    name: str


class ShownTable(msgspec.Struct, frozen=True):
    """A table for one viewer: names by seat (`people`) and by side, `said` aloud when it changes, the controls and
    offers of whoever may record, sign or mend there, the names by player (`called`), what sides say in words, the cards
    of the `pack` and those that are `gone`; `rebuilt` are hands of the past by seat, `placed` the ranks by side,
    `phases` the tricks by seat of the phases that are over; the `era` of a table that is followed."""

    match: MatchView
    people: list[str]
    sides: list[str]
    said: str
    may_record: bool
    belongs: bool
    controls: Controls
    resting: Resting | None
    by_pin: tuple[tuple[tuple[str, str | None], ...], ...]
    offers: Offers
    mends: Mends
    called: Mapping[str, str]
    figures: Callable[[Iterable[int] | None], str]
    told_claims: list[str]
    told_disputes: list[str]
    told_proposals: list[str]
    pack: list[str]
    gone: set[str]
    odd_calls: tuple[Tap, ...]
    club: HomeClub
    reads: bool
    zone: str
    calls: tuple[tuple[str, str], ...]
    directs: bool
    heard: Heard | None
    rebuilt: Mapping[int, tuple[str, ...]]
    void_asks: str
    abandon_asks: str
    hidden_facts: str
    next_deal: int
    lies_open: bool
    placed: Sequence[RankRange | None]
    phases: list[tuple[int, Sequence[int]]]
    embeds: bool
    era: str
    error: str = ""
    question: Again | None = None
    replaying: bool = False
