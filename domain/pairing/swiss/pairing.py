"""The one door to Swiss pairing: a cross table, a round, rules; the pairs by board, or that there is no pairing."""

from collections.abc import Iterable, Mapping, Sequence

from domain.log.message import Message
from domain.pairing.crosstable import NO_OPPONENT, Crosstable, Outcome, Rules
from domain.pairing.swiss import dutch, dutch_till_2026, monrad
from domain.pairing.swiss.acceleration import virtual_points
from domain.pairing.swiss.answer import NoLegalPairing, Paired, PairReason
from domain.pairing.swiss.entrants import SwissPlayer, legal, players_of_round
from domain.pairing.swiss.reasons import Reasons
from domain.pairing.swiss.sides import initial_side

BYES = frozenset({Outcome.HALF_BYE, Outcome.FULL_BYE, Outcome.ZERO_BYE})


def pair(
    table: Crosstable,
    round_: int,
    rules: Rules = "dutch-2026",
    absent: Mapping[int, Outcome] | None = None,
    sides: bool = True,
) -> Paired | NoLegalPairing:
    """Pair a round from the rounds before it. Absent are those to whom the table grants a bye for it, unless they are
    given; without `sides` nobody has a claim to deal first, or not to."""
    away = granted(table, round_) if absent is None else dict(absent)
    players = players_of_round(table, round_, rules, away, sides)
    found = _pair_reasons(players, rules, _reasons(table, round_, rules, sides, players))
    if found is None:
        return NoLegalPairing(rules, round_, away, _impossible(players))
    ranked = {player.number: player for player in players}
    why = tuple(sorted(found, key=lambda each: _board(each, ranked)))
    pairs = tuple(each.pair for each in why if each.pair[1] != NO_OPPONENT)
    bye = next((each.pair[0] for each in why if each.pair[1] == NO_OPPONENT), None)
    return Paired(rules, round_, pairs, bye, away, why)


def _reasons(table: Crosstable, round_: int, rules: Rules, sides: bool, players: Sequence[SwissPlayer]) -> Reasons:
    rested = {row.number for row in table.rows if any(cell.outcome is Outcome.PAIRING_BYE for cell in row.cells)}
    points = virtual_points(table)
    lent = {player.number: points(player.number, round_) for player in players}
    return Reasons(rules, initial_side(table), sides, players, rested, lent)


def granted(table: Crosstable, round_: int) -> dict[int, Outcome]:
    """The absences from a round that the table grants."""
    cells = ((row.number, row.cell(round_)) for row in table.rows)
    return {number: cell.outcome for number, cell in cells if cell.outcome in BYES}


def _pair_reasons(players: Sequence[SwissPlayer], rules: Rules, reasons: Reasons) -> Iterable[PairReason] | None:
    if rules == "monrad":
        found = monrad.pairs_and_bye(players)
        if found is None:
            return None
        pairs, resting = found
        byes = [reasons.bye(resting, resting.score)] if resting else []
        return [*(reasons.pair(high, low, None) for high, low in pairs), *byes]
    paired = dutch_till_2026.paired_brackets if rules == "dutch-till-2026" else dutch.paired_brackets
    brackets = paired(players, reasons.odd_first)
    if brackets is None:
        return None
    return [why for bracket, split in brackets for why in reasons.bracket(bracket, split)]


def _board(why: PairReason, ranked: Mapping[int, SwissPlayer]) -> tuple[bool, int, int, int]:
    """Boards go by the score of the higher-ranked, the sum of scores, the number of the higher-ranked; the bye last."""
    players = [ranked[number] for number in why.pair if number != NO_OPPONENT]
    high = min(players, key=lambda player: player.rank)
    return (len(players) < 2, -high.score, -sum(player.score for player in players), high.number)


def _impossible(players: Sequence[SwissPlayer]) -> Message:
    """The reason for which nobody can pair a round, as far as one can be named."""
    stuck = tuple(one.number for one in players if not any(legal(one, other) for other in players))
    if stuck and len(players) > 1:
        return Message("swiss.nobody-left", people={"players": stuck})
    if len(players) % 2 and all(player.barred for player in players):
        return Message("swiss.no-bye-left")
    return Message("swiss.no-pairing-left")
