"""From an archive to streams: every event read and folded before anything is recorded, ids made fresh."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from domain import codec, registry
from domain.decider import New, Refusal
from domain.games import fact_types
from domain.match import events as match_events
from domain.match import stated
from domain.match.evolve import fold as fold_match
from domain.match.state import Match, NoMatch, race_of
from domain.tournament import events as tournament_events
from domain.tournament.evolve import fold as fold_tournament
from domain.tournament.exchange.archive import Archive, Member, Stream, fresh_id, match_ids, refused, renamed
from domain.tournament.state import Tournament

_BROKEN: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, RecursionError)


class Rebuilt(msgspec.Struct, frozen=True):
    """The streams to record: the tournament's id and events, and those of its matches by id."""

    tournament: str
    events: list[New]
    matches: dict[str, list[New]]


@cache
def _kinds(tournament: bool) -> frozenset[str]:
    if tournament:
        return frozenset(kind.__name__ for kind in tournament_events.OWN_EVENTS)
    return frozenset(kind.__name__ for kind in (*fact_types(), *match_events.OWN_EVENTS))


def rebuilt(archive: Archive, club: str, players: Mapping[str, str] | None = None) -> Rebuilt:
    """The streams of an archive in a club, its players by the ids they have there. Raises Refusal where something does
    not fit."""
    plain = {each.id: _plain(each) for each in (archive.tournament, *archive.matches)}
    ids = _fresh(archive, club, plain[archive.tournament.id])
    ids |= players if players is not None else {player: player for player in archive.people}
    tournament = _events("tournament", archive.tournament, ids, tournament=True)
    state: Tournament = _folded("tournament", fold_tournament, Tournament(), tournament)
    known = match_ids(zip((each.type for each in archive.tournament.events), plain[archive.tournament.id], strict=True))
    matches = {}
    folded: dict[str, Match] = {}
    for at, stream in enumerate(archive.matches):
        where = f"matches[{at}]"
        if stream.id not in known or ids[stream.id] in matches:
            raise refused(where, "it is no match of this tournament, or stands twice")
        matches[ids[stream.id]] = _events(where, stream, ids, tournament=False)
        folded[ids[stream.id]] = _match(where, matches[ids[stream.id]], ids[archive.tournament.id])
    _check_people({ids[player] for player in archive.people}, state, folded)
    _check_outcomes(state, folded)
    return Rebuilt(ids[archive.tournament.id], tournament, matches)


def _plain(stream: Stream) -> list[Any]:
    return [msgspec.json.decode(each.data) for each in stream.events]


def _fresh(archive: Archive, club: str, events: Sequence[Any]) -> dict[str, str]:
    """Fresh ids for the tournament, its entries and its matches. Raises Refusal."""
    try:
        kinds = [each.type for each in archive.tournament.events]
        old = [archive.tournament.id, *match_ids(zip(kinds, events, strict=True))]
        old += [data["entry"] for kind, data in zip(kinds, events, strict=True) if kind == "EntryMade"]
    except _BROKEN as error:
        raise refused("tournament", f"an event lacks something ({error})") from None
    if len(set(old)) < len(old) or not all(isinstance(each, str) and len(each) == 36 for each in old):
        raise refused("tournament", "an id is malformed, or stands for two things")
    return {each: fresh_id(club, archive.digest, each) for each in old}


def _events(where: str, stream: Stream, ids: Mapping[str, str], tournament: bool) -> list[New]:
    """The events of a stream. Raises Refusal."""
    found = []
    for at, member in enumerate(stream.events, start=1):
        place = f"{where}.events[{at - 1}]"
        if member.version != at:
            raise refused(place, f"version {at} is missing")
        if member.type not in _kinds(tournament):
            raise refused(place, f"{member.type[:40]} is no event of it")
        found.append(_event(place, member, ids))
    return found


def _event(place: str, member: Member, ids: Mapping[str, str]) -> New:
    try:
        data = codec.encode(renamed(msgspec.json.decode(member.data), ids))
        event = registry.read_event(member.type, member.schema, data)
    except _BROKEN as error:
        raise refused(place, str(error)) from None
    secret = isinstance(event, match_events.DealStarted) and event.known
    private = member.private
    if isinstance(event, match_events.ScoreStated):
        event, private = stated.apart(event, private)  # what an archive says is not for the part that everybody reads
    return New(event, private, secret)


def _folded(where: str, fold: Any, initial: Any, events: Iterable[New]) -> Any:
    """The state after events. Raises Refusal at the first that does not follow from those before it."""
    state = initial
    for version, new in enumerate(events, start=1):
        try:
            state = fold(state, [(version, new.event)])
        except (*_BROKEN, Refusal) as error:
            raise refused(f"{where}.events[{version - 1}]", f"it does not follow ({error})") from None
    return state


def _match(where: str, events: list[New], tournament: str) -> Match:
    """A match as its events leave it. Raises Refusal."""
    first = events[0].event
    if not isinstance(first, match_events.MatchOpened) or first.tournament != tournament:
        raise refused(f"{where}.events[0]", "it does not open a match of this tournament")
    state = _folded(where, fold_match, NoMatch(), events)
    try:
        race_of(state)
    except _BROKEN as error:
        raise refused(where, f"its score cannot be made out ({error})") from None
    assert isinstance(state, Match)
    whats = {*state.setup.game.sections(state.setup.options), *stated.WHATS}
    if any(each.what not in whats for deal in state.deals for each in deal.stated):
        raise refused(where, "something is stated that no deal of this game has")
    return state


def _check_people(known: set[str], state: Tournament, matches: Mapping[str, Match]) -> None:
    """Raises Refusal for somebody without a line among the people."""
    if not state.version or not state.stages:
        raise refused("tournament.events[0]", "it does not announce a tournament")
    playing = {player for entry in state.entries.values() for own in (entry.players, *entry.before) for player in own}
    seated = {player for match in matches.values() for side in match.setup.sides for player in side}
    if not (playing | seated) <= known:
        raise refused("people", "somebody plays who is not among them")


def _check_outcomes(state: Tournament, matches: Mapping[str, Match]) -> None:
    """Raises Refusal for a result that a match is said to tell and cannot be looked up in it, or for standings that
    cannot be made."""
    for number, stage in enumerate(state.stages):
        for name, outcome in stage.decided.items():
            pairing = stage.pairings.get(name)
            if outcome.version is None:
                continue
            match = matches.get(pairing.match) if pairing is not None else None
            if match is None or match.version < outcome.version:
                raise refused("tournament", f"the match of {name} that tells its result is not there, or not whole")
        try:
            if stage.begun:
                state.places_of(number)
        except (*_BROKEN, Refusal) as error:
            raise refused("tournament", f"the standings of stage {number + 1} cannot be made ({error})") from None
