"""Explanations of rounds and places with names, as a page shows them."""

from domain.log.message import explained as sentences
from domain.tournament.formats.swiss import Swiss
from projections.tournaments.standings import why_view
from projections.tournaments.view import calling, tournament_view
from tests.kit.tournament.directed import Event

PEOPLE = ("Ann", "Bob", "Cyd", "Dan", "Eva", "Fay", "Gus", "Hanna")
NAMES = {f"p{number}": name for number, name in enumerate(PEOPLE, start=1)}
PARTNERS = {"game": "cross_purposes", "options": {"variant": "fixed"}}


def view_of(event):
    return tournament_view("t", "c", event.state, NAMES)


def told(event):
    """Return the reason for each match of the last round, and by name the reason why a player rests."""
    last = view_of(event).rounds[-1]
    return {each.fixture: each.why for each in last.pairings} | {each.name: each.why for each in last.byes}


def in_words(explanation, english=Swiss.english):
    """Return a stored explanation as text, with ids as names."""
    return sentences(explanation, english)


def people_in(explanation):
    """Return all people named in an explanation."""
    roles = [who for message in explanation for who in message.people.values()]
    return {each for who in roles for each in (who if isinstance(who, tuple) else (who,))}


def why_of(event, name):
    number = PEOPLE.index(name) + 1
    return why_view(event.state, event.state.at, f"e{number}", calling(event.state, NAMES))


def working(event, name, code):
    value = next(each for each in why_of(event, name).values if each.code == code)
    return [term.words for term in value.terms]


def swiss(entries, rounds=5, **more):
    return Event({"kind": "swiss", "rounds": rounds, **more}, entries=entries)


def played(event, rounds):
    for _ in range(rounds):
        event.pair()
        event.play()
    return event
