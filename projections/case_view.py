"""The case view: everything that is known of a case, from the records up to two positions, for a kind of viewer, at a
time, by a version of the audit. Canonical JSON of ids, without names or words: the same five give the same bytes."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from domain import codec
from domain.case import events as ce
from domain.case.appeals import IN_TIME, is_owed, made
from domain.case.state import Appeal, Case
from domain.case.statements import are_open, opens_at
from domain.game.protocol import ALL, Viewer
from domain.log.event import Json, JsonObject, Recorded, instant
from domain.match import events as e
from domain.match.audit.finding import AUDIT
from domain.match.audit.grades import EVERY, PAGE, Budget, graded
from domain.match.sight import hands_open, told_to
from domain.match.state import Deal, Match, is_complete, played, ruled_scores
from domain.match.windows import closing
from projections.case_eyes import CaseKind, CaseMatch, CaseRecord, Eyes, Shut, eyes_of, untold
from projections.case_positions import positions
from projections.event_view import event_view

SAID: Final = ("detail", "explained_by")  # sentences of a finding: pages have them from the finding itself
CORRECTING: Final = (
    e.FactUndone,
    e.FactWithdrawn,
    e.FactInserted,
    e.EntryCorrected,
    e.DealVoided,
    e.DealRestored,
    e.CorrectionProposed,
    e.CorrectionAnswered,
)


def case_view(
    record: CaseRecord, kind: CaseKind, side: int | None, at: datetime, audit: int = AUDIT, shut: Shut = ()
) -> bytes:
    """The view as canonical JSON; `shut` are the matches that a director sees as if he were none. Raises ValueError for
    an audit that this program does not have."""
    if audit != AUDIT:
        raise ValueError(f"there is no audit {audit} here, only {AUDIT}")
    case, times = record.case, {each.version: each.recorded_at for each in record.events}
    kept_back = untold(record, kind)
    calls = [each for each in case.calls if each.version not in kept_back]
    places = {each.place for each in calls}
    ruler = None if case.ruler is None or case.ruler.version in kept_back else case.ruler
    recused = [each for each in case.recused if each.version not in kept_back]
    view = {
        "case": record.stream,
        "club": record.club,
        "version": case.version,
        "at": instant(at),
        "audit": audit,
        "viewer": {"kind": kind, "side": side},
        "matter": calls[0].matter if calls else "other",
        "open": case.is_open,
        "ended": case.ended,
        "sides": case.sides,
        "ruler": None if ruler is None else {"person": ruler.person, "by": ruler.by},
        "recused": [{"person": each.person, "because": _because(each.because, kind)} for each in recused],
        "calls": [_call(case, each, times) for each in calls],
        "procedure": [_step(each, kind) for each in record.events if each.version not in kept_back],
        "statements": _statements(record, at, times),
        "witnesses": [
            {"version": each.version, "person": each.person} for each in case.witnesses if each.version not in kept_back
        ],
        "matches": [
            _match(record, each, places, eyes_of(record, each, kind, side, shut))
            for each in record.matches
            if any(place.match == each.stream for place in places)
        ],
        "rulings": [found for each in record.matches for found in _rulings(places, each)],
        "appeals": [_appeal(record, each) for each in case.appeals],
    }
    return codec.encode(view)


def budget_for(kind: CaseKind, is_open: bool) -> Budget:
    """The bounds of the search for slips: all of them for a director of an open case, else as on any page."""
    return EVERY if kind == "director" and is_open else PAGE


def _call(case: Case, call: Json, times: Mapping[int, datetime]) -> JsonObject:
    plain: JsonObject = codec.plain(call)
    return {**plain, "at": instant(times[call.version])}


def _because(because: ce.Because, kind: CaseKind) -> ce.Because | None:
    """The reason why somebody does not rule: who is close to whom is told to directors only."""
    return None if because == "friend" and kind != "director" else because


def _step(event: Recorded, kind: CaseKind) -> JsonObject:
    """An event of the case: when, by whom, in which role, and what it says; for directors also on which device."""
    data: JsonObject = codec.plain(event.data)
    if isinstance(event.data, ce.RulerRecused):
        data["because"] = _because(event.data.because, kind)
    return {
        "version": event.version,
        "type": event.type,
        "at": instant(event.recorded_at),
        "actor": event.actor,
        "role": event.role,
        "device": event.device if kind == "director" else None,
        "data": data,
        "words": event.private is not None,
    }


def _statements(record: CaseRecord, at: datetime, times: Mapping[int, datetime]) -> JsonObject:
    """The sides that have stated, whether all may read it, and when they may at the latest."""
    ends = opens_at(record.case, times)
    said = [
        {"version": each.version, "side": each.side, "person": each.person, "at": instant(times[each.version])}
        for each in record.case.statements
    ]
    opened = are_open(record.case, at, times)
    return {"open": opened, "opens_at": None if ends is None else instant(ends), "said": said}


def _match(record: CaseRecord, own: CaseMatch, told: Iterable[ce.CasePlace], eyes: Eyes) -> JsonObject:
    """One match of the case: its header, and the deals that the case is about as far as its viewer is `told`."""
    match, setup = own.match, own.match.setup
    places = [each for each in told if each.match == own.stream]
    numbers = {each.deal for each in places if each.deal is not None}
    deals = [deal for deal in match.deals if not numbers or deal.number in numbers]
    budget = budget_for(eyes.kind, record.case.is_open)
    stage, round_, fixture, table = own.place or (None, None, None, None)
    return {
        "match": own.stream,
        "version": match.version,
        "tournament": setup.tournament,
        "stage": stage,
        "round": round_,
        "fixture": fixture,
        "table": table,
        "game": setup.game.key,
        "rules": setup.rules,
        "options": codec.plain(setup.options),
        "race": codec.plain(setup.race),
        "recording": setup.recording,
        "depth": setup.depth,
        "sides": setup.sides,
        "seats": setup.seats,
        "disputes": [codec.plain(each) for each in match.disputes],
        "settled": match.settled,
        "deals": [_deal(own, deal, eyes, budget) for deal in deals],
        "at": sorted({version for each in places for version in each.at}),
    }


def _deal(own: CaseMatch, deal: Deal, eyes: Eyes, budget: Budget) -> JsonObject:
    """One deal: its timeline, positions, findings, corrections, signatures and window."""
    match, viewer = own.match, eyes.viewer
    result = played(match, deal)
    closed = closing(match, deal, own.moment)
    mine = [each for each in own.events if of_deal(match, deal, each)]
    return {
        "deal": deal.number,
        "version": deal.version,
        "dealer": deal.dealer,
        "depth": deal.depth,
        "void": deal.void,
        "complete": is_complete(match, deal),
        "open_hands": hands_open(match, deal),
        "scores": None if result is None else result.scores,
        "ruled": ruled_scores(deal),
        "own_table": deal.own_table,
        "timeline": [_moment(match, each, viewer) for each in mine],
        "positions": codec.plain(positions(match, deal, viewer)),
        "findings": _findings(own, deal, eyes, budget),
        "affirmed": codec.plain(deal.affirmed),
        "corrections": [_moment(match, each, viewer) for each in mine if isinstance(each.data, CORRECTING)],
        "signatures": [{"side": side, **codec.plain(each)} for side, each in sorted(deal.signatures.items())],
        "vouched": sorted(deal.vouched),
        "window": {"name": closed.window, "ends": None if closed.ends is None else instant(closed.ends)},
    }


def of_deal(match: Match, deal: Deal, event: Recorded) -> bool:
    """Tells whether an event of the match is of a deal: it names it, changes an entry of it, or was recorded in it."""
    named = getattr(event.data, "deal", None)
    if isinstance(named, int):
        return named == deal.number
    about = event.data.version if isinstance(event.data, e.FactUndone | e.EntryCorrected) else event.version
    begun = [each for each in match.deals if each.version <= about]
    return bool(begun) and begun[-1].number == deal.number


def _moment(match: Match, event: Recorded, viewer: Viewer) -> JsonObject:
    """An event of the match as the viewer may know it: superseded ones are marked, never left out. `lag` is by how many
    seconds the device's clock was behind ours."""
    shown = event_view(event, viewer, match)
    lag = None if event.device_clock is None else round((event.recorded_at - event.device_clock).total_seconds(), 3)
    return {
        "version": event.version,
        "type": event.type,
        "at": instant(event.recorded_at),
        "actor": event.actor,
        "role": event.role,
        "seat": event.seat,
        "device": event.device if viewer == ALL else None,
        "device_clock": shown.device_clock,
        "lag": lag,
        "data": shown.data,
        "hidden": shown.hidden,
        "superseded_by": shown.superseded_by,
    }


