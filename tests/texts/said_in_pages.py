"""The texts in templates and scripts: text nodes, attributes that are read out or shown, words within expressions."""

import re
from html.parser import HTMLParser
from typing import Final

from tests.texts.said_in_python import LABEL, WORDS

SPOKEN: Final = {"title", "placeholder", "aria-label", "alt", "label"}
# elements that a sentence runs through
INLINE: Final = {"a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "q", "small", "span", "strong", "time", "wbr"}
COMMENT: Final = re.compile(r"\{#.*?#\}", re.S)
EXPRESSION: Final = re.compile(r"\{\{-?(.*?)-?\}\}", re.S)
STATEMENT: Final = re.compile(r"\{%-?(.*?)-?%\}", re.S)
LITERAL: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"' + r"|`([^`]*)`")
CUT: Final = "\ue000"
FILLED: Final = re.compile("\ue001(\\d+)\ue002")
CODE: Final = re.compile(r"[\[\]=<>]|^[.#]|^[a-z]+(, [a-z]+)+$")  # in a script: a selector


def texts_in_template(source: str) -> list[str]:
    """Every text of a template, in its order, each once; what is filled in stands in ‹ ›."""
    source = COMMENT.sub("", source)
    said: list[str] = []
    inside: list[str] = []

    def fill(found: re.Match[str]) -> str:
        inside.append(" ".join(found[1].split()))
        return f"\ue001{len(inside) - 1}\ue002"

    for found in (*EXPRESSION.finditer(source), *STATEMENT.finditer(source)):
        said += _literals(found[1])
    page = _Page()
    page.feed(STATEMENT.sub(CUT, EXPRESSION.sub(fill, source)))
    page.close()
    for piece in "".join(page.flow).split(CUT):
        text = " ".join(FILLED.sub(lambda found: f"‹{inside[int(found[1])]}›", piece).split())
        if re.search(r"[A-Za-z]{2}", re.sub(r"‹[^›]*›", "", text)):
            said.append(text)
    return list(dict.fromkeys(said))


def texts_in_script(source: str) -> list[str]:
    """Every text of a script of ours, each once."""
    source = re.sub(r"^\s*//.*$", "", source, flags=re.M)
    return list(dict.fromkeys(text for text in _literals(source) if not CODE.search(text)))


def _literals(code: str) -> list[str]:
    found = (" ".join((one or other).split()) for one, other in LITERAL.findall(code))
    return [text for text in found if WORDS.search(text) or LABEL.match(text)]


class _Page(HTMLParser):
    """The flow of a page's text, cut where an element stands that no sentence runs through."""

    def __init__(self) -> None:
        super().__init__()
        self.flow: list[str] = []
        self.code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.code = tag in ("script", "style")
        if tag not in INLINE:
            self.flow.append(CUT)
        for name, value in attrs:
            if name in SPOKEN and value:
                self.flow += [CUT, value, CUT]

    def handle_endtag(self, tag: str) -> None:
        self.code = False
        if tag not in INLINE:
            self.flow.append(CUT)

    def handle_data(self, data: str) -> None:
        if not self.code:
            self.flow.append(data)
