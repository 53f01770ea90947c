"""Figures: the bracket page of 128 over HTTP, and evenings of 64 directed by commands."""

import time
from collections.abc import Callable

import httpx

from bench.measure import Detail, Figure, below, in_turns, row, series
from bench.pairing import field
from bench.serving import Address, Caller, service
from bench.stage import Run
from bench.viewing import Reader
from domain.tournament.simulate import event
from service.cli import clerk
from service.run.pool import make_pool
from service.store import tokens

PLAYERS = 64
ROUNDS = 6
ENTRIES = 128
RACE = {"target": 11}


def tournament(caller: Caller, club: str, entries: int) -> str:
    """A knock-out with three rounds played; its id."""
    stage = {"format": {"kind": "single"}, "game": "cross_game", "race": RACE}
    people = [{"do": "enter", "players": [f"Player {number}"]} for number in range(1, entries + 1)]
    body = {"name": "Bench cup", "stages": [stage], "entries": people}
    made = caller.post(f"/api/v1/clubs/{club}/tournaments", body)["tournament"]["id"]
    for _ in range(3):
        view = caller.post(f"/api/v1/tournaments/{made}/actions", {"actions": [{"do": "pair_round"}]})["tournament"]
        reports = [{"do": "report", "fixture": each["fixture"], "winner": 0} for each in view["rounds"][-1]["pairings"]]
        caller.post(f"/api/v1/tournaments/{made}/actions", {"actions": reports})
    return str(made)


def evening(caller: Caller, club: str, entries: int) -> float:
    """A Swiss evening over HTTP, each result a request of its own: matches a second."""
    stage = {"format": {"kind": "swiss", "rounds": ROUNDS}, "game": "cross_game", "race": RACE}
    people = [{"do": "enter", "players": [f"Player {number}"]} for number in range(1, entries + 1)]
    body = {"name": "Bench Swiss", "stages": [stage], "entries": people}
    start, matches = time.perf_counter(), 0
    path = f"/api/v1/tournaments/{caller.post(f'/api/v1/clubs/{club}/tournaments', body)['tournament']['id']}/actions"
    for _ in range(ROUNDS):
        view = caller.post(path, {"actions": [{"do": "pair_round"}]})["tournament"]
        for each in view["rounds"][-1]["pairings"]:
            caller.post(path, {"actions": [{"do": "report", "fixture": each["fixture"], "score": [12, 10]}]})
            matches += 1
    return matches / (time.perf_counter() - start)


def public_club(run: Run) -> tuple[str, str]:
    """A club that everybody may read, and a director's token."""

    async def found() -> tuple[str, str]:
        async with make_pool(run.stage.database.url, 1) as pool:
            club = await clerk.club_named(pool, "Bench in public", True)
            return club, await tokens.create_token(pool, club, "director", "bench")

    made: tuple[str, str] = run.stage.run(found)
    return made


def measure_page(run: Run) -> Figure:
    """The page of a large bracket in turns with /health/live, on one server."""
    rounds, count = run.pick(11, 3), run.pick(20, 4)
    club, token = public_club(run)
    address: Address = service(run.stage)
    cup = tournament(Caller(address, token), club, run.pick(ENTRIES, 8))
    with httpx.Client(base_url=address.url, trust_env=False, timeout=60) as client:
        page, live = Reader(client, f"/tournaments/{cup}/bracket"), Reader(client, "/health/live")
        table = Reader(client, f"/tournaments/{cup}/standings")
        pairs = in_turns(rounds, lambda: page.median(count), lambda: live.median(count), run.tick)
        standings = [table.median(3) for _ in range(rounds)]
        size = len(client.get(f"/tournaments/{cup}/bracket").content)
    found = row("median of a request", "ms", pairs, "lower")
    return Figure(
        name="bracket-page",
        title=f"The bracket page of {run.pick(ENTRIES, 8)} over HTTP",
        ours_is="`GET /tournaments/{id}/bracket` of a public club, one httpx client with keep-alive, `lurch serve`",
        reference_is="`GET /health/live` of the same server by the same client",
        rounds=rounds,
        rows=(found,),
        aims=(below(found.label, "median below 50 ms", 50, found.ours),),
        details=(Detail("the standings of the same", series("ms", standings)),),
        notes=(f"three rounds are played; the page has {size:,} bytes", f"{count} requests of each a round"),
    )


def a_second(act: Callable[[], int]) -> float:
    """Matches a second of a function that returns the number it played."""
    start = time.perf_counter()
    matches = act()
    return matches / (time.perf_counter() - start)


def measure_evening(run: Run) -> Figure:
    """Simulated evenings through the commands of a director, beside the pairing alone."""
    rounds, players = run.pick(9, 2), run.pick(PLAYERS, 16)
    club, token = public_club(run)
    caller = Caller(service(run.stage), token)

    def directed(kind: dict[str, str | int]) -> float:
        return a_second(lambda: event(kind, players, 1).matches)

    def paired() -> int:
        field(players, ROUNDS)
        return ROUNDS * players // 2

    pairs = in_turns(rounds, lambda: directed({"kind": "swiss", "rounds": ROUNDS}), lambda: a_second(paired), run.tick)
    double = series("matches/s", [directed({"kind": "double"}) for _ in range(rounds)])
    over_http = series("matches/s", [evening(caller, club, players) for _ in range(run.pick(3, 1))])
    found = row(f"a Swiss of {players} over {ROUNDS} rounds", "matches/s", pairs)
    return Figure(
        name="evening",
        title=f"Evenings of {players}, simulated through the commands of a director",
        ours_is="announced, entered, seeded, paired, reported match by match, folded after each command, in this "
        "process",
        reference_is="the same rounds paired from a cross table, without a tournament around it",
        rounds=rounds,
        rows=(found,),
        details=(
            Detail(f"double elimination of {players}", double),
            Detail("the Swiss over HTTP with a real log: a request for each result", over_http),
        ),
    )
