"""Results as plain text, for the chat of a club: of a round, and of an evening."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from litestar import MediaType, Response, get
from litestar.params import FromPath

from projections.tournaments.rounds import PairingView, RoundView
from projections.tournaments.standings import standings_view
from projections.tournaments.view import rounds_on
from service.desk.access import club_for
from service.desk.clubs import NamedRow, matches_of, named
from service.desk.lists import soon
from service.http.answers import NO_STORE
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of
from service.languages.spoken import translate
from service.store.callers import onlooker_of
from service.web.clubs import titles
from service.web.evenings import evening_of
from service.web.numbers import number_in
from service.web.said import round_line, winner_line
from service.web.tournaments.frame import Frame, frame_for, frame_of

FIRST: Final = 10  # of the standings that go with a round
LOOKED_AT: Final = 100


def as_text(lines: Iterator[str]) -> Response[str]:
    """Lines as an answer."""
    return Response("\n".join(lines) + "\n", media_type=MediaType.TEXT, headers=NO_STORE)


@get("/tournaments/{tournament_id:uuid}/results.txt", include_in_schema=False, query=("round",))
async def round_text(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The results of a round, of those that are on where none is named, as anybody who reads the club may see them."""
    whose = await frame_of(request, tournament_id)
    frame = await frame_for(whose.services, onlooker_of(whose.caller, whose.loaded.club), tournament_id)
    rounds = frame.view.rounds
    chosen = number_in(request, "round", len(rounds))
    wanted = (rounds[chosen - 1],) if chosen else tuple(rounds_on(frame.view)) or rounds[-1:]
    return as_text(_of_rounds(frame, wanted))


def _of_rounds(frame: Frame, rounds: tuple[RoundView, ...]) -> Iterator[str]:
    yield frame.view.name
    for each in rounds:
        yield ""
        yield round_line(each.round, each.title)
        yield from (_line(pairing) for pairing in each.pairings)
    state = frame.state
    if state.at >= 0 and state.stage.decided and not state.stage.format.bracket:
        yield ""
        yield translate("Standings")
        table = standings_view(state, state.at, frame.names, frame.beside)
        yield from (f"{row.rank}. {row.name}  {row.values[0]:g}" for row in table.rows[:FIRST] if row.values)


def _line(pairing: PairingView) -> str:
    """A table with its result: both names beside both scores."""
    one, other = (side.name for side in pairing.sides)
    doubt = _not_final() if pairing.doubt or pairing.disputed or pairing.contested else ""
    if pairing.how is None:
        said = translate("open")
        return f"{pairing.table}. {one} – {other}: {said}"
    if pairing.score and pairing.how == "played":
        return f"{pairing.table}. {one} {pairing.score[0]} – {pairing.score[1]} {other}{doubt}"
    said = translate("both absent") if pairing.how == "absent" else translate("nobody won")
    if pairing.winner is not None:
        said = winner_line(pairing.sides[pairing.winner].name, pairing.how == "walkover")
    return f"{pairing.table}. {one} – {other}: {said}{doubt}"


def _not_final() -> str:
    return " " + translate("(not yet final)")


@get("/clubs/{club_id:uuid}/results.txt", include_in_schema=False)
async def evening_text(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The results of tonight, as anybody who reads the club may see them."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    onlooker = onlooker_of(caller, club.club)
    found = await matches_of(services, onlooker, club, "", LOOKED_AT, until=soon())
    rows = await named(services.streams, found.rows, club)
    evening = evening_of(rows, (), club.state.settings.zone, datetime.now(UTC), None)
    return as_text(_of_evening(club.state.name, [row for row in evening.matches if row.status != "void"]))


def _of_evening(club: str, rows: list[NamedRow]) -> Iterator[str]:
    yield translate("{club}, tonight").format(club=club)
    by_game: dict[str, list[NamedRow]] = {}
    for row in rows:
        by_game.setdefault(row.game, []).append(row)
    for key, own in by_game.items():
        yield ""
        yield titles().get(key, key)
        yield from (_match(row) for row in own)
    if not rows:
        yield translate("Nothing has been played yet.")


def _match(row: NamedRow) -> str:
    """A match on one line: each name beside its score."""
    said = " – ".join(f"{side.called} {total}" for side, total in zip(row.sides, row.totals, strict=True))
    final = row.agreed and row.doubt is None
    how = " " + translate("(on)") if row.status == "open" else "" if final else _not_final()
    return f"{said}{how}"
