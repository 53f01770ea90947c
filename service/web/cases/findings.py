"""Findings in a case: what follows from the entries, how sure those are, what would settle them, and what cannot be
proven at all."""

import asyncio
import re
from typing import Final

import msgspec

from domain.log.actor import Strength
from domain.match.audit.catalogue import catalogue
from domain.match.audit.finding import Finding
from domain.match.audit.findings import course_of
from domain.match.audit.grades import UNEXAMINED, graded
from domain.match.audit.openings import openings
from domain.match.state import Deal, Match
from projections.case_view import budget_for
from service.desk.access import actor_at
from service.languages.spoken import N_, translate
from service.web.cases.reading import Looked, Reading
from service.web.mends import Affirmable, affirmable
from service.web.render import named
from service.web.signed import STRENGTHS

SETTLED: Final = N_("proven: the entries are settled")
UNEXPLAINED: Final = N_("proven: no single slip of whoever kept the score explains it")
PLACES: Final = re.compile(r"\bplaces? (\d+(?:(?:, | and )\d+)*)")


class ShownFinding(msgspec.Struct, frozen=True):
    """A finding with its title, how sure it is in words, and the entries under it that this viewer may affirm."""

    finding: Finding
    title: str
    words: str
    grade: str
    affirm: Affirmable | None


class ShownOpening(msgspec.Struct, frozen=True):
    """A place where a rule may have been broken and nothing can be proven: its entry, its rule, and why not."""

    version: int
    rule: str
    words: str


class ShownAffirmation(msgspec.Struct, frozen=True):
    """An affirmation in force: the side whose it is, the person's name where there is one, the entries, how strong."""

    who: str
    person: str | None
    versions: tuple[int, ...]
    strength: str


async def findings_of(reading: Reading, looked: Looked, deal: Deal, people: list[str]) -> tuple[ShownFinding, ...]:
    """The findings of the deal that is looked at, for whom they may be told to; in an open case all slips are
    examined."""
    if not looked.told:
        return ()
    match = looked.match
    budget = budget_for(looked.eyes.kind, reading.seen.case.is_open)
    found = await asyncio.to_thread(graded, match, deal, budget)
    affirm = affirmable(match, actor_at(reading.caller, looked.loaded), found, looked.moment)
    return tuple(_shown(match, deal, each, people, affirm.get(number)) for number, each in enumerate(found))


def _shown(match: Match, deal: Deal, finding: Finding, people: list[str], affirm: Affirmable | None) -> ShownFinding:
    known = catalogue(match.setup.game).get(finding.code or "")
    title = finding.rule if known is None else known.title
    return ShownFinding(finding, title, named(finding.detail, people), _sure(deal, finding, people), affirm)


def _sure(deal: Deal, finding: Finding, people: list[str]) -> str:
    """The certainty of a finding, in words."""
    if finding.grade == "P":
        affirmed = {version for each in deal.affirmed for version in each.versions}
        return translate(SETTLED if {*finding.rests_on} <= affirmed else UNEXPLAINED)
    why = finding.explained_by
    if why is None or why == UNEXAMINED:
        return translate("not proven yet: not all slips of whoever kept the score were examined")
    return translate("not proven: or {slip}").format(slip=named(_with_entries(deal, why), people))


def _with_entries(deal: Deal, words: str) -> str:
    """A sentence that names places in a deal, with the numbers of their entries."""
    versions = [version for version, _ in deal.facts]

    def entries(found: re.Match[str]) -> str:
        said = re.sub(
            r"\d+", lambda one: str(versions[int(one[0])]) if int(one[0]) < len(versions) else one[0], found[1]
        )
        return f"{'entry' if said.isdecimal() else 'entries'} {said}"

    return PLACES.sub(entries, words)


def openings_of(reading: Reading, looked: Looked, deal: Deal) -> tuple[ShownOpening, ...]:
    """The openings of the deal, for a director of the case who asks."""
    if not (looked.directs and reading.form.get("openings")):
        return ()
    return tuple(
        ShownOpening(deal.facts[each.place][0], each.rule, each.words)
        for each in openings(course_of(looked.match, deal))
    )


def affirmations_of(reading: Reading, deal: Deal, sides: list[str]) -> list[ShownAffirmation]:
    """The affirmations in force of a deal, in words; told to whom its findings are told."""
    return [
        ShownAffirmation(
            translate("A director looked at the cards") if each.side is None else sides[each.side],
            each.person and reading.called(each.person),
            each.versions,
            _strength(each.strength),
        )
        for each in deal.affirmed
    ]


def _strength(strength: Strength) -> str:
    return "" if strength == "inspected" else translate(STRENGTHS[strength])
