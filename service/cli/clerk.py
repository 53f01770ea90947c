"""The clerk, the use cases of the command line on the database: the same commands as of every other door."""

import msgspec

from domain.log.decider import Refusal
from domain.notation.match_history import lines_of
from service.cli.clubs import club_there, to_found
from service.desk.recording import Recorder
from service.store.loaded import LoadedClub, LoadedMatch
from service.store.log import By, Device
from service.store.pool import Pool
from service.store.streams import Streams

CLERK = By(actor=None, role="owner", on=Device("program", "lurch"))


class FileResult(msgspec.Struct, frozen=True):
    """The result for one match of a file: its id and players, or the place and the fault."""

    text: str
    good: bool = True
    match: str | None = None
    line: int | None = None
    column: int | None = None


async def club_named(pool: Pool, name: str | None, public: bool = False) -> str:
    """The club of that name, or id, founded if there is none of that name; without either the only one. Raises
    Refusal."""
    streams = Streams(pool)
    found = await club_there(streams, name)
    if found is not None:
        return found.club
    return await Recorder(streams).found_club("My club" if name is None else to_found(name), public, CLERK)


async def player_named(pool: Pool, club: str, name: str) -> str:
    """The id of a person by name or id. Raises Refusal: nobody, or several of that name."""
    loaded = await Streams(pool).club(club)
    assert loaded is not None
    people = (player.id for player in loaded.state.players.values() if name in (player.id, player.name))
    found = list(dict.fromkeys(map(loaded.state.whom, people)))
    if len(found) != 1:
        reason = f"{len(found)} people are called {name!r}: give the id" if found else f"the club knows no {name!r}"
        raise Refusal("not-found", f"{reason} (GET /api/v1/clubs/{club}/players lists them)")
    return found[0]


class FoundMatch(msgspec.Struct, frozen=True):
    """A match with its club."""

    loaded: LoadedMatch
    club: LoadedClub

    @property
    def names(self) -> dict[str, str | None]:
        """The names of the players by id."""
        return self.club.state.names()


async def find_match(pool: Pool, match: str) -> FoundMatch:
    """A match by its id. Raises Refusal for an unknown id."""
    streams = Streams(pool)
    loaded = await streams.match(match)
    if loaded is None:
        raise Refusal("not-found", f"there is no match {match}: the pages and `lurch import` show the ids")
    club = await streams.club(loaded.club)
    assert club is not None
    return FoundMatch(loaded, club)


async def export_histories(pool: Pool, match: str) -> str:
    """A match's deals as histories, one a line. Raises Refusal for an unknown match, or hands that nobody recorded."""
    found = await find_match(pool, match)
    return "".join(f"{line}\n" for line in lines_of(found.loaded.match))
