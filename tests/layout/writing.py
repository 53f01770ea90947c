"""Trees as templates: one element or statement a line, sentences filled to 120 columns."""

import re
from typing import Final

from tests.layout.reading import FREE, GLUE, SPACE, Node, Run, attributes, read

WIDTH: Final = 120
STEP: Final = 2


def written(source: str) -> str:
    """A template in the house's layout; it shows what it showed before."""
    run = read(source)
    writer = _Writer()
    writer.run(run, 0)
    text = writer.text()
    if read(text) != run:
        raise ValueError("another layout would show something else")
    return text


def flat(node: Node) -> str | None:
    """A node on one line; None where it needs more."""
    if "\n" in node.text:
        return None
    if node.kind in ("word", "expression"):
        return node.text
    if node.kind == "raw":
        return node.text + node.end if "\n" not in node.end and len(node.end) < 60 else None
    if node.kind == "paired":
        return _flat_statement(node)
    if node.kind != "element":
        return None
    tag = node.text
    if not node.branches:
        return tag
    inner = node.branches[0][1]
    if any(each.statement or each.block for each in inner.nodes) or FREE in inner.gaps[1:-1]:
        return None
    within = _flat_run(inner)
    return None if within is None else f"{tag}{within}{node.end}"


def _flat_statement(node: Node) -> str | None:
    """A statement with words alone in it; a line break would be seen at its ends or not."""
    if node.name not in ("if", "for", "block", "trans") or len(node.branches) > 2:
        return None
    parts = []
    for opening, inner in node.branches:
        inline = not any(each.statement or each.block for each in inner.nodes)
        within = _flat_run(inner, " ") if inline else None
        if within is None or "\n" in opening:
            return None
        parts.append(opening + within)
    return "".join(parts) + node.end


def _flat_run(run: Run, free: str = "") -> str | None:
    text = ""
    for at, node in enumerate(run.nodes):
        piece = flat(node)
        if piece is None:
            return None
        between = run.gaps[at] == SPACE or (run.gaps[at] == FREE and at > 0)
        text += (" " if between else "") + piece
    return text + (" " if run.gaps[-1] == SPACE else "")


