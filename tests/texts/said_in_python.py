"""The texts in Python source: string literals that read as words; of composed ones, what is filled in stands in ‹ ›."""

import ast
import re
from typing import Final

from tests.kit.sources import parsed

WORDS: Final = re.compile(r"[A-Za-z]{2}\S* \S|\S [A-Za-z]{3}")
LABEL: Final = re.compile(r"[A-Z][a-z]+\Z")
QUERY: Final = re.compile(r"\s*(select|insert|update|delete|create|notify|listen|set local|projection =)\s", re.I)
# calls whose words nobody is shown
SILENT: Final = {"LOGGER", "AssertionError", "TypeError", "RuntimeError", "NotImplementedError", "re", "cast"}


def texts_in(source: str, labels: bool = False) -> list[str]:
    """Every text of a module, in the order of the source, each once. `labels`: single words with a capital letter too;
    elsewhere only those called `title`."""
    finder = _Finder(labels)
    finder.visit(parsed(source))
    return list(dict.fromkeys(finder.found))


class _Finder(ast.NodeVisitor):
    """Walks a module past its docstrings, annotations, assertions, and what is logged."""

    def __init__(self, labels: bool) -> None:
        self.labels = labels
        self.found: list[str] = []

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """For ourselves."""

    def visit_Call(self, node: ast.Call) -> None:
        if _root(node.func) not in SILENT:
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        titled = isinstance(node.target, ast.Name) and node.target.id == "title"
        if titled and isinstance(node.value, ast.Constant):
            self.found.append(str(node.value.value))
        elif node.value is not None:
            self.visit(node.value)
        if isinstance(node.annotation, ast.Subscript):  # a meaning beside a type: Annotated[int, Meta(description=…)]
            self.visit(node.annotation)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._take(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._take("".join(map(_part, node.values)))
        for part in ast.walk(node):  # words within what is filled in
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def _take(self, text: str) -> None:
        said = re.sub(r"‹[^›]*›", "‹›", text)
        if (WORDS.search(said) and not QUERY.match(text)) or (self.labels and LABEL.match(text)):
            self.found.append(" ".join(text.split()))


def _part(node: ast.expr) -> str:
    if isinstance(node, ast.FormattedValue):
        return f"‹{ast.unparse(node.value)}›"
    assert isinstance(node, ast.Constant)
    return str(node.value)


def _root(node: ast.expr) -> str:
    """What a dotted name begins with."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""
