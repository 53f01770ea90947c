"""The answers of an entry form put where they belong in the entry: `phases.0.1` is a place in lists."""

import itertools

from domain.log.event import Json, JsonObject


def place(entry: JsonObject, path: list[str], value: Json) -> None:
    """Put a value at a path like `phases.0.1`; numbers make lists."""
    at: Json = entry
    for step, following in itertools.pairwise(path):
        fresh: Json = [] if following.isdecimal() else {}
        if isinstance(at, list):
            while len(at) <= int(step):
                at.append(fresh)
            at = at[int(step)]
        else:
            at = at.setdefault(step, fresh)
    if isinstance(at, list):
        while len(at) <= int(path[-1]):
            at.append(value)
        at[int(path[-1])] = value
    else:
        at[path[-1]] = value
