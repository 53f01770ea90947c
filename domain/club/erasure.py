"""Decisions about erasing a person: who may, what stands against it, and the events that list what goes."""

from domain.club.commands import ErasePerson
from domain.club.events import PersonErased
from domain.club.roles import secretaries
from domain.club.state import Club
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden

MOST_ROWS = 500  # of one event


def check_may(club: Club, person: str, actor: Actor) -> None:
    """Raises Refusal for an actor who may not erase this person: a secretary or the owner may, and the last secretary
    is the owner's to end."""
    if not actor.administers or actor.tournament is not None or actor.match is not None:
        raise forbidden(actor)
    if person not in club.players:
        raise Refusal("not-found", "the club knows nobody with this id")
    if actor.role != "owner" and secretaries(club) == (club.whom(person),):
        raise Refusal("forbidden", "this is the last secretary: make another one first, or ask the owner")


def check_undisputed(disputed: tuple[str, ...], cases: tuple[str, ...]) -> None:
    """Raises Refusal while a dispute of the person is open, or a case that concerns the person is."""
    if cases:
        which = f"case {cases[0]} is" if len(cases) == 1 else f"the cases {', '.join(cases)} are"
        raise Refusal(
            "misfit", f"{which} open, and what was said there is still needed: close it, then erase", cases=list(cases)
        )
    if disputed:
        where = "a match" if len(disputed) == 1 else f"{len(disputed)} matches"
        raise Refusal(
            "misfit",
            f"a dispute is open in {where} of this person, and what was said is still needed: settle it, then erase",
        )


def erased(club: Club, command: ErasePerson, actor: Actor) -> list[New]:
    """Every id of the person is erased, and the rows are listed, 500 an event; none where nothing is left to take.
    Raises Refusal."""
    check_may(club, command.person, actor)
    first, *also = club.ids_of(command.person)
    if first not in club.erased:
        check_undisputed(command.disputed, command.cases)
    kept = {(stream, version): private for stream, version, private in command.kept}
    listed = {(row[0], row[1]) for row in command.rows}
    again = [[*place, private] for place, private in kept.items() if place not in listed]  # listed before
    news: list[New] = []
    part = club.parts.get(first, 0)
    for start in range(0, len(command.rows), MOST_ROWS):
        rows = command.rows[start : start + MOST_ROWS]
        left = [[*place, kept[place]] for place in ((row[0], row[1]) for row in rows) if place in kept]
        left, again = [*left, *again], []
        part += 1
        news.append(New(PersonErased(first, command.reason, part, rows), {"kept": left} if left else None))
    fresh = [each for each in (first, *also) if each not in club.erased and not (news and each == first)]
    return [*news, *(New(PersonErased(each, command.reason, club.parts.get(each, 0) + 1, ())) for each in fresh)]
