"""The demo club: a season that lies behind it and an evening under way, told by the commands that people use."""

from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from service.cli import clerk, intake
from service.cli.demo import evening, season
from service.cli.demo.people import CALLED, Crowd
from service.run.settings import Settings
from service.store.ids import now
from service.store.pool import Pool

CLUB: Final = CALLED
HERE: Final = Path(__file__).resolve().parents[2]
LEFT_OUT: Final = ("notation.ctn",)  # it is about the notation, between people called A and B
TOLD: Final = "demo told"


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


async def load_demo(pool: Pool, today: datetime | None = None, whole: bool = True) -> None:
    """Tell the story of the demo club, up to `today`; what is there already is left alone. The same at each start but
    for the ids and the dates, which count back from today. Tests that need no more than a club with an evening do
    without the `whole` season."""
    crowd = Crowd(pool, await clerk.club_named(pool, CLUB, public=True), today or now())
    if await crowd.recorder.answered(crowd.club, crowd.service(TOLD)) is not None:
        return
    await crowd.enter()
    for path in (each for each in examples() if whole and each.name not in LEFT_OUT):
        text = path.read_text(encoding="utf-8")
        await intake.import_ctn(pool, CLUB, True, text, lambda _: None, crowd.recorder)
    if whole:
        await season.told(crowd)
    await evening.told(crowd)
    await crowd.close(TOLD)
