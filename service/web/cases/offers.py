"""Offers of the page of a case: the acts that whoever looks may do; what would be refused is not offered."""

from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec

from domain.case import commands as c
from domain.case.commands import Around
from domain.case.decide import decide
from domain.case.rulers import check_rules
from domain.case.state import Appeal, Case
from domain.log.actor import Actor
from domain.log.decider import Refusal, decided
from domain.match import commands as mc
from domain.match.decide import decide as decide_match
from domain.match.state import Deal, Match, ruling_in_force, side_of
from service.desk.access import actor_at
from service.desk.cases.access import actor_in
from service.desk.cases.around import around_of, known
from service.web.cases.reading import Looked, Reading

Takes: TypeAlias = Callable[..., bool]
WORDS: Final = "?"  # what is only tried has its words later


class Appealable(msgspec.Struct, frozen=True):
    """A ruling that a side may appeal against."""

    match: str
    ruling: int
    deal: int


class Offers(msgspec.Struct, frozen=True):
    """The acts that are offered: `states` are the sides for which this viewer may state, `names` whether somebody may
    be named to rule and `takes_on` whether that may be this viewer, `free` the people who direct here today and are
    near to nobody; `accepts` is the side that may accept the ruling in force on the deal that is looked at; `hears` the
    appeals that may be decided, `takes_back` those that the own side may withdraw. Sides that may do so by a PIN typed
    here: `states_by_pin`, `accepts_by_pin`, and by ruling `appeals_by_pin`."""

    states: tuple[int, ...] = ()
    opens: bool = False
    witnesses: bool = False
    takes_on: bool = False
    steps_back: bool = False
    names: bool = False
    free: tuple[str, ...] = ()
    hearers: tuple[str, ...] = ()
    joins: bool = False
    closes: bool = False
    reopens: bool = False
    appeals: tuple[Appealable, ...] = ()
    accepts: int | None = None
    states_by_pin: tuple[int, ...] = ()
    accepts_by_pin: tuple[int, ...] = ()
    appeals_by_pin: tuple[tuple[Appealable, tuple[int, ...]], ...] = ()
    hears: tuple[Appeal, ...] = ()
    takes_back: tuple[Appeal, ...] = ()
    rules: bool = False
    why_not: str = ""


async def offers_of(reading: Reading) -> Offers:
    """Everything that this viewer may do now."""
    services, loaded, case = reading.services, reading.seen.loaded, reading.seen.case
    own = reading.caller.person_in(loaded.club)
    around = await around_of(services.streams, loaded, reading.at, () if own is None else (own,))
    actor = actor_in(reading.caller, loaded)

    def takes(command: c.CaseCommand, more: Around = around) -> bool:
        return _taken(case, msgspec.structs.replace(command, around=more), actor)

    def by_pin(side: int, command: c.CaseCommand) -> bool:
        return _taken(case, msgspec.structs.replace(command, around=around), _signs(case.sides[side]))

    others = tuple(n for n, side in enumerate(case.sides) if n != reading.seen.viewer.side or len(side) > 1)
    leads = reading.seen.viewer.kind != "party"
    some = next(iter(around.others), None)
    named = _with(around, reading, some)
    why = _why_not(reading, actor, around)
    me = c.AssignRuler(person=own or "", instead=_ruler(case))
    return Offers(
        states=tuple(n for n in range(len(case.sides)) if takes(c.MakeStatement(side=n, words=WORDS))),
        opens=bool(case.statements) and not reading.opened and takes(c.OpenStatements()),
        witnesses=own is not None and takes(c.HearWitness(person=own, words=WORDS)),
        takes_on=leads and own is not None and own != _ruler(case) and takes(me),
        steps_back=leads and own is not None and takes(c.RecuseRuler(person=own, because="asked")),
        names=leads and some is not None and takes(c.AssignRuler(person=some, instead=_ruler(case)), named),
        free=around.others,
        hearers=around.hearers,
        joins=leads and bool(reading.record.matches) and takes(_joining(reading)),
        closes=takes(c.CloseCase(ended="ruled")),
        reopens=bool(case.closed) and takes(c.ReopenCase()),
        appeals=_appealable(around, takes),
        accepts=_accepts(reading),
        states_by_pin=tuple(n for n in others if by_pin(n, c.MakeStatement(words=WORDS))),
        accepts_by_pin=_accepts_by_pin(reading, others),
        appeals_by_pin=_appealable_by_pin(around, others, by_pin),
        hears=tuple(each for each in case.pending if _hears(takes, each, around, reading)),
        takes_back=tuple(each for each in case.pending if takes(_withdrawn(each)) and not leads),
        rules=why is None,
        why_not=why or "",
    )


def _taken(case: Case, command: c.CaseCommand, actor: Actor) -> bool:
    try:
        return bool(decided(decide, case, command, actor)[0])
    except Refusal:
        return False


