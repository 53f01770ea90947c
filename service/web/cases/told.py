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
from service.web.cases.reading import Reading
from service.web.cases.whatif import SAID
from service.web.moments import figures
from service.web.render import isolated

MATTERS: Final = {
    "call": "the director was called",
    "dispute": "a result is disputed",
    "finding": "a director looks into something that was found",
    "slow": "slow play",
    "other": "another matter",
}
ENDED: Final = {
    "ruled": "ruled on",
    "stands": "the result stands",
    "corrected": "the record was corrected",
    "withdrawn": "withdrawn",
    "unfounded": "there was nothing in it",
}
BECAUSE: Final = {
    "party": "plays in it",
    "friend": "is close to somebody in it",
    "first ruler": "made the first ruling",
    "asked": "was asked not to, or asked not to",
    None: "is too near to it",
}
OUTCOMES: Final = {
    "stands": "the ruling stands",
    "changed": "the ruling is changed",
    "withdrawn": "the appeal was taken back",
    "nobody": "nobody may hear it: the ruling is final at the end of T3",
}
NAMED: Final = {
    "directs": "",
    "consent": ", of the table, as the other side allows",
    "secretary": ", named by the secretary",
}


SPOKEN: Final = {
    "pin": "by PIN",
    "table": "a name tapped at the table",
    "token": "by a program",
}


class Step(msgspec.Struct, frozen=True):
    """A step in the procedure: when, who did it in which role, what it was, and the words that may be read."""

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
            reading.words.get(str(each.version)),
        )
        for each in reading.record.events
        if each.version not in reading.kept_back
    ]


def matter_of(reading: Reading) -> str:
    """The matter of a case, as far as this viewer may know it."""
    return next((each.matter for each in reading.seen.case.calls if each.version not in reading.kept_back), "other")


def _step(reading: Reading, event: Recorded) -> str:
    data, sides = event.data, reading.sides
    match data:
        case e.CaseOpened():
            return f"{'opened' if data.side is None else f'{isolated(sides[data.side])} called'}: {_matter(data)}"
        case e.CaseJoined():
            return f"also heard{'' if data.side is None else f', for {isolated(sides[data.side])}'}: {_matter(data)}"
        case e.StatementSealed():
            return f"{isolated(sides[data.side])} stated"
        case e.StatementsOpened():
            return "the statements were opened before their time"
        case e.WitnessHeard():
            return f"a witness was heard: {isolated(reading.called(data.person))}"
        case e.RulerAssigned():
            return f"{isolated(reading.called(data.person))} rules{NAMED[data.by]}"
        case e.RulerRecused():
            why = BECAUSE[None if data.because == "friend" and not reading.directs else data.because]
            return f"{isolated(reading.called(data.person))} does not rule here: {why}"
        case e.AppealLodged():
            return f"{isolated(sides[data.side])} appeals against the ruling at entry {data.ruling}"
        case e.AppealHeard():
            panel = ", ".join(isolated(reading.called(each)) for each in data.panel)
            return f"on appeal: {OUTCOMES[data.outcome]}{f' ({panel})' if panel else ''}"
        case e.CaseClosed():
            return f"closed: {ENDED[data.ended]}"
        case e.CaseReopened():
            return "opened again"
        case _:
            return event.type


def _matter(data: e.CaseOpened | e.CaseJoined) -> str:
    place, code = data.place, "" if data.code is None else f", {data.code}"
    where = f", deal {place.deal}" if place.deal is not None else ""
    at = f", entry {', '.join(map(str, place.at))}" if place.at else ""
    return f"{MATTERS[data.matter]}{code}{where}{at}"


def statements_of(reading: Reading) -> list[Stated]:
    """The statements of the sides; words that this viewer may not read yet are sealed."""
    times = {each.version: each.recorded_at for each in reading.record.events}
    return [
        Stated(
            reading.sides[each.side],
            "" if each.person is None else reading.called(each.person),
            instant(times[each.version]),
            SPOKEN.get(each.strength, ""),
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
    scores = "the score stands" if made.scores is None else figures(made.scores)
    remedy = "" if made.remedy is None else f" ({SAID.get(made.remedy, made.remedy.replace('-', ' '))})"
    points = "" if not made.procedural else f", procedural points {figures(made.procedural)}"
    rule = "" if made.rule is None else f", {made.rule}"
    private = event.private or {}
    names = [" & ".join(map(reading.called, side)) for side in match.setup.sides]
    return Ruled(
        event.version,
        deal.number,
        stream,
        f"{'An irregularity' if known is None else known.title}{rule}: {scores}{remedy}{points}",
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
        return f"{hours // 24} days"
    return f"{hours} h {minutes:02} min" if hours else f"{minutes}:{seconds % 60:02}"
