"""The first steps of a club: members, the address for phones, a match, the codes of tables, until a match is over."""

from collections.abc import Iterable

import msgspec

from projections.lists import MatchRow
from service.languages.spoken import translate
from service.store.callers import Caller
from service.store.loaded import LoadedClub


class FirstStep(msgspec.Struct, frozen=True):
    """A step: where it is taken, what it is called, what it is for, and whether it is done."""

    path: str
    text: str
    why: str
    done: bool


def first_steps(caller: Caller, club: LoadedClub, matches: Iterable[MatchRow], phones: bool) -> tuple[FirstStep, ...]:
    """The steps in their order, for who runs the club, with whether `phones` reach the service; none as soon as a match
    was played to its end."""
    statuses = [each.status for each in matches]
    if not caller.administers(club.club) or "finished" in statuses:
        return ()
    here = f"/clubs/{club.club}"
    steps = [
        FirstStep(f"{here}/members", translate("Add your members"), translate("Two are enough to begin."), _two(club)),
        FirstStep(
            f"{here}/invite",
            translate("See under which address phones reach this machine"),
            translate("Invitations and the codes of tables lead there."),
            phones,
        ),
        FirstStep(
            f"{here}/new",
            translate("Open the first match"),
            translate("A game, two sides, and what it is played to."),
            "open" in statuses,
        ),
    ]
    if caller.directs(club.club):
        codes = translate("Lay the code of the table on the table")
        steps.append(
            FirstStep(f"{here}/doors", codes, translate("Whoever scans it is in: no account is needed."), False)
        )
    return tuple(steps)


def _two(club: LoadedClub) -> bool:
    return len(club.state.players) > 1
