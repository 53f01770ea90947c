"""A case in words: what was called, what happened, what was ruled, and until when that can be appealed against."""

from datetime import timedelta
from typing import Final

import msgspec

from domain.case import events as e
from domain.case.appeals import IN_TIME
from domain.case.statements import opens_at
from domain.log.event import Recorded, instant
from domain.match import events as me
from domain.match.audit.catalogue import catalogue
from domain.match.state import Deal, Match
from service.languages.spoken import N_, ntranslate, translate
from service.web.cases.reading import Reading
from service.web.cases.reasons import REASONS
from service.web.cases.whatif import remedy_text
from service.web.moments import figures
from service.web.render import isolated
from service.web.said import deal_text
from service.web.signed import STRENGTHS

MATTERS: Final = {
    "call": N_("the director was called"),
    "dispute": N_("a result is disputed"),
    "finding": N_("a director looks into something that was found"),
    "slow": N_("slow play"),
    "other": N_("another matter"),
}
ENDED: Final = {
    "ruled": N_("ruled on"),
    "stands": N_("the result stands"),
    "corrected": N_("the record was corrected"),
    "withdrawn": N_("withdrawn"),
    "unfounded": N_("there was nothing in it"),
}
BECAUSE: Final = {
    "party": N_("plays in it"),
    "friend": N_("is close to somebody in it"),
    "first ruler": N_("made the first ruling"),
    "asked": N_("was asked not to, or asked not to"),
    None: N_("is too near to it"),
}
OUTCOMES: Final = {
    "stands": N_("the ruling stands"),
    "changed": N_("the ruling is changed"),
    "withdrawn": N_("the appeal was taken back"),
    "nobody": N_("nobody may hear it: the ruling is final at the end of T3"),
}
NAMED: Final = {
    "directs": N_("{name} rules"),
    "consent": N_("{name} rules, of the table, as the other side allows"),
    "secretary": N_("{name} rules, named by the secretary"),
}


UNSURE: Final = ("pin", "table", "token")  # strengths of a statement that say how sure it is who spoke


class Step(msgspec.Struct, frozen=True):
    """A step in the procedure: when, who did it in which role, what it was, and the words that may be read; those of a
    statement stand among the statements."""

    version: int
    at: str
    who: str
    role: str
    text: str
    words: str | None


class Stated(msgspec.Struct, frozen=True):
    """A statement: whose, when, how sure it is who spoke, and its words; None while they are sealed."""

    side: str
    who: str
    at: str
    how: str
    words: str | None


class Ruled(msgspec.Struct, frozen=True):
    """A ruling in the history: its words, who made it and when, what it rests on, the reason, who accepted it, whether
    it is in force, and until when an appeal is in time at least."""

    version: int
    deal: int
    match: str
    text: str
    who: str
    at: str
    rests_on: tuple[tuple[str, str, tuple[int, ...]], ...]
    reason: str | None
    held: str | None
    accepted: tuple[str, ...]
    in_force: bool
    instance: int
    until: str


def steps_of(reading: Reading) -> list[Step]:
    """The procedure of a case, event by event, but where a finding is named that this viewer is not told yet."""
    return [
        Step(
            each.version,
            instant(each.recorded_at),
            reading.called(each.actor),
            each.role,
            _step(reading, each),
            None if isinstance(each.data, e.StatementSealed) else _quoted(reading.words.get(str(each.version))),
        )
        for each in reading.record.events
        if each.version not in reading.kept_back
    ]


def _quoted(words: str | None) -> str | None:
    """The words of a step; a reason that was tapped is said as it stands on its button."""
    return translate(words) if words in {text for text, _ in REASONS} else words


def matter_of(reading: Reading) -> str:
    """The matter of a case, as far as this viewer may know it."""
    return next((each.matter for each in reading.seen.case.calls if each.version not in reading.kept_back), "other")


def _step(reading: Reading, event: Recorded) -> str:
    data, sides = event.data, reading.sides
    match data:
        case e.CaseOpened():
            said = translate("opened: {matter}") if data.side is None else translate("{side} called: {matter}")
            return said.format(side=_side(sides, data.side), matter=_matter(data))
        case e.CaseJoined():
            said = (
                translate("also heard: {matter}")
                if data.side is None
                else translate("also heard, for {side}: {matter}")
            )
            return said.format(side=_side(sides, data.side), matter=_matter(data))
        case e.StatementSealed():
            return translate("{side} stated").format(side=isolated(sides[data.side]))
        case e.StatementsOpened():
            return translate("the statements were opened before their time")
        case e.WitnessHeard():
            return translate("a witness was heard: {name}").format(name=isolated(reading.called(data.person)))
        case e.RulerAssigned():
            return translate(NAMED[data.by]).format(name=isolated(reading.called(data.person)))
        case e.RulerRecused():
            why = BECAUSE[None if data.because == "friend" and not reading.directs else data.because]
            name = isolated(reading.called(data.person))
            return translate("{name} does not rule here: {why}").format(name=name, why=translate(why))
        case e.AppealLodged():
            said = translate("{side} appeals against the ruling at entry {ruling}")
            return said.format(side=isolated(sides[data.side]), ruling=data.ruling)
        case e.AppealHeard():
            panel = ", ".join(isolated(reading.called(each)) for each in data.panel)
            said = translate("on appeal: {outcome}").format(outcome=translate(OUTCOMES[data.outcome]))
            return f"{said} ({panel})" if panel else said
        case e.CaseClosed():
            return translate("closed: {how}").format(how=translate(ENDED[data.ended]))
        case e.CaseReopened():
            return translate("opened again")
        case _:
            return event.type


