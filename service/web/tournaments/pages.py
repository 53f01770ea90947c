"""What everybody may look at: pairings, standings, bracket, crosstable, players; each follows by itself."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from domain.decider import Refusal
from projections.tournaments.bracket import WIDTH, bracket_view, parts_of
from projections.tournaments.standings import StandingRow, crosstable_view, standings_view, why_view
from projections.tournaments.view import rounds_on
from service.auth import Caller
from service.live.feed import Feed
from service.web.following import Draw, followed
from service.web.tournaments.frame import AnyRequest, Frame, clock_of, frame_of, shown

BYE_WORDS = {
    "bye": "bye", "half": "half-point bye", "full": "full-point bye", "zero": "absent", "rest": "sits out",
}  # fmt: skip


def number_in(request: AnyRequest, name: str, most: int) -> int | None:
    """A number from 1 in the address; nothing where it is none."""
    text = request.query_params.get(name, "")
    known = text.isascii() and text.isdecimal() and len(text) < 7
    return int(text) if known and 1 <= int(text) <= most else None


def stage_in(request: AnyRequest, frame: Frame) -> int:
    """The stage that the address asks for, else the one that is on; from 0."""
    asked = number_in(request, "stage", max(frame.state.at, 0) + 1)
    return max(frame.state.at, 0) if asked is None else asked - 1


@get("/tournaments/{tournament_id:uuid}", include_in_schema=False, query=("me", "round"))
async def round_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The rounds that are on, or the one that was asked for, by table and by name; at the end the places."""
    frame = await frame_of(request, tournament_id)
    rounds = frame.view.rounds
    chosen = number_in(request, "round", len(rounds))
    wanted = (rounds[chosen - 1],) if chosen else rounds_on(frame.view)
    found = msgspec.to_builtins(wanted)
    clocks = [await clock_of(frame, each) for each in found]
    return shown(
        frame, "round", "round", found=list(zip(found, clocks, strict=True)), chosen=chosen,
        at=[rounds.index(each) + 1 for each in wanted],
        mine=mine_of(frame, found), names=by_name(frame, found), by_name=entries_by_name(frame),
    )  # fmt: skip


def entries_by_name(frame: Frame) -> list[dict[str, Any]]:
    """The entries as a list to choose from."""
    entries = ({"id": each.id, "name": each.name} for each in frame.view.entries)
    return sorted(entries, key=lambda each: each["name"].casefold())


def mine_of(frame: Frame, rounds: Sequence[Any]) -> dict[str, Any] | None:
    """What the rounds hold for whoever asked to be found: the match that is open, else the last one, else a bye."""
    if not frame.me or not rounds:
        return None
    found: dict[str, Any] = {"name": frame.names[frame.me], "pairing": None, "bye": None}
    for each in _open_last(rounds):
        for place, side in enumerate(each["sides"]):
            if frame.me in side["entries"]:
                against, result = each["sides"][1 - place]["name"], result_of(each, place)
                found |= {"pairing": each, "first": side["deals_first"], "against": against, "result": result}
    byes = (bye for round_ in rounds for bye in round_["byes"])
    found["bye"] = next((bye for bye in byes if bye["entry"] == frame.me), None)
    return found


def _open_last(rounds: Sequence[Any]) -> list[Any]:
    """The pairings of rounds, those that are open behind the others."""
    pairings = [each for round_ in rounds for each in round_["pairings"]]
    return sorted(pairings, key=lambda each: each["status"] == "open")


def by_name(frame: Frame, rounds: Sequence[Any]) -> list[dict[str, str]]:
    """Everybody in the rounds by name, with the table; of two matches that which is open."""
    found = {bye["entry"]: BYE_WORDS[bye["kind"]] for round_ in rounds for bye in round_["byes"]}
    for each in _open_last(rounds):
        found |= {entry: f"table {each['table']}" for side in each["sides"] for entry in side["entries"]}
    named = [{"name": frame.names[entry], "where": where} for entry, where in found.items()]
    return sorted(named, key=lambda each: each["name"].casefold())


@get("/tournaments/{tournament_id:uuid}/standings", include_in_schema=False, query=("me", "stage"))
async def standings_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The standings of a stage."""
    frame = await frame_of(request, tournament_id)
    number = stage_in(request, frame)
    table = None
    if frame.state.stages[number].begun:
        table = msgspec.to_builtins(standings_view(frame.state, number, frame.names))
    return shown(frame, "standings", "standings", table=table)


@get("/tournaments/{tournament_id:uuid}/standings/{entry:uuid}", include_in_schema=False, query=("me", "stage"))
async def why_page(request: AnyRequest, tournament_id: FromPath[UUID], entry: FromPath[UUID]) -> Response[str]:
    """Why somebody is where he is."""
    frame = await frame_of(request, tournament_id)
    number = stage_in(request, frame)
    if str(entry) not in frame.state.stages[number].order:
        raise Refusal("not-found", "this player is not in this stage")
    why = msgspec.to_builtins(why_view(frame.state, number, str(entry), frame.names))
    return shown(frame, "why", "standings", why=why, stage=number + 1)


@get("/tournaments/{tournament_id:uuid}/bracket", include_in_schema=False, query=("me", "stage", "part"))
async def bracket_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The bracket as a picture, and round by round."""
    frame = await frame_of(request, tournament_id)
    asked = number_in(request, "stage", len(frame.state.stages))
    begun = [at for at, stage in enumerate(frame.state.stages) if stage.begun]
    places = [asked - 1] if asked else [at for at in reversed(begun) if not frame.state.stages[at].format.tiebreaks]
    found = None
    if places and frame.state.stages[places[0]].begun:
        found = bracket_view(frame.state, places[0], frame.names)
    parts = parts_of(found) if found else ()
    part = number_in(request, "part", len(parts))
    crop = parts[part - 1].crop if part else f"0 0 {found.width} {found.height}" if found else ""
    return shown(
        frame, "bracket", "bracket", bracket=found and msgspec.to_builtins(found), width=WIDTH, crop=crop,
        parts=msgspec.to_builtins(parts), part=part,
    )  # fmt: skip


