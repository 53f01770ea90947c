"""Forms: the fields that a page sent, turned into the commands that the API would have got."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from domain.club.state import same_name
from domain.game.entry_form import place
from domain.game.race import Race
from domain.game.sheet import EntryField
from domain.log.decider import Refusal
from domain.match.opening import option_value
from service.desk.bodies import OpenMatchBody
from service.http.caller import AnyRequest
from service.web.words import label, unread

Form: TypeAlias = Mapping[str, str]
Member: TypeAlias = "str | int | None | Sequence[Member] | Mapping[str, Member]"  # of a body that a form fills
MAX_FIELD = 400
_NUMBER = re.compile(r"-?[0-9]{1,6}\Z")
_LINE = re.compile(r"[1-9][0-9]{0,4}(/[1-9][0-9]{0,4})?\Z")
RACE: Final = (("target", 100_000), ("win_by", 1000), ("deals", 1000), ("cap", 100_000), ("best_of", 99))


class OwnLurch(msgspec.Struct, frozen=True):
    """Lurch lines of a club's own, in points or in parts of the target, with the worth of a win for each."""

    lines: tuple[int | str, ...]
    win_points: tuple[int, ...]


async def form_of(request: AnyRequest) -> Form:
    """The fields of the form that was sent; a file in the place of a field is a text that none takes."""
    return {name: value if isinstance(value, str) else "\x00" for name, value in dict(await request.form()).items()}


def text_of(form: Form, name: str, default: str = "") -> str:
    """A field as one line of text. Raises Refusal for a text that nobody types."""
    value = form.get(name, default)
    if len(value) > MAX_FIELD or "\x00" in value:
        raise Refusal("malformed", f"{label(name[:40])}: this cannot be read; write it again")
    return value.strip()


def line_of(form: Form, name: str, most: int = 80) -> str:
    """A field that must be filled with one line, such as a name. Raises Refusal."""
    text = text_of(form, name)
    if not text or len(text) > most or any(not char.isprintable() and char != "\u200d" for char in text):
        raise Refusal("malformed", f"{label(name)}: write one line of up to {most} letters")
    return text


def scores_of(form: Form, name: str) -> tuple[int, ...] | None:
    """Figures by side, `19 0`, None when there are none. Raises Refusal."""
    text = text_of(form, name)
    texts = text.split(" ") if text else []
    if len(texts) > 4 or not all(_NUMBER.match(each) for each in texts):
        raise Refusal("malformed", f"{label(name)}: write a number for each side")
    return tuple(map(int, texts)) or None


def number_of(form: Form, name: str) -> int | None:
    """A field as a number, None when it is empty. Raises Refusal."""
    text = text_of(form, name)
    if not text:
        return None
    if not _NUMBER.match(text):
        raise Refusal("malformed", f"{label(name)}: {text[:20]!r} is not a number")
    return int(text)


def entry_of(fields: tuple[EntryField, ...], form: Form) -> dict[str, Member]:
    """The entry that the controls of a game's form make. Raises Refusal when one was left out."""
    entry: dict[str, Member] = {}
    for field in fields:
        text = text_of(form, field.path)
        if not text:
            if field.required:
                raise Refusal("malformed", f"choose: {field.label}")
            continue
        place(entry, field.path.split("."), _value(field, form, text))
    return entry


def _value(field: EntryField, form: Form, text: str) -> str | int:
    """The answer of one control: a number between its bounds, or one of its choices. Raises Refusal."""
    if field.kind == "number":
        number = number_of(form, field.path)
        if number is None or not field.low <= number <= field.high:
            raise Refusal("malformed", f"{field.label}: {text[:20]} is not a number from {field.low} to {field.high}")
        return number
    value = next((each for each in field.values if str(each) == text), None)
    if value is None:
        raise Refusal("malformed", f"{field.label}: {text[:20]!r} is not one of the choices")
    return value


def options_of(form: Form) -> dict[str, str | int | bool]:
    """The game's options that the form states: fields called `option.NAME`, and the variant."""
    given: dict[str, str | int | bool] = {}
    if variant := text_of(form, "variant"):
        given["variant"] = variant
    for field in form:
        if field.startswith("option."):
            given[field.removeprefix("option.")[:40]] = option_value(text_of(form, field))
    return given