def _matter(data: e.CaseOpened | e.CaseJoined) -> str:
    place = data.place
    deal = "" if place.deal is None else deal_text(place.deal)
    at = translate("entry {entries}").format(entries=", ".join(map(str, place.at))) if place.at else ""
    return ", ".join(filter(None, (translate(MATTERS[data.matter]), data.code, deal, at)))


def _side(sides: list[str], side: int | None) -> str:
    return "" if side is None else isolated(sides[side])


def statements_of(reading: Reading) -> list[Stated]:
    """The statements of the sides; words that this viewer may not read yet are sealed."""
    times = {each.version: each.recorded_at for each in reading.record.events}
    return [
        Stated(
            reading.sides[each.side],
            "" if each.person is None else reading.called(each.person),
            instant(times[each.version]),
            translate(STRENGTHS[each.strength]) if each.strength in UNSURE else "",
            reading.words.get(str(each.version)),
        )
        for each in reading.seen.case.statements
    ]


def sealed_until(reading: Reading) -> str | None:
    """The time at which sealed statements open by themselves; None where they are open, or there are none."""
    times = {each.version: each.recorded_at for each in reading.record.events}
    ends = opens_at(reading.seen.case, times)
    return None if ends is None or reading.opened else instant(ends)


def witnesses_of(reading: Reading) -> list[tuple[str, str | None]]:
    """The witnesses by name, and what was written down of each."""
    told = [each for each in reading.seen.case.witnesses if each.version not in reading.kept_back]
    return [(reading.called(each.person), reading.words.get(str(each.version))) for each in told]


def rulings_of(reading: Reading) -> list[Ruled]:
    """The rulings on the deals that the case is about, the first one first."""
    found = []
    for own in reading.record.matches:
        numbers = {each.deal for each in reading.seen.case.places() if each.match == own.stream}
        times = {each.version: each for each in own.events}
        for deal in own.match.deals:
            if deal.number in numbers or None in numbers:
                found += [_ruled(reading, own.stream, own.match, deal, times[each.version]) for each in deal.rulings]
    return sorted(found, key=lambda each: each.at)


def _ruled(reading: Reading, stream: str, match: Match, deal: Deal, event: Recorded) -> Ruled:
    made = next(each for each in deal.rulings if each.version == event.version)
    assert isinstance(event.data, me.RulingMade)
    known = catalogue(match.setup.game).get(made.code)
    scores = translate("the score stands") if made.scores is None else figures(made.scores)
    remedy = "" if made.remedy is None else f" ({remedy_text(made.remedy)})"
    points = (
        ""
        if not made.procedural
        else ", " + translate("procedural points {figures}").format(figures=figures(made.procedural))
    )
    rule = "" if made.rule is None else f", {made.rule}"
    private = event.private or {}
    names = [" & ".join(map(reading.called, side)) for side in match.setup.sides]
    return Ruled(
        event.version,
        deal.number,
        stream,
        f"{translate('An irregularity') if known is None else known.title}{rule}: {scores}{remedy}{points}",
        reading.called(event.actor),
        instant(event.recorded_at),
        tuple((each.code or "", each.grade, each.rests_on) for each in made.findings),
        _text(private.get("note")),
        _text(private.get("held")) if reading.seen.viewer.kind != "secretary" else None,
        tuple(names[side] for side in made.accepted),
        made is deal.rulings[-1],
        made.instance,
        instant(event.recorded_at + IN_TIME),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def age(seconds: int) -> str:
    """A time in words: minutes and seconds below an hour, then hours."""
    hours, minutes = divmod(timedelta(seconds=seconds) // timedelta(minutes=1), 60)
    if hours > 47:
        days = hours // 24
        return ntranslate("{n} day", "{n} days", days).format(n=days)
    if hours:
        return translate("{hours} h {minutes} min").format(hours=hours, minutes=f"{minutes:02}")
    return f"{minutes}:{seconds % 60:02}"
