"""Commands on the log: import, export, replay, verify, rebuild."""

import json
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING
from uuid import UUID

import rich_click as click

from domain import codec
from service.cli import OWN_PROCESS
from service.cli.printing import say
from service.cli.terminal import Progress, is_ctn, on_database, read_text, settings
from service.desk.reading_aside import Reading, reading
from service.processors import give_way, processors

if TYPE_CHECKING:
    from service.store.pool import Pool


@click.command("import")
@click.argument("file")
@click.option("--club", required=True, help="The club's name or id; a new name founds one.")
@click.option("--public", is_flag=True, help="A club that is founded can be read by everybody.")
@click.option("--name", "names", multiple=True, help="Histories name nobody: who sat at seat 0, 1 …, in order.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a match or fault.")
@click.option(
    "--processes",
    type=click.IntRange(1, 8),
    default=lambda: min(processors(), 8),
    help="For many histories; one a core.",
)
@click.pass_obj
def import_file(
    own: str | None, file: str, club: str, public: bool, names: tuple[str, ...], as_json: bool, processes: int
) -> None:
    """Record the matches of a CTN or history file as facts; the same file again does no harm.

    \b
    lurch import examples/notation.ctn --club "Thursday club" --public
    lurch import deals.jsonl --club Archive --name Annie --name Benny

    Prints each match's id. What cannot be read is named with line and column, and the rest is imported.
    """
    text = read_text(file)
    if text is None:
        sys.exit(3)
    with nullcontext() if is_ctn(file, text) else reading(text, names, processes) as read:
        if own is OWN_PROCESS:
            give_way()
        sys.exit(_import(text, read, club, public, as_json))


def _import(text: str, read: Reading | None, club: str, public: bool, as_json: bool) -> int:
    """Take in a CTN file, or histories that are being read."""
    from service.cli import clerk, intake

    faults = count = 0
    total = None if read is None else read.total
    with Progress("importing", total, scrolls=True) as bar:

        def told(each: clerk.FileResult) -> None:
            nonlocal faults, count
            faults, count = faults + (not each.good), count + 1
            bar.step()
            if as_json:
                click.echo(codec.encode_plain(each))
            else:
                say(each.text if each.good else f"lurch: {each.text}", err=not each.good)

        if read is None:
            on_database(settings(), lambda pool: intake.import_ctn(pool, club, public, text, told))
        else:
            on_database(settings(), lambda pool: intake.import_read(pool, club, public, read, told))
    if not count:
        click.echo("lurch: there is no match in it", err=True)
    return 1 if faults else 0


@click.command()
@click.argument("match", type=click.UUID)
@click.option("--format", "form", type=click.Choice(["ctn", "jsonl"]), default="ctn", show_default=True)
@click.option("--case", "is_case", is_flag=True, help="The id is that of a case: its file, sealed with its audience.")
@click.option(
    "--for",
    "audience",
    default="director",
    show_default=True,
    help="Who is to read a case: director, or a side: 0, 1 …",
)
def export(match: UUID, form: str, is_case: bool, audience: str) -> None:
    """Print a match as canonical CTN, or its deals as histories; or the file of a case.

    \b
    lurch export 01939f5e-… > match.ctn
    lurch export 01939f5e-… --format jsonl
    lurch export --case 0193a2b4-… --for 0 > case.json

    A history must hold the hands, so --format jsonl is for matches that were recorded in full. The file of a case says
    what its audience may read, and no more; verify compares it with the log.
    """
    from service.cli import case_clerk, clerk, seals

    if is_case:
        told = on_database(settings(), lambda pool: case_clerk.export_case(pool, str(match), audience))
        click.echo(told.encode(), nl=False)
        return

    write = seals.export_ctn if form == "ctn" else clerk.export_histories
    click.echo(on_database(settings(), lambda pool: write(pool, str(match))).encode(), nl=False)


@click.command()
@click.argument("match", type=click.UUID)
@click.option("--at", type=click.IntRange(1, 2**31 - 1), help="The event to stop at; the last when left out.")
@click.option("--json", "as_json", is_flag=True, help="The match view as the API gives it.")
def replay(match: UUID, at: int | None, as_json: bool) -> None:
    """Print the table at any event: hands, trick, counts, score, and what was legal.

    \b
    lurch replay 01939f5e-…
    lurch replay 01939f5e-… --at 17
    """
    from service.cli import past_clerk
    from service.cli.replayed import table

    found = on_database(settings(), lambda pool: past_clerk.replay(pool, str(match), at))
    if as_json:
        click.echo(codec.encode_plain(found.view))
        return
    for line in table(found):
        say(line)


@click.command()
@click.argument("files", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option(
    "--processes",
    type=click.IntRange(1, 8),
    default=lambda: min(processors(), 8),
    help="For a large log; one a core.",
)
def verify(files: tuple[str, ...], as_json: bool, processes: int) -> None:
    """Follow the hash chain of every stream and the positions of every club's log, and say what was changed, is
    missing, is extra or was moved; of FILES (CTN with seals, and cases, as export writes them) say whether each still
    stands in the log as it does in the file.

    \b
    lurch verify
    lurch verify match.ctn

    Names everything that does not fit, and exits with 1. docs/chain.md tells what no chain can show.
    """
    worst = _verify_log(as_json, processes)
    for name in files:
        text = read_text(name)
        worst = max(worst, 3 if text is None else _verify_file(name, text, as_json))
    sys.exit(worst)


def _verify_log(as_json: bool, processes: int) -> int:
    from service.desk import verifying
    from service.store.log import events_in_all

    async def check(pool: "Pool") -> verifying.Verified:
        with Progress("verifying", await events_in_all(pool)) as bar:
            return await verifying.verify(pool, bar.step, processes)

    found = on_database(settings(), check)
    wrong = [each.text for each in found.wrong]
    if as_json:
        first = wrong[0] if wrong else None
        answer = {"events": found.events, "holds": not wrong, "first_wrong": first, "wrong": found.wrong}
        click.echo(codec.encode_plain(answer))
    else:
        click.echo("\n".join(wrong) or f"{found.events} events, every chain holds")
    return 1 if wrong else 0


def _verify_file(name: str, text: str, as_json: bool) -> int:
    from service.cli import case_clerk, clerk, seals
    from service.desk.cases.filing import is_case_file

    verify_text = case_clerk.verify_case if is_case_file(text) else seals.verify_text
    told = on_database(settings(), lambda pool: verify_text(pool, text))
    for each in told or (clerk.FileResult("there is no match in it", good=False),):
        if as_json:
            click.echo(codec.encode_plain(each))
        else:
            say(f"{name}: {each.text}")
    return 0 if told and all(each.good for each in told) else 1


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def rebuild(as_json: bool) -> None:
    """Throw the kept views away and fold them again from the log; reads go on meanwhile."""
    from service.cli import rebuilding

    async def fold(pool: "Pool") -> int:
        with Progress("rebuilding", await rebuilding.events_to_fold(pool)) as bar:
            return await rebuilding.rebuild(pool, bar.step)

    clubs = on_database(settings(), fold)
    click.echo(json.dumps({"clubs": clubs}) if as_json else f"{clubs} clubs rebuilt")
