"""Checks of the game protocol. A test module calls them for each game and each set of options."""

import random
from typing import Any

import msgspec

from domain import codec, english
from domain.cards.card import cards_in
from domain.game.protocol import ALL, Game
from domain.log.actor import SERVICE
from domain.match import commands as c
from domain.match.decide import decide
from domain.match.events import UNKNOWN
from domain.match.evolve import fold, initial
from domain.match.mending_commands import Correct
from domain.match.sight import seen
from projections.table_view import table_view
from tests.kit.games.strategies import candidates, junk, universe
from tests.kit.match.tables import random_deal, random_legal


def unanswered(game: Any) -> list[str]:
    """Return the members of the protocol that a game lacks."""
    wanted = {name for name in (*vars(Game), *Game.__annotations__) if not name.startswith("_")}
    return sorted(name for name in wanted if not hasattr(game, name))


def the_pack_is_dealt_exactly_once(game: Any, options: Any, seed: int) -> None:
    """Check that a random deal holds the whole pack once and survives the notation of deals."""
    deal = random_deal(game.key, options, seed)
    assert game.check_deal(options, deal) is None
    spread = game.script.cards_of(deal)
    gaps = sum(row.count(None) for row in spread.rows)  # a gap stands for the joker of the pack
    assert len(set(spread.cards)) == len(spread.cards) == game.pack(options).bit_count() - gaps
    assert set(spread.cards) <= set(cards_in(game.pack(options)))
    assert game.script.deal_of(options, spread) == deal


def something_is_legal_until_the_end(game: Any, options: Any, states: list) -> None:
    """Check that every state but the last has a legal fact and only the last a score."""
    seats = game.seats(options)
    for state in states[:-1]:
        assert game.legal(state)
        assert game.to_act(state) in range(seats)
        assert game.score(state) is None
        assert game.legal(state) == game.legal(state)
    assert game.to_act(states[-1]) is None
    assert game.legal(states[-1]) == ()
    assert len(game.score(states[-1]).scores) in (seats, len(game.sides(options)))


def every_prefix_replays(game: Any, options: Any, dealer: int, deal: Any, facts: list, states: list) -> None:
    """Check that replaying the facts gives the same states."""
    state = game.start(options, dealer, deal)
    for fact, expected in zip(facts, states, strict=False):
        assert state == expected
        state = game.evolve(state, fact)
    assert state == states[-1]


def breaches_are_empty_exactly_for_legal_facts(game: Any, states: list) -> None:
    """Check every possible fact in these states: it has no breaches if and only if it is legal."""
    every = universe(game)
    for state in states:
        legal = set(game.legal(state))
        assert legal <= set(every)
        for fact in every:
            if type(fact) in game.remarks or fact.is_word:
                assert fact not in legal
                continue
            reasons = game.breaches(state, fact)
            assert (reasons == ()) == (fact in legal), (fact, reasons)
            assert all(reason.rule and reason.detail for reason in reasons)


def evolve_never_raises(game: Any, options: Any, dealer: int, deal: Any, seed: int, games: Any) -> list:
    """Evolve with arbitrary facts in any order: nothing raises, and a misfit leaves the state unchanged."""
    chance = random.Random(seed)
    state = game.start(options, dealer, deal)
    pool, anything = universe(game), junk(games, chance, 30)
    kinds = {kind: [fact for fact in pool if type(fact) is kind] for kind in {type(fact) for fact in pool}}
    states = [state]
    for step in range(140):
        if game.to_act(state) is None:
            break
        legal = game.legal(state)
        alike = kinds.get(type(legal[-1]), []) if legal else []
        fact = chance.choice(chance.choice((legal, alike, alike, pool, anything)) or pool)
        reasons = game.breaches(state, fact)
        after = game.evolve(state, fact)
        if any(reason.misfit for reason in reasons) or type(fact) in game.remarks:
            assert after == state
        state = after
        states.append(state)
        if step % 3:
            continue
        for look in (game.score, game.duty, game.script.section_sums, game.legal, game.to_act):
            look(state)
        for viewer in (None, ALL, *range(game.seats(options))):
            assert game.lying(state) == tuple(each.seat for each in game.view(state, viewer).trick)
    return states


def a_finished_deal_takes_nothing_more(game: Any, last: Any) -> None:
    """Check that a sample of all facts are misfits after the end of a deal."""
    for fact in universe(game)[::7]:
        if type(fact) in game.remarks:
            continue
        assert any(reason.misfit for reason in game.breaches(last, fact))
        assert game.evolve(last, fact) == last


def hidden_members_may_be_null(kind: Any) -> None:
    """Check that hidden members may be null and that only the seat of the fact sees them."""
    assert "seat" not in kind.hides
    for fact in candidates(kind)[::5]:
        bare = msgspec.structs.replace(fact, **dict.fromkeys(kind.hides))
        assert codec.fact_decoder().decode(codec.encode(bare)) == bare
        assert seen(fact, fact.seat) is fact
        assert seen(fact, ALL) is fact
        for viewer in {None, 0, 1, 2, 3} - {fact.seat}:
            assert seen(fact, viewer) == bare


