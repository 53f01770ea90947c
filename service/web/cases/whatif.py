"""A ruling tried out: the remedies side by side, everything that the one that was tapped moves, and the form with
rule and reason filled in."""

from typing import Any, Final
from uuid import UUID

import msgspec

from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.audit.catalogue import catalogue
from domain.match.audit.remedies import OPEN
from domain.match.state import Deal, Match, ruling_in_force
from projections.rulings import RaceUnder, RemediesView, RemedyView, RulingPreview
from service.desk import rulings
from service.desk.requests import Request
from service.languages.spoken import N_, translate
from service.web.cases.findings import ShownFinding
from service.web.cases.reading import Looked, Reading
from service.web.forms import Form, number_of, text_of
from service.web.moments import figures
from service.web.render import aloud, capital, known_name, named
from service.web.said import won_text

OTHER: Final = "OTH"
REASON: Final = 1000
HELD: Final = 2000
SAID: Final = {
    "stands": N_("the score stands"),
    "procedural": N_("procedural points"),
    "equity": N_("best play from there"),
    "assigned": N_("an assigned score"),
    "split": N_("a split score"),
    "void": N_("the deal is void"),
    "void-and-deal-again": N_("void, and dealt again"),
    "take-back": N_("taken back"),
    "play-on": N_("play goes on"),
    "cards-decide": N_("the cards decide"),
    "best-play": N_("decided by best play"),
    "cut": N_("cut to the true value"),
    "refused": N_("refused"),
    "lapses": N_("it lapses"),
    "agreed": N_("as both agreed"),
    "correct": N_("the entry is corrected"),
    "warning": N_("a warning"),
    "clock": N_("a clock"),
}


class Way(msgspec.Struct, frozen=True):
    """A remedy in a row: its words, what is done, the deal, the match under it, whether it is offered first."""

    key: str
    text: str
    says: str
    missing: str
    deal: str
    match: str
    first: bool
    named: bool


class Moves(msgspec.Struct, frozen=True):
    """Everything that the remedy that was tapped moves, line by line under a heading each."""

    deal: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    contested: bool


class WhatIf(msgspec.Struct, frozen=True):
    """A ruling that may be made, as a page shows it: the offence, the ways, what the chosen one moves, the fields of
    the form as they are filled in, and the refusal where it cannot be made so."""

    code: str
    title: str
    offence: int | None
    view: RemediesView
    ways: tuple[Way, ...]
    chosen: Way | None
    moves: Moves | None
    fields: dict[str, str]
    findings: str
    codes: tuple[tuple[str, str], ...]
    problem: str


async def what_if(
    reading: Reading,
    looked: Looked,
    deal: Deal,
    finding: ShownFinding | None,
    people: list[str],
    sides: list[str],
    request: Request,
) -> WhatIf | None:
    """The remedies for the breach that is looked at; None where this viewer may not look at them."""
    match, form = looked.match, reading.form
    code, offence = _breach(reading, looked, deal, finding)
    services, caller, id_ = reading.services, reading.caller, UUID(looked.own.stream)
    try:
        view = await rulings.remedies_of(services, caller, id_, deal.number, code, offence)
    except Refusal:
        return None
    ways = tuple(_way(match, each, view, people, sides) for each in view.remedies)
    key = text_of(form, "remedy")
    chosen = next((each for each in ways if each.key == key), None)
    fields = _fields(form, view, chosen, deal, people)
    problem, moves = "", None
    if chosen is not None and not (chosen.named and not _scored(form, len(sides))):
        try:
            command = command_of(form, match, deal, code, offence, finding)
            moves = _moves(await rulings.preview_of(services, caller, id_, command, request), sides)
        except Refusal as refusal:
            problem = named(refusal.detail, people)
    return WhatIf(
        code,
        view.title or translate("An irregularity"),
        offence,
        view,
        ways,
        chosen,
        moves,
        fields,
        "" if finding is None else f"{finding.finding.code or ''}:{finding.finding.version}",
        tuple((each.code, each.title) for each in catalogue(match.setup.game).values()),
        problem,
    )


def _breach(reading: Reading, looked: Looked, deal: Deal, finding: ShownFinding | None) -> tuple[str, int | None]:
    """The code and the entry that are ruled on: those that the form names, else of the finding, else of the call."""
    form = reading.form
    code, offence = text_of(form, "code"), number_of(form, "offence")
    if code:
        return code, offence
    if finding is not None and finding.finding.code is not None:
        return finding.finding.code, finding.finding.version
    calls = [each for each in reading.seen.case.calls if each.place.match == looked.own.stream]
    said = next((each for each in calls if each.code is not None and each.place.deal in (None, deal.number)), None)
    entries = {version for version, _ in deal.facts}
    if said is None:
        return OTHER, None
    return said.code or OTHER, next((at for at in said.place.at if at in entries), None)


def _way(match: Match, each: RemedyView, view: RemediesView, people: list[str], sides: list[str]) -> Way:
    scores = each.race.scores if each.race is not None else None
    return Way(
        each.key,
        capital(remedy_text(each.key)),
        "" if each.says is None else capital(named(each.says, people)),
        ""
        if each.missing is None
        else translate("It cannot be told for want of {missing}.").format(missing=each.missing),
        translate("void") if each.void else "–" if scores is None else figures(scores),
        "–" if each.race is None else _stands(each.race, sides),
        each.key == view.default,
        each.key in OPEN,
    )


