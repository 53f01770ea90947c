"""Figure: a ruling previewed over HTTP, in a knock-out whose next rounds were paired on the match that is ruled on."""

from pathlib import Path
from typing import Any, Final

from bench.evening import public_club
from bench.measure import Detail, Figure, below, in_turns, milliseconds, row, series
from bench.serving import Address, Caller, service
from bench.stage import Run
from domain import codec
from domain.notation.ctn_read import loads

ENTRIES: Final = 64
AIM: Final = 300  # milliseconds from the tap to what would move
DEAL: Final = Path(__file__).parents[1] / "examples" / "notation.ctn"


def ruled_on(caller: Caller, club: str, entries: int) -> tuple[str, int]:
    """The match of a knock-out that has a revoke in its one deal and two rounds hanging on it, and where that is."""
    stage = {"format": {"kind": "single"}, "game": "cross_purposes", "race": {"target": 40}}
    people = [{"do": "enter", "players": [f"Ruled {number}"]} for number in range(1, entries + 1)]
    body = {"name": "Bench rulings", "stages": [stage], "entries": people}
    cup = f"/api/v1/tournaments/{caller.post(f'/api/v1/clubs/{club}/tournaments', body)['tournament']['id']}"
    view = paired(caller, cup)
    match = f"/api/v1/matches/{view['rounds'][0]['pairings'][0]['match']}"
    at = revoke(caller, match)
    for _ in range(2):
        view = paired(caller, cup, view)
    return match, at


def paired(caller: Caller, cup: str, before: Any = None) -> Any:
    """The tournament with one more round, after all that is open was reported."""
    if before is not None:
        view = codec.decode(caller.send("GET", cup), dict)
        open_ = [each["fixture"] for each in view["rounds"][-1]["pairings"] if each["status"] == "open"]
        caller.post(f"{cup}/actions", {"actions": [{"do": "report", "fixture": each, "winner": 0} for each in open_]})
    return caller.post(f"{cup}/actions", {"actions": [{"do": "pair_round"}]})["tournament"]


def revoke(caller: Caller, match: str) -> int:
    """The planted revoke of the notation's examples, recorded; the version of its card."""
    text = DEAL.read_text(encoding="utf-8").split("! ruling")[0]
    state: Any = loads(text)[0].state
    deal = state.deals[0]
    caller.post(f"{match}/deals", {"dealer": deal.dealer})
    facts = [codec.plain(fact) for _, fact in deal.facts]
    made = caller.post(f"{match}/facts", {"facts": facts, "it_happened": True})
    place = max(number for number, fact in enumerate(facts) if fact.get("card") == "ST")
    return int(made["version"]) - len(facts) + 1 + place


def measure(run: Run) -> Figure:
    """The preview of a remedy in turns with /health/live, on one server."""
    rounds, entries = run.pick(15, 3), run.pick(ENTRIES, 8)
    club, token = public_club(run)
    address: Address = service(run.stage)
    caller = Caller(address, token)
    match, at = ruled_on(caller, club, entries)
    body = {"code": "REV", "deal": 1, "at": at, "remedy": "tricks-pass"}

    def previewed() -> float:
        return milliseconds(lambda: caller.post(f"{match}/rulings/preview", body))

    def live() -> float:
        return milliseconds(lambda: caller.send("GET", "/health/live"))

    pairs = in_turns(rounds, previewed, live, run.tick)
    offered = [
        milliseconds(lambda: caller.send("GET", f"{match}/remedies?deal=1&code=REV&at={at}")) for _ in range(rounds)
    ]
    found = row("one preview", "ms", pairs, "lower")
    return Figure(
        name="rulings",
        title=f"A ruling previewed in a knock-out of {entries}",
        ours_is="`POST /matches/{id}/rulings/preview` of a proven revoke on which two rounds hang: deal, match, "
        "places, bracket, repairs, ratings",
        reference_is="`GET /health/live` of the same server by the same client",
        rounds=rounds,
        rows=(found,),
        aims=(below(found.label, f"median below {AIM} ms", AIM, found.ours),),
        details=(Detail("all remedies side by side", series("ms", offered)),),
    )
