"""The audit at a terminal: what breaks a rule in a record, how sure that is, and what it rests on."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec
import rich_click as click

from domain import codec
from domain.match.audit.finding import AUDIT
from domain.match.audit.report import Entry, Report, report_of
from domain.notation.audited import matches_of
from projections.audit_sheet import AuditSheet
from service.cli.terminal import is_ctn, read_text, with_progress
from service.http.paper import graded, paper

if TYPE_CHECKING:
    from service.cli.clerk import Audited


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="MATCH|FILE ...")
@click.option("--as-of", "moment", help="The log as of a version of the match, or a time in RFC 3339.")
@click.option("--openings", is_flag=True, help="Also the places at which nothing can be proven, and why.")
@click.option(
    "--hands",
    type=click.Choice(["known", "unknown"]),
    default="known",
    show_default=True,
    help="unknown leaves typed hands and layouts out of account.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a match.")
@click.option("--html", "as_html", is_flag=True, help="One page for paper.")
def audit(
    sources: tuple[str, ...], moment: str | None, openings: bool, hands: str, as_json: bool, as_html: bool
) -> None:
    """Find every breach in a match of the log, or in a CTN or history file, with its grade and what it rests on.

    \b
    lurch audit examples/notation.ctn
    lurch audit --json deals.jsonl | jq '.findings[] | select(.grade == "P")'
    lurch audit 0193a1b2-d4e5-7f60-9b7c-1d2e3f4a5b6c --as-of 120
    lurch audit --html evening.ctn > evening.html

    Exit status 0 whatever is found, 1 for what cannot be read, 3 when a file cannot be opened or is not text.
    """
    if as_json and as_html:
        raise click.UsageError("choose --json or --html")
    worst = 0
    sheets: list[AuditSheet] = []
    for each in sources:
        if _is_id(each):
            found, status = _of_log(each, moment, openings), 0
        elif moment is not None:
            raise click.UsageError("--as-of asks about a match of the log: a file has no times")
        else:
            found, status = _of_file(each, openings, hands == "known")
        worst = max(worst, status)
        for sheet in found:
            worst = max(worst, int(bool(sheet.report.errors)))
            if as_json:
                click.echo(codec.encode_plain(sheet.report))
            elif as_html:
                sheets.append(sheet)
            else:
                _tell(sheet)
    if as_html:
        click.echo(paper(sheets), nl=False)
    sys.exit(worst)


def _is_id(source: str) -> bool:
    try:
        return str(UUID(source)) == source.lower()
    except ValueError:
        return False


def _of_file(name: str, openings: bool, hands_known: bool) -> tuple[Iterable[AuditSheet], int]:
    text = read_text(name)
    if text is None:
        return (), 3
    return _sheets(name, text, openings, hands_known), 0


def _sheets(name: str, text: str, openings: bool, hands_known: bool) -> Iterator[AuditSheet]:
    ctn = is_ctn(name, text)
    for each in with_progress(matches_of(name, text, ctn, hands_known), "auditing", None if ctn else text.count("\n")):
        if each.match is None:
            yield AuditSheet(Report(each.source, None, AUDIT, (), errors=each.errors), None, ())
            continue
        report = report_of(each.match, source=each.source, wants_openings=openings)
        yield AuditSheet(msgspec.structs.replace(report, errors=each.errors), each.match, each.names)


def _of_log(match: str, moment: str | None, openings: bool) -> Iterable[AuditSheet]:
    from service.cli import clerk
    from service.cli.terminal import on_database, settings

    found: Audited = on_database(settings(), lambda pool: clerk.audited(pool, match, moment))
    report = report_of(found.match, stream=match, wants_openings=openings, reported=found.reported)
    return (AuditSheet(report, found.match, found.names),)


def _tell(sheet: AuditSheet) -> None:
    """One match for people."""
    report = sheet.report
    count = len(report.findings)
    what = "nothing found" if not count else f"{count} {'finding' if count == 1 else 'findings'}"
    click.echo(f"{report.source or report.match}: {what}")
    for error in report.errors:
        click.echo(f"  cannot be read: {error}", err=True)
    for entry in report.findings:
        for line in _lines(sheet, entry):
            click.echo(f"  {line}")
    for told in sheet.unproven():
        click.echo(f"  {told}")


def _lines(sheet: AuditSheet, entry: Entry) -> Iterator[str]:
    """A finding: what, how sure, and each entry that it rests on."""
    code = f" {entry.code}" if entry.code else ""
    yield f"deal {entry.deal}, {entry.rule}{code}: {sheet.named(entry.detail)}"
    yield f"    {graded(sheet, entry)}"
    for told in sheet.evidence(entry):
        yield f"    rests on {told}"
    if entry.beneath:
        yield f"    {entry.beneath} more {'follows' if entry.beneath == 1 else 'follow'} from it"