def _findings(own: CaseMatch, deal: Deal, eyes: Eyes, budget: Budget) -> list[JsonObject]:
    """The findings of a deal, each with the versions on which it rests and `"grade": "P"` where it is proven: for a
    director of the case, and for everybody else once it is over and the signal policy of the match tells them."""
    told = is_complete(own.match, deal) and told_to(own.match, deal, eyes.audience, eyes.viewer, own.moment)
    if eyes.kind != "director" and not told:
        return []
    found = [codec.plain(each) for each in graded(own.match, deal, budget)]
    return [{name: value for name, value in each.items() if name not in SAID} for each in found]


def _rulings(told: Iterable[ce.CasePlace], own: CaseMatch) -> list[JsonObject]:
    """The rulings on the deals of a match, each with who accepted it and until when it can be appealed against at
    least."""
    times = {each.version: each for each in own.events}
    numbers = {each.deal for each in told if each.match == own.stream}
    found = []
    for deal in own.match.deals:
        if deal.number not in numbers and None not in numbers:
            continue
        for each in deal.rulings:
            event = times[each.version]
            plain: JsonObject = codec.plain(each)
            at = instant(event.recorded_at)
            more = {"match": own.stream, "deal": deal.number, "actor": event.actor, "made_at": at}
            until = instant(event.recorded_at + IN_TIME)
            found.append({**plain, **more, "appeal_until": until, "in_force": each is deal.rulings[-1]})
    return found


def _appeal(record: CaseRecord, appeal: Appeal) -> JsonObject:
    """An appeal with the version of the ruling that was made on it, and whether one is still owed."""
    plain: JsonObject = codec.plain(appeal)
    match = next((each.match for each in record.matches if each.stream == appeal.match), None)
    if match is None:
        return {**plain, "made": None, "owed": appeal.outcome == "changed"}
    return {**plain, "made": made(appeal, match), "owed": is_owed(appeal, match)}
