"""Forms: what a page sent, turned into the commands that the API would have got."""

import itertools
import re
from typing import Any

import msgspec

from domain.decider import Refusal
from domain.game import EntryField
from service.api.bodies import OpenMatchBody

MAX_FIELD = 400
_NUMBER = re.compile(r"-?[0-9]{1,6}\Z")


def text_of(form: dict[str, Any], name: str, default: str = "") -> str:
    """A field as one line of text. Raises Refusal for what no one types."""
    value = form.get(name, default)
    if not isinstance(value, str) or len(value) > MAX_FIELD or "\x00" in value:
        raise Refusal("malformed", f"the field {name!r} cannot be read")
    return value.strip()


def line_of(form: dict[str, Any], name: str) -> str:
    """A field that must be filled with one line, such as a name. Raises Refusal."""
    text = text_of(form, name)
    if not text or len(text) > 80 or any(not char.isprintable() and char != "\u200d" for char in text):
        raise Refusal("malformed", f"{name}: write one line of up to 80 characters")
    return text


def number_of(form: dict[str, Any], name: str) -> int | None:
    """A field as a number, None when it is empty. Raises Refusal."""
    text = text_of(form, name)
    if not text:
        return None
    if not _NUMBER.match(text):
        raise Refusal("malformed", f"{name}: {text[:20]!r} is not a number")
    return int(text)


def entry_of(fields: tuple[EntryField, ...], form: dict[str, Any]) -> dict[str, Any]:
    """The entry that the controls of a game's form make. Raises Refusal when one was left out."""
    entry: dict[str, Any] = {}
    for field in fields:
        text = text_of(form, field.path)
        if not text:
            if field.required:
                raise Refusal("malformed", f"choose: {field.label}")
            continue
        place(entry, field.path.split("."), _value_of(field, form, text))
    return entry


def _value_of(field: EntryField, form: dict[str, Any], text: str) -> str | int:
    """What one control states: a number between its bounds, or one of its choices. Raises Refusal."""
    if field.kind == "number":
        number = number_of(form, field.path)
        if number is None or not field.low <= number <= field.high:
            raise Refusal("malformed", f"{field.label}: write a number from {field.low} to {field.high}")
        return number
    value = next((each for each in field.values if str(each) == text), None)
    if value is None:
        raise Refusal("malformed", f"{field.label}: {text[:20]!r} is not one of the choices")
    return value


def place(entry: dict[str, Any], path: list[str], value: Any) -> None:
    """Put a value at a path like `phases.0.1`; numbers make lists."""
    at: Any = entry
    for step, following in itertools.pairwise(path):
        fresh: Any = [] if following.isdecimal() else {}
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


def options_of(form: dict[str, Any]) -> dict[str, Any]:
    """The game's options that the form states: fields called `option.NAME`, and the variant."""
    given: dict[str, Any] = {}
    if variant := text_of(form, "variant"):
        given["variant"] = variant
    for field in form:
        if field.startswith("option."):
            text = text_of(form, field)
            given[field.removeprefix("option.")[:40]] = {"true": True, "false": False}.get(text, text)
    return given


def open_match_of(form: dict[str, Any], sides: tuple[tuple[int, ...], ...]) -> OpenMatchBody:
    """The match that the form opens. Raises Refusal."""
    names = [[text_of(form, f"name{seat}") for seat in side] for side in sides]
    if any(not name for side in names for name in side):
        raise Refusal("malformed", "write a name for every seat")
    body: dict[str, Any] = {"game": text_of(form, "game"), "sides": names}
    body["options"] = options_of(form)
    target = number_of(form, "target")
    if target is not None:
        body["target"] = target
    win_by = number_of(form, "win_by")
    if win_by is not None:
        body["win_by"] = win_by
    body["depth"] = "plays" if text_of(form, "depth") == "plays" else "summary"
    try:
        return msgspec.convert(body, OpenMatchBody)
    except msgspec.ValidationError as error:
        raise Refusal("malformed", str(error)) from None
