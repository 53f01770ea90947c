"""The audit on paper: one page of HTML that needs nothing else, from the terminal and from the pages alike."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import jinja2

from projections.audit_sheet import AuditSheet


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


def paper(sheets: Iterable[AuditSheet]) -> str:
    """The page of these reports, in order."""
    return _template().render(sheets=list(sheets))
