"""The audit at a terminal: what breaks a rule in a record, how sure that is, and what it rests on."""

import asyncio
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec
import rich_click as click

from domain import codec
from domain.match.audit.finding import AUDIT
from domain.match.audit.report import AuditReport, report_of
from domain.notation.audited import matches_of
from projections.audit_sheet import AuditSheet
from service.cli import audit_lines
from service.cli.printing import harmless, say
from service.cli.terminal import Progress, is_ctn, one_line_errors, read_text, settings, with_progress
from service.processors import processors

if TYPE_CHECKING:
    from service.cli.past_clerk import Audited


@click.command()
@click.argument("sources", nargs=-1, metavar="MATCH|FILE ...")
@click.option("--club", help="Every match of the club of that name or id.")
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
@click.option("--processes", type=click.IntRange(1, 64), default=processors, help="For a club; one a core.")
def audit(
    sources: tuple[str, ...],
    club: str | None,
    moment: str | None,
    openings: bool,
    hands: str,
    as_json: bool,
    as_html: bool,
    processes: int,
) -> None:
    """Find every breach in a match of the log, or in a CTN or history file, with its grade and what it rests on.

    \b
    lurch audit examples/notation.ctn
    lurch audit --json deals.jsonl | jq '.findings[] | select(.grade == "P")'
    lurch audit 0193a1b2-d4e5-7f60-9b7c-1d2e3f4a5b6c --as-of 120
    lurch audit --html evening.ctn > evening.html
    lurch audit --club "Thursday club"

    Exit status 0 whatever is found, 1 for what cannot be read, 3 when a file cannot be opened or is not text.
    """
    if as_json and as_html:
        raise click.UsageError("choose --json or --html")
    form = "json" if as_json else "html" if as_html else "text"
    if club is not None:
        if sources or moment is not None or hands != "known":
            raise click.UsageError("--club audits every match of a club as it stands: name nothing else with it")
        _club(club, form, openings, processes)
        return
    if not sources:
        raise click.UsageError("name a match or a file, or a club with --club")
    sys.exit(_each(sources, moment, openings, hands == "known", form))


def _each(sources: tuple[str, ...], moment: str | None, openings: bool, hands_known: bool, form: str) -> int:
    """Matches and files one by one; the worst exit status of them."""
    worst = 0
    sheets: list[AuditSheet] = []
    for each in sources:
        if _is_id(each):
            found, status = _of_log(each.lower(), moment, openings), 0
        elif moment is not None:
            raise click.UsageError("--as-of asks about a match of the log: a file has no times")
        else:
            found, status = _of_file(each, openings, hands_known)
        worst = max(worst, status)
        for sheet in found:
            worst = max(worst, int(bool(sheet.report.errors)))
            if form == "json":
                click.echo(codec.encode_plain(sheet.report))
            elif form == "html":
                sheets.append(sheet)
            else:
                _tell(sheet)
    if form == "html":
        from service.http.paper import paper

        click.echo(paper(sheets).encode(), nl=False)
    return worst


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
            yield AuditSheet(AuditReport(each.source, None, AUDIT, (), errors=each.errors), None, ())
            continue
        report = report_of(each.match, source=each.source, wants_openings=openings)
        yield AuditSheet(msgspec.structs.replace(report, errors=each.errors), each.match, each.names)


def _of_log(match: str, moment: str | None, openings: bool) -> Iterable[AuditSheet]:
    from service.cli import past_clerk
    from service.cli.terminal import on_database

    found: Audited = on_database(settings(), lambda pool: past_clerk.audited(pool, match, moment))
    report = report_of(found.match, stream=match, wants_openings=openings, reported=found.reported)
    return (AuditSheet(report, found.match, found.names),)


def _tell(sheet: AuditSheet) -> None:
    """One match for people."""
    for line in audit_lines.told(sheet):
        say(line)
    for error in sheet.report.errors:
        say(f"  cannot be read: {error}", err=True)


def _club(name: str, form: str, openings: bool, processes: int) -> None:
    """Every match of a club."""
    from service.cli import club_audit
    from service.run.database import ready
    from service.run.logs import configure

    configure()
    with one_line_errors(), ready(settings()) as database:
        asked = asyncio.run(club_audit.matches_of(database.url, name, openings, form == "json"))
        if form == "html":
            from service.http.paper import paper

            click.echo(paper(list(club_audit.sheets(database.url, asked))).encode(), nl=False)
            return
        matches = found = 0
        with Progress("auditing", len(asked.streams), scrolls=True) as bar:
            for batch in club_audit.printed(database.url, asked, processes):
                click.echo(batch.text if form == "json" else harmless(batch.text), nl=False)
                bar.step(batch.matches)
                matches, found = matches + batch.matches, found + batch.found
    if form == "text":
        click.echo(f"{matches} {'match' if matches == 1 else 'matches'} of the club, {found} with findings")
