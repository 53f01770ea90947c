"""docs/texts.md: every text that a page, a problem or an explanation can show, by file; explanations by example too."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from tests.texts.examples import examples
from tests.texts.said_in_pages import texts_in_script, texts_in_template
from tests.texts.said_in_python import texts_in

ROOT: Final = Path(__file__).parents[2]
FILE: Final = ROOT / "docs" / "texts.md"
# what shows nothing on a page or in a problem: the command line, operation, the database, examples
ELSEWHERE: Final = (
    "service/cli/",
    "service/store/",
    "service/run/binaries.py",
    "service/run/database.py",
    "service/run/embedded.py",
    "service/run/holders.py",
    "service/run/logs.py",
    "service/run/metrics.py",
    "service/run/migrate.py",
    "service/run/passwords.py",
    "service/run/serve.py",
    "service/run/server.py",
    "service/run/settings.py",
    "service/web/static/vendor/",
)
HEAD: Final = """# Texts

Everything that a page, a problem or an explanation can say, by file, in the order of the source.
`make texts` writes it.
What is filled in stands in ‹ ›. The first part shows explanations and refusals as they are read.
"""
Texts: TypeAlias = dict[str, list[str]]  # by file


def gathered() -> Texts:
    """The texts of every file that has some."""
    found = {}
    for file in _files():
        source, name = file.read_text(), file.relative_to(ROOT).as_posix()
        if file.suffix == ".py":
            texts = texts_in(source, labels=name.startswith("service/web/"))
        else:
            texts = texts_in_template(source) if file.suffix == ".html" else texts_in_script(source)
        if texts:
            found[name] = texts
    return found


def _files() -> Iterator[Path]:
    for room in ("domain", "projections", "service"):
        for file in sorted((ROOT / room).rglob("*")):
            if file.suffix in (".py", ".html", ".js") and not file.relative_to(ROOT).as_posix().startswith(ELSEWHERE):
                yield file


def written(texts: Texts) -> str:
    """The document."""
    parts = [HEAD, "## By example\n"]
    parts += [f"### {title}\n\n{_items(said)}" for title, said in examples()]
    parts += [f"## {name}\n\n{_items(said)}" for name, said in texts.items()]
    return "\n".join(parts)


def _items(said: list[str]) -> str:
    return "".join(f"- {text}\n" for text in said)


def read(document: str) -> Texts:
    """The texts that a document lists, by file."""
    found: Texts = {}
    here: list[str] = []
    for line in document.splitlines():
        if line.startswith(("## ", "### ")):
            here = found.setdefault(line.lstrip("# "), [])
        elif line.startswith("- "):
            here.append(line[2:])
    return found


def differences(document: str, texts: Texts) -> list[str]:
    """What a document lacks, and what it holds that nothing says any more; the order does not matter."""
    listed = {(name, text) for name, said in read(document).items() for text in said if "/" in name}
    there = {(name, text) for name, said in texts.items() for text in said}
    lacking = [f"{name}: not in docs/texts.md: {text}" for name, text in sorted(there - listed)]
    return lacking + [f"{name}: only in docs/texts.md: {text}" for name, text in sorted(listed - there)]
