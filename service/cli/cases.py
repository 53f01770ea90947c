"""Commands on the cases of a club: which wait, and one as its director sees it."""

from typing import TYPE_CHECKING

import rich_click as click

from domain import codec
from service.cli.printing import say
from service.cli.terminal import on_database, settings

if TYPE_CHECKING:
    from service.desk.cases.queue import CaseRow


@click.group()
def cases() -> None:
    """Show the cases of a club: calls of the director, disputes, appeals.

    \b
    lurch cases list --club "Thursday club"
    lurch cases show 8b1c0a52-6f0e-4c55-9a55-0d1a3b8f2f11 > case.json
    """


@cases.command("list")
@click.option("--club", help="The club's name or id; not needed where there is one only.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a case.")
def list_cases(club: str | None, as_json: bool) -> None:
    """Print the cases of a club, those that wait first, the longest open at the top."""
    from service.cli import cases_clerk as clerk

    for row in on_database(settings(), lambda pool: clerk.queue_of(pool, club)):
        if as_json:
            click.echo(codec.encode_plain(row))
        else:
            say(_said(row))


@cases.command("show")
@click.argument("case", type=click.UUID)
def show_case(case: object) -> None:
    """Print a case as its director sees it, as JSON: sealed statements stay sealed."""
    from service.cli import cases_clerk as clerk

    click.echo(codec.encode_plain(on_database(settings(), lambda pool: clerk.case_of(pool, str(case)))))


def _said(row: "CaseRow") -> str:
    """A case on one line."""
    minutes = row.waited // 60
    waited = f"answered after {minutes} min" if row.answered else f"waits for {minutes} min"
    between = " – ".join(" & ".join(name or "?" for name in side) for side in row.sides)
    where = "" if row.table is None else f" table {row.table}"
    return f"{row.id}  {row.state:<7} {row.matter or '':<8}{where} {between}: {waited}"
