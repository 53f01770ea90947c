"""Figure: the findings of a match of 1,000 facts, with and without the slips that explain them, and deals in bulk."""

import random
import time
from collections.abc import Sequence
from typing import Any, Final

from bench.measure import Aim, Figure, FigureRow, at_least, below, in_turns, milliseconds, row
from bench.stage import Run
from bench.tables import fits
from domain.cards.card import cards_in
from domain.cards.facts import CardPlayed, Fact
from domain.game.protocol import Game
from domain.games import all_games
from domain.match.audit.finding import Course
from domain.match.audit.findings import derived
from domain.match.audit.slips import FOLDS, Bounds, case_of, examined

SEED: Final = 1
FACTS: Final = 1000
REVOKES: Final = ("parity", "cross_purposes")
NOTES: Final = (
    "hands unknown, so that every card is weighed against those that fall later; the games by their defaults",
    "a match with revokes has one in each of ten deals; each is looked at as a page does, at most 400 folds of slips",
    "bulk is one core and no log: two cores take two halves of the file",
)


def deal(game: Game[Any, Any], chance: random.Random, revoke: bool = False) -> Course:
    """A random deal, hands unknown unless its entries need them; in it the first revoke after a random place, where one
    is wanted."""
    options = game.options()
    pack = list(cards_in(game.pack(options)))
    chance.shuffle(pack)
    dealer, after, facts = chance.randrange(game.seats(options)), chance.randrange(30), list[Fact]()
    cards = game.deal_out(options, tuple(pack))
    table = game.start(options, dealer, cards)
    while legal := game.legal(table):
        wrong = _revokes(game, table, legal) if revoke and len(facts) >= after else ()
        facts.append(chance.choice(wrong or legal))
        revoke = revoke and not wrong
        table = game.evolve(table, facts[-1])
    course = Course(game, options, dealer, None, tuple(facts))
    return course if revoke or fits(course) else Course(game, options, dealer, cards, tuple(facts))


def _revokes(game: Game[Any, Any], table: Any, legal: Sequence[Fact]) -> tuple[Fact, ...]:
    plays = [fact for fact in legal if isinstance(fact, CardPlayed)]
    if not plays:
        return ()
    cards = game.view(table, "all").hands[plays[0].seat] or ()
    every = (CardPlayed(plays[0].seat, card) for card in cards)
    return tuple(each for each in every if [one.code for one in game.breaches(table, each)] == ["REV"])


def match(key: str, chance: random.Random, revokes: int = 0) -> list[Course]:
    """The deals of a match of 1,000 facts; the first ones have a revoke each."""
    game, courses = all_games()[key], list[Course]()
    while sum(len(course.facts) for course in courses) < FACTS:
        courses.append(_with_finding(game, chance) if len(courses) < revokes else deal(game, chance))
    return courses


def _with_finding(game: Game[Any, Any], chance: random.Random) -> Course:
    while True:
        course = deal(game, chance, revoke=True)
        if len(derived(course)) == 1:
            return course


def fold(courses: list[Course]) -> None:
    """The facts judged and folded, and nothing asked about them."""
    for course in courses:
        judge, evolve = course.game.breaches, course.game.evolve
        table = course.game.start(course.options, course.dealer, course.cards)
        for fact in course.facts:
            judge(table, fact)
            table = evolve(table, fact)


def find(courses: list[Course]) -> None:
    """All findings."""
    for course in courses:
        derived(course)


def explain(courses: list[Course]) -> int:
    """All findings with the slips that explain them."""
    count = 0
    for course in courses:
        found = derived(course)
        if found:
            case = case_of(course, found, Bounds())
            count += len([examined(case, each, FOLDS) for each in found])
    return count


def measure(run: Run) -> Figure:
    """A match without a finding, one with ten, and deals of every game in bulk."""
    rounds, chance = run.pick(7, 1), random.Random(SEED)
    rows, aims = list[FigureRow](), list[Aim]()
    for key in REVOKES:
        plain, wrong = match(key, chance), match(key, chance, run.pick(10, 2))
        label = f"{key}, no finding"
        rows.append(_times(run, label, rounds, lambda plain=plain: find(plain), lambda plain=plain: fold(plain)))
        aims.append(below(label, "below 10 ms", 10, rows[-1].ours))
        label = f"{key}, ten revokes with their slips"
        rows.append(_times(run, label, rounds, lambda wrong=wrong: explain(wrong), lambda wrong=wrong: find(wrong)))
        aims.append(below(label, "below 500 ms in all", 500, rows[-1].ours))
    for key, game in all_games().items():
        courses = [deal(game, chance) for _ in range(run.pick(100, 5))]
        facts = sum(len(course.facts) for course in courses)
        rows.append(_pace(run, f"{key}, in bulk", rounds, courses, facts))
        aims.append(at_least(rows[-1].label, "at least 50,000 facts/s on one core", 50_000, rows[-1].ours))
    return Figure(
        name="findings",
        title=f"Findings of a match of {FACTS:,} facts, with slips and without, and of deals in bulk",
        ours_is="`derived` of every deal, and `examined` for every finding; nothing remembered from before",
        reference_is="`breaches` and `evolve` of the same facts; for slips the findings alone",
        rounds=rounds,
        rows=tuple(rows),
        aims=tuple(aims),
        notes=NOTES,
    )


def _times(run: Run, label: str, rounds: int, ours: Any, reference: Any) -> FigureRow:
    pairs = in_turns(rounds, lambda: milliseconds(ours), lambda: milliseconds(reference), run.tick)
    return row(label, "ms", pairs, "lower")


def _pace(run: Run, label: str, rounds: int, courses: list[Course], facts: int) -> FigureRow:
    def pace(act: Any) -> float:
        start = time.perf_counter()
        act(courses)
        return facts / (time.perf_counter() - start)

    return row(label, "facts/s", in_turns(rounds, lambda: pace(find), lambda: pace(fold), run.tick))
