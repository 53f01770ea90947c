"""Upcasters: how the stored data of an older schema becomes that of the next, on reading.

The stored text never changes. A new schema of a type registers one step here; steps are chained.
"""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from domain.log.event import Json, JsonObject

SchemaStep: TypeAlias = Callable[[JsonObject], JsonObject]


class Upcasters:
    """The steps by (type, schema): each turns the plain data of that schema into the next one's."""

    def __init__(self, steps: dict[tuple[str, int], SchemaStep] | None = None) -> None:
        self._steps = dict(steps or {})
        self._newest = {name: 1 + schema for name, schema in sorted(self._steps)}

    def current(self, kind: str) -> int:
        """The schema that is written today: one more than the steps there are."""
        return self._newest.get(kind, 1)

    def lift(self, kind: str, schema: int, text: bytes | str) -> bytes | str:
        """The text as the current schema would have it. Raises ValueError for an unknown schema."""
        current = self.current(kind)
        if schema == current:
            return text
        if not 1 <= schema < current:
            raise ValueError(f"{kind} has no schema {schema}; the newest is {current}")
        data: JsonObject = msgspec.json.decode(text)
        for step in range(schema, current):
            data = self._steps[(kind, step)](data)
        return msgspec.json.encode(data)


def adding(**members: Json) -> SchemaStep:
    """The step to a schema that has these members beside those of the one before it."""
    return lambda data: {**data, **members}


def _stages_as_they_were(data: JsonObject) -> JsonObject:
    """Stages that were announced before their terms said so: each round waits for the one before, and a draw knows only
    who has met in the stage."""
    meant = {"rounds": "strict", "meetings": "stage"}
    stages = [{**each, "terms": {**each.get("terms", {}), **meant}} for each in data["stages"]]
    return {**data, "stages": stages}


UPCASTERS = Upcasters(
    {
        ("SettingsChanged", 1): adding(statement_minutes=None, signals=None),
        ("SettingsChanged", 2): adding(delay=None),
        ("RecordingPaused", 1): adding(side=None),
        ("DealVoided", 1): adding(side=None),
        ("DealVoided", 2): adding(code=None, case=None, window=None),
        ("EntryCorrected", 1): adding(window=None, consents=[], case=None),
        ("RulingMade", 1): adding(
            case=None, findings=[], remedy=None, procedural=None, supersedes=None, instance=1, rule=None, audit=None
        ),
        ("RulingAccepted", 1): adding(ruling=None, person=None, strength=None),
        ("ResultEntered", 1): adding(side=None),
        ("ResultConfirmed", 1): adding(scores=None, head=None, person=None, strength=None),
        ("TournamentAnnounced", 1): _stages_as_they_were,
        (
            "TournamentAnnounced",
            2,
        ): adding(),  # no house rules, no strength asked for, no end of silence
        ("TournamentAnnounced", 3): adding(),  # findings are told quietly
        ("TournamentAnnounced", 4): adding(),  # onlookers are not behind
        ("StageStarted", 1): adding(house=None),
        ("MatchOpened", 1): adding(),  # likewise a match; a null member is left out
        ("MatchOpened", 2): adding(),  # findings are told quietly
        ("MatchOpened", 3): adding(),  # onlookers are not behind
        ("RoundPaired", 1): adding(added=False),
        ("RoundPaired", 2): adding(),  # an explanation was a text, and stays as it was said
        ("PairingReplaced", 1): adding(),  # likewise
        ("OutcomeReported", 1): adding(games=None),
        ("OutcomeReported", 2): adding(ruling=None, repair=None),
        ("OutcomeContested", 1): adding(ruling=None),
        ("ScoreStated", 1): adding(),  # a line that nobody knew stood in `stated`; now that is null, and it is private
    }
)
