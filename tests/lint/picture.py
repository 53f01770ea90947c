"""Draw docs/layers.svg from the import contracts: `python -m tests.lint.picture`; `--check` only compares."""

import ast
import re
import sys
import textwrap
from html import escape
from pathlib import Path

from tests.lint.tree import CHECKOUT

FILE = CHECKOUT.root / "docs" / "layers.svg"
WIDTH, ROW, GAP, LEFT, TITLE = 940, 66, 8, 120, 34
COLOURS = {"service": "#e8f0fb", "projections": "#eef6e8", "domain": "#fdf3e1"}
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1b1b1b}.name{font-weight:700}.top{font-size:15px;font-weight:700}"
    ".summary{font-size:11px;fill:#444}rect{stroke:#8a8a8a}line{stroke:#555;stroke-width:2}"
)


def layers(package):
    """Return the layers of a package from the top, each a list of names; a package without any is one layer."""
    for contract in CHECKOUT.contracts.values():
        if contract.get("containers") == [package]:
            return [[name.strip() for name in re.split(r"[|:]", layer)] for layer in contract["layers"]]
    return [[""]]


def summary(package, name):
    """Return the first sentence of the docstring of a package or module."""
    path = Path(package) / name
    file = path / "__init__.py" if (CHECKOUT.root / path).is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(CHECKOUT.nodes(file)[0]) or ""
    return re.split(r"(?<=[.]) ", docstring.split("\n\n")[0].replace("\n", " "))[0].rstrip(".")


def box(x, y, width, name, text, colour):
    """Draw a module with its summary."""
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{ROW}" rx="6" fill="{colour}"/>'
    yield f'<text class="name" x="{x + 10}" y="{y + 19}">{escape(name)}</text>'
    for number, line in enumerate(textwrap.wrap(text, max(12, int(width / 6.1)))[:3]):
        yield f'<text class="summary" x="{x + 10}" y="{y + 35 + 14 * number}">{escape(line)}</text>'


def package_boxes(package, rows, top):
    """Draw a top-level package layer by layer."""
    yield f'<text class="top" x="10" y="{top + 22}">{package}</text>'
    for number, names in enumerate(rows):
        width = (WIDTH - LEFT - 10 - GAP * (len(names) - 1)) // len(names)
        for column, name in enumerate(names):
            place = LEFT + column * (width + GAP), top + number * (ROW + GAP)
            yield from box(*place, width, name or package, summary(package, name), COLOURS[package])


def drawing():
    """Return the picture as text."""
    body, top = [], TITLE
    for package in COLOURS:
        rows = layers(package)
        body += package_boxes(package, rows, top)
        top += len(rows) * (ROW + GAP) + 22
    arrow = f'<line x1="108" y1="{TITLE + 40}" x2="108" y2="{top - 40}"/><path d="M102 {top - 46}l6 10 6-10z"/>'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img" '
        f'aria-label="The packages of Lurch in layers, from the interfaces down to the log">'
    )
    note = '<text x="10" y="20">A package imports packages below it, never those above or next to it.</text>'
    return "\n".join([head, f"<style>{STYLE}</style>", note, arrow, *body, "</svg>", ""])


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        current = FILE.read_text(encoding="utf-8") == drawing()
        sys.exit(0 if current else "docs/layers.svg is out of date: python -m tests.lint.picture")
    FILE.write_text(drawing(), encoding="utf-8")
