"""Templates as trees: elements, statements, words, and the gaps between them as a browser and Jinja see them."""

import re
from dataclasses import dataclass, field
from typing import Final

TOKEN: Final = re.compile(
    r"(?P<comment>\{#.*?#\})|(?P<statement>\{%.*?%\})|(?P<expression>\{\{.*?\}\})"
    r"|(?P<tag></?[a-zA-Z!](?:\{%.*?%\}|\{\{.*?\}\}|\"(?:\{%.*?%\}|\{\{.*?\}\}|[^\"])*\"|[^<>\"])*>)"
    r"|(?P<text>(?:(?!\{[#%{]|</?[a-zA-Z!]).)+)",
    re.S,
)
ATTRIBUTE: Final = re.compile(
    r"(?:\{%\s*if.*?endif\s*%\}|\{\{.*?\}\}|\"(?:\{%.*?%\}|\{\{.*?\}\}|[^\"])*\"|[^\s\"{]|\{(?![{%]))+", re.S
)
# what brings its own space with it: it stands beside the attribute before it
SPACED: Final = re.compile(r"\{%\s*if[^%]*%\} |\{\{ *[\"'] ")
VOID: Final = {"!doctype", "meta", "link", "input", "br", "hr", "img", "wbr"}
RAW: Final = {"textarea", "pre", "style"}
INLINE: Final = {
    "a",
    "abbr",
    "b",
    "bdi",
    "button",
    "code",
    "em",
    "i",
    "kbd",
    "s",
    "small",
    "span",
    "strong",
    "time",
    "tspan",
}
PAIRED: Final = {"if", "for", "macro", "block", "call", "filter", "trans"}
BRANCHES: Final = {"else", "elif", "pluralize"}
# classes whose children are laid out one by one: no space between them is seen
SPREAD: Final = {"actions", "calls", "chips", "counts", "find", "grid", "lay", "steps", "suit", "taps"}
GLUE, SPACE, FREE = "glue", "space", "free"


@dataclass
class Node:
    """A piece of a template: a word, an expression, a comment, a statement or an element, with what it holds."""

    kind: str  # word, expression, comment, statement, paired, element, raw
    text: str  # of an element its opening tag; of a paired statement nothing
    name: str = ""
    branches: "list[tuple[str, Run]]" = field(default_factory=list)  # opening token, content
    end: str = ""

    @property
    def statement(self) -> bool:
        """Jinja takes the line break behind it and the indentation before it away."""
        return self.kind in ("statement", "paired", "comment")

    @property
    def block(self) -> bool:
        """A space beside it is not seen."""
        if self.kind == "raw":
            return True
        if self.kind != "element":
            return False
        if self.name == "input":
            return not re.search(r'type=["\']?(checkbox|radio)', self.text)
        if self.name == "form":
            return not re.search(r"class=[\"']inline", self.text)
        return self.name not in INLINE

    @property
    def spreads(self) -> bool:
        """A space between its children is not seen."""
        found = re.search(r'class="([\w -]*)', self.text)
        return self.kind == "element" and bool(found) and bool(SPREAD & set(found[1].split()))


@dataclass
class Run:
    """Nodes one behind the other; `gaps` has one before each and one behind the last."""

    nodes: list[Node] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)


def tokens(source: str) -> list[tuple[str, str]]:
    """The tokens of a template, with the white space that Jinja takes away taken away."""
    source = source.removesuffix("\n")
    found = [(match.lastgroup or "", match[0]) for match in TOKEN.finditer(source)]
    if "".join(text for _, text in found) != source:
        raise ValueError("the template cannot be cut into tokens")
    kept: list[tuple[str, str]] = []
    begins = True  # a line begins here
    for at, (kind, text) in enumerate(found):
        if kind != "text":
            kept.append((kind, text))
            begins = False
            continue
        before, behind = found[at - 1] if at else ("", ""), found[at + 1] if at + 1 < len(found) else ("", "")
        kept.append(("text", _trimmed(text, before, behind, begins)))
        begins = text.endswith("\n")
    return [(kind, text if kind == "text" else _plain(kind, text)) for kind, text in kept if text]


def _plain(kind: str, token: str) -> str:
    """A token without its marks, its indentation and, of a tag, its line breaks."""
    if kind == "tag":
        return f"<{squeezed(token[1:-1])}>"
    text = "\n".join(line.strip() for line in token.split("\n"))
    return re.sub(r"^(\{[{%#])-|-([}%#]\})$", r"\1\2", text)


def squeezed(tag: str) -> str:
    """A name and attributes with one space between them, or none where the next brings its own."""
    text = ""
    for each in ATTRIBUTE.findall(tag):
        text += each if not text or SPACED.match(each) else f" {each}"
    return "\n".join(line.strip() for line in text.split("\n"))


def attributes(tag: str) -> list[str]:
    """A name and attributes, each for a line of its own."""
    return [part for each in ATTRIBUTE.findall(tag) for part in _apart(each)]


