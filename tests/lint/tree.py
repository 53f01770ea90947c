"""The files of a checkout, each read and parsed once for all rules."""

import ast
import tomllib
from functools import cached_property
from pathlib import Path

from tests.kit.sources import parsed

PRODUCT = ("domain", "projections", "service")


class Tree:
    """A checkout: its files by suffix, their texts, and the syntax nodes of its modules."""

    def __init__(self, root):
        self.root = root
        self._texts, self._nodes = {}, {}

    def files(self, *folders, suffixes=(".py",)):
        """Return the paths below these folders, relative to the root and sorted."""
        found = (path for folder in folders for path in (self.root / folder).rglob("*") if path.suffix in suffixes)
        return sorted(path.relative_to(self.root) for path in found)

    def text(self, path):
        """Return the text of a file."""
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8")
        return self._texts[path]

    def nodes(self, path):
        """Return the syntax nodes of a module, from the module itself down."""
        if path not in self._nodes:
            self._nodes[path] = list(ast.walk(parsed(self.text(path))))
        return self._nodes[path]

    def matches(self, pattern, paths):
        """Yield (path, line, match) for each match of a pattern in these files."""
        for path in paths:
            for match in pattern.finditer(self.text(path)):
                yield path, self.text(path).count("\n", 0, match.start()) + 1, match

    @cached_property
    def config(self):
        """The content of pyproject.toml."""
        return tomllib.loads(self.text(Path("pyproject.toml")))

    @cached_property
    def contracts(self):
        """The contracts of import-linter, by name."""
        return {contract["name"]: contract for contract in self.config["tool"]["importlinter"]["contracts"]}


CHECKOUT = Tree(Path(__file__).parents[2])
