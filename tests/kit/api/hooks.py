"""What Schemathesis asks beside chance: three of four bodies are sound ones, since chance alone opens no match.

Loaded by Schemathesis itself (`SCHEMATHESIS_HOOKS`), in a process of its own; `API_KNOWN` holds the ids that are there.
"""

import copy
import json
import os
import zlib

import schemathesis
from schemathesis.generation import GenerationMode

from tests.kit.service.sound_bodies import BODIES, SOMEBODY

KNOWN = json.loads(os.environ.get("API_KNOWN", "{}"))
TEXTS = {
    "takePlayersTable": "name,visitor\nNora,no\nQuentin,yes\n",
    "enterTable": "name,rating\nZoe,1500\n",
    "reportTable": "fixture,one,other,winner\n1.1,Annie,Benny,Annie\n",
    "importReportFile": "001    1      Ahti\n001    2      Bea\n",
}
OF_WHAT = {"match": "match", "tournament": "tournament"}


def filled(body, name, mark):
    """The body with ids of the club in the place of somebody's: people by chance, a match where a match is meant."""
    if isinstance(body, dict):
        return {key: filled(each, key, mark + place) for place, (key, each) in enumerate(body.items())}
    if isinstance(body, list):
        return [filled(each, name, mark + place) for place, each in enumerate(body)]
    if body == SOMEBODY and KNOWN:
        return KNOWN[OF_WHAT[name]] if name in OF_WHAT else KNOWN["people"][mark % len(KNOWN["people"])]
    return body


def sound(operation, mark):
    """A sound body of an operation; None where there is none."""
    if operation in TEXTS:
        return TEXTS[operation]
    bodies = BODIES.get(operation)
    return None if bodies is None else filled(copy.deepcopy(bodies[mark % len(bodies)]), operation, mark // 7)


@schemathesis.hook
def before_call(context, case, kwargs):
    """A sound body in three of four cases that were meant to be valid; which one follows from what stood there."""
    mark = zlib.crc32(repr(case.body).encode(errors="replace"))
    meant = case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE
    body = sound(case.operation.definition.raw.get("operationId"), mark // 4) if meant and mark % 4 else None
    if body is not None:
        case.body = body
