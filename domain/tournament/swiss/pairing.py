"""The one door to Swiss pairing: a cross table, a round, rules; the pairs by board, or that there is no pairing."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from domain.tournament.crosstable import Crosstable, Outcome, Rules
from domain.tournament.naming import listed
from domain.tournament.placeholders import fill
from domain.tournament.swiss import dutch, dutch_till_2026, monrad
from domain.tournament.swiss.acceleration import virtual
from domain.tournament.swiss.answer import NO_OPPONENT, NoLegalPairing, Paired, Why
from domain.tournament.swiss.entrants import Entrant, entrants, legal
from domain.tournament.swiss.sides import initial_side
from domain.tournament.swiss.words import Words

BYES = frozenset({Outcome.HALF_BYE, Outcome.FULL_BYE, Outcome.ZERO_BYE})


def pair(
    table: Crosstable,
    round_: int,
    rules: Rules = "dutch-2026",
    absent: Mapping[int, Outcome] | None = None,
    sides: bool = True,
    name: Callable[[str], str] = str,
) -> Paired | NoLegalPairing:
    """Pair a round from the rounds before it. Who is absent is what the table grants for it, unless it is given;
    without `sides` nobody has a claim to deal first, or not to. `name` is what the texts call a number."""
    away = granted(table, round_) if absent is None else dict(absent)
    players = entrants(table, round_, rules, away, sides)
    why = _drawn(players, rules, _words(table, round_, rules, sides, players))
    if why is None:
        return NoLegalPairing(rules, round_, away, fill(_impossible(players), name))
    ranked = {player.number: player for player in players}
    told = (msgspec.structs.replace(each, text=fill(each.text, name)) for each in why)
    why = tuple(sorted(told, key=lambda each: _board(each, ranked)))
    pairs = tuple(each.pair for each in why if each.pair[1] != NO_OPPONENT)
    bye = next((each.pair[0] for each in why if each.pair[1] == NO_OPPONENT), None)
    return Paired(rules, round_, pairs, bye, away, why)


def _words(table: Crosstable, round_: int, rules: Rules, sides: bool, players: Sequence[Entrant]) -> Words:
    rested = {row.number for row in table.rows if any(cell.outcome is Outcome.PAIRING_BYE for cell in row.cells)}
    points = virtual(table)
    lent = {player.number: points(player.number, round_) for player in players}
    return Words(rules, initial_side(table), sides, players, rested, lent)


def granted(table: Crosstable, round_: int) -> dict[int, Outcome]:
    """Who is absent from a round by what the table holds for it."""
    cells = ((row.number, row.cell(round_)) for row in table.rows)
    return {number: cell.outcome for number, cell in cells if cell.outcome in BYES}


def _drawn(players: Sequence[Entrant], rules: Rules, words: Words) -> Iterable[Why] | None:
    if rules == "monrad":
        found = monrad.drawn(players)
        if found is None:
            return None
        pairs, resting = found
        byes = [words.bye(resting, resting.score)] if resting else []
        return [*(words.pair(high, low, None) for high, low in pairs), *byes]
    system = dutch_till_2026 if rules == "dutch-till-2026" else dutch
    brackets = system.brackets(players, words.odd_first)
    if brackets is None:
        return None
    return [why for bracket, split in brackets for why in words.bracket(bracket, split)]


def _board(why: Why, ranked: Mapping[int, Entrant]) -> tuple[bool, int, int, int]:
    """Boards go by the score of the higher-ranked, the sum of scores, the number of the higher-ranked; the bye last."""
    players = [ranked[number] for number in why.pair if number != NO_OPPONENT]
    high = min(players, key=lambda player: player.rank)
    return (len(players) < 2, -high.score, -sum(player.score for player in players), high.number)


def _impossible(players: Sequence[Entrant]) -> str:
    """What can be said of a round that nobody can pair."""
    stuck = [f"{{{one.number}}}" for one in players if not any(legal(one, other) for other in players)]
    if stuck and len(players) > 1:
        return f"nobody is left for {listed(stuck)} to meet"
    if len(players) % 2 and all(player.barred for player in players):
        return "everybody who is there has had a bye"
    return "every pairing has two who have met, or must not meet, or must both deal first or second, or a second bye"
