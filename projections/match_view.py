"""The match view: everything that a client shows of a match, as one viewer may see it."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from domain import codec, english
from domain.cards.facts import Fact
from domain.game.protocol import ALL, Table, Viewer
from domain.game.race import GameScore, Lurch, LurchStatus, Standing
from domain.game.shown import Figure
from domain.log.actor import Strength
from domain.log.event import JsonObject
from domain.log.message import Message
from domain.match.audit.finding import Finding
from domain.match.audit.grades import shown_findings
from domain.match.capacity import events_left
from domain.match.claims import scores_of
from domain.match.event import Signals
from domain.match.ruling_events import Found
from domain.match.sight import hands_open, seen, table_seen
from domain.match.signatures import signature_of
from domain.match.state import (
    Claim,
    Deal,
    Match,
    OpenDispute,
    agreed_by,
    by_side,
    disputed,
    is_complete,
    match_confirmed,
    next_dealer,
    played,
    procedural_points,
    race_of,
    ruled_scores,
    standing_rulings,
)
from domain.match.windows import Moment
from projections.mending_view import (
    AffirmationView,
    ProposalView,
    WindowView,
    affirmations_of,
    proposals_of,
    windows_of,
)

Doubt: TypeAlias = Literal["contested", "under appeal", "disputed"]  # about a result, for whoever sees that


class SideView(msgspec.Struct, frozen=True):
    """A side: names (null for an erased person), players' ids, seats."""

    names: tuple[str | None, ...]
    players: tuple[str, ...]
    seats: tuple[int, ...]


class ClaimView(msgspec.Struct, frozen=True):
    """A claim of a side about a deal with hidden hands: `what` (result, pause, void), the scores by side of a
    result, and the sides that say so; when all do, it is so."""

    version: int
    side: int
    what: str
    scores: tuple[int, ...] | None
    agreed: tuple[int, ...]


class SignatureView(msgspec.Struct, frozen=True):
    """The signature of a side: whose it is (null: of whoever keeps the score), and how strong (null: of before
    strengths were written down)."""

    side: int
    person: str | None
    strength: Strength | None


class DealView(msgspec.Struct, frozen=True):
    """One deal: scores by seat as its facts or entry give, by side as they are in force. `confirmed` are the sides that
    agree to it as it stands, a ruling that they accepted included, `signatures` how they signed; `open` says that
    everybody may see its hands, `own_table` that somebody who belongs to the table directed it, as the other side had
    agreed, `procedural` are points by side that a ruling takes off beside the score."""

    number: int
    dealer: int
    version: int
    scores: tuple[int, ...] | None
    in_force: tuple[int, ...] | None
    complete: bool
    void: bool
    depth: str
    paused: bool
    status: str
    confirmed: tuple[int, ...]
    result: Any
    entry_version: int | None
    claims: tuple[ClaimView, ...] = ()
    disputed: bool = False
    open: bool = False
    signatures: tuple[SignatureView, ...] = ()
    own_table: bool = False
    procedural: tuple[int, ...] | None = None


class RulingView(msgspec.Struct, frozen=True):
    """A ruling: the deal, the irregularity's code, where it was, the scores by side if it adjusts them; its remedy, its
    procedural points by side, the findings that it rests on as they were then, the ruling that it supersedes, its
    instance (2: on appeal), its ledger number, and whether it is in force."""

    deal: int
    version: int
    code: str
    at: int | None
    scores: tuple[int, ...] | None
    accepted: tuple[int, ...] = ()
    remedy: str | None = None
    procedural: tuple[int, ...] | None = None
    findings: tuple[Found, ...] = ()
    supersedes: int | None = None
    instance: int = 1
    rule: str | None = None
    in_force: bool = True


