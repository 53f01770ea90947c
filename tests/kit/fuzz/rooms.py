"""The rooms that are watched while a reader is fuzzed: its own, and the rules behind it only where reading asks little
of them. Reading notation and tables would spend most of its time on watching them."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
NOTATION = ("domain.notation", "domain.codec")
EXCHANGE = ("domain.exchange", "domain.codec")
WATCHED = {
    "ctn": NOTATION,
    "history": (*NOTATION, "domain.cards", "domain.game", "domain.games"),
    "archive": (*EXCHANGE, "domain.match", "domain.registry", "domain.tournament"),
    "push": (*EXCHANGE, "domain.match", "domain.registry", "domain.tournament", "domain.log"),
    "trf": (*EXCHANGE, "domain.tournament"),
    "csv": EXCHANGE,
}


def unwatched(reader):
    """The modules of the domain that are not watched, each by name: of a module to be watched atheris looks at the
    first word alone, which is all of the domain, and of one to be left out at no module below it."""
    parts = (path.relative_to(ROOT).with_suffix("").parts for path in (ROOT / "domain").rglob("*.py"))
    names = (".".join(part for part in each if part != "__init__") for each in parts)
    return sorted(name for name in names if not f"{name}.".startswith(tuple(f"{room}." for room in WATCHED[reader])))
