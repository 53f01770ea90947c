"""Draws docs/rooms.svg from the import contracts: `python -m tests.floors.rooms`; `--check` tells if they are there."""

import ast
import re
import sys
import textwrap
import tomllib
from html import escape
from pathlib import Path

from tests.kit.sources import parsed

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "rooms.svg"
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
WIDTH, ROW, GAP, LEFT, TITLE = 940, 66, 8, 120, 34
FLOORS = [
    ("service", "the rooms of the service, from the top"),
    ("projections", None),
    ("domain", "the rooms of the domain, from the top"),
]
COLOURS = {"service": "#e8f0fb", "projections": "#eef6e8", "domain": "#fdf3e1"}
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1b1b1b}.name{font-weight:700}.floor{font-size:15px;font-weight:700}"
    ".say{font-size:11px;fill:#444}rect{stroke:#8a8a8a}line{stroke:#555;stroke-width:2}"
)


def layers(contract):
    """The rooms of a floor by layer, from the top."""
    found = next(each for each in CONTRACTS if each["name"] == contract)
    return [[name.strip() for name in re.split(r"[|:]", layer)] for layer in found["layers"]]


def sentence(floor, room):
    """The first sentence that a room says of itself."""
    path = ROOT / floor / room
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    said = ast.get_docstring(parsed(file.read_text(encoding="utf-8"))) or ""
    return " ".join(re.split(r"(?<=[.]) ", said.split("\n\n")[0].replace("\n", " "))[:1]).rstrip(".")


def box(x, y, width, name, said, colour):
    """One room with its name and what it is."""
    lines = textwrap.wrap(said, max(12, int(width / 6.1)))[:3]
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{ROW}" rx="6" fill="{colour}"/>'
    yield f'<text class="name" x="{x + 10}" y="{y + 19}">{escape(name)}</text>'
    for number, line in enumerate(lines):
        yield f'<text class="say" x="{x + 10}" y="{y + 35 + 14 * number}">{escape(line)}</text>'


def floor_lines(floor, rows, top):
    """One floor: its name, and its rooms layer by layer."""
    yield f'<text class="floor" x="10" y="{top + 22}">{floor}</text>'
    for number, names in enumerate(rows):
        y = top + number * (ROW + GAP)
        width = (WIDTH - LEFT - 10 - GAP * (len(names) - 1)) // len(names)
        for place, name in enumerate(names):
            said = sentence(floor, name) if name else sentence(floor, "")
            yield from box(LEFT + place * (width + GAP), y, width, name or floor, said, COLOURS[floor])


def drawing():
    """The picture as text."""
    body, top = [], TITLE
    for floor, contract in FLOORS:
        rows = layers(contract) if contract else [[""]]
        body += floor_lines(floor, rows, top)
        top += len(rows) * (ROW + GAP) + 22
    arrow = f'<line x1="108" y1="{TITLE + 40}" x2="108" y2="{top - 40}"/><path d="M102 {top - 46}l6 10 6-10z"/>'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img" '
        f'aria-label="The rooms of Lurch, from the doors down to the log">'
    )
    note = '<text x="10" y="20">A room imports what stands below it, never what stands above or beside it.</text>'
    return "\n".join([head, f"<style>{STYLE}</style>", note, arrow, *body, "</svg>", ""])


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        drawn = FILE.read_text(encoding="utf-8") == drawing()
        sys.exit(0 if drawn else "docs/rooms.svg shows other rooms: python -m tests.floors.rooms")
    FILE.write_text(drawing(), encoding="utf-8")