class MatchView(msgspec.Struct, frozen=True):
    """A match for one viewer. `table` is null before the first deal; `findings` are those that the viewer
    may know of by now, as `signals` says: loud, quiet or silent. `confirmed`: every side agrees to
    how it ended; `own_table`: somebody who belongs to the table settled something of the match, as the other side had
    agreed; `disputes` are those that are open; `events_left` is how many more events the match takes, null while
    that is more than 500. What nobody said when it was opened is of the house rules that the club adopted at version
    `house` of its own stream. `windows` say how far the result of each deal has come by now (empty for a moment of the
    past), `proposals` are corrections that wait for an answer, `affirmations` entries that their side says were played
    so, told to who may know what was found; `sealed`: nothing changes any more.
    `contested`: the record of this match says something else than the result that stands in its tournament.
    `doubt`: its result is contested, under appeal, or disputed, that is not yet final."""

    id: str
    club: str
    version: int
    game: str
    title: str
    rules: int
    options: JsonObject
    target: int | None
    win_by: int
    cap: int | None
    deals_fixed: int | None
    best_of: int
    lurch_lines: Lurch | None
    recording: str
    status: str
    winner: int | None
    sides: tuple[SideView, ...]
    totals: tuple[int, ...]
    games: tuple[GameScore, ...]
    lurch: tuple[LurchStatus, ...]
    next_dealer: int | None
    deals: tuple[DealView, ...]
    table: JsonObject | None
    findings: tuple[Finding, ...]
    rulings: tuple[RulingView, ...]
    tournament: str | None = None
    confirmed: bool = False
    disputes: tuple[OpenDispute, ...] = ()
    events_left: int | None = None
    house: int | None = None
    own_table: bool = False
    contested: bool = False
    doubt: Doubt | None = None
    signals: Signals = "quiet"
    windows: tuple[WindowView, ...] = ()
    proposals: tuple[ProposalView, ...] = ()
    affirmations: tuple[AffirmationView, ...] = ()
    sealed: bool = False


def status_now(match: Match, race: Standing) -> str:
    """Open, finished or void."""
    return "void" if match.void else "finished" if race.finished else "open"


def rulings_of(match: Match) -> tuple[RulingView, ...]:
    """Every ruling, deal by deal."""
    return tuple(
        RulingView(
            deal.number,
            ruling.version,
            ruling.code,
            ruling.at,
            ruling.scores,
            ruling.accepted,
            ruling.remedy,
            ruling.procedural,
            ruling.findings,
            ruling.supersedes,
            ruling.instance,
            ruling.rule,
            ruling in standing_rulings(deal),
        )
        for deal in match.deals
        for ruling in deal.rulings
    )


def status_of(match: Match, deal: Deal) -> str:
    """Draft, reported, confirmed, ruled or void."""
    if deal.void:
        return "void"
    if ruled_scores(deal) is not None or (deal.rulings and deal.rulings[-1].remedy is not None):
        return "accepted" if len(agreed_by(deal)) == len(match.setup.sides) else "ruled"
    if not is_complete(match, deal):
        return "draft"
    return "confirmed" if agreed_by(deal) else "reported"


def deal_view(match: Match, deal: Deal) -> DealView:
    """One deal of the match view."""
    result = played(match, deal)
    void = deal.void or (result is not None and result.void)
    scores = None if result is None or deal.void else result.scores
    force = ruled_scores(deal)
    if force is None and scores is not None and not void:
        force = by_side(match.setup, scores)
    return DealView(
        number=deal.number,
        dealer=deal.dealer,
        version=deal.version,
        scores=scores,
        in_force=force,
        complete=is_complete(match, deal),
        void=void,
        depth=deal.depth,
        paused=deal.paused,
        status=status_of(match, deal),
        confirmed=agreed_by(deal),
        result=None if result is None else codec.plain(result),
        entry_version=deal.entry[0] if deal.entry else None,
        claims=tuple(_claim_view(match, claim) for claim in deal.claims),
        disputed=disputed(match, deal) is not None,
        open=hands_open(match, deal),
        signatures=_signatures(deal),
        own_table=deal.own_table,
        procedural=procedural_points(deal),
    )


