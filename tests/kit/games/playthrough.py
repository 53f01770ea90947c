"""Golden playthroughs: random legal deals written step by step as text, so that a diff shows what a change affects.

`python -m tests.kit.games.playthrough` writes tests/data/playthroughs again; read the diff.
"""

import functools
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain import codec
from domain.cards.facts import CardDrawn, Passed
from domain.chance import below, words
from domain.games import all_games
from domain.notation import history
from domain.notation.dealing import random_deal
from tests.kit.games.playthrough_text import body, header
from tests.kit.match.tables import told

FOLDER = Path(__file__).parents[2] / "data" / "playthroughs"
SEED = 1
RULE_SET = "variant"  # the option whose values are rule sets of their own
# options that only show beside another one
BESIDE = {("ristikontra", "dishonour_points"): {"cleaning": True}}
# further sets than each value by itself
MORE = [("cross_purposes", {"variant": "alliance", "open_proposals": "latest", "own_repeat": False})]
# (game, rule set, option): what the option decides does not come up in that rule set
SILENT = {
    ("cross_purposes", "two", "open_proposals"),
    ("cross_purposes", "two", "own_repeat"),
    ("cross_purposes", "fixed", "next_dealer"),
    ("cross_purposes", "alliance", "next_dealer"),
}
# the deal of the seed in which an option first shows; 1 where it is not named
NUMBERS = {
    "cross_game": 4,  # a pair is shown, a bid of six fails
    "cross_game-physical": 4,
    "cross_game-announce=declared": 50,  # both announce
    "cross_purposes-variant=fixed-open_proposals=latest": 2,
    "cross_purposes-variant=alliance-open_proposals=latest": 2,
    "cross_purposes-variant=alliance-open_proposals=latest-own_repeat=false": 2,
    "over_the_top": 1900,  # a trick ends short, and there is a fourteenth
    "over_the_top-physical": 1900,
    "over_the_top-no_numeral=ten": 2,
    "parity": 22,  # the jokers meet, with black trumps
    "parity-physical": 22,
    "parity-open_hands=false": 22,
    "ristikontra": 2,  # both sides take tricks
    "ristikontra-physical": 2,
    "ristikontra-values=five": 2,
    "ristikontra-refill=after_card": 2,  # 61 to 59
    "ristikontra-refill=after_card-physical": 2,
    "ristikontra-spice=true": 4,
    "ristikontra-spice=true-physical": 4,
    "ristikontra-no_fourth_lead=true": 2001,  # a seat that has led a rank three times holds the fourth
    "ristikontra-tie_break_tricks=true": 23,  # 60 to 60
    "ristikontra-cleaning=true": 277,  # the last king is turned up in the dark
    "ristikontra-cleaning=true-physical": 277,
    "ristikontra-cleaning=true-dishonour_points=2": 4,  # a side on 106 has not cleaned
}
# what random play never comes to
STUBBORN = {"ristikontra-no_fourth_lead=true"}
PHYSICAL = [
    ("garbo", {"claims": "manual"}),
    ("ristikontra", {"spice": True}),
    ("ristikontra", {"cleaning": True}),
    ("ristikontra", {"refill": "after_card"}),
]

Form = tuple[str, dict[str, Any], bool]  # game, options given, whether the cards are physical


def values_of(kind: Any) -> tuple[Any, ...]:
    """Return every value of an option."""
    if kind is bool:
        return (False, True)
    if get_origin(kind) is not Literal:
        raise TypeError(f"an option of the type {kind}: say here what its values are")
    return get_args(kind)


def rule_sets(game: Any) -> list[dict[str, Any]]:
    """Return the options that choose each rule set of a game; the default one needs none."""
    kinds = get_type_hints(game.options)
    if RULE_SET not in kinds:
        return [{}]
    default = getattr(game.options(), RULE_SET)
    return [{} if value == default else {RULE_SET: value} for value in values_of(kinds[RULE_SET])]


def option_values(game: Any) -> list[tuple[str, Any]]:
    """Return every non-default value of every option except the rule set."""
    defaults = game.options()
    return [
        (name, value)
        for name, kind in get_type_hints(game.options).items()
        for value in values_of(kind)
        if name != RULE_SET and value != getattr(defaults, name)
    ]


def silent(key: str, chosen: dict[str, Any], name: str) -> bool:
    """Return True if an option has no effect in a rule set."""
    return (key, chosen.get(RULE_SET, getattr(all_games()[key].options(), RULE_SET, None)), name) in SILENT


def forms() -> list[Form]:
    """Return every form that must have a file."""
    found: list[Form] = []
    for key, game in all_games().items():
        for chosen in rule_sets(game):
            found += [(key, chosen, False), (key, chosen, True)]
            for name, value in option_values(game):
                if not silent(key, chosen, name):
                    found.append((key, {**chosen, **BESIDE.get((key, name), {}), name: value}, False))
    return [*found, *((*more, False) for more in MORE), *((*more, True) for more in PHYSICAL)]


