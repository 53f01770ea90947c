"""The audit of a match in lines for people: what was found, how sure that is, and each entry that it rests on."""

from collections.abc import Iterator

from domain.match.audit.report import ReportedFinding
from projections.audit_sheet import AuditSheet


def told(sheet: AuditSheet) -> Iterator[str]:
    """One match for people; what could not be read of it is no part of it."""
    report = sheet.report
    count = len(report.findings)
    what = "nothing found" if not count else f"{count} {'finding' if count == 1 else 'findings'}"
    yield f"{report.source or report.match}: {what}"
    for entry in report.findings:
        yield from (f"  {line}" for line in _lines(sheet, entry))
    yield from (f"  {line}" for line in sheet.unproven())


def _lines(sheet: AuditSheet, entry: ReportedFinding) -> Iterator[str]:
    """A finding: what, how sure, and each entry that it rests on."""
    code = f" {entry.code}" if entry.code else ""
    yield f"deal {entry.deal}, {entry.rule}{code}: {sheet.named(entry.detail)}"
    yield f"    {sheet.graded(entry)}"
    for line in sheet.evidence(entry):
        yield f"    rests on {line}"
    if entry.beneath:
        yield f"    {entry.beneath} more {'follows' if entry.beneath == 1 else 'follow'} from it"