def _signatures(deal: Deal) -> tuple[SignatureView, ...]:
    found = ((side, signature_of(deal, side)) for side in deal.confirmed)
    return tuple(SignatureView(side, each.person, each.strength) for side, each in found if each is not None)


def _claim_view(match: Match, claim: Claim) -> ClaimView:
    return ClaimView(claim.version, claim.side, claim.what, scores_of(match, claim), claim.agreed)


def table_view(match: Match, deal: Deal, viewer: Viewer, opened: bool = False) -> JsonObject:
    """The table of a deal as the viewer may see it; `opened` when everybody may see all of it by now."""
    sight: Viewer = ALL if opened else viewer
    shown: Table = match.setup.game.view(table_seen(match, deal, sight), sight)
    table: JsonObject = codec.plain(shown) | _in_words(match, deal, shown, sight)
    if is_complete(match, deal) or deal.paused or deal.depth == "summary":
        table["to_act"] = None
        table["legal"] = []
    return {"deal": deal.number, **table}


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
    """A fact of a deal, with what cards that lie open tell of it."""
    return fact if deal.cards is None else match.setup.game.told_by(deal.cards, fact)


def _figure(key: str, each: Figure) -> JsonObject:
    said = [english.counted(key, each.label, number) for number in each.values]
    return {"label": each.label, "by": each.by, "values": list(each.values), "said": said}


def _message(key: str, message: Message) -> JsonObject:
    return {"id": message.id, "values": codec.plain(message.values), "said": english.sentence(key, message)}


def _latest(key: str, fact: Fact) -> JsonObject:
    return {"seat": fact.seat, **_message(key, fact.said())}


def match_view(
    stream: str,
    club: str,
    match: Match,
    names: Mapping[str, str | None],
    viewer: Viewer,
    opened: frozenset[int] = frozenset(),
    told: frozenset[int] = frozenset(),
    moment: Moment | None = None,
) -> MatchView:
    """The view; `opened` are the numbers of the deals that everybody may see all of by now, whatever moment is shown;
    `told` those of the deals whose findings the viewer may know by now; windows are those at the `moment`."""
    setup = match.setup
    race = race_of(match)
    last = match.deals[-1] if match.deals else None
    return MatchView(
        id=stream,
        club=club,
        version=match.version,
        game=setup.game.key,
        title=setup.game.title,
        rules=setup.rules,
        options=options_given(match),
        target=setup.race.target,
        win_by=setup.race.win_by,
        cap=setup.race.cap,
        deals_fixed=setup.race.deals,
        best_of=setup.race.best_of,
        lurch_lines=setup.race.lurch,
        recording=setup.recording,
        status=status_now(match, race),
        tournament=setup.tournament,
        house=setup.house,
        winner=race.winner,
        sides=tuple(
            SideView(tuple(names.get(player) for player in players), players, seats)
            for players, seats in zip(setup.sides, setup.seats, strict=True)
        ),
        totals=race.totals,
        games=race.games,
        lurch=race.lurch,
        next_dealer=next_dealer(match),
        deals=tuple(deal_view(match, deal) for deal in match.deals),
        table=None if last is None else table_view(match, last, viewer, last.number in opened),
        findings=shown_findings(match, told),
        rulings=rulings_of(match),
        confirmed=match_confirmed(match),
        disputes=match.disputes,
        events_left=events_left(match.version),
        own_table=match.own_table,
        signals=setup.signals,
        windows=windows_of(match, moment),
        proposals=proposals_of(match, viewer, moment),
        affirmations=affirmations_of(match, told),
        sealed=bool(match.sealed),
    )


def options_given(match: Match) -> JsonObject:
    """The game's options that differ from its defaults."""
    default = match.setup.game.options()
    given: JsonObject = codec.plain(match.setup.options)
    return {name: value for name, value in given.items() if value != getattr(default, name)}
