"""Erasing a person: the events that list what goes, and the rows that go after them.

What goes is read from the log right before it is listed, and again behind it, for what the person wrote meanwhile.
A service that ended between events and rows finishes when it starts."""

from collections.abc import Collection, Mapping
from typing import Final

import msgspec

from domain.club.commands import ErasePerson
from domain.club.erasure import check_may
from domain.club.events import ErasureReason
from domain.club.private_parts import named_in, pattern_of, struck
from domain.club.state import Club
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, decided
from domain.log.event import JsonObject
from projections.lists import KEPT
from service.desk.erasure_plan import Plan, planned, text_id
from service.desk.on_stream import actor_on
from service.desk.recording import Recorder
from service.desk.requests import Request, own_request
from service.projector import form_of
from service.store import erasing as rows
from service.store.erasing import EventAddress, KeptRow
from service.store.kinds import CLUB
from service.store.loaded import LoadedClub
from service.store.log import By
from service.store.pool import Pool

ALL: Final = ("all",)  # ticks every text in which the whole name stands
TRIES: Final = 10
FORMS: Final = tuple(form_of(each) for each in KEPT)


def command_of(plan: Plan, reason: ErasureReason, ticked: Collection[str]) -> ErasePerson:
    """The command that takes the person's own words out, and the name out of the texts that were ticked."""
    whole, name = pattern_of(plan.names), pattern_of(plan.names, parts=True)
    going: dict[EventAddress, str] = {}
    kept: dict[EventAddress, JsonObject] = {}
    changed: dict[EventAddress, JsonObject] = {}
    for part in plan.parts:
        row = part.row
        strikes = text_id(row.place) in ticked or (ALL[0] in ticked and named_in(part.rest, whole))
        left = struck(part.rest, name) if strikes and name is not None else part.rest
        if left == row.private:
            continue
        if part.stood:
            changed[row.place] = left
        else:
            going[row.place] = row.inner
            kept |= {row.place: left} if left else {}
    again, held = _again(plan.kept, changed, plan.club.club)
    listed = tuple((stream, version, inner) for (stream, version), inner in sorted((going | held).items()))
    left_over = tuple((stream, version, words) for (stream, version), words in sorted((kept | again).items()))
    disputed = tuple(each.stream for each in plan.disputed if each.kind != "case")
    heard = tuple(each.stream for each in plan.disputed if each.kind == "case")
    return ErasePerson(plan.ids[0], reason, listed, left_over, disputed, heard)


def _again(
    kept: Collection[KeptRow], changed: Mapping[EventAddress, JsonObject], club: str
) -> tuple[dict[EventAddress, JsonObject], dict[EventAddress, str]]:
    """Finds what earlier erasures kept and has to be written again, since some of it changes; and their private rows,
    to go."""
    stands = rows.newest(kept)
    holder = {place: each for each in sorted(kept, key=lambda row: row.version) for place in each.kept}
    touched = {holder[place].version: holder[place] for place in changed if place in holder}
    now = {**stands, **changed}
    again = {place: now[place] for place, each in holder.items() if each.version in touched and now[place]}
    return again, {(club, version): each.inner for version, each in touched.items()}


async def erase(
    recorder: Recorder, club: str, person: str, reason: ErasureReason, ticked: Collection[str], request: Request
) -> int:
    """Erase a person; how many private rows went. Whoever is erased already is erased no further, unless something came
    since. Raises Refusal."""
    loaded = await recorder.club(club)
    first = loaded.state.whom(person)
    _check_may(loaded, first, request)
    by = await _listed(recorder, club, person, reason, ticked, request)
    gone = await finished(recorder, club)
    while by is not None:
        by = await _listed(recorder, club, first, reason, (), own_request(by))  # words that came meanwhile
        gone += await finished(recorder, club) if by is not None else 0
    return gone


def _check_may(club: LoadedClub, person: str, request: Request) -> None:
    """Raises Refusal for whoever may not: nothing is searched for them."""

    def checked(state: Club, _: None, right: Actor) -> list[New]:
        check_may(state, person, right)
        return []

    decided(checked, club.state, None, actor_on(club, request.actor))


async def _listed(
    recorder: Recorder, club: str, person: str, reason: ErasureReason, ticked: Collection[str], request: Request
) -> By | None:
    """List what goes, on the club as it was read; who did, None where nothing was left to list. Raises Refusal."""
    for _ in range(TRIES):
        plan = await planned(recorder, club, person)
        command = command_of(plan, reason, ticked)
        stands = msgspec.structs.replace(request, expected=request.expected or plan.club.head.version)
        try:
            done = await recorder.on_stream(club, CLUB, command, stands)
        except Refusal as refusal:
            if refusal.slug != "lost-race" or request.expected is not None:
                raise
            continue
        last = done.events[-1] if done.events else None
        return None if last is None else By(last.actor, last.role, device=last.device)
    raise Refusal("lost-race", "somebody else changes the club all the time: try again in a moment")


async def finished(recorder: Recorder, club: str) -> int:
    """Drop the listed rows of a club, and read it again; how many rows went."""
    gone = await rows.finish(recorder.streams.pool, club, FORMS)
    recorder.streams.forget(club)
    return gone


async def finish_all(pool: Pool) -> None:
    """Finish what was listed before a service ended, in every club."""
    for club in await rows.clubs_with_erasures(pool):
        await rows.finish(pool, club, FORMS)