def _apart(attribute: str) -> list[str]:
    quoted = re.match(r"(?:[^\"{]|\{(?![{%]))*(?:\"(?:\{%.*?%\}|\{\{.*?\}\}|[^\"])*\")?", attribute, re.S)
    cut = quoted.end() if quoted else 0
    behind = attribute[cut:]
    return [attribute[:cut], behind] if cut and SPACED.match(behind) else [attribute]


def _trimmed(text: str, before: tuple[str, str], behind: tuple[str, str], begins: bool) -> str:
    if behind[0] in ("statement", "comment"):
        head, newline, last = text.rpartition("\n")
        if (newline or begins) and not last.strip():
            text = head + newline
    if before[0] in ("statement", "comment") and text.startswith("\n"):
        text = text[1:]
    if before[0] in ("statement", "comment", "expression") and before[1][-3] == "-":
        text = text.lstrip()
    if behind[0] in ("statement", "comment", "expression") and behind[1][2] == "-":
        text = text.rstrip()
    return text


def read(source: str) -> Run:
    """A template as a tree."""
    reader = _Reader(tokens(source))
    run = reader.run()
    if reader.rest:
        raise ValueError(f"nothing opened what {reader.rest[0][1]} closes")
    loosened(run, True, True)
    return run


class _Reader:
    def __init__(self, rest: list[tuple[str, str]]) -> None:
        self.rest = rest

    def run(self) -> Run:
        """What stands here until something ends that began before it."""
        run, gap = Run(), GLUE
        while self.rest and not self._ends(*self.rest[0]):
            kind, text = self.rest.pop(0)
            if kind == "expression" and text == '{{ " " }}':
                gap = SPACE
            elif kind == "text":
                gap = self._words(run, gap, text)
            else:
                run.nodes.append(self._node(kind, text))
                run.gaps.append(gap)
                gap = GLUE
        run.gaps.append(gap)
        return run

    def _words(self, run: Run, gap: str, text: str) -> str:
        for found in re.finditer(r"\s+|\S+", text):
            if found[0].isspace():
                gap = SPACE
            else:
                run.nodes.append(Node("word", found[0]))
                run.gaps.append(gap)
                gap = GLUE
        return gap

    def _ends(self, kind: str, text: str) -> bool:
        if kind == "statement":
            return word(text).startswith("end") or word(text) in BRANCHES
        return text.startswith("</")

    def _node(self, kind: str, text: str) -> Node:
        if kind == "tag":
            return self._element(text)
        if kind == "statement" and (word(text) in PAIRED or (word(text) == "set" and "=" not in text)):
            return self._paired(text)
        return Node(kind, text)

    def _element(self, text: str) -> Node:
        name = re.split(r"[\s>{/]", text[1:])[0].lower()
        if name in VOID or text.endswith("/>"):
            return Node("element", text, name)
        if name in RAW:
            inside = ""
            while self.rest[0][1] != f"</{name}>":
                inside += self.rest.pop(0)[1]
            return Node("raw", text, name, end=inside + self.rest.pop(0)[1])
        inner = self.run()
        if not self.rest or self.rest[0][1] != f"</{name}>":
            raise ValueError(f"{text} is not closed where it should be")
        return Node("element", text, name, [("", inner)], self.rest.pop(0)[1])

    def _paired(self, text: str) -> Node:
        node = Node("paired", "", word(text))
        while True:
            node.branches.append((text, self.run()))
            text = self.rest.pop(0)[1]
            if word(text) not in BRANCHES:
                break
        if word(text) != f"end{node.name}":
            raise ValueError(f"{text} does not end {node.branches[0][0]}")
        node.end = text
        return node


def word(statement: str) -> str:
    """The word that a statement begins with."""
    return statement.strip("{}%- \n").split()[0]


def loosened(run: Run, first: bool, last: bool, spread: bool = False) -> None:
    """The gaps where a space is not seen; `first` and `last`: so it is at the ends of the run."""
    nodes, gaps = run.nodes, run.gaps
    for at in range(len(gaps)):
        beside = [node for node in nodes[max(at - 1, 0) : at + 1] if node.block]
        edge = (first and at == 0) or (last and at == len(nodes))
        if spread or beside or edge:
            gaps[at] = FREE
    for at in (*range(len(nodes)), *reversed(range(len(nodes)))):
        if _blocks(nodes[at]) and FREE in gaps[at : at + 2]:
            gaps[at : at + 2] = [FREE, FREE]
    for at, node in enumerate(nodes):
        before, behind = gaps[at] == FREE, gaps[at + 1] == FREE
        for _, inner in node.branches:
            if node.kind == "element":
                own = node.block or node.name == "button"
                loosened(inner, own, own, node.spreads)
            elif node.name == "trans":  # gettext's own trimming takes the space at the ends away
                loosened(inner, True, True)
            else:
                only = spread and node.name in ("if", "for")
                once = node.name in ("if", "block")
                loosened(inner, (before and once) or only, (behind and once) or only, only)


def _blocks(node: Node) -> bool:
    """What shows blocks at its ends if it shows anything."""
    if node.kind != "paired" or node.name not in ("if", "for"):
        return False
    runs = [inner.nodes for _, inner in node.branches]
    return all(run and all(end.block or _blocks(end) for end in (run[0], run[-1])) for run in runs)
