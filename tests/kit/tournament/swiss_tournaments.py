"""Random Swiss tournaments decided by strength, with draws, absences, byes and forfeits."""

import random

import msgspec

from domain.pairing.crosstable import Crosstable, Outcome, PlayerRow, RoundCell
from domain.pairing.swiss.answer import NoLegalPairing
from domain.pairing.swiss.pairing import pair

FLIP = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}


def empty(players, rounds, first=True, **more):
    rows = tuple(PlayerRow(no, f"P{no}", ()) for no in range(1, players + 1))
    return Crosstable(rows, rounds=rounds, first_deals=first, **more)


def extended(table, cells):
    rows = tuple(msgspec.structs.replace(row, cells=(*row.cells, cells[row.number])) for row in table.rows)
    return msgspec.structs.replace(table, rows=rows)


def away(table, chance, rng):
    return {row.number: Outcome(rng.choice("HZZF")) for row in table.rows if rng.random() < chance}


def played(table, paired, rng, draws=0.3, forfeits=0.05, upsets=0.3):
    cells = {number: RoundCell(0, None, letter) for number, letter in paired.absent.items()}
    if paired.bye:
        cells[paired.bye] = RoundCell(0, None, Outcome.PAIRING_BYE)
    for first, second in paired.pairs:
        if rng.random() < forfeits:
            result = rng.choice("+-")
        elif rng.random() < draws:
            result = "="
        else:
            result = "1" if (first < second) == (rng.random() > upsets) else "0"
        cells[first] = RoundCell(second, True, Outcome(result))
        cells[second] = RoundCell(first, False, Outcome(FLIP[result]))
    return extended(table, cells)


def tournaments(seed, players, rounds, rules="dutch-2026", absences=0.06, draws=0.3, forfeits=0.05, late=0, **more):
    """Yield each round as (crosstable before it, round, absent, pairing) until no pairing is legal.

    All players are present in the first `late` rounds.
    """
    rng = random.Random(seed)
    table = empty(players, rounds, bool(seed % 2), **more)
    for round_ in range(1, rounds + 1):
        absent = away(table, absences, rng) if round_ > late else {}
        paired = pair(table, round_, rules, absent)
        yield table, round_, absent, paired
        if isinstance(paired, NoLegalPairing):
            return
        table = played(table, paired, rng, draws, forfeits)
