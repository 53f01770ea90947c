"""The text of a playthrough: the deal, then each state as it changed, what each viewer sees, and the legal facts."""

from typing import Any

from domain.cards.card import cards_in
from domain.game.protocol import ALL
from tests.kit.games.playthrough_words import Teller, suits

APART = ("to_act", "phase", "trick", "hands", "legal", "grid", "squares")  # told in ways of their own
GOING_ON = ("calls", "announcements", "levels")  # of these only what is new is told
GROWING = ("seen", "down")


def header(course: Any) -> list[str]:
    """Write the game, its options and the cards as dealt."""
    key, given, physical = course.form
    teller = Teller(course)
    options = " ".join(f"{name}={str(value).lower()}" for name, value in given.items()) or "all at their defaults"
    lines = [
        f"game {key}",
        f"options {options}",
        f"deal {course.number} of seed 1, dealer {teller.seat(course.dealer)}",
    ]
    if physical:
        return [*lines, "physical cards: nobody has typed the deal"]
    if key == "get_stuck":
        return [*lines, f"colours {' '.join(course.deal.colours)}", *square_rows(course.deal.grid)]
    dealt = course.game.script.cards_of(course.deal)
    lines += [f"dealt {place}: {suits(hand)}" for place, hand in enumerate(dealt.hands, start=1)]
    return [*lines, f"stock from the top: {' '.join(map(str, dealt.stock))}"] if dealt.stock else lines


def square_rows(grid: Any) -> list[str]:
    """Write a square of 49 words, row by row."""
    return ["  " + " ".join(grid[row : row + 7]) for row in range(0, 49, 7)]


def body(course: Any, states: list[Any]) -> list[str]:
    """Write the states one after the other, then the result of the deal."""
    teller, game = Teller(course), course.game
    lines: list[str] = []
    shown: dict[str, str] = {}
    for place, state in enumerate(states):
        lines += ["", *step(teller, place, state, shown)]
        if place < len(course.facts):
            points = game.script.announced_points(state, states[place + 1])
            lines.append(f"> {teller.fact(course.facts[place])}" + (f" !{points}" if points is not None else ""))
    return [*lines, "", *ending(teller, states[-1])]


def step(teller: Teller, place: int, state: Any, shown: dict[str, str]) -> list[str]:
    """Write one state: the changes since the one before, and the legal facts."""
    game, legal = teller.game, teller.game.legal(state)
    viewers = {teller.seat(seat): game.view(state, seat) for seat in range(teller.seats)}
    viewers |= {"public": game.view(state, None), "all": game.view(state, ALL)}
    whole = viewers["all"]
    assert whole.to_act == game.to_act(state)
    if teller.course.deal is None:
        teller.unseen = set(cards_in(game.pack(teller.course.options))) - set(whole.seen)
    trick = f", trick {teller.value('trick', whole.trick)}" if whole.trick else ""
    lines = [f"[{place}] {teller.seat(whole.to_act)} to act, phase {whole.phase}{trick}"]
    now = {**fields(teller, viewers), **hands(teller, viewers), **layout(teller, whole)}
    lines += told(now, shown) + told({"sight": sight(teller, viewers, legal)}, shown)
    if whole.to_act is None:
        return lines
    return [*lines, f"  legal: {teller.facts(legal)}", *misled(teller, viewers, legal)]


def told(now: dict[str, str], shown: dict[str, str]) -> list[str]:
    """Write the changes of these members on one line, or no line."""
    changed = [line for name, text in now.items() if (line := difference(name, shown.get(name), text))]
    shown.update(now)
    return ["  " + " | ".join(changed)] if changed else []


def difference(name: str, before: str | None, now: str) -> str:
    """Write a changed member; for sets that grow, the cards added and removed."""
    if now == before or (before is None and not now.strip("()-? ")):
        return ""
    if name in GOING_ON and before and now.startswith(f"{before} "):
        return f"{name} +{now[len(before) + 1 :]}"
    if name not in GROWING or before is None:
        return f"{name} {now}"
    old, new = before.split(), now.split()
    came, gone = [f"+{each}" for each in new if each not in old], [f"-{each}" for each in old if each not in new]
    return " ".join([name, *came, *gone])


