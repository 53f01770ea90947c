"""The audit of a match as a report: each finding with its grade, what it rests on by place, and what explains it.

A place counts the facts of a deal from 0; -1 is the deal's start. From the log the versions stand beside the places.
"""

from collections.abc import Iterator

import msgspec

from domain.match.agreement import figures_of
from domain.match.audit.finding import AUDIT, START, Finding, Grade
from domain.match.audit.findings import course_of
from domain.match.audit.grades import EVERY, MISWRITTEN, graded
from domain.match.audit.openings import openings
from domain.match.state import Deal, Match, race_of, race_scores


class ReportedFinding(msgspec.Struct, frozen=True):
    """One finding of a report."""

    deal: int
    place: int
    version: int | None
    code: str | None
    rule: str
    grade: Grade
    rests_on: tuple[int, ...]
    versions: tuple[int, ...] | None
    explained_by: str | None
    beneath: int
    detail: str
    seat: int | None


class Unprovable(msgspec.Struct, frozen=True):
    """A place at which a rule may have been broken, and nothing can be proven: deal, place, rule, and why."""

    deal: int
    place: int
    version: int | None
    rule: str
    seat: int
    detail: str


class AuditReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """The audit of one match: where it comes from, the match in the log (None: a file), the version of the audit, its
    findings, the places at which nothing can be proven (where somebody asked for those), and what could not be read."""

    source: str | None
    match: str | None
    audit: int
    findings: tuple[ReportedFinding, ...]
    openings: tuple[Unprovable, ...] | None = None
    errors: tuple[str, ...] = ()


def report_of(
    match: Match,
    source: str | None = None,
    stream: str | None = None,
    wants_openings: bool = False,
    only: frozenset[int] | None = None,
    reported: tuple[int, ...] | None = None,
) -> AuditReport:
    """The report on a match, every slip examined. A match of the log has its id as `stream`. `only` are the deals that
    whoever asks may be told of; None for all. `reported` are the figures by which somebody reported the match to its
    tournament beside the record."""
    deals = [deal for deal in match.deals if only is None or deal.number in only]
    entries = tuple(entry for deal in deals for entry in _entries(match, deal, stream is not None))
    entries += tuple(each for each in _differing(match, reported) if only is None or each.deal in only)
    if not wants_openings:
        return AuditReport(source, stream, AUDIT, entries)
    found = tuple(each for deal in deals for each in _unprovable(match, deal, stream is not None))
    return AuditReport(source, stream, AUDIT, entries, found)


def _entries(match: Match, deal: Deal, logged: bool) -> Iterator[ReportedFinding]:
    places = {version: place for place, (version, _) in enumerate(deal.facts)}
    for each in graded(match, deal, EVERY):
        yield _entry(each, places, logged)


def _differing(match: Match, reported: tuple[int, ...] | None) -> Iterator[ReportedFinding]:
    """Figures that were reported beside the record and differ from it, once the match is over and nothing was ruled."""
    if reported is None or not race_of(match).finished or any(deal.rulings for deal in match.deals):
        return
    figures = figures_of(match)
    if reported != figures:
        last = [deal.number for deal in match.deals if race_scores(match, deal) is not None][-1]
        one, other = ("–".join(map(str, each)) for each in (reported, figures))
        detail = f"{one} was reported to the tournament, the record gives {other}"
        yield ReportedFinding(last, START, None, "ENT", "ALL.4", "C", (), (), MISWRITTEN, 0, detail, None)


def _unprovable(match: Match, deal: Deal, logged: bool) -> Iterator[Unprovable]:
    for each in openings(course_of(match, deal)):
        version = deal.facts[each.place][0] if logged else None
        yield Unprovable(deal.number, each.place, version, each.rule, each.seat, each.words)


def _entry(found: Finding, places: dict[int, int], logged: bool) -> ReportedFinding:
    rests = tuple(places.get(version, START) for version in found.rests_on)
    return ReportedFinding(
        found.deal,
        found.place,
        found.version if logged else None,
        found.code,
        found.rule,
        found.grade,
        rests,
        found.rests_on if logged else None,
        found.explained_by,
        found.beneath,
        found.detail,
        found.seat,
    )
