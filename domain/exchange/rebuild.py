"""From an archive to streams: every event read and folded before anything is recorded, ids made fresh."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias, TypeVar

import msgspec

from domain import codec, registry
from domain.exchange.archive import (
    ArchivedEvent,
    ArchivedStream,
    TournamentArchive,
    archive_refusal,
    fresh_id,
    match_ids,
    with_ids,
)
from domain.exchange.words_beside import wrong_words
from domain.games import fact_types
from domain.log.decider import New, Refusal
from domain.log.event import AnyEvent, JsonObject
from domain.match import events as match_events
from domain.match import stated
from domain.match.evolve import fold as fold_match
from domain.match.sight import salted
from domain.match.state import Match, NoMatch, State, race_of
from domain.tournament import events as tournament_events
from domain.tournament.evolve import fold as fold_tournament
from domain.tournament.state import Tournament

BROKEN: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, RecursionError)
Folded = TypeVar("Folded")
Event = TypeVar("Event")
Fold: TypeAlias = Callable[[Folded, Iterable[tuple[int, Event]]], Folded]


class Rebuilt(msgspec.Struct, frozen=True):
    """The streams to record: the tournament's id and events, and those of its matches by id."""

    tournament: str
    events: list[New]
    matches: dict[str, list[New]]


@cache
def kinds_of(tournament: bool) -> frozenset[str]:
    """The names of the events of a tournament, or of a match."""
    if tournament:
        return frozenset(kind.__name__ for kind in tournament_events.OWN_EVENTS)
    return frozenset(kind.__name__ for kind in (*fact_types(), *match_events.OWN_EVENTS))


def rebuilt(archive: TournamentArchive, club: str, players: Mapping[str, str] | None = None) -> Rebuilt:
    """The streams of an archive in a club; `players` are their ids there. Raises Refusal for an archive that does not
    fit together."""
    plain = {each.id: _plain(each) for each in (archive.tournament, *archive.matches)}
    ids = _fresh(archive, club, plain[archive.tournament.id])
    ids |= players if players is not None else {player: player for player in archive.people}
    tournament = _events("tournament", archive.tournament, ids, tournament=True)
    state = _folded("tournament", fold_tournament, Tournament(), tournament)
    kinds = (each.type for each in archive.tournament.events)
    known = {*match_ids(zip(kinds, plain[archive.tournament.id], strict=True))}
    matches = {}
    folded: dict[str, Match] = {}
    for at, stream in enumerate(archive.matches):
        where = f"matches[{at}]"
        if stream.id not in known or ids[stream.id] in matches:
            raise archive_refusal(where, "it is no match of this tournament, or stands twice")
        events = _events(where, stream, ids, tournament=False)
        matches[ids[stream.id]], folded[ids[stream.id]] = _match(where, events, ids[archive.tournament.id])
    _check_people({ids[player] for player in archive.people}, state, folded)
    _check_outcomes(state, folded)
    return Rebuilt(ids[archive.tournament.id], tournament, matches)


def _plain(stream: ArchivedStream) -> list[JsonObject]:
    return [msgspec.json.decode(each.data) for each in stream.events]


def _fresh(archive: TournamentArchive, club: str, events: Sequence[JsonObject]) -> dict[str, str]:
    """Fresh ids for the tournament, its entries and its matches. Raises Refusal."""
    try:
        kinds = [each.type for each in archive.tournament.events]
        old = [archive.tournament.id, *match_ids(zip(kinds, events, strict=True))]
        old += [data["entry"] for kind, data in zip(kinds, events, strict=True) if kind == "EntryMade"]
    except BROKEN as error:
        raise archive_refusal("tournament", f"an event lacks something ({error})") from None
    if not all(isinstance(each, str) and len(each) == 36 for each in old) or len(set(old)) < len(old):
        raise archive_refusal("tournament", "an id is malformed, or stands for two things")
    return {each: fresh_id(club, archive.digest, each) for each in old}


def _events(where: str, stream: ArchivedStream, ids: Mapping[str, str], tournament: bool) -> list[New]:
    """The events of a stream. Raises Refusal."""
    found = []
    for at, member in enumerate(stream.events, start=1):
        place = f"{where}.events[{at - 1}]"
        if member.version != at:
            raise archive_refusal(place, f"version {at} is missing")
        if member.type not in kinds_of(tournament):
            raise archive_refusal(place, f"{member.type[:40]} is no event of it")
        found.append(_event(place, member, ids))
    return found


