"""`python -m tests.kit.audit.examples` writes examples/irregularities: for each code a finding, then a near miss."""

import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec

from domain import codec
from domain.cards.facts import RestAnswered, RestClaimed
from domain.match.audit.finding import Course
from domain.match.audit.findings import derived
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps
from domain.notation.write_course import NumberedEvent
from tests.kit.audit.illegal import one_wrong, play_on
from tests.kit.audit.legal import legal_deal
from tests.kit.audit.said import missing_draw, tables, totals, unclaimed
from tests.kit.match.tables import Table

FOLDER = Path(__file__).parents[3] / "examples" / "irregularities"
NAMES = (("Annie",), ("Benny",), ("Carla",), ("Denny",))
RISTI = ("ristikontra", {"cleaning": True, "spice": True, "no_fourth_lead": True})
# code: the rule set that shows it, and whether the cards are known beforehand
SHOWN = {
    "REV": (("parity", {}), False),
    "FTT": (("cross_game", {}), False),
    "LOT": (("cross_purposes", {}), True),
    "POT": (("cross_purposes", {"variant": "fixed"}), True),
    "DUP": (("cross_purposes", {}), False),
    "NIH": (("parity", {}), True),
    "DIM": (("cross_purposes", {}), False),
    "PAS": (("cross_purposes", {"variant": "alliance"}), False),
    "OOB": (("parity", {}), False),
    "INS": (("cross_game", {}), False),
    "KQF": (("cross_game", {"announce": "declared"}), True),
    "LKG": (RISTI, False),
    "RK4": (RISTI, True),
    "JMP": (("get_stuck", {}), True),
    "DGN": (("get_stuck", {}), True),
    "WCL": (("get_stuck", {}), True),
    "STK": (("get_stuck", {}), True),
    "PLC": (("garbo", {}), False),
    "OSU": (("over_the_top", {}), False),
    "FPS": (("over_the_top", {}), True),
    "OVC": (("garbo", {"claims": "manual"}), False),
    "LTC": (("garbo", {"claims": "manual"}), False),
}


def pair(code: str) -> tuple[Course, Course]:
    """Return a deal with a breach of this code only, and the same deal with a legal fact instead."""
    form, known = SHOWN[code]
    for seed in range(1, 500):
        made = one_wrong(form, seed, code, physical=code not in ("DUP", "NIH"))
        if made is None or (code != "NIH" and made.game.to_act(made.states[-1]) is not None):
            continue
        wrong = made.course(known, after=0 if code == "NIH" else None)
        facts, states = made.facts[: made.place], made.states[: made.place + 1]
        play_on(made.game, facts, states, random.Random(seed))
        right = made._replace(facts=facts, states=states).course(known)
        if [each.code for each in derived(wrong)] == [code] and derived(right) == ():
            return wrong, right
    raise AssertionError(f"no example of {code}")


def said(code: str) -> tuple[Course, Course]:
    """Return such a pair for a code of announcements, draws or claims."""
    for seed in range(200):
        match code:
            case "WTA":
                found = (
                    totals(("over_the_top", {}), seed, True, True)[0],
                    totals(("over_the_top", {}), seed, True, False)[0],
                )
            case "DRW":
                whole = legal_deal(("cross_game", {}), seed, known=False, draws=True)
                found = missing_draw(("cross_game", {}), seed)[0], whole
            case "CLM":
                found = claimed(seed, yes=False), claimed(seed, yes=True)
            case _:
                form = ("garbo", {"claims": "manual"})
                found = unclaimed(form, seed, False)[0], legal_deal(form, seed, False)
        if [each.code for each in derived(found[0])] == [code] and derived(found[1]) == ():
            return found
    raise AssertionError(f"no example of {code}")


def claimed(seed: int, yes: bool) -> Course:
    """Return a legal deal in which a seat claims the rest and the others agree or contest it."""
    course = legal_deal(("parity", {}), seed, known=False)
    at = random.Random(seed).choice(on_lead(course))
    table = tables(course)[at]
    seat = course.game.to_act(table)
    said = (RestClaimed(seat), RestAnswered(1 - seat, yes))
    return msgspec.structs.replace(course, facts=(*course.facts[:at], *said, *(() if yes else course.facts[at:])))


def on_lead(course: Course) -> list[int]:
    """Return the places where a trick begins, some tricks before the end."""
    game, found = course.game, tables(course)
    rests = [(at, game.rest(table)) for at, table in enumerate(found[:-1])]
    return [at for at, rest in rests if rest is not None and rest.left > 2 and not game.view(found[at], None).trick]


def as_ctn(course: Course) -> str | None:
    """Return a course in CTN, or None if CTN cannot express it."""
    sides = tuple(tuple(f"p{seat}" for seat in side) for side in course.game.sides(course.options))
    given = {
        name: value
        for name, value in msgspec.to_builtins(course.options).items()
        if value != getattr(course.game.options(), name)
    }
    table = Table(course.game.key, sides=sides, options=given)
    table.start(dealer=course.dealer, deal=course.cards)
    for fact in course.facts:
        table.record(fact, it_happened=True)
    names = tuple(tuple(NAMES[seat][0] for seat in side) for side in course.game.sides(course.options))
    text = dumps([NumberedEvent(version, event, None) for version, event in table.log], names)
    (read,) = loads(text)
    same = not read.problems and [fact for _, fact in read.state.deals[0].facts] == list(course.facts)
    return text if same else None


def as_history(course: Course) -> str:
    """Return a course as a line of history."""
    given: dict[str, Any] = {
        name: value
        for name, value in msgspec.to_builtins(course.options).items()
        if value != getattr(course.game.options(), name)
    }
    line = {"game": course.game.key, "options": given, "dealer": course.dealer, "deal": codec.plain(course.cards)}
    return json.dumps({**line, "actions": [codec.to_list(fact) for fact in course.facts]}, separators=(",", ":")) + "\n"


def written(code: str) -> tuple[str, str]:
    """Return the file name and text of an example."""
    wrong, right = pair(code) if code in SHOWN else said(code)
    texts = [as_ctn(each) for each in (wrong, right)]
    if None not in texts:
        (found,) = derived(wrong)
        first = f"% expects {found.code} {found.rule} at {found.place}\n{texts[0]}"
        return f"{code}.ctn", f"{first}\n% expects nothing\n{texts[1]}"
    return f"{code}.jsonl", as_history(wrong) + as_history(right)


def figures(code: str, seed: int = 1) -> str:
    """Return a legal deal with an impossible sum (MIS) or a score unlike its cards (ENT)."""
    right = as_ctn(legal_deal(("parity", {}), seed, known=False))
    assert right is not None
    one, other = re.findall(r"=(\d+)-(\d+)", right)[0]
    wrong = right.replace(f"={one}-{other}", f"={one}-{int(other) + 1}" if code == "MIS" else f"={other}-{one}")
    rule = "PA.i1" if code == "MIS" else "ALL.4"
    return f"% expects {code} {rule} at -1\n{wrong}\n% expects nothing\n{right}"


def main() -> None:
    """Write the folder."""
    FOLDER.mkdir(exist_ok=True)
    for code in (*SHOWN, "WTA", "DRW", "LAP", "CLM"):
        name, text = written(code)
        (FOLDER / name).write_text(text, encoding="utf-8")
    for code in ("MIS", "ENT"):
        (FOLDER / f"{code}.ctn").write_text(figures(code), encoding="utf-8")


if __name__ == "__main__":
    main()
