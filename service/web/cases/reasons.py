"""Reasons for calling the director, and who may call."""

from typing import Final

from domain.case import commands as c
from domain.case.decide import decide
from domain.case.events import CasePlace
from domain.case.state import NO_CASE
from domain.log.decider import Refusal, decided
from service.desk.access import actor_at
from service.languages.spoken import N_
from service.store.callers import Caller
from service.store.loaded import LoadedMatch

REASONS: Final = (  # what is said, the matter, the words that are kept
    (N_("A rule was broken"), "call"),
    (N_("We do not agree on the score"), "call"),
    (N_("Something was recorded wrongly"), "call"),
    (N_("They play too slowly"), "slow"),
    (N_("Something else"), "other"),
)


def may_call(caller: Caller, loaded: LoadedMatch) -> bool:
    """Tells who may call the director to a table."""
    match = loaded.match
    if match.void or not caller.known:
        return False
    place = CasePlace(loaded.stream, match.setup.tournament, deal=len(match.deals) or None)
    command = c.OpenCase(matter="call", place=place, sides=match.setup.sides, minutes=0)
    try:
        decided(decide, NO_CASE, command, actor_at(caller, loaded))
    except Refusal:
        return False
    return True