def race_of(form: Form, usual: Race) -> dict[str, Member]:
    """The end of the match, where the form says something of it. A target that is written stands for itself: without a
    number of deals beside it there is none. Raises Refusal."""
    numbers = {name: number for name, most in RACE if (number := _within(form, name, most)) is not None}
    if numbers.get("best_of", 1) % 2 == 0:
        raise Refusal("malformed", "Best of: choose an odd number of games, such as 3 or 5")
    target = numbers.get("target") or (None if "deals" in numbers else usual.target)
    if "cap" in numbers:
        _check_cap(numbers["cap"], target)
    lurch = lurch_of(form)
    race: dict[str, Member] = {**numbers}
    if "target" in numbers:
        race.setdefault("deals", None)
    if lurch is None:
        race["lurch"] = None
    elif isinstance(lurch, OwnLurch):
        if target is None and any(isinstance(line, str) for line in lurch.lines):
            said = "parts of the target need one: write the target, or lines in points"
            raise Refusal("malformed", f"Lurch lines: {said}")
        race["lurch"] = {"lines": lurch.lines, "win_points": lurch.win_points}
    return race


def _within(form: Form, name: str, most: int) -> int | None:
    """A field as a number from 1 to the most, None when it is empty. Raises Refusal."""
    text = text_of(form, name)
    if not text:
        return None
    if not (_NUMBER.match(text) and 1 <= int(text) <= most):
        raise Refusal("malformed", f"{label(name)}: write a number from 1 to {most}, or leave it empty")
    return int(text)


def _check_cap(cap: int, target: int | None) -> None:
    if target is None:
        raise Refusal("malformed", "Cap: it goes with a target: write the target too, or leave the cap empty")
    if cap < target:
        raise Refusal("malformed", f"Cap: write {target}, which is the target, or more; or leave it empty")


def lurch_of(form: Form) -> OwnLurch | None | msgspec.UnsetType:
    """The lurch that the form states, None for none, UNSET for the game's usual one. Raises Refusal."""
    choice = text_of(form, "lurch")
    lines, points = (_parts(form, name) for name in ("lurch_lines", "win_points"))
    if choice == "none":
        if lines or points:
            raise Refusal("malformed", "Lurch: choose lines of your own, or leave lines and worth empty")
        return None
    if choice not in ("", "lines"):
        raise Refusal("malformed", f"Lurch: {choice[:20]!r} is not one of the choices")
    if not lines:
        if choice or points:
            raise Refusal("malformed", "Lurch lines: write the points of each line, the highest first, such as 66 50")
        return msgspec.UNSET
    wrong = next((part for part in lines if not _LINE.match(part)), None)
    if wrong is not None or len(lines) > 6:
        said = "six are the most" if wrong is None else f"{wrong[:20]!r} is no number of points"
        raise Refusal("malformed", f"Lurch lines: {said}: write lines such as 66 50, or parts of the target: 2/3 1/2")
    worth = points or [str(number + 1) for number in range(len(lines) + 1)]
    if len(worth) != len(lines) + 1 or not all(part.isdecimal() and len(part) < 4 for part in worth):
        wanted = " ".join(str(number + 1) for number in range(len(lines) + 1))
        raise Refusal(
            "malformed", f"Worth of a win: write {len(lines) + 1} numbers, one more than there are lines: {wanted}"
        )
    read = tuple(line if "/" in line else int(line) for line in lines)
    return OwnLurch(read, tuple(map(int, worth)))


def check_once(names: list[str]) -> None:
    """Nobody sits on two chairs. Raises Refusal."""
    seen: set[str] = set()
    for name in names:
        if same_name(name) in seen:
            raise Refusal("malformed", f"{name[:80]} sits on two chairs: change one")
        seen.add(same_name(name))


def _parts(form: Form, name: str) -> list[str]:
    return text_of(form, name).replace(",", " ").split()


def open_match_of(form: Form, sides: tuple[tuple[int, ...], ...], usual: Race) -> OpenMatchBody:
    """The match that the form opens; `usual` is its race where nothing is written. Raises Refusal."""
    names = [[text_of(form, f"name{seat}") for seat in side] for side in sides]
    if any(not name for side in names for name in side):
        raise Refusal("malformed", "write a name for every seat")
    check_once([name for side in names for name in side])
    options = options_of(form)
    body = {
        "game": text_of(form, "game"),
        "sides": names,
        "options": options,
        "depth": "plays" if text_of(form, "depth") == "plays" else "summary",
        **{name: text_of(form, name) for name in ("signals", "delay") if text_of(form, name)},
        **race_of(form, usual),
    }
    try:
        return msgspec.convert(body, OpenMatchBody)
    except msgspec.ValidationError as error:
        raise unread(error) from None
