"""Words of the domain and its views that pages show as labels: formats of tournaments, roles, states."""

from collections.abc import Iterator
from typing import get_args

from domain.games import all_games, fact_types
from domain.log.actor import Role
from domain.tournament.doubts import WEIGHT
from domain.tournament.formats import all_formats, all_option_fields, templates
from projections.games import variants

STATES = {
    "projections/tournaments/view.py": ("announced", "on", "finished", "archived"),
    "projections/match_view.py": ("open", "finished", "void"),
    "projections/deal_view.py": ("draft", "reported", "confirmed", "ruled", "accepted", "void"),
}


def of_domain() -> Iterator[tuple[str, str, str, str | None]]:
    """Yield each text with its place and kind, without a context."""
    place = "domain/tournament/formats"
    for format_ in all_formats().values():
        yield format_.title, place, "a format", None
    for template in templates():
        yield template.title, place, "a plan of a tournament", None
        yield template.sentence, place, "a plan of a tournament, for players", None
        for stage in template.stages:
            if name := stage.get("name"):
                yield str(name), place, "a stage", None
    for field in all_option_fields():
        yield field.title, place, "an option of formats", None
    for key, game in all_games().items():
        for given in variants(game):
            for word in given.values():
                yield str(word), f"domain/games/{key}", "a variant of a game", None
    yield from ((word, "domain/games", "a short name of a control", None) for word in sorted(modifiers()))
    for role in get_args(Role):
        yield role, "domain/log/actor.py", "a role", None
    for doubt in WEIGHT:
        yield doubt, "domain/tournament/doubts.py", "a doubt about a result", None
    for where, states in STATES.items():
        for state in states:
            yield state, where, "a state", None


def modifiers() -> set[str]:
    """The words of facts with a card that have a control of their own beside the usual one."""
    return {str(kind.__struct_config__.tag) for kind in fact_types() if kind.control == "card"} - {"play"}