def fields(teller: Teller, viewers: dict[str, Any]) -> dict[str, str]:
    """Return the members of the table that all viewers see alike, and by viewer those that differ."""
    found = {}
    for name in viewers["all"].__struct_fields__:
        if name in APART:
            continue
        texts = {viewer: member(teller, name, getattr(table, name)) for viewer, table in viewers.items()}
        alike: dict[str, list[str]] = {}
        for viewer, text in texts.items():
            alike.setdefault(text, []).append(viewer)
        several = len(alike) > 1
        found[name] = ", ".join(f"{text} to {' '.join(who)}" if several else text for text, who in alike.items())
    return found


def member(teller: Teller, name: str, value: Any) -> str:
    """Write a member of the table; sets that grow are split by card so that additions can be shown."""
    if name == "seen":
        return " ".join(map(str, value))
    if name == "down":
        return " ".join(teller.square(cell) for cell in value)
    return teller.value(name, value)


def hands(teller: Teller, viewers: dict[str, Any]) -> dict[str, str]:
    """Write each hand once, as the viewers with access see it; `sight` names those viewers."""
    found = {}
    for seat, hand in enumerate(viewers["all"].hands):
        views = {table.hands[seat] for table in viewers.values() if table.hands[seat] is not None}
        assert views <= {hand}, f"a hand is shown in two ways: {views}"
        found[teller.seat(seat)] = "?" if hand is None else suits(hand)
    return found


def layout(teller: Teller, table: Any) -> dict[str, str]:
    """Write a square of cards, row by row.

    Garbo shows the uppermost cards, with a star where no more may be covered; Get Stuck the ranks of face-up cards.
    """
    if teller.game.key == "garbo" and table.squares:
        cards = {each.cell: f"{each.card}{'*' if each.covered else ''}" for each in table.squares}
        rows, columns = ({cell[side] for cell in cards} for side in (0, 1))
        lines = [" ".join(cards.get((row, column), "..") for column in sorted(columns)) for row in sorted(rows)]
        return {"squares from": f"{teller.square((min(rows), min(columns)))}: {' / '.join(lines)}"}
    if teller.game.key == "get_stuck" and table.grid is not None:
        return {"up": " ".join("".join("." if card is None else card.rank for card in row) for row in table.grid)}
    return {}


def sight(teller: Teller, viewers: dict[str, Any], legal: Any) -> str:
    """Write who sees which hand, and who sees all, none or some of the legal facts."""
    acts = teller.seat(viewers["all"].to_act)
    found: dict[str, list[str]] = {}
    for viewer, table in sorted(viewers.items(), key=lambda item: item[0] != acts):
        seen = [teller.seat(seat) for seat, hand in enumerate(table.hands) if hand is not None]
        known = "own" if seen == [viewer] else "every" if seen and len(seen) == teller.seats else "+".join(seen) or "no"
        open_to = {legal: "all", (): "nothing", None: "?"}.get(table.legal, "not as it is")
        role = ("actor" if viewer == acts else "other") if len(viewer) == 1 else viewer
        found.setdefault(f"{known} hand, legal {open_to}", []).append(role)
    return "; ".join(f"{' '.join(dict.fromkeys(who))}: {what}" for what, who in found.items())


def misled(teller: Teller, viewers: dict[str, Any], legal: Any) -> list[str]:
    """Write the legal facts that viewers without full knowledge are shown."""
    found: dict[str, list[str]] = {}
    for viewer, table in viewers.items():
        if table.legal not in (legal, (), None):
            found.setdefault(teller.facts(table.legal), []).append(viewer)
    return [f"  told to {' '.join(who)}: {text}" for text, who in found.items()]


def ending(teller: Teller, state: Any) -> list[str]:
    """Write the result with its figures, the sums of a score sheet, the next dealer, and the state of the race."""
    game, course = teller.game, teller.course
    result = game.score(state)
    if result is None:
        lines = ["no result: the record does not tell it"]
    else:
        pairs = ((name, getattr(result, name)) for name in result.__struct_fields__)
        figures = [f"{name} {teller.value(name, value)}" for name, value in pairs if not is_nothing(value)]
        lines = ["result " + " | ".join(figures)]
    sums = " ".join(teller.value("", each) for each in game.script.section_sums(state))
    dealer = teller.seat(game.next_dealer(course.options, course.dealer, bool(result and result.void)))
    race = game.race_for(course.options)
    return [
        *lines,
        f"sums {sums or '-'}",
        f"next dealer {dealer}, race to {race.target or '-'}, deals {race.deals or '-'}",
    ]


def is_nothing(value: Any) -> bool:
    """Return True if a figure of a result carries no information; seat 0 does."""
    return value is None or value is False or value == ()
