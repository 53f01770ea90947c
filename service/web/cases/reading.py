"""Parts of the page of a case: the case as its viewer may see it, and the deal of it that is looked at."""

from collections.abc import Callable
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from domain.case.statements import are_open
from domain.club.devices import Devices
from domain.game.protocol import Viewer
from domain.match.sight import told_to
from domain.match.state import Deal, Match
from domain.match.windows import Moment
from projections.case_eyes import CaseMatch, CaseRecord, Eyes, eyes_of, told_of, untold
from projections.match_view import SideView
from service.desk.cases.access import SeenCase, case_for
from service.desk.cases.showing import record_of, words_for
from service.desk.services import Services
from service.desk.showing import names_of
from service.languages.spoken import translate
from service.store.callers import Caller
from service.store.loaded import LoadedMatch
from service.web.forms import Form, number_of, text_of
from service.web.matches import people_of
from service.web.render import known_name, side_text

NOW: Final = 2**53  # behind every position of a log


class Looked(msgspec.Struct, frozen=True):
    """The deal of a case that is looked at: its match as it stands and as it is loaded, the deal (None before the
    first one), the moment, the eyes that look, and whether those may know what is found."""

    own: CaseMatch
    loaded: LoadedMatch
    deal: Deal | None
    moment: Moment
    eyes: Eyes
    told: bool

    @property
    def viewer(self) -> Viewer:
        """The eyes that look at its hands."""
        return self.eyes.viewer

    @property
    def directs(self) -> bool:
        """True for who directs this match, too, and not only another one of the case."""
        return self.eyes.kind == "director"

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.own.match


class Reading(msgspec.Struct, frozen=True):
    """A case on a page: who looks, the case, its record, the words that this viewer may read, the versions of which he
    is not told, and what is asked of the page."""

    services: Services
    caller: Caller
    seen: SeenCase
    record: CaseRecord
    words: dict[str, str]
    form: Form
    at: datetime
    looked: Looked | None
    kept_back: frozenset[int]
    cup: tuple[str, str] | None
    devices: Devices | None

    def device(self, device: str | None) -> str | None:
        """A device by its name, for directors."""
        return None if self.devices is None or device is None else self.devices.name_of(device)

    @property
    def opened(self) -> bool:
        """True where the statements lie open."""
        return are_open(self.seen.case, self.at, {each.version: each.recorded_at for each in self.record.events})

    @property
    def directs(self) -> bool:
        """True for a director of the case, and for whoever was named to rule on it."""
        return self.seen.viewer.kind == "director"

    @property
    def names(self) -> dict[str, str | None]:
        """The names of everybody in the club."""
        return names_of(self.seen.club)

    @property
    def zone(self) -> str:
        """The time zone of the club."""
        return self.seen.club.state.settings.zone

    def called(self, person: str | None) -> str:
        """A person by name."""
        return translate("the service") if person is None else known_name(self.names.get(person))

    @property
    def sides(self) -> list[str]:
        """The sides of the case by the names of their people."""
        return [" & ".join(map(self.called, side)) for side in self.seen.case.sides]


async def reading_of(services: Services, caller: Caller, case: UUID, form: Form) -> Reading:
    """A case that the caller may see. Raises Refusal."""
    seen = await case_for(services, caller, case)
    at = services.recorder.clock()
    whole = await record_of(services.streams, seen.loaded, at, NOW, NOW, _chosen(seen, form))
    kind = seen.viewer.kind
    kept_back, matches = untold(whole, kind), told_of(whole, kind).matches
    record = msgspec.structs.replace(whole, matches=matches)
    words = words_for(record, seen.viewer, at)
    looked = await _looked(services, caller, seen, record, form, at)
    directs, cup = seen.viewer.kind == "director", await _cup(services, seen)
    devices = await services.recorder.devices.of(seen.loaded.club, names=True) if directs else None
    return Reading(services, caller, seen, record, words, form, at, looked, kept_back, cup, devices)


def _chosen(seen: SeenCase, form: Form) -> Callable[[str, Match], int]:
    """The deal of each match that is looked at: the one that is asked for, else that of the first call, else the last
    one; none of other matches than the one that is asked for."""
    wanted, number = text_of(form, "match"), number_of(form, "deal")
    places = [each for each in seen.case.places() if each.match is not None]
    shown = next((each.match for each in places if each.match == wanted), places[0].match if places else None)

    def deal_in(stream: str, match: Match) -> int:
        if stream != shown:
            return 0
        named = [each.deal for each in places if each.match == stream and each.deal is not None]
        chosen = number or (named[0] if named else len(match.deals))
        return chosen if 1 <= chosen <= len(match.deals) else len(match.deals)

    return deal_in


async def _looked(
    services: Services, caller: Caller, seen: SeenCase, record: CaseRecord, form: Form, at: datetime
) -> Looked | None:
    """The deal that is looked at."""
    chosen = text_of(form, "match")
    own = next(
        (each for each in record.matches if each.stream == chosen), record.matches[0] if record.matches else None
    )
    known = None if own is None else services.streams.kept(own.stream)
    loaded = known if known is not None or own is None else await services.streams.match(own.stream)
    if own is None or loaded is None:
        return None
    match = own.match
    number = _chosen(seen, form)(own.stream, match)
    deal = match.deals[number - 1] if number else None
    moment, kind = own.moment, seen.viewer.kind
    eyes = eyes_of(record, own, kind, seen.viewer.side, seen.viewer.shut)
    directs = eyes.kind == "director"
    told = deal is not None and (directs or told_to(match, deal, eyes.audience, eyes.viewer, moment))
    return Looked(own, loaded, deal, moment, eyes, told)


async def _cup(services: Services, seen: SeenCase) -> tuple[str, str] | None:
    """The tournament that a case is of, with its name; None for a match of its own."""
    cup = next((each.tournament for each in seen.case.places() if each.tournament is not None), None)
    found = None if cup is None else await services.streams.tournament(cup)
    return None if found is None else (found.stream, found.tournament.name)


def seated(match: Match, names: dict[str, str | None]) -> tuple[tuple[SideView, ...], list[str], list[str]]:
    """The sides of a match as templates have them, the names by seat, and by side."""
    sides = tuple(
        SideView(tuple(names.get(each) for each in side), side, seats)
        for side, seats in zip(match.setup.sides, match.setup.seats, strict=True)
    )
    return sides, people_of(sides), [side_text(each) for each in sides]
