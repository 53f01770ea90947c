"""Figure: random playouts from Python, beside those of RLCard's bridge in the same run."""

import importlib
import random
import time
from collections.abc import Callable
from typing import Any, Final

from bench.measure import Aim, Detail, Figure, FigureRow, at_least, in_turns, row, series
from bench.stage import Run
from domain import codec
from domain.cards.card import cards_in
from domain.game.protocol import Game
from domain.games import all_games

SEED: Final = 1
OURS: Final = "shuffle, deal, then `evolve` with one of `legal` at random until nothing is legal, then `score`"
THEIRS: Final = "RLCard's bridge: `reset`, then `step` with one of the legal actions of the state, until `is_over`"
AWAY: Final = "reference not installed: make bench installs it"
NOTES: Final = (
    "both deal a pack and choose with `random.choice`, in one process; an action is a call or a card",
    "bridge is four hands of 13 after an auction: Cross Purposes for four is nearest, and its whole playouts, 52 "
    "cards after its calls, stand beside whole bridge deals; the other rows compare actions",
    "RLCard's `step` also encodes what the next player sees (573 numbers): that is its environment as it is used; "
    "the bare game below, without any view of the table, is more than its users get",
    "Get Stuck and Garbo are no trick games and have no aim here: choosing a square is more work than a card",
)
WHOLE: Final = "cross_purposes/fixed, whole playouts"
# the trick games stand for the cost of an action
TRICKS: Final[dict[str, dict[str, Any]]] = {
    "cross_purposes/fixed": {"variant": "fixed"},
    "cross_purposes/alliance": {"variant": "alliance"},
    **{game: {} for game in ("cross_purposes", "cross_game", "parity", "over_the_top", "ristikontra")},
}
BOARDS: Final[dict[str, dict[str, Any]]] = {"get_stuck": {}, "garbo": {}}


class Pace:
    """Playouts until the time is filled: actions and playouts a second; `one` returns the number of its actions."""

    def __init__(self, one: Callable[[], int], seconds: float) -> None:
        self.one, self.seconds = one, seconds
        self.actions: list[float] = []
        self.playouts: list[float] = []

    def rate(self) -> float:
        """Actions a second; both are kept."""
        actions = playouts = 0
        start = time.perf_counter()
        while (spent := time.perf_counter() - start) < self.seconds:
            actions += self.one()
            playouts += 1
        self.actions.append(actions / spent)
        self.playouts.append(playouts / spent)
        return self.actions[-1]


def playout(label: str, given: dict[str, Any]) -> Callable[[], int]:
    """A random playout of ours, from the shuffle on."""
    game: Game[Any, Any] = all_games()[label.partition("/")[0]]
    options = codec.convert(given, game.options)
    chance = random.Random(SEED)
    pack = list(cards_in(game.pack(options)))
    seats = game.seats(options)

    def one() -> int:
        cards = pack.copy()
        chance.shuffle(cards)
        table = game.start(options, chance.randrange(seats), game.deal_out(options, tuple(cards)))
        legal, evolve, choice, actions = game.legal, game.evolve, chance.choice, 0
        while facts := legal(table):
            table = evolve(table, choice(facts))
            actions += 1
        if game.score(table) is None:
            raise AssertionError(f"{label} was not played to the end")
        return actions

    return one


def bridge() -> tuple[Callable[[], int], Callable[[], int], str] | None:
    """RLCard's playout, the same of its bare game, and its version; None where it is not installed."""
    try:
        rlcard = importlib.import_module("rlcard")
    except ImportError:
        return None
    environment: Any = rlcard.make("bridge", config={"seed": SEED})
    game: Any = environment.game
    chance = random.Random(SEED)

    def one() -> int:
        state, _ = environment.reset()
        actions = 0
        while not environment.is_over():
            state, _ = environment.step(chance.choice(list(state["legal_actions"])))
            actions += 1
        return actions

    def bare() -> int:
        game.init_game()
        actions = 0
        while not game.is_over():
            game.step(chance.choice(game.judger.get_legal_actions()))
            actions += 1
        return actions

    return one, bare, str(rlcard.__version__)


def measure(run: Run) -> Figure:
    """One row a game, each in turns with RLCard; without it our own pace alone."""
    rounds, seconds = run.pick(11, 2), 0.01 if run.quick else 0.1
    found = bridge()
    if found is None:
        return _alone(rounds, seconds)
    one, bare, version = found
    rows: list[FigureRow] = []
    aims: list[Aim] = []
    for label, given in (TRICKS | BOARDS).items():
        ours, reference = Pace(playout(label, given), seconds), Pace(one, seconds)
        rows.append(row(label, "actions/s", in_turns(rounds, ours.rate, reference.rate, run.tick)))
        if label == "cross_purposes/fixed":
            rows.append(row(WHOLE, "playouts/s", list(zip(ours.playouts[1:], reference.playouts[1:], strict=True))))
    for each in rows:
        if each.label not in BOARDS:
            aims.append(at_least(each.label, "at least 10 times the reference", 10, each.ratio))
    pace = Pace(bare, seconds)
    for _ in range(rounds + 1):
        pace.rate()
    detail = Detail("RLCard's bare bridge game, no view of the table", series("actions/s", pace.actions[1:]))
    return _figure(rounds, tuple(rows), tuple(aims), (detail,), (*NOTES, f"RLCard {version}"))


def _alone(rounds: int, seconds: float) -> Figure:
    """Our own pace, no row: a row stands beside its reference."""
    details = []
    for label, given in (TRICKS | BOARDS).items():
        pace = Pace(playout(label, given), seconds)
        for _ in range(rounds + 1):
            pace.rate()
        details.append(Detail(label, series("actions/s", pace.actions[1:])))
    return _figure(rounds, (), (), tuple(details), (AWAY,))


def _figure(
    rounds: int, rows: tuple[FigureRow, ...], aims: tuple[Aim, ...], details: tuple[Detail, ...], notes: tuple[str, ...]
) -> Figure:
    return Figure("playouts", "Random playouts from Python", OURS, THEIRS, rounds, rows, aims, details, notes)
