"""Every game, every option: the protocol is kept, with hands known and unknown."""

import random

import msgspec
import pytest

from domain import codec, english
from domain.games import all_games, fact_types
from domain.notation.words import call_word
from tests.kit.games import conformance as owes
from tests.kit.games.strategies import FORMS, naming, played_out, setup, universe
from tests.kit.match.tables import random_deal
from tests.kit.tournament.entries import some_entry

HIDING = [form for form in FORMS if any(kind.hides for kind in all_games()[form[0]].facts)]
every_game = pytest.mark.parametrize("key", list(all_games()))


def every_form(check):
    """Turn a check of a rule set into one test per game, over all its rule sets."""

    @every_game
    def of_game(key):
        for form in FORMS:
            if form[0] == key:
                with naming(form):
                    check(form)

    return of_game


def both_depths(check):
    """Run a check of a rule set with hands known and unknown."""

    def with_both(form):
        for known in (True, False):
            with naming("hands known" if known else "hands unknown"):
                check(form, known)

    return with_both


@every_form
def test_the_pack_is_dealt_exactly_once(form):
    game, options = setup(form)
    for seed in range(3):
        owes.the_pack_is_dealt_exactly_once(game, options, seed)


@every_form
@both_depths
def test_something_is_legal_until_the_deal_is_over(form, known):
    for seed in range(3):
        game, options, _, _, _, states = played_out(form, seed, known)
        owes.something_is_legal_until_the_end(game, options, states)


@every_form
@both_depths
def test_every_prefix_of_a_deal_replays_to_the_same_table(form, known):
    game, options, dealer, deal, facts, states = played_out(form, 7, known)
    owes.every_prefix_replays(game, options, dealer, deal, facts, states)


@every_form
@both_depths
def test_breaches_are_empty_exactly_for_the_legal_facts(form, known):
    game, _, _, _, _, states = played_out(form, 11, known)
    owes.breaches_are_empty_exactly_for_legal_facts(game, [*states[:5], *states[5::4]])


@every_form
@both_depths
def test_evolve_takes_any_fact_and_a_misfit_changes_nothing(form, known):
    game, options = setup(form)
    for seed in range(6):
        deal = random_deal(game.key, options, seed) if known else None
        owes.evolve_never_raises(game, options, seed % 2, deal, seed, all_games().values())


@every_form
@both_depths
def test_everything_that_is_said_has_words(form, known):
    game, options, _, _, facts, states = played_out(form, 5, known)
    owes.everything_said_has_words(game, options, [*states[::3], states[-1]], facts)


@pytest.mark.parametrize("kind", fact_types(), ids=str)
def test_a_fact_with_hidden_members_is_worded_without_them(kind):
    for fact in universe(next(game for game in all_games().values() if kind in (*game.facts, *game.remarks))):
        quiet = msgspec.structs.replace(fact, **dict.fromkeys(fact.hides))
        assert quiet.said().id in english.shared()
        assert not {getattr(fact, name) for name in fact.hides} & set(quiet.said().values.values())


@every_form
def test_a_finished_deal_takes_nothing_more(form):
    game, _, _, _, _, states = played_out(form, 3)
    owes.a_finished_deal_takes_nothing_more(game, states[-1])


@every_form
def test_after_breaches_a_card_that_has_been_played_is_never_legal_again(form):
    game, options = setup(form)
    for seed in range(12):
        deal = random_deal(game.key, options, seed)
        state = game.start(options, 0, deal)
        chance = random.Random(seed)
        hidden = game.script.cards_of(deal).cards
        played = set()
        while game.to_act(state) is not None and game.legal(state):
            legal = game.legal(state)
            cards = {each.card for each in legal if type(each).__struct_config__.tag == "play"}
            assert not cards & played, f"{cards & played} lie on the table already"
            fact = chance.choice(legal)
            if cards and chance.random() < 0.3:
                fact = type(legal[-1])(game.to_act(state), chance.choice(hidden))
            if type(fact).__struct_config__.tag == "play":
                played.add(fact.card)
            state = game.evolve(state, fact)
            if type(fact).__struct_config__.tag == "spice":
                played &= set(game.view(state, "all").seen)  # a winning card may go back to its hand


@pytest.mark.parametrize("kind", [kind for kind in fact_types() if kind.hides], ids=lambda kind: kind.__name__)
def test_a_fact_that_hides_members_can_be_told_without_them(kind):
    owes.hidden_members_may_be_null(kind)


@pytest.mark.parametrize("key", sorted({key for key, _ in HIDING}))
def test_a_hidden_fact_is_salted_and_visible_to_its_seat_only(key):
    # An option may make a game have no hidden facts, but each game needs a form that has some.
    forms = [setup(form) for form in HIDING if form[0] == key]
    owed = owes.hidden_facts_are_salted_and_told_to_their_seat_alone
    tried = [owed(*form, seed) for form in forms for seed in (0, 1)]
    assert any(tried)


@every_form
def test_a_call_fits_into_notation_and_is_read_again(form):
    game, _, _, _, facts, states = played_out(form, 2)
    for before, fact in zip(states, facts, strict=False):
        call = fact.as_call()
        if call is not None and game.script.move_text(before, fact) is None:
            written = call_word(f"A:{call}")
            assert written is not None, f"`{call}` is no call of notation: see Fact.as_call"
            assert type(fact).of_call(fact.seat, written.call) == fact


@every_game
def test_a_game_answers_the_whole_protocol_and_never_half_of_it(key):
    assert owes.unanswered(all_games()[key]) == []


@every_form
def test_facts_survive_the_list_form_and_the_wire(form):
    _, _, _, _, facts, _ = played_out(form, 2)
    for fact in facts:
        assert codec.from_list(codec.to_list(fact)) == fact
        assert codec.fact_decoder().decode(codec.encode(fact)) == fact


@every_form
def test_deals_survive_the_wire(form):
    game, options = setup(form)
    deal = random_deal(game.key, options, 4)
    assert codec.decode(codec.encode(deal), game.deal) == deal


@every_game
def test_every_option_explains_itself_with_a_ledger_number(key):
    game = all_games()[key]
    for field in msgspec.json.schema(game.options)["$defs"]["Options"]["properties"].values():
        assert field["description"]
    for field in msgspec.structs.fields(game.options):
        extra = msgspec.inspect.type_info(field.type).extra
        assert extra["ledger"].split(".")[0] == game.rules[0][0].split(".")[0]
        assert extra["level"] in ("deal", "match")


@every_form
def test_all_4_the_controls_of_the_entry_form_alone_make_an_entry(form):
    game, options = setup(form)
    assert some_entry(game, options)


@every_game
def test_worked_examples_score(key):
    game = all_games()[key]
    for worked in game.worked:
        options = codec.convert(dict(worked.options), game.options)
        assert game.sheet.score(options, codec.convert(dict(worked.entry), game.sheet.entry(options))).scores