def _ruler(case: Case) -> str | None:
    return None if case.ruler is None else case.ruler.person


def _with(around: Around, reading: Reading, person: str | None) -> Around:
    """The surroundings of the case, with one more person that a command names."""
    if person is None:
        return around
    told = known(reading.seen.club.state, reading.seen.loaded, person)
    return msgspec.structs.replace(around, people={**around.people, person: told})


def _joining(reading: Reading) -> c.JoinCase:
    case = reading.seen.case
    return c.JoinCase(matter=case.matter, place=case.calls[0].place, sides=case.sides, words=WORDS)


def _appealable(around: Around, takes: Takes) -> tuple[Appealable, ...]:
    return tuple(
        Appealable(each.match, each.version, each.deal)
        for each in around.rulings
        if not each.superseded and takes(c.LodgeAppeal(match=each.match, ruling=each.version))
    )


def _signs(people: tuple[str, ...]) -> Actor:
    """A person of a side who has typed a PIN."""
    return Actor("player", person=people[0], id=people[0], strength="pin")


def _appealable_by_pin(
    around: Around, others: tuple[int, ...], by_pin: Takes
) -> tuple[tuple[Appealable, tuple[int, ...]], ...]:
    """The rulings against which sides may appeal by PIN, each with those sides."""
    found = []
    for each in around.rulings:
        command = c.LodgeAppeal(match=each.match, ruling=each.version)
        sides = tuple(side for side in others if by_pin(side, command))
        if sides and not each.superseded:
            found.append((Appealable(each.match, each.version, each.deal), sides))
    return tuple(found)


def _withdrawn(appeal: Appeal) -> c.HearAppeal:
    return c.HearAppeal(appeal=appeal.version, panel=(), outcome="withdrawn")


def _hears(takes: Takes, appeal: Appeal, around: Around, reading: Reading) -> bool:
    """Tells whether the decision on an appeal may be written down: with one of those who may hear it, or where nobody
    may."""
    if not around.hearers:
        return takes(c.HearAppeal(appeal=appeal.version, panel=(), outcome="nobody"))
    one = around.hearers[0]
    command = c.HearAppeal(appeal=appeal.version, panel=(one,), outcome="stands")
    return takes(command, _with(around, reading, one))


def _accepts(reading: Reading) -> int | None:
    """The side for which this viewer may accept the ruling in force on the deal."""
    looked = reading.looked
    last = None if looked is None or looked.deal is None else ruling_in_force(looked.deal)
    if looked is None or looked.deal is None or last is None:
        return None
    actor = actor_at(reading.caller, looked.loaded)
    for side in {side_of(looked.match, each) for each in actor.each()} - {None}:
        command = mc.AcceptRuling(deal=looked.deal.number, side=side or 0, ruling=last.version)
        if _match_takes(looked.match, command, actor):
            return side
    return None


def _accepts_by_pin(reading: Reading, others: tuple[int, ...]) -> tuple[int, ...]:
    """The sides of the case that may accept the ruling in force on the deal by PIN."""
    looked, sides = reading.looked, reading.seen.case.sides
    last = None if looked is None or looked.deal is None else ruling_in_force(looked.deal)
    if looked is None or looked.deal is None or last is None:
        return ()
    found = []
    for number in others:
        actor = _signs(sides[number])
        own = side_of(looked.match, actor)
        command = mc.AcceptRuling(deal=looked.deal.number, side=-1 if own is None else own, ruling=last.version)
        if _match_takes(looked.match, command, actor):
            found.append(number)
    return tuple(found)


def _match_takes(match: Match, command: mc.MatchCommand, actor: Actor) -> bool:
    try:
        return bool(decided(decide_match, match, command, actor)[0])
    except Refusal:
        return False


def _why_not(reading: Reading, actor: Actor, around: Around) -> str | None:
    """The reason for which this viewer does not rule now; None for who may. Empty where there is nothing to say: it is
    no matter of his."""
    looked = reading.looked
    if looked is None or looked.deal is None or reading.seen.viewer.kind == "party":
        return ""
    try:
        check_rules(reading.seen.case, actor, around)
        _try(looked, looked.deal, actor_at(reading.caller, looked.loaded))
    except Refusal as refusal:
        return "" if refusal.slug == "forbidden" else refusal.detail
    return None


def _try(looked: Looked, deal: Deal, actor: Actor) -> None:
    """Raises Refusal where no ruling on a deal would be taken now from this actor."""
    last = ruling_in_force(deal)
    command = mc.Rule(
        code="OTH",
        deal=deal.number,
        remedy="stands",
        supersedes=None if last is None else last.version,
        note=WORDS,
        moment=looked.moment,
    )
    try:
        decided(decide_match, looked.match, command, actor)
    except Refusal as refusal:
        if refusal.slug not in ("misfit", "malformed"):  # it has no result yet: then its scores are named
            raise
