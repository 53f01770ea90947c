"""Every import contract is broken in a made-up tree that has the packages of the contracts and nothing else."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lint.tree import CHECKOUT

BIN = Path(sys.executable).parent
CONTRACTS = CHECKOUT.contracts
SETTINGS = CHECKOUT.config["tool"]["importlinter"]
NAMES = [
    "service over projections over domain",
    "layers of the domain",
    "layers of the service",
    "use cases know no framework of an interface",
    "tests of use cases load no interface",
    "games do not import each other",
    "domain and projections do no I/O",
    "only the Swiss matcher imports rustworkx",
    "only the ratings import openskill",
]


class Made:
    """A tree that satisfies the contracts, and files that break them."""

    def __init__(self, root):
        self.root = root
        self.path("pyproject.toml").write_text(CHECKOUT.text(Path("pyproject.toml")))
        for contract in CONTRACTS.values():
            for module in modules_of(contract):
                self.package(module)
            for allowed in contract.get("ignore_imports", ()):
                importer, imported = allowed.split(" -> ")
                (self.package(importer) / "__init__.py").write_text(f"import {imported}\n")

    def path(self, name):
        return self.root / name

    def package(self, module):
        """Make a package with those above it, and return its folder."""
        folder = self.root
        for part in module.split("."):
            folder /= part
            folder.mkdir(exist_ok=True)
            (folder / "__init__.py").touch()
        return folder

    def add(self, importer, imported):
        """Let a package import these modules too."""
        with (self.package(importer) / "__init__.py").open("a") as file:
            file.writelines(f"import {module}\n" for module in imported)

    def run(self, *command):
        done = subprocess.run(
            [BIN / command[0], *command[1:]], cwd=self.root, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr


def layers_of(contract):
    """Return the layers from the top, each a list of full module names."""
    (container,) = contract.get("containers", [""])
    layers = [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]
    return [[f"{container}.{name}".strip(".") for name in layer] for layer in layers]


def modules_of(contract):
    """Return the modules of ours that a contract names."""
    if contract["type"] == "layers":
        return [module for layer in layers_of(contract) for module in layer]
    if contract["type"] == "independence":
        return [module.replace("*", name) for module in contract["modules"] for name in ("first", "second")]
    ours = [module for module in contract["forbidden_modules"] if module.partition(".")[0] in SETTINGS["root_packages"]]
    return [*contract["source_modules"], *ours]


def breaches(contract):
    """Return what breaks a contract in every possible way: the forbidden modules by importing package."""
    if contract["type"] == "forbidden":
        return dict.fromkeys(contract["source_modules"], contract["forbidden_modules"])
    if contract["type"] == "independence":
        first, second = modules_of(contract)
        return {first: [second], second: [first]}
    found, above = {}, []
    for layer in layers_of(contract):
        for module in layer:
            found[module] = [*above, *(other for other in layer if other != module)]
        above += layer
    return {module: imported for module, imported in found.items() if imported}


def broken(told):
    return re.findall(r"^(.*) BROKEN\b", told, re.MULTILINE)


@pytest.fixture
def made(tmp_path):
    return Made(tmp_path)


def test_every_forbidden_import_is_reported(made):
    wanted = {}
    for contract in CONTRACTS.values():
        for importer, imported in breaches(contract).items():
            wanted.setdefault(importer, []).extend(imported)
    for importer, imported in wanted.items():
        made.add(importer, imported)
    made.package("domain.unlisted")
    code, told = made.run("lint-imports", "--no-cache")
    assert code == 1
    assert broken(told) == list(CONTRACTS) == NAMES
    steps = {f"{importer} -> {module}" for importer, imported in wanted.items() for module in imported}
    assert {step for step in steps if f"{step} (l." not in told} == set()
    assert "- domain.unlisted" in told


@pytest.mark.extended
@pytest.mark.parametrize("name", NAMES)
def test_a_forbidden_import_breaks_one_contract(made, name):
    importer, imported = list(breaches(CONTRACTS[name]).items())[-1]
    made.add(importer, imported[-1:])
    code, told = made.run("lint-imports", "--no-cache")
    assert (code, broken(told)) == (1, [name]), told


def test_a_tree_without_breaches_keeps_every_contract(made):
    code, told = made.run("lint-imports", "--no-cache")
    assert (code, broken(told)) == (0, []), told


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("domain.match", "service.store"),
        ("domain.match", "projections"),
        ("domain.match", "random"),
        ("domain.cards", "domain.games"),
        ("domain.games.first", "domain.games.second"),
        ("projections", "migrations"),
        ("projections", "time"),
        ("service.desk", "service.web"),
        ("service.web", "service.api"),
        ("service.store", "service.desk"),
    ],
)
def test_the_contracts_forbid_what_the_architecture_forbids(module, imported):
    found = [(of, each) for contract in CONTRACTS.values() for of, all_ in breaches(contract).items() for each in all_]
    assert any(f"{module}.".startswith(f"{of}.") and f"{imported}.".startswith(f"{each}.") for of, each in found)


CLOCKS = ["datetime.now(UTC)", "datetime.now()", "datetime.utcnow()", "datetime.today()", "date.today()"]
CALLS = {"open('f')": "PTH123", "eval('f')": "S307", "exec('f')": "S102", "print('f')": "T201"}


def test_ruff_finds_clocks_and_io_in_domain_and_projections(made):
    lines = ["from datetime import UTC, date, datetime", *(f"NOW = {clock}" for clock in CLOCKS), *CALLS]
    for package in ("domain", "projections", "service"):
        (made.path(package) / "broken.py").write_text("\n".join(lines))
    _, told = made.run("ruff", "check", "--no-cache", "--output-format", "concise", ".")
    found = set(re.findall(r"^(\w+)/broken.py:(\d+):\d+: (\w+)", told, re.MULTILINE))
    for package in ("domain", "projections"):
        clocks = {(package, str(line), "TID251") for line in range(2, 2 + len(CLOCKS))}
        calls = {(package, str(line), rule) for line, rule in enumerate(CALLS.values(), start=2 + len(CLOCKS))}
        assert clocks | calls <= found
    assert ("service", "2", "TID251") not in found
