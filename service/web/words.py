"""Words for what went wrong, as people say it who fill in a page: no types, no paths, no names of members."""

import re
from typing import Final

from domain.english import awaited
from domain.log.decider import Refusal
from service.languages.spoken import N_

LABELS: Final = {
    "name": N_("Name"),
    "players": N_("Name"),
    "sides": N_("Name"),
    "who": N_("Name"),
    "rating": N_("Rating"),
    "target": N_("Target"),
    "win_by": N_("Won by"),
    "deals": N_("Number of deals"),
    "cap": N_("Cap"),
    "best_of": N_("Best of"),
    "deal": N_("Deal"),
    "side": N_("Side"),
    "seat": N_("Player"),
    "dealer": N_("Dealer"),
    "number": N_("Points"),
    "version": N_("The page"),
    "reason": N_("Reason"),
    "score0": N_("Score"),
    "score1": N_("Score"),
    "score": N_("Score"),
    "winner": N_("Winner"),
    "table": N_("Table"),
    "round": N_("Round"),
    "rounds": N_("Rounds"),
    "groups": N_("Groups"),
    "go_on": N_("How many go on to the knock-out"),
    "minutes": N_("Minutes a round"),
    "best": N_("Results that count"),
    "amount": N_("Money"),
    "money": N_("Money"),
    "fee": N_("Entry fee"),
    "date": N_("Day"),
    "season": N_("Season"),
    "tiebreaks": N_("Tie-breaks"),
    "pairs": N_("Pairs"),
    "order": N_("Seeds"),
    "format": N_("Format"),
    "stages": N_("Stages"),
    "kind": N_("Worth"),
    "game": N_("Game"),
    "variant": N_("Game"),
    "scores": N_("Scores"),
    "facts": N_("Record"),
    "fixture": N_("Table"),
    "stage": N_("Stage"),
    "entry": N_("Player"),
    "do": N_("Button"),
    "repair": N_("Correction"),
    "text": N_("Text"),
    "public": N_("Who may read"),
    "zone": N_("Time zone"),
    "games": N_("Games"),
    "opens": N_("Who opens matches"),
    "confirms": N_("What confirms a friendly match"),
    "statement_minutes": N_("Minutes that a statement stays sealed"),
    "signals": N_("Who is told of a broken rule, and when"),
    "delay": N_("How far behind the table onlookers are"),
}
BEHIND: Final = {  # to an onlooker, and to who is at the table
    "trick": (N_("shown once the trick is over"), N_("onlookers see a trick once it is over")),
    "deal": (N_("shown once the deal is over"), N_("onlookers see a deal once it is over")),
    "round": (N_("shown once the round is over"), N_("onlookers see it once the round is over")),
}
DELAYS: Final = {
    "none": N_("not at all: they see what is recorded"),
    "trick": N_("until the trick is over; where cards lie in squares, until each player has moved once more"),
    "deal": N_("until the deal is over"),
    "round": N_("until the round is over, or a match outside a tournament"),
}
SIGNALS: Final = {
    "loud": N_("the table at once, everybody else when the next deal begins"),
    "quiet": N_("the table and the director when the deal is over, everybody else when the next one begins"),
    "silent": N_("the director at once, everybody else after a ruling, or when results can be changed no more"),
}
_PHRASES: Final = (
    (re.compile(r": send (it|the same) again with `?\"?(knowingly|it_happened)\"?`?( as true|: true)?[^.]*$"), ""),
    (re.compile(r", or finish `early`"), ", or end the tournament now"),
    (re.compile(r"the role `(\w+)` may not do this here"), r"as \1 you may not do this here"),
    (re.compile(r"`keep` \(.*?\) or `again` \(.*?\)"), "keep what was paired, or pair it again"),
    (re.compile(r"correct it with `repair` as `again`"), "pair again what was paired on it"),
    (re.compile(r"repair it `again`"), "pair it again"),
)
_BOUND: Final = re.compile(r"Expected `\w+` (of length )?([<>]=?) (\d+)")
_QUOTED: Final = re.compile(r"`([^`]{0,80})`")
_PATH: Final = re.compile(r" - at `\$?\.?([^`]*)`$")


def behind(delay: str, at_table: bool) -> str:
    """Words for how far onlookers are behind a table, said to them or at the table."""
    return BEHIND[delay][at_table]


def label(name: str) -> str:
    """The name of a field on the page."""
    return LABELS.get(name, name.replace("_", " ").replace(".", " ").strip().capitalize() or "The form")


def in_words(detail: str) -> str:
    """A refusal as a page says it: what stands in backquotes is a member or a word of the API, and has a name here."""
    if _PATH.search(detail) or "Expected `" in detail or "JSON" in detail:
        return of_shape(detail)
    for pattern, said in _PHRASES:
        detail = pattern.sub(said, detail)
    detail = re.sub(r"^`(\w+)`", lambda found: label(found[1]), detail)
    return _QUOTED.sub(lambda found: awaited(found[1]) or LABELS.get(found[1], found[1]), detail)


def of_shape(detail: str) -> str:
    """Words for what a value of the wrong shape lacks."""
    path = _PATH.search(detail)
    names = [name for name in re.findall(r"[a-z_]+", path[1]) if name in LABELS] if path else []
    missing = re.search(r"missing required field `(\w+)`", detail)
    said = label(missing[1] if missing else names[-1] if names else "")
    if missing:
        return f"{said}: this is missing"
    if bound := _BOUND.search(detail):
        return _of_bound(said, bool(bound[1]), bound[2], int(bound[3]))
    if "matching regex" in detail:
        return f"{said}: write one line, without signs that cannot be seen"
    if re.search(r"Expected `(int|float)", detail):
        return f"{said}: write a number"
    return f"{said}: what was sent cannot be read; write it again"


def _of_bound(said: str, length: bool, sign: str, number: int) -> str:
    """A value that is too long, too short, too high or too low."""
    if length:
        if said == LABELS["name"] and sign == "<=":
            return f"A name may have {number} letters"
        return f"{said}: {number} letters at most" if sign == "<=" else f"{said}: write something"
    most = number - (sign == "<") if sign in ("<", "<=") else number + (sign == ">")
    return f"{said}: {most} at {'most' if sign[0] == '<' else 'least'}"


def unread(error: Exception) -> Refusal:
    """The refusal of a form whose values do not have the wanted shape."""
    return Refusal("malformed", of_shape(str(error)))
