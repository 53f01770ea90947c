"""Commands on notation alone, without a database: fmt rewrites, check compares."""

import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import rich_click as click

from domain import codec
from domain.log.event import JsonObject
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import rewritten
from domain.notation.report import DealAnswer, score_text
from service.cli.printing import say
from service.cli.terminal import is_ctn, read_text, with_progress

MALFORMED, UNREADABLE = 1, 3


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit status 1 when something would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change.")
def fmt(files: tuple[str, ...], only_check: bool, diff: bool) -> None:
    """Rewrite CTN files in canonical form: one tag a line, one space, suit first; - goes to standard output.

    \b
    lurch fmt evening.ctn
    lurch fmt --diff evening.ctn
    cat evening.ctn | lurch fmt - > canonical.ctn

    A file in which something cannot be read is named with line, column and token and left as it is, so that
    nothing is lost. Remarks behind ; or % are not part of a record and go; comments in braces stay.
    """
    worst = 0
    for name in with_progress(files, "rewriting", len(files)):
        text = read_text(name)
        worst = max(worst, UNREADABLE if text is None else _one(name, text, only_check, diff))
    sys.exit(worst)


def _one(name: str, text: str, only_check: bool, diff: bool) -> int:
    if name.endswith(".jsonl"):
        raise click.UsageError(f"{name} holds histories; fmt rewrites notation (.ctn)")
    scripts = loads(text)
    problems = [problem for script in scripts for problem in script.problems]
    for problem in problems:
        say(f"lurch: {name}:{problem.line}:{problem.column}: {problem.token}: {problem.detail}", err=True)
    if problems:
        return MALFORMED
    wanted = "\n".join(rewritten(script) for script in scripts)
    if diff:
        old, new = text.splitlines(keepends=True), wanted.splitlines(keepends=True)
        click.echo("".join(difflib.unified_diff(old, new, name, name)), nl=False)
    elif not only_check:
        return _write(name, text, wanted)
    elif wanted != text:
        say(f"{name} would be rewritten")
    return int(wanted != text)


def _write(name: str, text: str, wanted: str) -> int:
    if name == "-":
        click.echo(wanted.encode(), nl=False)
    elif wanted != text:
        try:
            _replace(Path(name), wanted)
        except OSError as error:
            click.echo(f"lurch: {name} cannot be written: {error.strerror}", err=True)
            return UNREADABLE
        say(f"{name} rewritten")
    return 0


def _replace(path: Path, text: str) -> None:
    """Replace a file at once, so that a crash leaves the whole old one or the whole new one."""
    whole = path.resolve()  # a link may lead to another disk
    beside = whole.with_name(f".{whole.name}.new")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.chmod(whole.stat().st_mode)
        beside.replace(whole)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


class RecordFault(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fault of a record: its place, ledger number and code, and a sentence; of a finding how sure it is."""

    file: str
    where: str
    rule: str
    detail: str
    code: str | None = None
    ruled: bool = False
    grade: str | None = None


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a fault.")
def check(files: tuple[str, ...], as_json: bool) -> None:
    """Report where a record differs from what its facts give, and every breach with ledger number and code.

    \b
    lurch check examples/notation.ctn
    lurch check --json *.ctn | jq .rule

    Exit status 1 when something is reported that no ruling in the file covers.
    """
    worst = 0
    for name in files:
        text = read_text(name)
        if text is None:
            worst = UNREADABLE
            continue
        lines = with_progress(score_text(text, is_ctn(name, text)), "checking")
        deals = 0
        for line in lines:
            deals += 1
            worst = max(worst, line.status)
            for fault in _faults(name, line):
                if as_json:
                    click.echo(codec.encode_plain(fault))
                else:
                    say(_shown(fault))
        if not as_json:
            click.echo(f"{name}: {deals} {'deal' if deals == 1 else 'deals'} checked", err=True)
    sys.exit(worst)


def _faults(name: str, line: DealAnswer) -> Iterator[RecordFault]:
    answer: JsonObject = line.answer
    if "error" in answer:
        error = answer["error"]
        places = [f"{key} {error[key]}" for key in ("line", "column", "action") if key in error]
        yield RecordFault(name, ", ".join([line.label, *places]), error["rule"], error["detail"], error.get("code"))
        return
    covered = line.status == 0
    for finding in answer.get("findings", ()):
        grade = finding.get("grade", "C")
        yield RecordFault(name, line.label, finding["rule"], finding["detail"], finding.get("code"), covered, grade)
    for each in answer.get("recorded", ()):
        detail = f"{each['what']}: {each['stated']} is written, the facts give {each['derived']}"
        yield RecordFault(name, line.label, "difference", detail, None, covered)


def _shown(fault: RecordFault) -> str:
    named = " ".join(filter(None, (fault.rule, fault.code)))
    sure = "" if fault.grade is None else "proven" if fault.grade == "P" else "not proven"
    aside = ", ".join(filter(None, (sure, "ruled on" if fault.ruled else "")))
    return f"{fault.file}: {fault.where}: {named}: {fault.detail}{f' ({aside})' if aside else ''}"
