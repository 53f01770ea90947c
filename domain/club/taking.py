"""A table of people is taken: each line finds its person, by the id in this club, then by the id of another body, then
by name, or brings in a new one."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from domain.club.commands import ListedPerson, TakePeople
from domain.club.events import MembershipChanged, PlayerDescribed, PlayerRegistered, PlayerRenamed
from domain.club.names import checked_name, people
from domain.club.people import HIGHEST, check_keeps_people, checked_ids
from domain.club.state import Club, Player, same_name
from domain.log.actor import Actor
from domain.log.decider import New, Refusal

MOST_EVENTS: Final = 1000  # of one command
MOST_SAID: Final = 100
Does: TypeAlias = Literal["add", "change", "keep"]
Fault: TypeAlias = Callable[[str], None]


class Planned(msgspec.Struct, frozen=True):
    """The effect of a line of a table: on whom, what changes, and the events."""

    line: int
    do: Does
    player: str
    name: str
    changes: tuple[str, ...]
    news: tuple[New, ...]


def taken(club: Club, command: TakePeople, actor: Actor) -> list[New]:
    """The events of a table, all or none; none where everything stands already. Raises Refusal."""
    check_keeps_people(actor)
    news = [new for each in planned(club, command.people, command.ids) for new in each.news]
    if len(news) > MOST_EVENTS:
        said = f"the table changes more than can be recorded at once ({MOST_EVENTS} changes): take it in two parts"
        raise Refusal("malformed", said)
    return news


def planned(club: Club, lines: Iterable[ListedPerson], ids: Iterable[str]) -> tuple[Planned, ...]:
    """The effect that each line would have. Raises Refusal with every line that is wrong."""
    known, fresh = _Known(club), iter(ids)
    faults: list[tuple[str, str]] = []
    found: list[Planned] = []
    for line in lines:

        def wrong(said: str, at: int = line.line) -> None:
            faults.append((f"{at}:1", said))

        read = _checked(line, wrong)
        person = None if read is None else known.person(read, wrong)
        if read is not None and not faults:
            found.append(_added(read, next(fresh)) if person is None else _changed(known, read, person, wrong))
    if faults:
        raise _refused(faults)
    return tuple(found)


def _refused(faults: list[tuple[str, str]]) -> Refusal:
    place, said = faults[0]
    more = f"; and {len(faults) - 1} more like it" if len(faults) > 1 else ""
    return Refusal("malformed", f"line {place.partition(':')[0]}: {said}{more}", errors=faults[:MOST_SAID])


def _checked(line: ListedPerson, wrong: Fault) -> ListedPerson | None:
    """A line as it is kept; None after its fault."""
    try:
        name, ids = checked_name(line.name), checked_ids(line.ids)
    except Refusal as refusal:
        wrong(refusal.detail)
        return None
    if line.rating is not None and not 0 <= line.rating <= HIGHEST:
        wrong(f"a rating is a number from 0 to {HIGHEST}")
        return None
    return msgspec.structs.replace(line, name=name, ids=ids)


class _Known:
    """The people of a club by name and by the ids of other bodies, and what the lines so far have said."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.by_name: dict[str, list[Player]] = {}
        self.by_id: dict[tuple[str, str], str] = {}
        self.lines: dict[str, int] = {}  # of a person, else of a name or an id that is new
        for each in people(club):
            self.by_name.setdefault(same_name(each.name or ""), []).append(each)
        for each in club.players.values():
            self.by_id |= {(same_name(body), same_name(id)): club.whom(each.id) for body, id in each.ids.items()}

    def person(self, line: ListedPerson, wrong: Fault) -> Player | None:
        """The person whom a line is about; None for a new person, and after a fault."""
        person = self._meant(line, wrong)
        for place in [person.id] if person is not None else _places(line):
            if place in self.lines:
                wrong(f"{line.name!r} stands in line {self.lines[place]} already")
            self.lines[place] = line.line
        return person

    def _meant(self, line: ListedPerson, wrong: Fault) -> Player | None:
        own = self.club.players.get(self.club.whom(line.own)) if line.own else None
        marks = [(same_name(body), same_name(id)) for body, id in line.ids.items()]
        holders = {self.by_id[mark] for mark in marks if mark in self.by_id}
        if own is not None and not own.erased:
            holders.add(own.id)
        if len(holders) > 1:
            wrong(f"the ids of {line.name!r} are those of {len(holders)} people here")
        if holders:
            return self.club.players[min(holders)]
        return self._called(line, wrong)

    def _called(self, line: ListedPerson, wrong: Fault) -> Player | None:
        called = self.by_name.get(same_name(line.name), [])
        if len(called) > 1:
            wrong(f"{len(called)} people are called {line.name!r}: write the id of one of them in the column id")
        if not called:
            return None
        other = {same_name(body): f"{body} {id}" for body, id in called[0].ids.items()}
        told = next((other[same_name(body)] for body in line.ids if same_name(body) in other), None)
        if told is not None:
            wrong(
                f"{called[0].name!r} is known with {told} here: write the person's id in the column id, or add another "
                "person of this name on the members page first"
            )
        return called[0]


def _places(line: ListedPerson) -> list[str]:
    """The marks by which a new person stands in one line only: each id, else the name."""
    return [f"{same_name(body)}={same_name(id)}" for body, id in line.ids.items()] or [same_name(line.name)]


def _added(line: ListedPerson, id: str) -> Planned:
    visitor = bool(line.visitor)
    news = [New(PlayerRegistered(id, visitor), {"name": line.name})]
    if line.ids or line.rating is not None:
        news.append(New(PlayerDescribed(id), {"note": "", "ids": dict(line.ids), "rating": line.rating}))
    changes = ("a new visitor" if visitor else "a new member", *_told(line.ids, line.rating))
    return Planned(line.line, "add", id, line.name, changes, tuple(news))


def _changed(known: _Known, line: ListedPerson, person: Player, wrong: Fault) -> Planned:
    """The changes of a line to a person who is known: what it leaves open stays."""
    news: list[New] = []
    changes: list[str] = []
    if same_name(line.name) != same_name(person.name or ""):
        if any(each.id != person.id for each in known.by_name.get(same_name(line.name), ())):
            wrong(f"{person.name!r} would be called {line.name!r}, as somebody else is: rename on the person's page")
        news.append(New(PlayerRenamed(person.id), {"name": line.name}))
        changes.append(f"{person.name} is called {line.name}")
    if line.visitor is not None and line.visitor is not person.visitor:
        news.append(New(MembershipChanged(person.id, line.visitor)))
        changes.append("is a visitor" if line.visitor else "is a member")
    bodies = {same_name(body) for body in line.ids}
    ids = {body: id for body, id in person.ids.items() if same_name(body) not in bodies} | dict(line.ids)
    rating = person.rating if line.rating is None else line.rating
    if (ids, rating) != (dict(person.ids), person.rating):
        news.append(New(PlayerDescribed(person.id), {"note": person.note, "ids": ids, "rating": rating}))
        told = {body: id for body, id in ids.items() if person.ids.get(body) != id}
        changes += _told(told, rating if rating != person.rating else None)
    name = person.name or ""
    return Planned(line.line, "change" if news else "keep", person.id, name, tuple(changes), tuple(news))


def _told(ids: Mapping[str, str], rating: int | None) -> list[str]:
    """Everything kept beside the name, in words."""
    said = [f"{body} {id}" for body, id in ids.items()]
    return [*said, f"rating {rating}"] if rating is not None else said
