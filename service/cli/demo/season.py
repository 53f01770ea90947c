"""The season of the demo club: an evening every other week, of matches and of tournaments, and one season before it."""

from collections.abc import Sequence
from typing import Final

from domain.chance import below, words
from domain.games import find
from domain.log.decider import Refusal
from domain.notation.dealing import random_deal
from domain.tournament import commands as c
from domain.tournament.plan import Plan, Prize
from service.cli import clerk, intake
from service.cli.demo.people import CALLED, MEMBERS, Crowd, wins
from service.desk.tournament_bodies import PairAction, ReportAction
from service.store.loaded import LoadedTournament

# weeks ago, name, game, format, players; the scores with which somebody wins, by game
EVENINGS: Final[tuple[tuple[int, str, str, dict[str, object], int], ...]] = (
    (26, "Midsummer cup", "cross_game", {"kind": "single"}, 8),
    (20, "Opening Swiss", "cross_game", {"kind": "swiss", "rounds": 3}, 10),
    (16, "Parity round", "parity", {"kind": "round-robin"}, 5),
    (12, "Harvest cup", "cross_purposes", {"kind": "single", "third_place": True}, 8),
    (8, "Lantern Swiss", "parity", {"kind": "swiss", "rounds": 3}, 8),
    (4, "Double night", "cross_game", {"kind": "double"}, 6),
)
SCORES: Final = {
    "cross_game": ((15, 8), (16, 14), (15, 11), (17, 15), (15, 4), (15, 12)),
    "parity": ((101, 88), (104, 63), (100, 97), (108, 81), (102, 48)),
    "cross_purposes": ((104, 96), (112, 85), (101, 99), (130, 118)),
}
PRIZES: Final = (Prize(1, 1, "the cup"), Prize(2, 3, "chocolate"))
FRIENDLY: Final = ("parity", "cross_purposes", "cross_game", "get_stuck", "garbo", "over_the_top")
MOST: Final = 12  # rounds of an evening
WEEKS: Final = 11  # of the season, two evenings apart, with friendly deals


async def told(crowd: Crowd) -> None:
    """Everything that happened before tonight, in its order."""
    friendly = [(2 * week + 1, week) for week in range(WEEKS)]
    for weeks in sorted({each[0] for each in EVENINGS} | {each[0] for each in friendly}, reverse=True):
        crowd.back(weeks=weeks, hours=2)
        for _, name, game, form, count in (each for each in EVENINGS if each[0] == weeks):
            await _tournament(crowd, weeks, name, game, form, count)
        for _, number in (each for each in friendly if each[0] == weeks):
            await _deals(crowd, number)


def label(crowd: Crowd, weeks: int) -> str:
    """The season to which an evening belongs: this one began 22 weeks ago."""
    year = crowd.today.year
    return f"{year - 1}/{year % 100:02}" if weeks > 22 else f"{year}/{(year + 1) % 100:02}"


async def _tournament(crowd: Crowd, weeks: int, name: str, game: str, form: dict[str, object], count: int) -> None:
    """A tournament from its announcement to its prizes, in one evening."""
    shift = weeks % 5
    people = [*MEMBERS[:2], *sorted(MEMBERS[2 + shift : count + shift], key=MEMBERS.index)]
    plan = Plan(date=f"{crowd.at:%Y-%m-%d}", season=label(crowd, weeks), prizes=PRIZES)
    loaded = await crowd.announced(name, [c.StagePlan(format=form, game=game)], people, plan)
    names = seated(loaded, people)
    for _ in range(MOST):
        try:
            loaded = await crowd.directs(loaded, [PairAction()])
        except Refusal:  # everything is played
            break
        crowd.later(20)
        loaded = await crowd.directs(loaded, reports(loaded, names))
    crowd.later(5)
    await crowd.directs(loaded, [c.Finish()])


def seated(loaded: LoadedTournament, people: Sequence[str]) -> dict[str, str]:
    """The names of the entries, which were made in the order of the list."""
    return dict(zip(loaded.tournament.entries, people, strict=True))


def reports(loaded: LoadedTournament, names: dict[str, str], most: int | None = None) -> list[ReportAction]:
    """The results of what was paired and is not decided, of the first tables where `most` is named."""
    stage = loaded.tournament.stage
    open_ = [name for name in stage.pairings if name not in stage.decided]
    found = []
    for name in open_[:most]:
        one, other = (names[entry] for (entry,) in stage.pairings[name].sides)
        scores = SCORES[stage.setup.game]
        high, low = scores[below(words(f"demo score {loaded.tournament.name} {name}".encode()), len(scores))]
        first = wins(one, other, f"{loaded.tournament.name} {name}")
        found.append(ReportAction(name, score=(high, low) if first else (low, high)))
    return found


async def _deals(crowd: Crowd, number: int) -> None:
    """Some friendly deals of an evening, each a match, taken as `lurch import` takes histories."""
    for place in range(3):
        key = FRIENDLY[(number * 3 + place) % len(FRIENDLY)]
        line = random_deal(find(key), find(key).options(), {}, 100 + number, place + 1)
        at = (5 * number + 3 * place) % len(MEMBERS)
        pair = (MEMBERS[at], MEMBERS[(at + 1 + number) % len(MEMBERS)])
        crowd.later(15)
        done: list[clerk.FileResult] = []
        pool = crowd.recorder.streams.pool
        await intake.import_histories(pool, CALLED, True, line, done.append, pair, crowd.recorder)
        for result in done:
            assert result.match is not None, result
            await crowd.signed(result.match)
