"""The clerk who invites: the person found or registered, then the link."""

from domain.club.state import Grant, same_name
from domain.log.actor import Role
from domain.log.decider import Refusal
from service.cli.clerk import CLERK
from service.cli.clubs import club_there
from service.desk.invitations import check_overheard
from service.desk.invitations import invite as invited
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.invitations import Maker
from service.store.pool import Pool
from service.store.streams import Streams


async def invite(pool: Pool, club: str | None, name: str, role: Role, tournament: str | None, open_: bool) -> str:
    """The secret of an invitation by the owner; whom the club does not know is registered as a member. `open_` where
    others could listen to the link. Raises Refusal."""
    streams = Streams(pool)
    where = await club_there(streams, club)
    if where is None:
        raise Refusal("malformed", "there is no such club: found it first")
    wanted = same_name(name)
    people = [each for each in where.state.players.values() if each.name and same_name(each.name) == wanted]
    people = [each for each in people if where.state.whom(each.id) == each.id]
    if len(people) > 1:
        raise Refusal("malformed", f"{len(people)} people are called {name!r}: invite the right one from the page")
    grant = None if role == "player" else Grant(role, tournament)
    if tournament is not None and not await _is_of(streams, tournament, where.club):
        raise Refusal("not-found", f"the club has no tournament {tournament}: see lurch tournament list")
    if people:
        person = people[0].id
    else:
        check_overheard(where.state, "", open_, grant)  # who cannot be invited is not registered
        person = await Recorder(streams).register(where.club, checked_name(name), own_request(CLERK))
    now = await Recorder(streams).club(where.club)
    return await invited(pool, Maker(None, owner=True), now, person, grant, open_)


def checked_name(name: str) -> str:
    """A name of one line. Raises Refusal."""
    text = " ".join(name.split())
    if not text or len(text) > 80 or not text.isprintable():
        raise Refusal("malformed", "a name is one line of up to 80 letters")
    return text


async def _is_of(streams: Streams, tournament: str, club: str) -> bool:
    loaded = await streams.tournament(tournament)
    return loaded is not None and loaded.club == club