@get("/tournaments/{tournament_id:uuid}/crosstable", include_in_schema=False, query=("me", "stage"))
async def crosstable_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """Who met whom."""
    frame = await frame_of(request, tournament_id)
    asked = number_in(request, "stage", len(frame.state.stages))
    tabled = [at for at, stage in enumerate(frame.state.stages) if stage.begun and stage.format.tiebreaks]
    number = asked - 1 if asked else tabled[-1] if tabled else None
    rows = crosstable_view(frame.state, number, frame.names) if number in tabled and number is not None else ()
    plain = msgspec.to_builtins(rows)
    return shown(frame, "crosstable", "crosstable", rows=plain, ranks={row["entry"]: row["rank"] for row in plain})


@get("/tournaments/{tournament_id:uuid}/entries", include_in_schema=False, query=("me",))
async def entries_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """Who takes part."""
    frame = await frame_of(request, tournament_id)
    return shown(frame, "entries", "entries", ordered=by_seed(frame))


def by_seed(frame: Frame) -> list[dict[str, Any]]:
    """The entries by seed, then as they came."""
    plain: list[dict[str, Any]] = msgspec.to_builtins(frame.view.entries)
    return sorted(plain, key=lambda each: (each["seed"] is None, each["seed"] or 0))


@get("/tournaments/{tournament_id:uuid}/entries/{entry:uuid}", include_in_schema=False, query=("me",))
async def entry_page(request: AnyRequest, tournament_id: FromPath[UUID], entry: FromPath[UUID]) -> Response[str]:
    """One entry with its rounds."""
    frame = await frame_of(request, tournament_id)
    wanted = str(entry)
    found = next((each for each in frame.view.entries if each.id == wanted), None)
    if found is None:
        raise Refusal("not-found", "this player is not in this tournament")
    return shown(
        frame, "entry", "entries", entry=msgspec.to_builtins(found), history=history_of(frame, wanted),
        rank=rank_of(frame, wanted),
    )  # fmt: skip


def rank_of(frame: Frame, entry: str) -> StandingRow | None:
    """Where an entry stands in the stage that is on."""
    if frame.state.at < 0:
        return None
    rows = standings_view(frame.state, frame.state.at, frame.names).rows
    return next((row for row in rows if row.entry == entry), None)


def history_of(frame: Frame, entry: str) -> list[dict[str, Any]]:
    """The rounds of an entry, each with its match or why it had none."""
    found: list[dict[str, Any]] = []
    several = len(frame.view.stages) > 1
    for each in frame.view.rounds:
        stage = frame.view.stages[each.stage]
        label = f"{stage.name}, {each.round}" if several else str(each.round)
        for pairing in each.pairings:
            for place, side in enumerate(pairing.sides):
                if entry in side.entries:
                    others = [{"id": id_, "name": frame.names[id_]} for id_ in pairing.sides[1 - place].entries]
                    partner = next((frame.names[id_] for id_ in side.entries if id_ != entry), None)
                    found.append({
                        "round": label, "pairing": msgspec.to_builtins(pairing), "others": others, "partner": partner,
                        "first": side.deals_first, "result": result_of(msgspec.to_builtins(pairing), place),
                    })  # fmt: skip
        found += [
            {"round": label, "pairing": None, "bye": BYE_WORDS[bye.kind], "why": bye.why}
            for bye in each.byes if bye.entry == entry
        ]  # fmt: skip
    return found


def result_of(pairing: Mapping[str, Any], place: int) -> str:
    """A result as one side has it."""
    how, score = pairing["how"], pairing["score"]
    if how is None:
        return "open"
    if how == "absent":
        return "both absent"
    won = {None: "drawn", place: "won"}.get(pairing["winner"], "lost")
    if how == "walkover":
        return f"{won} without play"
    return f"{won} {score[place]}–{score[1 - place]}" if score else won


@get("/tournaments/{tournament_id:uuid}/live", include_in_schema=False)
async def live(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[Any]:
    """Says the version, again whenever it has changed: the page then reads itself anew."""
    frame = await frame_of(request, tournament_id)

    stream = frame.loaded.stream

    async def now(feed: Feed, caller: Caller) -> tuple[Hashable, Draw]:
        fresh = frame.services.streams.kept(stream) or await frame.services.streams.load(stream) or frame.loaded
        return fresh.head.version, lambda: str(fresh.head.version)

    return followed(request, frame.services, frame.caller, frame.loaded.club, stream, now, steward=True)
