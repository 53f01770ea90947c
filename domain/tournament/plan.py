"""The plan of a tournament: its stages with format, game and race, and beside them date, prizes, and when a result
counts. It is pinned when the tournament is announced."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from domain.game.race import Race
from domain.log.actor import Strength
from domain.match.event import Delay, Signals
from domain.tournament.points import Terms

Unfinished: TypeAlias = Literal["finish", "drop", "count"]
PointCounting: TypeAlias = Literal["played", "confirmed"]


class StageSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One stage: its format with its options, what is played, with rules version and options pinned, the race of every
    match, how many go on to the next stage (0: all), and the terms that its standings are made by. After `minutes`
    the deal that is on is finished, dropped, or counted as it stands. What nobody said of options and race is of the
    house rules that the club adopted at version `house` of its own stream; null: there were none (schema 3)."""

    format: msgspec.Raw
    game: str
    rules: int
    options: msgspec.Raw
    race: Race
    go_on: int = 0
    name: str = ""
    terms: Terms = Terms()
    minutes: int | None = None
    unfinished: Unfinished = "finish"
    house: int | None = None


class Prize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The prize of the places from `first` to `last`."""

    first: Annotated[int, msgspec.Meta(ge=1, le=4096)]
    last: Annotated[int, msgspec.Meta(ge=1, le=4096)]
    what: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The plan of an event beside its stages: the day it is played, the season it counts for, the entry fee in
    hundredths of a currency, prizes, and when the result of a match counts: when the last card is played, or when both
    sides have confirmed it, `plays_on` as strongly. A result is `final` when both have confirmed it so strongly (null:
    at once), or a director has spoken. After `timeout` minutes (null: never) the silence of one side counts for playing
    on as a yes to what the other one signed. `signals` says when who is told of a finding in its matches (schema 4 of
    TournamentAnnounced), `delay` how far behind its tables onlookers are (schema 5)."""

    date: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\s\S])")] | None = None
    season: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    fee: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] = 0
    currency: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}(?![\s\S])")] = "EUR"
    prizes: Annotated[tuple[Prize, ...], msgspec.Meta(max_length=100)] = ()
    counts: PointCounting = "played"
    plays_on: Strength | None = None
    final: Strength | None = None
    timeout: Annotated[int, msgspec.Meta(ge=1, le=7 * 24 * 60)] | None = None
    signals: Signals = "quiet"
    delay: Delay = "none"
