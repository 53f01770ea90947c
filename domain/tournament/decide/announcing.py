"""Announcing a tournament: every stage with everything pinned, each with an answer that helps where it cannot be."""

from itertools import pairwise
from typing import Final

import msgspec

from domain import codec
from domain.game.protocol import AnyGame, AnyOptions
from domain.game.race import Race
from domain.log.decider import Refusal
from domain.match.house import HouseRules
from domain.match.opening import find_game, options_in, race_in, read_options
from domain.standings.tiebreaks.registry import UnknownTieBreak, tiebreaks_named
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.format import Format
from domain.tournament.formats import all_formats, read_format
from domain.tournament.plan import StageSetup
from domain.tournament.points import Terms
from domain.tournament.state import Tournament

LONGEST: Final = 80
MOST_STAGES: Final = 8


def announced(state: Tournament, command: c.Announce) -> e.TournamentAnnounced:
    """The first event of a tournament. Raises Refusal."""
    if state.version:
        raise Refusal("misfit", "this tournament has been announced already")
    name = " ".join(command.name.split())
    if not name or len(name) > LONGEST:
        raise Refusal("malformed", f"the name has 1 to {LONGEST} characters, on one line")
    if not 1 <= len(command.stages) <= MOST_STAGES:
        raise Refusal("malformed", f"a tournament has 1 to {MOST_STAGES} stages")
    stages = tuple(_stage(each, command.house.get(each.game)) for each in command.stages)
    for place, (stage, following) in enumerate(pairwise(stages), start=1):
        _check_onward(place, stage, following)
    sizes = {entered_by(stage) for stage in stages}
    if len(sizes) > 1:
        raise Refusal(
            "malformed", "players enter alone in one stage and as partners in another: choose one for all stages"
        )
    return e.TournamentAnnounced(name, stages, command.plan)


def _check_onward(place: int, stage: StageSetup, following: StageSetup) -> None:
    """Raises Refusal for a stage that never ends, or sends on too few for the next one."""
    format_ = read_format(msgspec.json.decode(stage.format))
    if format_.endless():
        called = format_.title.lower()
        raise Refusal("malformed", f"stage {place}: say how many rounds the {called} has, for another stage follows it")
    if not stage.go_on:
        return
    if stage.go_on < 2:
        raise Refusal("malformed", f"stage {place}: two or more go on, or everybody (0)")
    after = read_format(msgspec.json.decode(following.format))
    if too_few := after.too_few(stage.go_on):
        raise Refusal("malformed", f"stage {place}: {too_few}")
    try:
        after.fixtures(stage.go_on)
    except Refusal as refusal:
        raise Refusal("malformed", f"stage {place}, of which {stage.go_on} go on: {refusal.detail}") from None


def _stage(plan: c.StagePlan, house: HouseRules | None) -> StageSetup:
    """A stage with everything pinned; a match is won by two unless the plan or the house says otherwise."""
    format_ = _format(plan)
    game = find_game(plan.game)
    chosen = options_in(game, plan.options, house)
    options = read_options(game, chosen)
    sides = game.sides(options)
    if len(sides) > 2:
        raise Refusal(
            "unknown-option", f"{game.title} with these options has more sides than two: choose options with two"
        )
    if format_.enters_alone and any(len(side) != 2 for side in sides):
        raise Refusal("unknown-option", f"{format_.title}: {game.title} has no partners; choose a game for four")
    race = _race(game, options, plan, house)
    given = {name: value for name, value in codec.plain(options).items() if name in chosen}
    return StageSetup(
        msgspec.Raw(codec.encode(format_)),
        game.key,
        game.version,
        msgspec.Raw(codec.encode(given)),
        race,
        plan.go_on,
        " ".join(plan.name.split()),
        _terms(plan, format_),
        plan.minutes,
        plan.unfinished,
        None if house is None else house.version,
    )


def _race(game: AnyGame, options: AnyOptions, plan: c.StagePlan, house: HouseRules | None) -> Race:
    """The race of every match of a stage. Raises Refusal."""
    said = {**({} if house is None else house.race), **plan.race}
    to_a_target = game.race_for(options).target is not None or "target" in said
    usual = {"win_by": 2} if to_a_target and "win_by" not in said else {}
    return race_in(game, options, {**usual, **plan.race}, house)


def _format(plan: c.StagePlan) -> Format:
    kind = plan.format.get("kind")
    if kind not in all_formats():
        raise Refusal("unknown-option", f"there is no format {kind!r}; there are {', '.join(all_formats())}")
    try:
        return read_format(plan.format)
    except msgspec.ValidationError as error:
        raise Refusal("unknown-option", f"`format`: {error}") from None


def _terms(plan: c.StagePlan, format_: Format) -> Terms:
    codes = plan.terms.tiebreaks
    if codes and not format_.tiebreaks:
        raise Refusal(
            "unknown-option", f"{format_.title} has no tie-breaks: its places come from how far everybody came"
        )
    try:
        known = tuple(each.code for each in tiebreaks_named(codes))
    except UnknownTieBreak as error:
        raise Refusal("unknown-option", f"{error}") from None
    if len(set(known)) < len(known):
        raise Refusal("unknown-option", "name each tie-break once")
    return msgspec.structs.replace(plan.terms, tiebreaks=known)


def entered_by(stage: StageSetup) -> int:
    """The number of people in an entry of a stage: partners enter together, unless they change."""
    game = find_game(stage.game)
    sides = game.sides(options_of(stage, game))
    alone = read_format(msgspec.json.decode(stage.format)).enters_alone
    return 1 if alone else len(sides[0])


def options_of(stage: StageSetup, game: AnyGame) -> AnyOptions:
    """The game's options of a stage."""
    return codec.decode(stage.options, game.options)
