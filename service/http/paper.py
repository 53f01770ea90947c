"""The audit on paper: one page of HTML that needs nothing else, from the terminal and from the pages alike."""

import base64
import hashlib
import re
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


@cache
def policy() -> str:
    """The Content-Security-Policy of such a page: the style that stands in it, and nothing else."""
    style = "".join(re.findall("<style>(.*?)</style>", paper([]), re.DOTALL))
    mark = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{mark}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
