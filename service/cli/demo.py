"""The demo club: the example matches, imported by the command that a user would give, and three tournaments."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from domain.tournament import commands as c
from domain.tournament.events import Plan, Prize
from service.cli import clerk
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.desk.tournament_bodies import Action, AnnounceBody, DisputeAction, EnterAction, PairAction, ReportAction
from service.desk.tournaments import Desk
from service.run.settings import Settings
from service.steward.steward import Steward
from service.store.pool import Pool
from service.store.streams import LoadedTournament, Streams

CLUB: Final = "Demo club"
HERE: Final = Path(__file__).resolve().parents[1]
PEOPLE: Final = ["Ahti", "Bea", "Cleo", "Dag", "Eero", "Frida", "Gus", "Hanna", "Ivo", "Jutta", "Kai", "Lena", "Mats"]
SCORES: Final = ((16, 12), (9, 15), (15, 7), (13, 15), (17, 15), (15, 4), (3, 15))
RACE: Final = {"target": 15, "win_by": 2}


def own_data(settings: Settings) -> Settings:
    """The settings with a data directory of the demo's own; one that is set stays as it is."""
    if settings.data_dir or settings.database_url:
        return settings
    return msgspec.structs.replace(settings, data_dir=str(settings.data.with_name(f"{settings.data.name}-demo")))


def examples() -> list[Path]:
    """The example records: inside an installed package, else beside the packages of a checkout."""
    for folder in (HERE / "examples", HERE.parent / "examples"):
        if folder.is_dir():
            return sorted(folder.glob("*.ctn"))
    return []


async def load_demo(pool: Pool) -> None:
    """Import every example into the demo club and play its tournaments; what is there already is left alone."""
    for path in examples():
        await clerk.import_ctn(pool, CLUB, True, path.read_text(encoding="utf-8"), lambda _: None)
    club = await clerk.club_named(pool, CLUB)
    demo = Demo(pool, club)
    await demo.cup()
    await demo.swiss()
    await demo.announced()


class Demo:
    """Tournaments of the demo club, directed as a director would; each request has a name, so none is done twice."""

    def __init__(self, pool: Pool, club: str) -> None:
        self.club = club
        self.recorder = Recorder(Streams(pool))
        self.desk = Desk(self.recorder)
        self.steward = Steward(self.recorder.streams, self.recorder)

    async def cup(self) -> None:
        """A knock-out of eight, played to its prizes."""
        prizes = (Prize(1, 1, "the cup"), Prize(2, 3, "chocolate"))
        stage = c.StagePlan(format={"kind": "single", "third_place": True}, game="cross_game", race=RACE)
        cup = await self._announce("Autumn cup", [stage], 8, Plan(date="2026-10-08", season="2026", prizes=prizes))
        for number in range(1, 4):
            cup = await self._round(cup, f"cup {number}")
            cup = await self._play(cup, f"cup {number}", 4)
        await self._act(cup, "cup end", [c.Finish()])

    async def swiss(self) -> None:
        """A Swiss evening in its third round: a result is disputed, some tables still play."""
        stage = c.StagePlan(format={"kind": "swiss", "rounds": 5}, game="cross_game", race=RACE, minutes=45)
        evening = await self._announce("Thursday Swiss", [stage], 13, Plan(date="2026-11-19", season="2026"))
        for number in range(1, 4):
            evening = await self._round(evening, f"swiss {number}")
            evening = await self._play(evening, f"swiss {number}", 6 if number < 3 else 3)
        await self._act(evening, "swiss dispute", [DisputeAction("R3.1")])

    async def announced(self) -> None:
        """Groups and a knock-out that have not begun."""
        groups = c.StagePlan(format={"kind": "groups", "groups": 3}, game="parity", go_on=6)
        await self._announce(
            "Winter evening", [groups, c.StagePlan(format={"kind": "single"}, game="parity")], 12, Plan()
        )

    async def _announce(self, name: str, stages: list[c.StagePlan], count: int, plan: Plan) -> LoadedTournament:
        entries = [EnterAction([who], 1900 - 25 * at) for at, who in enumerate(PEOPLE[:count])]
        body = AnnounceBody(name=name, stages=stages, plan=plan, entries=entries)
        done = await self.desk.announce(self.club, body, own_request(clerk.CLERK, f"demo {name}"))
        return done.loaded

    async def _round(self, loaded: LoadedTournament, name: str) -> LoadedTournament:
        loaded = await self._act(loaded, f"{name} pair", [PairAction()])
        await self.steward.catch_up(self.club)
        return loaded

    async def _play(self, loaded: LoadedTournament, name: str, tables: int) -> LoadedTournament:
        """The results of the first tables."""
        names = loaded.tournament.stage.rounds[-1].names[:tables]
        reports = [ReportAction(each, score=SCORES[at % len(SCORES)]) for at, each in enumerate(names)]
        return await self._act(loaded, f"{name} play", reports)

    async def _act(self, loaded: LoadedTournament, name: str, actions: Sequence[Action]) -> LoadedTournament:
        done = await self.desk.act(loaded, actions, None, own_request(clerk.CLERK, f"demo {name}"))
        return done.loaded
