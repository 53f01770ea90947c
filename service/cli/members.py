"""Commands on the people of a club: take a table of them, print one."""

import sys
from typing import TYPE_CHECKING

import rich_click as click

from domain import codec
from service.cli.printing import say
from service.cli.terminal import on_database, read_text, settings

if TYPE_CHECKING:
    from service.desk.members import PlannedLine

WORDS = {"add": "new", "change": "changed", "keep": "as it is"}


@click.group()
def members() -> None:
    """Take or print the people of a club as a table: id, name, visitor, rating, ids of other bodies.

    \b
    lurch members export --club "Thursday club" > members.csv
    lurch members import members.csv --club "Thursday club" --preview
    """


@members.command("export")
@click.option("--club", help="The club's name or id; not needed where there is one only.")
def export_table(club: str | None) -> None:
    """Print everybody whom the club knows as CSV."""
    from service.cli import members_clerk as clerk

    click.echo(on_database(settings(), lambda pool: clerk.export_table(pool, club)).encode(), nl=False)


@members.command("import")
@click.argument("file")
@click.option("--club", help="The club's name or id; not needed where there is one only.")
@click.option("--preview", is_flag=True, help="Only say what the table would do.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line of the table.")
def import_table(file: str, club: str | None, preview: bool, as_json: bool) -> None:
    """Take everybody of a CSV table, all or none; the same table again does no harm.

    \b
    lurch members import members.csv --club "Thursday club"

    Only the column name must be there. A line finds its person by the id here, then by the id of another body, then by
    name; else it brings in a new one.
    """
    from service.cli import members_clerk as clerk

    text = read_text(file)
    if text is None:
        sys.exit(3)
    data = text.encode()
    for line in on_database(settings(), lambda pool: clerk.take_table(pool, club, data, preview)):
        if as_json:
            click.echo(codec.encode_plain(line))
        else:
            say(_said(line))


def _said(line: "PlannedLine") -> str:
    """A line of the table and what it does."""
    near = f" (near: {', '.join(each.name for each in line.near)})" if line.near else ""
    changes = f": {', '.join(line.changes)}" if line.changes else ""
    return f"{line.line:>4}  {WORDS[line.do]:<8}  {line.name}{changes}{near}"
