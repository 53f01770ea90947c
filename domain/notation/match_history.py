"""Histories as matches and back: a line is a deal, and a match of that one deal when it is imported."""

import msgspec

from domain import codec
from domain.cards.facts import Fact, RestAnswered, RestClaimed
from domain.game.rest import ended_by_claim
from domain.log.actor import SERVICE
from domain.log.decider import New, Refusal
from domain.log.event import JsonObject
from domain.match import commands as c
from domain.match.decide import decide
from domain.match.evolve import fold
from domain.match.recording import plain_play
from domain.match.state import Deal, Match, NoMatch, State
from domain.notation import history


def events_of(read: history.History, sides: tuple[tuple[str, ...], ...]) -> list[New]:
    """The events of a match in which a line's deal is played, strictly. `sides` are placeholders of
    the players. Raises Refusal for the first action that breaks a rule."""
    opening: tuple[c.MatchCommand, ...] = (
        c.OpenMatch(
            game=read.game.key, options=read.given, race={"deals": 1}, sides=sides, recording="strict", depth="full"
        ),
        c.StartDeal(dealer=read.dealer, deal=codec.plain(read.deal), depth="full"),
    )
    state: State = NoMatch()
    news: list[New] = []
    for command in opening:
        state = _done(state, command, news)
    assert isinstance(state, Match)
    return [*news, *_played(state, read)]


def _played(match: Match, read: history.History) -> list[New]:
    """The events of a line's actions, and of the pass that it leaves out. Raises Refusal."""
    plain = plain_play(match, read.facts)
    silent = None if plain is None else history.last_pass(read.game, read.options, plain.table)
    if silent is not None:
        plain = plain_play(match, (*read.facts, silent))
    return one_by_one(match, read) if plain is None else plain.news


def one_by_one(match: Match, read: history.History) -> list[New]:
    """The same, each action decided on the match behind the one before it."""
    state: State = match
    news: list[New] = []
    if read.facts:
        state = _done(state, c.RecordFacts(facts=tuple(read.facts)), news)
    assert isinstance(state, Match)
    silent = history.last_pass(read.game, read.options, state.deals[-1].table)
    if silent is not None:
        _done(state, c.RecordFacts(facts=(silent,)), news)
    return news


def _done(state: State, command: c.MatchCommand, news: list[New]) -> State:
    """The match after a command, whose events are added to the others."""
    decided = decide(state, command, SERVICE)
    start = 0 if isinstance(state, NoMatch) else state.version
    news += decided
    return fold(state, [(start + place, new.event) for place, new in enumerate(decided, start=1)])


def places_of(read: history.History) -> tuple[tuple[int, ...], ...]:
    """The seats of each side of a line's game."""
    sides: tuple[tuple[int, ...], ...] = read.game.sides(read.options)
    return sides


def lines_of(match: Match) -> list[str]:
    """A match's deals as histories. Raises Refusal for a deal whose cards nobody recorded."""
    return [_line(match, deal) for deal in match.deals]


def _line(match: Match, deal: Deal) -> str:
    if deal.cards is None:
        raise Refusal(
            "misfit",
            f"deal {deal.number} was recorded without its hands, which a history must hold: export the match as CTN",
        )
    game = match.setup.game
    facts = _kept(match, deal)
    return history.write(game, _deal_options(match), deal.dealer, deal.cards, facts)


def _kept(match: Match, deal: Deal) -> list[Fact]:
    """The facts that a history holds: no remarks, and a claim of the rest only where the rest was given."""
    game = match.setup.game
    table = game.start(match.setup.options, deal.dealer, deal.cards)
    kept: list[Fact] = []
    said: list[Fact] = []
    for _, fact in deal.facts:
        if type(fact) in game.remarks:
            continue
        before, table = game.rest(table), game.evolve(table, fact)
        said = [*said, fact] if fact.is_word else []
        if not fact.is_word:
            kept.append(fact)
        elif ended_by_claim(before, game.rest(table), fact):
            kept += _agreed(said)
            said = []
    return kept


def _agreed(said: list[Fact]) -> list[Fact]:
    """The last claim among what was said, with the answers that made it so."""
    last = max(place for place, fact in enumerate(said) if isinstance(fact, RestClaimed))
    return [fact for fact in said[last:] if not isinstance(fact, RestAnswered) or fact.yes]


def _deal_options(match: Match) -> JsonObject:
    """The options that differ from the defaults and concern a deal."""
    options = match.setup.options
    given: JsonObject = codec.plain(options)
    default = msgspec.structs.asdict(match.setup.game.options())
    return {
        name: value
        for name, value in given.items()
        if value != default[name] and history.option_level(match.setup.game, name) == "deal"
    }
