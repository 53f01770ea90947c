"""Tell-tale: do the times of answers tell that a rule was broken? `python -m bench.tell_tale [--pairs 2000]`.

At two quiet tables whose hands are typed the scorer records the same card: at the one it breaks a rule, at the other
that seat holds nothing to follow with. Pair by pair, in mixed order, each card is taken back again. The times of a
pair, of what is recorded and of what is read, lie within two hundredths of each other at the median, or the exit status
is 1. `--out` writes the figures to a file.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from bench.serving import Caller, service
from bench.stage import Stage
from domain import codec
from domain.cards.card import Card, cards_in
from domain.cards.facts import CardPlayed, Fact
from domain.chance import shuffled, words
from domain.games import find
from service.run.pool import make_pool
from service.store import tokens

WITHIN: Final = 0.02
A_MATCH: Final = 200  # pairs
GAME: Final = "parity"


class Chance(msgspec.Struct, frozen=True):
    """The first lead of a deal and a card that does not follow it: in the one deal that breaks a rule, in the other the
    seat holds nothing to follow with. Whoever does not see that hand sees the same in both."""

    broken: object
    clean: object
    before: tuple[Fact, ...]
    card: Fact


def chance(seed: int) -> Chance:
    """Two such deals, dealt at random, and how they begin."""
    game = find(GAME)
    options, dice, number = game.options(), random.Random(seed), 0
    while True:
        number += 1
        pack = shuffled(tuple(cards_in(game.pack(options))), words(f"tell-tale {seed} {number}".encode()))
        broken = game.deal_out(options, pack)
        table, before = game.start(options, 0, broken), list[Fact]()
        while not game.view(table, "all").trick:
            before.append(dice.choice(game.legal(table)))
            table = game.evolve(table, before[-1])
        seat, mask = game.to_act(table), game.duty(table).masks[0][0]
        follow, rest = _parted(game.view(table, "all").hands[seat], mask)
        _, others = _parted(game.view(table, "all").hands[1 - seat], mask)
        if follow and rest and len(others) >= len(follow):
            swap = dict(zip(follow, others, strict=False))
            swap |= {there: here for here, there in swap.items()}
            clean = game.deal_out(options, tuple(swap.get(each, each) for each in pack))
            return Chance(broken, clean, tuple(before), CardPlayed(seat, rest[0]))


def _parted(hand: Sequence[Card], mask: int) -> tuple[list[Card], list[Card]]:
    """The cards that follow, and the others."""
    return [each for each in hand if mask >> each & 1], [each for each in hand if not mask >> each & 1]


class Timed(msgspec.Struct):
    """The times of both kinds of answers, in seconds."""

    clean: list[float] = msgspec.field(default_factory=list)
    broken: list[float] = msgspec.field(default_factory=list)

    @property
    def ratio(self) -> float:
        """The median over the pairs of the time with a broken rule over that without."""
        return statistics.median(one / other for one, other in zip(self.broken, self.clean, strict=True))


def measured(scorer: Caller, public: Caller, club: str, pairs: int, seed: int) -> dict[str, Timed]:
    """The times by what was asked."""
    dice, found = random.Random(seed), {what: Timed() for what in ("recorded", "read by the scorer", "read by others")}
    for start in range(0, pairs, A_MATCH):
        place = chance(seed + start)
        both = [(_at(scorer, club, place, deal), deal is place.broken) for deal in (place.clean, place.broken)]
        for _ in range(min(A_MATCH, pairs - start)):
            for match, broken in dice.sample(both, 2):
                for what, took in zip(found, _times(scorer, public, match, _body(place.card)), strict=True):
                    (found[what].broken if broken else found[what].clean).append(took)
                scorer.post(f"{match}/undo", {})
    return found


def _times(scorer: Caller, public: Caller, match: str, body: bytes) -> Sequence[float]:
    """A fact recorded, and the match read by two: how long each took."""
    begun = time.perf_counter()
    scorer.send("POST", f"{match}/facts", body)
    recorded = time.perf_counter()
    scorer.send("GET", match)
    read = time.perf_counter()
    public.send("GET", match)
    return recorded - begun, read - recorded, time.perf_counter() - read


def _at(scorer: Caller, club: str, place: Chance, deal: object) -> str:
    """A match of a deal that stands where the card falls; its path."""
    opening = {"game": GAME, "sides": [["Ann"], ["Ben"]], "target": None, "deals": 9, "signals": "quiet"}
    opening["options"] = {"open_hands": False}
    match = f"/api/v1/matches/{scorer.post(f'/api/v1/clubs/{club}/matches', opening)['match']['id']}"
    scorer.post(f"{match}/deals", {"dealer": 0, "deal": codec.plain(deal), "depth": "full"})
    scorer.post(f"{match}/facts", {"facts": [codec.plain(each) for each in place.before]})
    return match


def _body(fact: Fact) -> bytes:
    return codec.encode({"facts": [codec.plain(fact)]})


def report(pairs: int, seed: int, ratios: dict[str, float], clean: dict[str, float]) -> str:
    """The file under docs."""
    lines = ["# The tell-tale", "", "Written by `make audit`: do the times of answers tell that a rule was broken?", ""]
    lines += [
        f"{pairs:,} pairs in mixed order from seed {seed}, {datetime.now(UTC):%Y-%m-%d}; `bench/tell_tale.py` says how."
    ]
    lines += [f"At the median of the pairs the ratio must lie within {WITHIN:.0%} of 1.", ""]
    lines += ["| asked | without, ms | broken to not broken |", "| --- | --- | --- |"]
    lines += [f"| {what} | {clean[what]:.3f} | {ratio:.4f} |" for what, ratio in ratios.items()]
    return "\n".join([*lines, ""])


def main() -> int:
    """Measure, and say in JSON what was found."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pairs", type=int, default=2000)
    asked.add_argument("--seed", type=int, default=12)
    asked.add_argument("--out", type=Path, help="a file for the figures")
    given = asked.parse_args()
    with ExitStack() as stack:
        stage = Stage(stack)
        club, address = stage.club, service(stage)

        async def made() -> list[str]:
            async with make_pool(stage.database.url, 1) as pool:
                return [await tokens.create_token(pool, club.id, role, role) for role in ("scorer", "spectator")]

        scorer, public = (Caller(address, each) for each in asyncio.run(made()))
        measured(scorer, public, club.id, 50, given.seed + 1)  # nothing is fast at the first time
        found = measured(scorer, public, club.id, given.pairs, given.seed)
    ratios = {what: round(times.ratio, 4) for what, times in found.items()}
    clean = {what: round(statistics.median(times.clean) * 1000, 3) for what, times in found.items()}
    good = all(abs(each - 1) <= WITHIN for each in ratios.values())
    if given.out:
        given.out.write_text(report(given.pairs, given.seed, ratios, clean), encoding="utf-8")
    said = {"pairs": given.pairs, "seed": given.seed, "ratios": ratios, "milliseconds": clean, "within": WITHIN}
    sys.stdout.write(json.dumps({**said, "good": good}) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
