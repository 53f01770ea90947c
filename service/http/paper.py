"""The audit on paper: one page of HTML that needs nothing else, from the terminal and from the pages alike."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import jinja2

from domain.match.audit.report import Entry
from projections.audit_sheet import AuditSheet

GRADES: Final = {
    "P": "proven by the record",
    "C": "a slip of the scorer would explain it",
    "T": "said at the table",
}


@cache
def _template() -> jinja2.Template:
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return env.get_template("audit.html")


def graded(sheet: AuditSheet, entry: Entry) -> str:
    """How sure a finding is, in words, with what would explain it."""
    why = f": {sheet.named(entry.explained_by)}" if entry.explained_by else ""
    return f"{GRADES[entry.grade]}{why}"


def paper(sheets: Iterable[AuditSheet]) -> str:
    """The page of these reports, in order."""
    return _template().render(sheets=list(sheets), graded=graded)
