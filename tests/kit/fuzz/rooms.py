"""Modules instrumented while a reader is fuzzed: its own, and the rules only if they are cheap to instrument."""

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
    """Return every domain module that is not instrumented. Atheris includes by the first word of a name but excludes
    exact names."""
    parts = (path.relative_to(ROOT).with_suffix("").parts for path in (ROOT / "domain").rglob("*.py"))
    names = (".".join(part for part in each if part != "__init__") for each in parts)
    return sorted(name for name in names if not f"{name}.".startswith(tuple(f"{room}." for room in WATCHED[reader])))