def _stands(race: RaceUnder, sides: list[str]) -> str:
    """A match in a few words: the totals, and who has won."""
    totals = "–".join(map(str, race.totals))
    if not race.finished:
        return totals
    return f"{totals}, {won_text(sides, race.winner)}"


def remedy_text(key: str) -> str:
    """The words for what is done, by the word of a remedy."""
    return translate(SAID[key]) if key in SAID else key.replace("-", " ")


def _in_english(key: str) -> str:
    """The same for the reason of a ruling, which is kept."""
    return capital(SAID.get(key, key.replace("-", " ")))


def _scored(form: Form, count: int) -> bool:
    return all(text_of(form, f"score{side}") for side in range(count))


def _fields(form: Form, view: RemediesView, chosen: Way | None, deal: Deal, people: list[str]) -> dict[str, str]:
    """The fields of the ruling form: as they were typed, else filled in from the catalogue."""
    last = ruling_in_force(deal)
    done = "" if chosen is None else f": {chosen.says or _in_english(chosen.key)}"
    filled = view.reason if chosen is not None and chosen.first else f"{view.title or 'Irregularity'}{done}"
    points = view.procedural if chosen is not None and chosen.key == "procedural" else None
    usual = {
        "rule": view.rule or "",
        "reason": aloud(named(filled, people)),
        "held": "",
        "supersedes": "" if last is None else str(last.version),
        **{f"points{side}": str(given) for side, given in enumerate(points or ()) if given},
    }
    return {
        **usual,
        **{name: value for name, value in form.items() if name in usual or name[:-1] in ("score", "points")},
    }


def command_of(
    form: Form, match: Match, deal: Deal, code: str, offence: int | None, finding: ShownFinding | None = None
) -> c.Rule:
    """The ruling that a form states. Raises Refusal."""
    count = len(match.setup.sides)
    key = text_of(form, "remedy") or None
    scores = _figures(form, "score", count)
    points = _figures(form, "points", count)
    return c.Rule(
        code=code,
        deal=deal.number,
        at=offence,
        remedy=key,
        scores=scores if key in OPEN else None,
        procedural=points,
        findings=_named(form, finding),
        supersedes=number_of(form, "supersedes"),
        rule=text_of(form, "rule") or None,
        exceptional=bool(text_of(form, "exceptional")),
        held=words_of(form, "held", HELD) or None,
        note=words_of(form, "reason", REASON) or None,
    )


def _named(form: Form, finding: ShownFinding | None) -> tuple[c.NamedFinding, ...]:
    """The finding on which the ruling rests: that which the form names, `REV:25`, else the one that is looked at."""
    said, _, at = text_of(form, "findings").partition(":")
    if said and at.isdecimal():
        return (c.NamedFinding(said, int(at)),)
    if finding is None or finding.finding.code is None:
        return ()
    return (c.NamedFinding(finding.finding.code, finding.finding.version),)


def _figures(form: Form, name: str, count: int) -> tuple[int, ...] | None:
    """Figures by side; None where no field is filled in. Raises Refusal where one is missing."""
    given = [number_of(form, f"{name}{side}") for side in range(count)]
    if all(each is None for each in given):
        return None
    if name == "score" and any(each is None for each in given):
        raise Refusal("malformed", "write a score for each side")
    return tuple(each or 0 for each in given)


def words_of(form: Form, name: str, most: int) -> str:
    """Words of several lines. Raises Refusal for more than anybody reads, or what nobody types."""
    text = form.get(name, "").replace("\r\n", "\n").strip()
    if len(text) > most:
        raise Refusal("malformed", f"write at most {most} letters, and these are {len(text)}")
    if any(not char.isprintable() and char not in "\n\t\u200d" for char in text):
        raise Refusal("malformed", "this cannot be read; write it again")
    return text


def _moves(found: RulingPreview, sides: list[str]) -> Moves:
    parts: list[tuple[str, tuple[str, ...]]] = []
    now, under = found.now, found.under
    deal = f"{_deal(now)} → {_deal(under)}"
    if now.totals != under.totals or now.finished != under.finished or found.winner_moves:
        parts.append((translate("Match"), (f"{_stands(now, sides)} → {_stands(under, sides)}",)))
    parts += [(name, tuple(map(_moved, moves))) for name, moves in _movements(found) if moves]
    if found.ratings:
        rated = tuple(f"{known_name(each.name)}: {each.before} → {each.after}" for each in found.ratings)
        parts.append((translate("Ratings"), rated))
    for each in found.repairs:
        lines = (
            (each.refused,)
            if each.refused
            else tuple(map(_moved, (*each.pairings, *each.places))) or (translate("nothing"),)
        )
        decided = translate(REPAIRS.get(each.repair, each.repair))
        parts.append((translate("If the director decides to “{repair}”").format(repair=decided), lines))
    return Moves(deal, tuple(parts), found.contested)


REPAIRS: Final = {
    "keep": N_("keep what was paired"),
    "again": N_("pair it again"),
    "replace": N_("put the right ones there"),
}


def _movements(found: RulingPreview) -> tuple[tuple[str, Any], ...]:
    return (translate("Bracket and pairings"), found.pairings), (translate("Places"), found.places)


def _moved(each: Any) -> str:
    nothing = translate("nothing")
    return f"{each.what}: {each.before or nothing} → {each.after or nothing}"


def _deal(race: RaceUnder) -> str:
    scores = translate("does not count") if race.scores is None else figures(race.scores)
    if race.procedural is None or not any(race.procedural):
        return scores
    points = ", ".join(f"{each:+d}" if each else "0" for each in race.procedural)
    return translate("{scores} and {points} procedural").format(scores=scores, points=points)