def _beside(run: Run, end: str) -> int:
    """The columns that must stand on the line of what opens the run, for want of a space to break at."""
    size = 0
    for at, node in enumerate(run.nodes):
        text = flat(node)
        if run.gaps[at] != GLUE or text is None or node.statement:
            return size
        size += len(text)
    return size + (len(end) if run.gaps[-1:] == [GLUE] else 0)


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.statement = True  # the last that was written is a statement

    def text(self) -> str:
        return "".join(f"{line.rstrip()}\n" for line in self.lines)

    def put(self, token: str, indent: int, gap: str, apart: bool, statement: bool = False, size: int = 0) -> None:
        """The next token, behind its gap; `apart`: on a line of its own, where no space would be seen too many."""
        both = self.statement and statement
        if not self.lines:
            self.lines.append(" " * indent)
        elif gap == SPACE and not apart and len(self.lines[-1]) + 1 + (size or len(token)) <= WIDTH:
            self.lines[-1] += " "
        elif gap in (SPACE, FREE) and (apart or gap == SPACE):
            if gap == SPACE and self.statement and (statement or not indent):
                self.lines[-1] += '{{ " " }}'
            self.lines.append(" " * indent)
        elif gap == GLUE and apart and (statement or self.statement):
            if not both and statement:
                token = f"{token[:2]}-{token[2:]}"
            elif not both:
                self.lines[-1] = f"{self.lines[-1][:-2]}-{self.lines[-1][-2:]}"
            self.lines.append(" " * indent)
        elif gap == GLUE and token[:2] == "{{" and len(self.lines[-1]) + (size or len(token)) > WIDTH:
            token = f"{{{{-{token[2:]}"
            self.lines.append(" " * indent)
        first, *more = token.split("\n")
        self.lines[-1] += first.rstrip()
        for line in more:
            closes = token.startswith("{#") or re.match(r"[)\]}%]", line.strip())
            self.lines.append(" " * (indent + (0 if closes else 2 * STEP)) + line.strip())
        self.statement = statement

    def run(self, run: Run, indent: int, apart: bool = True, behind: int = 0) -> None:
        """Nodes one behind the other; `apart`: the first begins a line."""
        solo = self._solos(run, indent)
        for at, node in enumerate(run.nodes):
            alone = solo[at] or (solo[at - 1] or run.gaps[at] == FREE if at else apart)
            if solo[at]:
                marks = 1 if node.statement else 0
                whole = len(flat(node) or "") + marks <= WIDTH - indent and self._solo(node, indent)
                beside = "" if at + 1 == len(solo) or run.gaps[at + 1] != GLUE else flat(run.nodes[at + 1]) or ""
                self._node(node, indent, run.gaps[at], alone, whole, len(beside))
            else:
                text = flat(node) or ""
                size, next_ = len(text), at + 1
                while next_ < len(solo) and not solo[next_] and run.gaps[next_] == GLUE:
                    size += len(flat(run.nodes[next_]) or "")
                    next_ += 1
                size += behind if next_ == len(solo) and run.gaps[-1] == GLUE else 0
                self.put(text, indent, run.gaps[at], alone, node.statement, size)

    def _solos(self, run: Run, indent: int) -> list[bool]:
        """The nodes that have lines for themselves; where words without a space do not fit, the longest element too."""
        solo = [self._solo(node, indent) for node in run.nodes]
        begin = 0
        for at in range(1, len(solo) + 1):
            if at == len(solo) or run.gaps[at] != GLUE or solo[at]:
                sizes = [len(flat(node) or "") for node in run.nodes[begin:at]]
                held = [n for n in range(begin, at) if run.nodes[n].kind == "element" and not solo[n]]
                opened = [n for n in held if run.nodes[n].branches] or held
                beside = begin == 0 and run.gaps[0] == GLUE and self.lines
                if opened and sum(sizes) > WIDTH - (len(self.lines[-1]) if beside else indent):
                    solo[max(opened, key=lambda n: sizes[n - begin])] = True
                begin = at
        return solo

    def _solo(self, node: Node, indent: int) -> bool:
        """A node that has a line for itself, or several."""
        text = flat(node)
        return text is None or node.block or node.statement or len(text) > WIDTH - indent

    def _node(self, node: Node, indent: int, gap: str, apart: bool, whole: bool, behind: int) -> None:
        text = flat(node)
        if text is not None and whole:
            self.put(text, indent, gap, apart, node.statement)
        elif node.kind == "paired":
            for at, (opening, inner) in enumerate(node.branches):
                self.put(opening, indent, gap, apart or at > 0, True)
                self.run(inner, indent + STEP)
                gap = inner.gaps[-1]
            self.put(node.end, indent, gap, True, True)
        elif node.kind == "element":
            self._element(node, indent, gap, apart, behind)
        elif node.kind == "raw":
            self._tag(node.text, indent, gap, apart, len(node.end.split("\n")[0]))
            self.lines[-1:] = (self.lines[-1] + node.end).split("\n")
        else:
            self.put(node.text, indent, gap, apart, node.statement)

    def _element(self, node: Node, indent: int, gap: str, apart: bool, behind: int) -> None:
        inner = node.branches[0][1] if node.branches else Run()
        self._tag(node.text, indent, gap, apart, _beside(inner, node.end) if node.branches else behind)
        if node.branches:
            self.run(inner, indent + STEP, behind=len(node.end))
            self.put(node.end, indent, inner.gaps[-1], True)

    def _tag(self, tag: str, indent: int, gap: str, apart: bool, behind: int = 0) -> None:
        text = tag
        self.put(text[:1], indent, gap, apart, size=len(text))
        if "\n" not in text and len(self.lines[-1]) + len(text) - 1 + behind <= WIDTH:
            self.lines[-1] += text[1:]
            return
        name, *given = attributes(tag[1:-1])
        self.lines[-1] += name
        for each in given:
            first, *more = each.split("\n")
            self.lines.append(" " * (indent + 2 * STEP) + first)
            self.lines += [" " * (indent + 3 * STEP) + line.strip() for line in more]
        self.lines[-1] += ">"
