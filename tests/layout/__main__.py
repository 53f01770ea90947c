"""Writes the house's layout of templates, stylesheets and scripts; with --check it only says where it is missing."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import cssbeautifier
import jsbeautifier

from tests.layout.writing import STEP, WIDTH, written

SERVICE: Final = Path(__file__).parents[2] / "service"
ROOMS: Final = (SERVICE / "web", SERVICE / "http" / "templates")


def ours(*rooms: Path) -> Iterator[Path]:
    """Every template, stylesheet and script of ours, of these folders or of all."""
    for found in sorted(path for room in rooms or ROOMS for path in room.rglob("*")):
        if found.suffix in (".html", ".css", ".js") and "vendor" not in found.parts:
            yield found


def laid_out(kind: str, source: str) -> str:
    """A source in the house's layout, by the ending of its name."""
    if kind == ".html":
        return written(source)
    if kind == ".css":
        options = cssbeautifier.default_options()
        options.newline_between_rules = False
    else:
        options = jsbeautifier.default_options()
        options.space_after_anon_function = True
        options.brace_style = "collapse,preserve-inline"
        options.wrap_line_length = WIDTH
        options.max_preserve_newlines = 2
    options.indent_size = STEP
    options.end_with_newline = True
    text: str = (cssbeautifier if kind == ".css" else jsbeautifier).beautify(source, options)
    return text


def faults(kind: str, source: str) -> Iterator[str]:
    """What is not in the house's layout: the layout itself, and each line that is too long."""
    try:
        if laid_out(kind, source) != source:
            yield "is not laid out: `make format` does it"
    except ValueError as error:
        yield f"cannot be laid out: {error}"
    for number, line in enumerate(source.splitlines(), 1):
        if len(line) > WIDTH:
            yield f"line {number} has {len(line)} columns: {WIDTH} are the most, cut it by hand"


def main(check: bool) -> int:
    """Checks, or writes and then checks. 1 if something is left to do."""
    left = 0
    for path in ours():
        source = path.read_text()
        if not check:
            with suppress(ValueError):  # told below
                path.write_text(laid_out(path.suffix, source))
            source = path.read_text()
        for fault in faults(path.suffix, source):
            left += 1
            sys.stdout.write(f"{path.relative_to(SERVICE.parent)}: {fault}\n")
    return min(left, 1)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
