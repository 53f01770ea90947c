"""Breaches that follow from another are listed beneath its finding."""

from domain.match.audit.finding import Course
from domain.match.audit.findings import derived
from tests.kit.audit.illegal import one_wrong
from tests.kit.games.made_up_game import GAME as MADE_UP
from tests.kit.games.made_up_game import CardPeeked
from tests.kit.match.tables import cards, deal_for, fact, options_of


def cross_purposes(*actions, deal=None) -> Course:
    game = one_wrong(("cross_purposes", {}), 1).game
    first = [(1, "declare", "trump", "S"), (0, "declare", "top", "A")]
    return Course(game, options_of("cross_purposes"), 0, deal, tuple(fact(*each) for each in (*first, *actions)))


def told(course: Course) -> list:
    return [(each.place, each.code, [one.code for one in each.beneath]) for each in derived(course)]


def test_a_card_that_appears_three_times_is_one_finding():
    plays = [(1, "play", "H2"), (0, "play", "H3"), (0, "play", "H2"), (1, "play", "C3"), (0, "play", "H2")]
    assert told(cross_purposes(*plays)) == [(4, "DUP", ["DUP"])]


def test_a_lead_by_the_wrong_seat_after_a_revoke_is_beneath_it():
    deal = deal_for("cross_purposes", "HA C2 D5", "H2 D4")
    plays = [(1, "play", "H2"), (0, "play", "C2"), (0, "play", "D5")]
    assert told(cross_purposes(*plays, deal=deal)) == [(3, "REV", ["LOT"])]


def test_unrelated_breaches_are_two_findings():
    plays = [
        (0, "play", "H2"),
        (1, "play", "H3"),
        (1, "play", "C5"),
        (0, "play", "C6"),
        (1, "play", "D2"),
        (0, "play", "D3"),
    ]
    assert [code for _, code, _ in told(cross_purposes(*plays))] == ["LOT", "LOT"]


def test_the_made_up_game_is_audited_by_its_own_code():
    twice = (CardPeeked(1, cards("AS")[0]), CardPeeked(1, cards("AH")[0]))
    course = Course(MADE_UP, MADE_UP.options(), 0, None, twice)
    assert [(each.place, each.code, each.rests_on) for each in derived(course)] == [(1, "PEK", (1, 0))]