def _event(place: str, member: ArchivedEvent, ids: Mapping[str, str]) -> New:
    try:
        data = codec.encode(with_ids(msgspec.json.decode(member.data), ids))
        event = registry.read_event(member.type, member.schema, data)
    except BROKEN as error:
        raise archive_refusal(place, str(error)) from None
    private = member.private
    wrong = wrong_words(private or {})
    if wrong:
        raise archive_refusal(place, f"the part beside it holds no words in {wrong[:40]!r}")
    if isinstance(event, match_events.ScoreStated):
        # words of an archive are not for the part that everybody reads
        event, private = stated.words_apart(event, private)
    return New(_of_elsewhere(event), private)


def _of_elsewhere(event: AnyEvent) -> AnyEvent:
    """An event as a file says it: without the place of house rules in the log of the club that it comes from (the rules
    stand in it), and signed no more strongly than by a file, which anybody may have written."""
    match event:
        case match_events.MatchOpened() | tournament_events.StageStarted():
            return msgspec.structs.replace(event, house=None)
        case tournament_events.TournamentAnnounced():
            stages = tuple(msgspec.structs.replace(each, house=None) for each in event.stages)
            return msgspec.structs.replace(event, stages=stages)
        case match_events.ResultConfirmed() | match_events.OwnTableAgreed() | tournament_events.OutcomeClaimed():
            signed = event.strength in (None, "timeout")
            return event if signed else msgspec.structs.replace(event, strength="file")
        case _:
            return event


def _folded(where: str, fold: Fold[Folded, Event], initial: Folded, events: Iterable[New]) -> Folded:
    """Fold events into a state. Raises Refusal at the first that does not follow from those before it."""
    state = initial
    for version, new in enumerate(events, start=1):
        state = _after(where, fold, state, version, new)
    return state


def _after(where: str, fold: Fold[Folded, Event], state: Folded, version: int, new: New) -> Folded:
    """The state after one more event. Raises Refusal where it does not follow."""
    try:
        return fold(state, [(version, new.event)])
    except (*BROKEN, Refusal) as error:
        raise archive_refusal(f"{where}.events[{version - 1}]", f"it does not follow ({error})") from None


def _salted(where: str, events: list[New]) -> tuple[list[New], State]:
    """The events of a match with salts where they hide something, and the state after them. Raises Refusal."""
    state: State = NoMatch()
    found = []
    for version, new in enumerate(events, start=1):
        found.append(salted(new, state))
        state = _after(where, fold_match, state, version, new)
    return found, state


def _match(where: str, events: list[New], tournament: str) -> tuple[list[New], Match]:
    """The events of a match as they are recorded, and the match as they leave it. Raises Refusal."""
    first = events[0].event
    if not isinstance(first, match_events.MatchOpened) or first.tournament != tournament:
        raise archive_refusal(f"{where}.events[0]", "it does not open a match of this tournament")
    recorded, state = _salted(where, events)
    assert isinstance(state, Match)
    wrong = wrong_match(state)
    if wrong:
        raise archive_refusal(where, wrong)
    return recorded, state


def wrong_match(match: Match) -> str:
    """The reason why a match that was folded cannot be shown; empty where it can."""
    try:
        race_of(match)
    except BROKEN as error:
        return f"its score cannot be made out ({error})"
    whats = {*match.setup.game.script.sections(match.setup.options), *stated.WHATS}
    if any(each.what not in whats for deal in match.deals for each in deal.stated):
        return "something is stated that no deal of this game has"
    return ""


def _check_people(known: set[str], state: Tournament, matches: Mapping[str, Match]) -> None:
    """Raises Refusal for a player or entrant who is not among the people."""
    if not state.version or not state.stages:
        raise archive_refusal("tournament.events[0]", "it does not announce a tournament")
    playing = {player for entry in state.entries.values() for own in (entry.players, *entry.before) for player in own}
    seated = {player for match in matches.values() for side in match.setup.sides for player in side}
    if not (playing | seated) <= known:
        raise archive_refusal("people", "somebody plays who is not among them")


def _check_outcomes(state: Tournament, matches: Mapping[str, Match]) -> None:
    """Raises Refusal for a result whose match is missing or too short, or for standings that cannot be made."""
    for stage in state.stages:
        for name, outcome in stage.decided.items():
            pairing = stage.pairings.get(name)
            if outcome.version is None:
                continue
            match = matches.get(pairing.match) if pairing is not None else None
            if match is None or match.version < outcome.version:
                raise archive_refusal(
                    "tournament", f"the match of {name} that tells its result is not there, or not whole"
                )
    wrong = wrong_standings(state)
    if wrong:
        raise archive_refusal("tournament", wrong)


def wrong_standings(state: Tournament) -> str:
    """The reason why the standings of a tournament that was folded cannot be made; empty where they can."""
    for number, stage in enumerate(state.stages):
        try:
            if stage.begun:
                state.places_of(number)
        except (*BROKEN, Refusal) as error:
            return f"the standings of stage {number + 1} cannot be made ({error})"
    return ""
