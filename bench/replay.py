"""Figure: replaying deals with every action checked, beside python-chess checking and pushing moves."""

import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import msgspec

from bench.measure import Aim, Detail, Figure, FigureRow, at_least, in_turns, row, series
from bench.stage import Run
from domain import codec
from domain.cards.facts import Fact
from domain.game.protocol import Game
from domain.games import all_games

DEALS = Path(__file__).parent.parent / "tests" / "data" / "deals.jsonl"
SEED = 1
CHESS_GAMES = 10
LONGEST = 120
# actions a second that are wanted of a game; four times the reference as well, where nothing else is said
WANTED = {"over_the_top": 400_000, "ristikontra": 400_000, "get_stuck": 200_000, "garbo": 80_000}


class ReplayDeal(msgspec.Struct, frozen=True):
    """A deal with its facts, ready to be replayed."""

    game: Game[Any, Any]
    options: Any
    dealer: int
    deal: Any
    facts: tuple[Fact, ...]


def read_deals() -> dict[str, list[ReplayDeal]]:
    """The deals of every registered game by rule set."""
    found: dict[str, list[ReplayDeal]] = defaultdict(list)
    for line in DEALS.read_bytes().splitlines():
        record = msgspec.json.decode(line)
        game = all_games().get(record["history"]["game"])
        if game is not None:
            found[record["rules"]].append(_deal(game, record["history"]))
    return found


def _deal(game: Game[Any, Any], history: dict[str, Any]) -> ReplayDeal:
    options = codec.convert(history["options"], game.options)
    deal = codec.convert(history["deal"], game.deal)
    return ReplayDeal(
        game, options, history["dealer"], deal, tuple(codec.from_list(each) for each in history["actions"])
    )


def replay(deals: list[ReplayDeal]) -> None:
    """Check and apply every action; all of them are legal."""
    for deal in deals:
        judge, evolve = deal.game.breaches, deal.game.evolve
        state = deal.game.start(deal.options, deal.dealer, deal.deal)
        for fact in deal.facts:
            if judge(state, fact):
                raise AssertionError(f"{fact} is legal")
            state = evolve(state, fact)


def chess_games() -> list[list[chess.Move]]:
    """Random games of chess, the same for every run."""
    chance = random.Random(SEED)
    games = []
    for _ in range(CHESS_GAMES):
        board = chess.Board()
        moves: list[chess.Move] = []
        while not board.is_game_over() and len(moves) < LONGEST:
            moves.append(chance.choice(list(board.legal_moves)))
            board.push(moves[-1])
        games.append(moves)
    return games


def replay_chess(games: list[list[chess.Move]]) -> None:
    """Check and push every move; all of them are legal."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            if not board.is_legal(move):
                raise AssertionError(f"{move} is legal")
            board.push(move)


class Pace:
    """Actions a second by the clock on the wall; by the processor's clock, which other jobs do not move, too."""

    def __init__(self, act: Callable[[], None], actions: int, seconds: float) -> None:
        self.act, self.actions, self.seconds = act, actions, seconds
        self.by_processor: list[float] = []

    def rate(self) -> float:
        """Passes that fill the time."""
        passes, start, busy = 0, time.perf_counter(), time.process_time()
        while (spent := time.perf_counter() - start) < self.seconds:
            self.act()
            passes += 1
        self.by_processor.append(passes * self.actions / (time.process_time() - busy))
        return passes * self.actions / spent


def measure(run: Run) -> Figure:
    """One row a rule set, each in turns with chess."""
    games = chess_games()
    rounds, seconds = run.pick(25, 3), 0.01 if run.quick else 0.03
    moves = sum(map(len, games))
    chess_pace = Pace(lambda: replay_chess(games), moves, seconds)
    found = [_row(run, label, deals, chess_pace, rounds) for label, deals in read_deals().items()]
    rows = tuple(each for each, _ in found)
    return Figure(
        name="replay",
        title="Replay with every action checked",
        ours_is="`breaches` is empty, then `evolve`, for each action of the deals in tests/data/deals.jsonl, one "
        "process",
        reference_is="python-chess: `is_legal`, then `push`, for each move of seeded random games",
        rounds=rounds,
        rows=rows,
        aims=tuple(aim for each in rows for aim in _aims(each)),
        details=tuple(detail for _, detail in found),
        notes=(f"{CHESS_GAMES} games of chess, {moves} moves; facts and moves are objects before the clock starts",),
    )


def _row(run: Run, label: str, deals: list[ReplayDeal], reference: Pace, rounds: int) -> tuple[FigureRow, Detail]:
    ours = Pace(lambda: replay(deals), sum(len(deal.facts) for deal in deals), reference.seconds)
    pairs = in_turns(rounds, ours.rate, reference.rate, run.tick)
    ratios = [one / other for one, other in zip(ours.by_processor, reference.by_processor[-rounds - 1 :], strict=True)]
    text = f"{label} by the processor's clock, {statistics.median(ratios[1:]):.2f} times the reference"
    return row(label, "actions/s", pairs), Detail(text, series("actions/s", ours.by_processor[1:]))


def _aims(found: FigureRow) -> tuple[Aim, ...]:
    game = found.label.partition("/")[0]
    wanted = WANTED.get(game, 500_000)
    rate = at_least(found.label, f"at least {wanted:,} actions/s", wanted, found.ours)
    if game in WANTED:
        return (rate,)
    return (at_least(found.label, "at least 4 times the reference", 4, found.ratio), rate)
