"""Decisions about streams that were recorded elsewhere: they are announced in the club before any of them is taken."""

import re
from typing import Final

from domain.club.commands import PushStreams
from domain.club.events import PlayerRegistered, StreamsPushed
from domain.club.names import checked_name
from domain.club.state import Club
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden

MOST: Final = 500  # streams of one event, and people of one command
_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_HASH: Final = re.compile(r"[0-9a-f]{64}\Z")
_SOURCE: Final = re.compile(r"[0-9a-f-]{8,36}\Z")
_FURTHEST: Final = 2**31 - 1


def pushed(club: Club, command: PushStreams, actor: Actor) -> list[New]:
    """The streams that come and were not announced with that head before, and the people whom the club does not know,
    as visitors under the ids that they have already. Nothing where all of it was said. Raises Refusal."""
    check_may_push(actor)
    _check(command)
    fresh = [
        each
        for each in command.heads
        if not any(
            (each.version, each.hash) == (known.version, known.hash) for known in club.pushed.get(each.stream, ())
        )
    ]
    news = []
    if fresh:
        streams = tuple(each.stream for each in fresh)
        heads = tuple((each.version, each.hash) for each in fresh)
        news.append(New(StreamsPushed(command.source, streams, heads, actor.id)))
    for person in command.people:
        if person.id not in club.players:
            name = None if person.name is None else {"name": checked_name(person.name)}
            news.append(New(PlayerRegistered(person.id, True), name))
    return news


def check_may_push(actor: Actor) -> None:
    """Raises Refusal for whoever may not take what others recorded into the whole club."""
    if not actor.directs or actor.tournament is not None or actor.match is not None:
        raise forbidden(actor)


def _check(command: PushStreams) -> None:
    """Raises Refusal for what no copy of Lurch would say."""
    if not _SOURCE.match(command.source):
        raise Refusal("malformed", "the source is the id of a copy or of a club: 8 to 36 digits and hyphens")
    if max(len(command.heads), len(command.people)) > MOST:
        raise Refusal("malformed", f"more than {MOST} at once: send them in several parts")
    if not command.heads:
        raise Refusal("malformed", "no stream is named: say which come")
    ids = [each.stream for each in command.heads]
    if len(set(ids)) < len(ids) or len({each.id for each in command.people}) < len(command.people):
        raise Refusal("malformed", "a stream or a person stands there twice")
    if not all(_ID.match(each) for each in (*ids, *(person.id for person in command.people))):
        raise Refusal("malformed", "an id of a stream or a person is malformed")
    if not all(_HASH.match(each.hash) and 0 < each.version <= _FURTHEST for each in command.heads):
        raise Refusal("malformed", "a head is no version with a hash")
