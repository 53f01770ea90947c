"""The clerk who pushes from a club of its own: a tournament that is over goes as an archive, with its own heads."""

from collections.abc import Callable, Sequence

from domain.exchange.archive import TournamentArchive, fresh_id, write_archive
from domain.log.decider import Refusal
from service.cli.push_clerk import PushedSum, PushLine, Told, in_pages, planned
from service.cli.push_door import DoorRefusal, ServerDoor
from service.cli.tournament_clerk import OWNER
from service.desk.recording import Recorder
from service.desk.tournament_files import Files
from service.store import finding, pushing
from service.store.kinds import MATCH, TOURNAMENT
from service.store.loaded import LoadedClub, LoadedTournament
from service.store.pool import Pool
from service.store.streams import Streams


class ArchiveClerk:
    """Pushes the tournaments of a club here to another club, `there`; `dry` sends nothing that is recorded."""

    def __init__(
        self,
        pool: Pool,
        door: ServerDoor,
        club: LoadedClub,
        there: str,
        told: Told,
        step: Callable[[], None],
        dry: bool,
    ) -> None:
        self.pool, self.door, self.club, self.there = pool, door, club, there
        self.told, self.step, self.dry = told, step, dry
        self.streams = Streams(pool)
        self.files = Files(Recorder(self.streams))
        self.came: set[str] = set()  # tournaments that are there as they ended here, whatever people are called by now

    async def push(self) -> PushedSum:
        """Push what is over and not there yet. Raises DoorRefusal where the server takes nothing at all, and Unable."""
        heads = {
            stream: (version, digest) for stream, version, digest in await pushing.own_heads(self.pool, self.club.club)
        }
        cups = await finding.begun_with(self.pool, self.club.club, TOURNAMENT.first, list(heads))
        await self._look_there(sorted(cups), heads)  # who may not push hears it first
        matches = await finding.begun_with(self.pool, self.club.club, MATCH.first, list(heads))
        belong = await finding.tournaments_of(self.pool, self.club.club, matches)
        alone = sum(belong[each] is None for each in matches)
        if alone:
            self.told(PushLine("stays", f"{alone} matches of no tournament stay here: lurch export writes them as CTN"))
        good = bad = 0
        for cup in sorted(cups):
            loaded = await self.streams.tournament(cup)
            assert loaded is not None
            if not loaded.tournament.finished:
                self.told(PushLine("stays", f"tournament {cup} ({loaded.tournament.name}) is not over: it stays here"))
                continue
            taken = await self._one(loaded, heads)
            good, bad = good + (taken is True), bad + (taken is False)
            self.step()
        return PushedSum(good, bad)

    async def _look_there(self, cups: Sequence[str], heads: dict[str, tuple[int, str]]) -> None:
        """Learn which tournaments came before. An archive alone does not tell: it has other names once somebody, or the
        club, is called otherwise."""
        for page in in_pages(cups) or [[]]:
            asked = [{"stream": each, "version": heads[each][0], "hash": heads[each][1]} for each in page]
            plan = (await planned(self.door, f"/api/v1/clubs/{self.there}/pushes", {"heads": asked})).streams
            if [each.stream for each in plan] != page:
                raise self.door.strange()
            self.came |= {each.stream for each in plan if each.state == "there"}

    async def _one(self, loaded: LoadedTournament, heads: dict[str, tuple[int, str]]) -> bool | None:
        """One tournament; None where it is there already, False where it could not be taken."""
        named = f"tournament {loaded.stream} ({loaded.tournament.name})"
        try:
            archive = await self.files.archive(loaded, OWNER, True)
            known = await self._stands(fresh_id(self.there, archive.digest, loaded.stream))
            if not known and loaded.stream in self.came:
                return None
            if self.dry:
                if not known:
                    self.told(PushLine("new", f"new     {named}: as an archive", loaded.stream))
                return None if known else True
            if not known:
                await self.door.post(f"/api/v1/clubs/{self.there}/tournaments/archive", write_archive(archive))
            await self._announce(archive, heads)
        except (DoorRefusal, Refusal) as refusal:
            if refusal.slug in ("unauthorised", "forbidden", "unavailable"):
                raise
            self.told(PushLine("refused", f"refused {named}: {refusal.detail}", loaded.stream, False))
            return False
        if not known:
            self.told(PushLine("new", f"new     {named}: as an archive", loaded.stream))
        return None if known else True

    async def _stands(self, tournament: str) -> bool:
        try:
            await self.door.get(f"/api/v1/tournaments/{tournament}", dict)
        except DoorRefusal as refusal:
            if refusal.slug == "not-found":
                return False
            raise
        return True

    async def _announce(self, archive: TournamentArchive, heads: dict[str, tuple[int, str]]) -> None:
        """Say where it comes from, with the heads that its streams have there: the seal of its origin."""
        own = [each.id for each in (archive.tournament, *archive.matches)]
        for page in (own[at : at + 500] for at in range(0, len(own), 500)):
            said = [
                {
                    "stream": fresh_id(self.there, archive.digest, each),
                    "version": heads[each][0],
                    "hash": heads[each][1],
                }
                for each in page
            ]
            await self.door.post(f"/api/v1/clubs/{self.there}/pushes", {"source": self.club.club, "heads": said})
