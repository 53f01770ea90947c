"""One name, one thing: what a room hands to others has a name that no other room hands on."""

import ast
from collections import defaultdict
from pathlib import Path

from tests.kit.sources import parsed

ROOT = Path(__file__).parents[2]
FLOORS = ("domain", "projections", "service")
PERMITTED = {
    "CountSilence": "one command: a side said nothing; a match takes it, and a tournament, each on its own stream",
}


def defined_in(tree):
    """Names of the classes and type aliases of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).endswith("TypeAlias"):
            yield ast.unparse(node.target)


def brought_in(nodes):
    """Imports of a module: the name that each has there, its module, and its name in that."""
    return [
        (each.asname or each.name, node.module, each.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    ]


def taken_by(nodes):
    """Each name that a module takes from another one, with that one; `c.Rule` is taken from the module `c`."""
    brought = brought_in(nodes)
    modules = defaultdict(set)
    for known, module, name in brought:
        modules[known].add(f"{module}.{name}")
    for each in (each for node in nodes if isinstance(node, ast.Import) for each in node.names):
        modules[each.asname].add(each.name)
    members = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    return {(module, name) for _, module, name in brought} | {
        (module, node.attr) for node in members for module in modules.get(node.value.id, ())
    }


def room(module):
    return tuple(module.split(".")[:2])


def handed_on(sources):
    """The names that two modules or more define and hand to other rooms, each with those modules. `sources` are texts
    by module."""
    trees = {module: parsed(text) for module, text in sources.items()}
    nodes = {module: list(ast.walk(tree)) for module, tree in trees.items()}
    homes = {(module, name) for module, tree in trees.items() for name in defined_in(tree)}
    brought = {(module, known): (source, name) for module in nodes for known, source, name in brought_in(nodes[module])}

    def home_of(place):
        """The module that defines a name, and that name there; a package may hand on what its modules define."""
        further = brought.get(place, place)
        return place if place in homes or further == place else home_of(further)

    found = defaultdict(set)
    for reader in trees:
        for home, name in map(home_of, taken_by(nodes[reader])):
            if (home, name) in homes and room(home) != room(reader):
                found[name].add(home)
    return {name: sorted(modules) for name, modules in found.items() if len(modules) > 1}


def all_sources():
    paths = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path.read_text("utf-8")
        for path in paths
    }


def test_no_two_rooms_hand_on_one_name():
    assert handed_on(all_sources()).keys() == PERMITTED.keys()


DEAL = "class Deal: ..."


def test_a_class_that_two_modules_hand_on_is_told():
    sources = {
        "domain.match.state": DEAL,
        "domain.cards.pack": DEAL,
        "service.desk.one": "from domain.match.state import Deal",
        "service.desk.two": "def late():\n    from domain.cards.pack import Deal",
    }
    assert handed_on(sources) == {"Deal": ["domain.cards.pack", "domain.match.state"]}


def test_an_alias_and_a_member_of_a_module_are_told():
    sources = {
        "domain.match.state": "Deal: TypeAlias = int",
        "domain.cards.pack": DEAL,
        "service.desk.one": "from domain.match import state as s\nA: s.Deal",
        "service.desk.two": "import domain.cards.pack as p\nA: p.Deal",
    }
    assert list(handed_on(sources)) == ["Deal"]


def test_a_package_that_hands_on_is_looked_through():
    sources = {
        "domain.match": "from domain.match.state import Deal",
        "domain.match.state": DEAL,
        "domain.cards.pack": DEAL,
        "service.desk.one": "from domain.match import Deal",
        "service.desk.two": "from domain.cards.pack import Deal",
    }
    assert handed_on(sources) == {"Deal": ["domain.cards.pack", "domain.match.state"]}


def test_a_name_that_stays_in_its_room_may_be_another_rooms_too():
    sources = {
        "domain.match.state": DEAL,
        "domain.match.evolve": "from domain.match.state import Deal",
        "domain.cards.pack": DEAL,
        "service.desk.one": "from domain.cards.pack import Deal",
    }
    assert handed_on(sources) == {}
