"""A table on the director's board: its state, the words for it, and the difference to the record of its match."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

import msgspec

from domain.log.actor import Actor
from domain.log.decider import New, Refusal, decided
from domain.tournament import commands as c
from domain.tournament.decide.rights import check_allowed
from domain.tournament.state import Tournament
from projections.lists import MATCHES, MatchRow
from projections.tournaments.rounds import ContestView, OutcomeClaimView, PairingView, RoundView
from service.desk.on_stream import actor_on
from service.languages.spoken import N_, translate
from service.web.said import deal_text, winner_line, won_text
from service.web.signed import signed
from service.web.tournaments.frame import Frame

QUIET_MINUTES: Final = 20  # a table that nothing was heard of for so long is looked at
NOTHING: Final = N_("nothing recorded yet")
TableState: TypeAlias = Literal["contested", "disputed", "late", "unconfirmed", "on", "waiting", "done"]


class Row(msgspec.Struct, frozen=True):
    """A table of a round: its state and that in words; `differs` says what the match has instead of the result,
    `recused` why whoever looks does not decide on it."""

    pairing: PairingView
    round: RoundView
    state: TableState = "waiting"
    text: str = NOTHING
    differs: str = ""
    recused: str = ""


async def tables_of(frame: Frame, round_: RoundView, until: str | None) -> list[Row]:
    """A row for each table of a round; `until` is the instant at which its clock ends."""
    wanted = [each.match for each in round_.pairings]
    kept = await frame.services.lists.some(MATCHES, frame.loaded.club, MatchRow, wanted)
    matches = {row.id: row for row in kept}
    now = datetime.now(UTC)
    over = until is not None and datetime.fromisoformat(until) < now
    actor = actor_on(frame.loaded, frame.caller.actor())
    nothing = translate(NOTHING)
    rows = [
        Row(each, round_, text=nothing, recused=_recusal(frame, each, round_.stage, actor)) for each in round_.pairings
    ]
    return [_judged(_played(row, matches.get(row.pairing.match), now, over)) for row in rows]


def _recusal(frame: Frame, pairing: PairingView, stage: int, actor: Actor) -> str:
    """The reason for which a director who belongs to a table does not decide on it."""
    try:
        decided(_checked, frame.loaded.tournament, c.Retract(pairing.fixture, stage=stage), actor)
    except Refusal as refusal:
        return refusal.detail if refusal.slug == "recused" else ""
    return ""


def _checked(state: Tournament, command: c.TournamentCommand, actor: Actor) -> list[New]:
    check_allowed(state, command, actor)
    return []


def _played(row: Row, match: MatchRow | None, now: datetime, over: bool) -> Row:
    """A table by the record of its match and the clock alone."""
    is_open = row.pairing.status == "open"
    if match is not None:
        row = _recorded(row, match, now)
    if over and is_open and row.state != "unconfirmed":
        return msgspec.structs.replace(
            row, state="late", text=translate("{text}, the clock has run out").format(text=row.text)
        )
    return row


def _recorded(row: Row, match: MatchRow, now: datetime) -> Row:
    """A table by the record of its match."""
    quiet = int((now - datetime.fromisoformat(match.changed_at)).total_seconds() // 60)
    score, is_open = _scored(match.totals), row.pairing.status == "open"
    deals = deal_text(match.deals) if match.status == "open" else translate("played out")
    state: TableState = "late" if quiet >= QUIET_MINUTES and is_open else "on"
    said = translate("{deals}, {score}, last entry {quiet} min ago")
    text = said.format(deals=deals, score=score, quiet=quiet)
    if match.status == "finished" and is_open:
        said = translate("finished {score}, not yet confirmed by both sides")
        state, text = "unconfirmed", said.format(score=score)
    return msgspec.structs.replace(row, state=state, text=text, differs=_differs(row.pairing, match))


def _judged(row: Row) -> Row:
    """A table by what was claimed, reported, disputed and contested of it, the weightiest last."""
    pairing = row.pairing
    if pairing.status == "decided":
        by = "; ".join(_signed(pairing))
        text = _result(pairing)
        if not pairing.final:
            said = translate("{result}, not final: {by}") if by else translate("{result}, not final")
            text = said.format(result=text, by=by)
        row = msgspec.structs.replace(row, state="done", text=text)
    if pairing.claims and pairing.status != "decided":
        claims = "; ".join((*(_claim(pairing, each) for each in pairing.claims), *_signed(pairing)))
        row = msgspec.structs.replace(row, state="unconfirmed", text=claims)
    if pairing.disputed:
        standing = _result(pairing) if pairing.how else row.text
        row = msgspec.structs.replace(
            row, state="disputed", text=translate("⚑ disputed: {standing}").format(standing=standing)
        )
    if pairing.contested is not None:
        text = translate("⚑ contested: {result}").format(result=_result(pairing))
        differs = _contest(pairing, pairing.contested)
        row = msgspec.structs.replace(row, state="contested", text=text, differs=differs)
    elif pairing.doubt == "under appeal":
        row = msgspec.structs.replace(
            row, text=translate("⚑ under appeal: {text}").format(text=row.text.removeprefix("⚑ "))
        )
    return row


def _scored(score: Sequence[int]) -> str:
    return "–".join(map(str, score))


def _claim(pairing: PairingView, claim: OutcomeClaimView) -> str:
    """The claim of one side, while the other has not said the same."""
    said = translate("{name} says {result}")
    return said.format(name=pairing.sides[claim.side].name, result=_said(pairing, claim))


def _signed(pairing: PairingView) -> list[str]:
    """The signatures under a result, in words."""
    return [signed(each.strength, pairing.sides[each.side].name) for each in pairing.signatures if each.strength]


def _said(pairing: PairingView, told: OutcomeClaimView | ContestView) -> str:
    """A winner and a score in words."""
    winner = won_text([side.name for side in pairing.sides], told.winner)
    return f"{winner} {_scored(told.score)}" if told.score else winner


def _contest(pairing: PairingView, against: ContestView) -> str:
    """The result by the record of a match where it is another, and the reason."""
    if against.because == "reopened":
        return translate("The match was put back on and has no winner yet. Correct the result, or let it stand.")
    why = {
        "ruled": translate("After a ruling the match says: {result}. Correct the result, or let it stand."),
        "corrected": translate("By now the match says: {result}. Correct the result, or let it stand."),
    }[against.because]
    return why.format(result=_said(pairing, against))


def _result(pairing: PairingView) -> str:
    if pairing.how == "absent":
        return translate("both absent")
    if pairing.how == "walkover" and pairing.winner is not None:
        return f"✓ {winner_line(pairing.sides[pairing.winner].name, unplayed=True)}"
    name = None if pairing.winner is None else pairing.sides[pairing.winner].name
    winner = translate("drawn") if name is None else winner_line(name, unplayed=False)
    return f"✓ {winner} {_scored(pairing.score) if pairing.score else ''}".strip()


def _differs(pairing: PairingView, match: MatchRow) -> str:
    """The difference between the match and the result that stands; empty where there is none."""
    if pairing.how != "played" or match.status == "void":
        return ""
    if match.status == "open":
        return translate("The match is open again.") if pairing.version else ""
    score = match.games if sum(match.games) > 1 else match.totals
    if match.winner == pairing.winner and pairing.score in (None, score):
        return ""
    said = translate("The match has a draw with {score}. Correct the result, or let it stand.")
    if match.winner is not None:
        said = translate("The match has {name} as the winner with {score}. Correct the result, or let it stand.")
    name = "" if match.winner is None else pairing.sides[match.winner].name
    return said.format(name=name, score=_scored(score))