def hidden_facts_are_salted_and_told_to_their_seat_alone(game: Any, options: Any, seed: int) -> int:
    """Record and correct legal facts with hidden members; return how many were tried.

    Each must be salted, and no other viewer may see the hidden members in events or table views.
    """
    match, chance, tried = _begun(game, options), random.Random(seed), 0
    while (legal := game.legal(match.deals[-1].table)) and tried < 6:
        secret = [fact for fact in legal if fact.holds_hidden]
        if secret:
            fact = chance.choice(secret)
            _told_to_its_seat_alone(match, fact, [each for each in secret if each.seat == fact.seat])
            tried += 1
        quiet = [each for each in legal if not each.hides]
        match = fold(match, [(match.version + 1, chance.choice(quiet or legal))])
    return tried


def everything_said_has_words(game: Any, options: Any, states: list, facts: list) -> None:
    """Check that each fact, question, figure and note has a complete English sentence."""
    phrases = english.phrases(game.key)
    for fact in facts:
        assert fact.said().id in phrases, fact
        assert fact.asks in phrases, fact
        assert english.awaited(str(fact.__struct_config__.tag)), fact
        assert not set("{}|") & set(english.sentence(game.key, fact.said()) + english.offered(game.key, fact))
    for state in states:
        for viewer in (None, ALL, 0):
            table = game.view(state, viewer)
            for note in table.notes:
                assert note.id in phrases, note
                assert not set("{}|") & set(english.sentence(game.key, note))
            for figure in table.figures:
                owners = game.seats(options) if figure.by == "seat" else len(game.sides(options))
                assert figure.label in phrases, figure
                assert len(figure.values) == owners, figure
                assert all(str(n) in english.counted(game.key, figure.label, n) for n in figure.values)
            _laid_out_once(table.layout)


def _laid_out_once(layout: Any) -> None:
    """Check that a layout is a rectangle whose squares are where their names say."""
    if layout is None:
        return
    assert len(layout.cells) == len(layout.rows)
    for row, squares in zip(layout.rows, layout.cells, strict=True):
        assert len(squares) == len(layout.columns)
        named = [(column, square) for column, square in zip(layout.columns, squares, strict=True) if square]
        assert [square.name for _, square in named] == [column + row for column, _ in named]
        assert all((square.card is None) == (square.state in ("face_down", "empty")) for _, square in named)


def _begun(game: Any, options: Any) -> Any:
    """Start a match with physical cards and its first deal."""
    sides = tuple(tuple(f"player {seat}" for seat in seats) for seats in game.sides(options))
    opening = c.OpenMatch(game=game.key, options=codec.plain(options), race={}, sides=sides)
    state = initial()
    for command in (opening, c.StartDeal(dealer=0)):
        state = fold(state, [(state.version + 1, new.event) for new in decide(state, command, SERVICE)])
    return state


def _told_to_its_seat_alone(match: Any, fact: Any, others: list) -> None:
    (new,) = decide(match, c.RecordFacts(facts=(fact,)), SERVICE)
    assert new.secret, f"{fact} is not salted"
    version = match.version + 1
    after = fold(match, [(version, fact)])
    now = codec.plain(others[0] if len(others) == 1 else next(each for each in others if each != fact))
    (fixed,) = decide(after, Correct(version=version, now=now, note="misread"), SERVICE)
    assert fixed.secret, f"a correction of {fact} is not salted"
    quiet = codec.plain(msgspec.structs.replace(fact, **dict.fromkeys(fact.hides)))
    assert decide(after, Correct(version=version, now=quiet, note="misread"), SERVICE)[0].secret
    views = {}
    for each in others:
        after = fold(match, [(version, each)])
        assert after.deals[-1].drawn, "the log holds something hidden"
        for viewer in {None, *range(match.setup.game.seats(match.setup.options))} - {fact.seat}:
            told = (seen(each, viewer, after, version), table_view(after, after.deals[-1], viewer))
            assert codec.encode(told) == codec.encode(views.setdefault(viewer, told)), (each, viewer)
            assert seen(fixed.event, viewer, after, version + 1).now == UNKNOWN
        assert seen(each, fact.seat, after, version) is each
    assert seen(fixed.event, fact.seat, after, version + 1) is fixed.event


def whole_check(game: Any, options: Any, games: Any, seed: int = 1) -> None:
    """Run all checks for one game and one set of options, with known and unknown hands."""
    the_pack_is_dealt_exactly_once(game, options, seed)
    for deal in (random_deal(game.key, options, seed), None):
        start = game.start(options, 0, deal)
        facts = random_legal(game, start, random.Random(seed))
        states = [start]
        for fact in facts:
            states.append(game.evolve(states[-1], fact))
        something_is_legal_until_the_end(game, options, states)
        every_prefix_replays(game, options, 0, deal, facts, states)
        breaches_are_empty_exactly_for_legal_facts(game, states[::3])
        evolve_never_raises(game, options, 0, deal, seed, games)
        everything_said_has_words(game, options, states[::3] + states[-1:], facts)
        a_finished_deal_takes_nothing_more(game, states[-1])
    for kind in (*game.facts, *game.remarks):
        hidden_members_may_be_null(kind)
    tried = hidden_facts_are_salted_and_told_to_their_seat_alone(game, options, seed)
    assert tried or not any(kind.hides for kind in game.facts)
