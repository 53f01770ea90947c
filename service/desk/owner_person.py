"""The owner as a person of a club: says once who that is, and plays, rules and signs as everybody does from there."""

from domain.club.state import same_name
from domain.log.decider import Refusal
from service.desk.invitations import SignedIn
from service.desk.passwords import person_called
from service.desk.requests import own_request
from service.desk.services import Services
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.store.people_secrets import mark
from service.store.sign_ins import sign_in


async def be(services: Services, caller: Caller, club: LoadedClub, name: str, earlier: str | None) -> SignedIn:
    """Sign the owner in as the member of this name, who is registered where there is none. Raises Refusal."""
    if not caller.owns:
        raise Refusal("forbidden", "only the owner says who the owner is: ask a secretary for an invitation")
    if caller.person_in(club.club) is not None:
        raise Refusal("misfit", "the owner has a name in this club already")
    person = person_called(club.state, name)
    if person is None:
        if any(each.name and same_name(each.name) == same_name(name) for each in club.state.players.values()):
            raise Refusal("malformed", f"several people here are called {name!r}: open an invitation for one of them")
        key = f"owner-{mark(caller.holder or '', same_name(name)).hex()}"  # two taps make one member
        request = own_request(caller.by(), key, caller.actor())
        person = await services.recorder.register(club.club, name, request)
    entered = await sign_in(services.pool, earlier, club.club, person)
    services.doors.forget()
    return SignedIn(entered.cookie, entered.id, club.club, person)
