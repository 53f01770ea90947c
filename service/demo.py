"""The demo club: the example matches, imported by the command that a user would give."""

from pathlib import Path
from typing import Any, Final

import msgspec
from psycopg_pool import AsyncConnectionPool

from service import clerk
from service.settings import Settings

CLUB: Final = "Demo club"
HERE: Final = Path(__file__).resolve().parent


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


async def load_demo(pool: AsyncConnectionPool[Any]) -> None:
    """Import every example into the demo club; what is there already is left alone."""
    for path in examples():
        await clerk.import_ctn(pool, CLUB, True, path.read_text(encoding="utf-8"), lambda _: None)