def named(form: Form) -> str:
    """Return the file name of a form."""
    key, given, physical = form
    given_words = [f"{name}={str(value).lower()}" for name, value in given.items()]
    return "-".join([key, *given_words, *(["physical"] if physical else [])])


class Course(msgspec.Struct, frozen=True):
    """A deal and its facts; `deal` is None with physical cards."""

    form: Form
    number: int
    game: Any
    options: Any
    dealer: int
    deal: Any
    facts: list[Any]


def states_of(course: Course, options: Any = None) -> list[Any]:
    """Return the states from first to last, by option under other options."""
    game = course.game
    states = [game.start(options or course.options, course.dealer, course.deal)]
    for fact in course.facts:
        states.append(game.evolve(states[-1], fact))
    return states


def course_of(form: Form, number: int) -> Course:
    """Play a seeded deal with random legal facts, or the same as recorded without knowing the cards."""
    key, given, physical = form
    game = all_games()[key]
    # with physical cards a pair is announced or does not count (CG.g7)
    shown = {"announce": "declared"} if physical and key == "cross_game" else {}
    options = codec.convert({**given, **shown}, game.options)
    of_deal = {name: value for name, value in given.items() if history.option_level(game, name) == "deal"}
    read = history.read(random_deal(game, options, of_deal | shown, SEED, number))
    facts = stubborn(game, game.start(options, read.dealer, read.deal)) if named(form) in STUBBORN else read.facts
    facts = [*facts, *unsaid(game, options, read, facts)]
    course = Course(form, number, game, options, read.dealer, read.deal, facts)
    return _physical(course, codec.convert(given, game.options)) if physical else course


def unsaid(game: Any, options: Any, read: Any, facts: list[Any]) -> list[Any]:
    """Return the pass that ends a deal of Garbo, which a history omits."""
    table = functools.reduce(game.evolve, facts, game.start(options, read.dealer, read.deal))
    silent = history.last_pass(game, options, table)
    return [silent] if silent is not None else []


def stubborn(game: Any, state: Any) -> list[Any]:
    """Play a deal in which leaders repeat the last rank or lead their most frequent one, and others avoid it."""
    facts = []
    while choices := game.legal(state):
        table = game.view(state, "all")
        ranks = [card.rank for card in table.hands[table.to_act]]
        led = table.trick[0].card.rank if table.trick else None
        plays = [each for each in choices if hasattr(each, "card") and each.card is not None]
        rank_of = {each: each.card.rank for each in plays}
        if led is None:
            last = table.last_trick[0].card.rank if table.last_trick else None
            plays.sort(key=lambda each: (rank_of[each] != last, -ranks.count(rank_of[each])))
        else:
            plays.sort(key=lambda each: rank_of[each] == led)
        facts.append([*plays, *choices][0])
        state = game.evolve(state, facts[-1])
    return facts


def _physical(course: Course, options: Any) -> Course:
    """Record the same deal with only the facts that all players saw, and some of the draws."""
    game, known = course.game, states_of(course)
    chance = words(f"playthrough draws/{game.key}/{course.number}".encode())
    facts: list[Any] = []
    state = game.start(options, course.dealer, None)

    def tell(fact: Any) -> None:
        nonlocal state
        assert fact in game.legal(state), (fact, "is not legal with physical cards")
        facts.append(fact)
        state = game.evolve(state, fact)

    for plain, seen, before, after in zip(
        course.facts, told(game, course.facts, known), known, known[1:], strict=False
    ):
        tell(seen if seen in game.legal(state) else plain)
        for draw in _draws(game, before, after, chance):
            if draw in game.legal(state):
                tell(draw)
    if game.to_act(state) is not None:
        tell(Passed(game.to_act(state)))  # stuck, and says so
    return msgspec.structs.replace(course, options=options, deal=None, facts=facts)


def _draws(game: Any, before: Any, after: Any, chance: Any) -> list[CardDrawn]:
    """Return the cards drawn, the leader's first: recorded openly, recorded hidden, or not recorded."""
    old, new = game.view(before, "all"), game.view(after, "all")
    seats = len(new.hands)
    first = new.to_act or 0
    lay = {*old.seen, *(each.card for each in old.trick)}  # a winning card that goes back is not drawn
    found = []
    for seat in ((first + step) % seats for step in range(seats)):
        for card in sorted({*(new.hands[seat] or ())} - {*(old.hands[seat] or ())} - lay):
            how = below(chance, 3)
            found += [CardDrawn(seat, (None, card)[how])] if how < 2 else []
    return found


def text_of(form: Form) -> str:
    """Return the playthrough of a form as text."""
    course = course_of(form, NUMBERS.get(named(form), 1))
    states = states_of(course)
    return "\n".join([*header(course), *body(course, states)]) + "\n"


def write_all() -> None:
    """Write every file, and delete files that belong to no form."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = {named(form): form for form in forms()}
    for path in FOLDER.glob("*.txt"):
        if path.stem not in wanted:
            path.unlink()
    for name, form in wanted.items():
        (FOLDER / f"{name}.txt").write_text(text_of(form), encoding="utf-8")


if __name__ == "__main__":
    write_all()
