"""Players of a table and their relations don't direct there without the other side's consent."""

import pytest

from domain.log.actor import SERVICE, Actor, Right
from domain.log.decider import Refusal, decided
from domain.match import commands as c
from domain.match import events as e
from domain.match.decide import decide
from domain.match.evolve import fold, initial
from domain.match.mending_commands import Correct
from tests.kit.match.tables import Table

NINE, EIGHT = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [7, 8]}


def person(name, *roles, close=(), strength="own device"):
    """Return a signed-in person with these roles."""
    rights = tuple(Right(role, person=name, id=name, strength=strength) for role in ("player", *roles))
    return Actor(rights=rights, close=close)


ANN, BEN, DEE = person("ann", "director"), person("ben"), person("dee", "director")
CLOSE = person("flo", "director", close=("ann",))
DIRECTS = {
    "rule": c.Rule(code="REV", deal=1, scores=(0, 19)),
    "correct": Correct(version=3, now=EIGHT, note="misread"),
    "settle": c.SettleDispute(how="upheld"),
    "open": c.OpenHands(deal=1, note="asked"),
    "void match": c.VoidMatch(),
    "void deal": c.VoidDeal(),
    "undo": c.UndoLast(),
}


def a_table(dispute=True):
    """Return a deal that both sides have confirmed, with a dispute about it."""
    table = Table("parity")
    table.do(c.EnterResult(entry=NINE))
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=1, side=side))
    if dispute:
        table.do(c.DisputeResult(deal=1, side=1, note="no"))
    return table


def told(table, command, actor):
    """Return the kind of a refusal, or the types of the recorded events."""
    try:
        news, acting = decided(decide, table.match, command, actor)
    except Refusal as refusal:
        return refusal.slug
    for new in news:
        version = table.match.version + 1
        table.log.append((version, new.event))
        table.state = fold(table.state, [(version, new.event)])
    return [type(new.event).__name__ for new in news], acting.role


@pytest.mark.parametrize("what", DIRECTS)
def test_a_director_cannot_direct_their_own_table(what):
    assert told(a_table(), DIRECTS[what], ANN) == "recused"


@pytest.mark.parametrize("what", DIRECTS)
def test_nor_does_one_who_is_close_to_a_player(what):
    assert told(a_table(), DIRECTS[what], CLOSE) == "recused"


@pytest.mark.parametrize("what", [each for each in DIRECTS if each != "open"])
def test_another_director_does(what):
    assert told(a_table(), DIRECTS[what], DEE)[1] == "director"


def test_the_owner_and_a_token_with_a_person_are_recused_too():
    owner = Actor(rights=(Right("owner", person="ann", id="ann", strength="own device"),))
    token = Actor(rights=(Right("director", person="ben", id="ben"),))
    assert [told(a_table(), DIRECTS["rule"], each) for each in (owner, token)] == ["recused", "recused"]


def test_a_program_cannot_direct_if_persons_are_required():
    token, rule = Actor("director", id="token"), DIRECTS["rule"]
    asked = c.Rule(code="REV", deal=1, scores=(0, 19), asks="pin")
    assert told(a_table(), asked, token) == "forbidden"
    assert told(a_table(), asked, SERVICE)[1] == "owner"
    assert told(a_table(), rule, token)[1] == "director"


def test_a_player_who_directs_elsewhere_plays_here():
    table = Table("parity")
    assert told(table, c.EnterResult(entry=NINE), ANN)[1] == "player"
    assert told(table, c.DisputeResult(deal=1, note="no"), ANN)[1] == "player"
    assert told(table, c.SettleDispute(how="withdrawn"), ANN)[1] == "player"


def test_a_scorer_who_directs_is_not_stopped_by_the_scorers_window():
    assert told(a_table(dispute=False), DIRECTS["correct"], person("dee", "scorer", "director"))[1] == "director"
    assert told(a_table(dispute=False), DIRECTS["correct"], person("ann", "scorer", "director")) == "recused"


def test_the_other_side_agrees_once_and_what_is_decided_so_is_marked():
    table = a_table()
    agree = c.AgreeOwnTable(ruler="ann", deal=1)
    assert told(table, agree, BEN) == (["OwnTableAgreed"], "player")
    assert told(table, agree, BEN) == "misfit"
    events, role = told(table, DIRECTS["rule"], ANN)
    assert (events, role) == (["OwnTableDirected", "RulingMade", "DisputeSettled"], "director")
    assert table.match.deals[0].own_table
    assert table.match.consents == ()
    assert told(table, DIRECTS["rule"], ANN) == "recused"


def test_a_consent_that_a_file_says_there_was_allows_nothing():
    table = a_table()
    said = e.OwnTableAgreed(1, 1, "ann", "ben", "file")
    table.state = fold(table.state, [(table.match.version + 1, said)])
    assert told(table, DIRECTS["rule"], ANN) == "recused"


def test_a_consent_is_for_one_deal_and_one_ruler():
    table = a_table()
    told(table, c.AgreeOwnTable(ruler="flo", deal=1), BEN)
    assert told(table, DIRECTS["rule"], ANN) == "recused"
    told(table, c.AgreeOwnTable(ruler="ann"), BEN)
    assert told(table, DIRECTS["rule"], ANN) == "recused"
    assert told(table, DIRECTS["void match"], ANN)[0] == ["OwnTableDirected", "MatchVoided"]
    assert table.match.own_table


def test_a_consent_is_a_persons_of_the_other_side():
    table, agree = a_table(), c.AgreeOwnTable(ruler="ann", deal=1)
    tapped = Actor(rights=(Right("player", person="ben", id="ben", strength="table", match="m", by_code=True),))
    assert told(table, agree, tapped) == "forbidden"
    assert told(table, agree, person("ann")) == "misfit"
    assert told(table, agree, DEE) == "forbidden"
    assert told(table, c.AgreeOwnTable(ruler="ann", deal=7), BEN) == "misfit"
    assert told(table, agree, person("ben", strength="pin"))[0] == ["OwnTableAgreed"]


def test_who_is_close_to_both_sides_needs_another_director():
    table, both = a_table(), person("flo", "director", close=("ann", "ben"))
    told(table, c.AgreeOwnTable(ruler="flo", deal=1), BEN)
    assert told(table, DIRECTS["rule"], both) == "recused"


def test_a_deputy_opens_no_match_outside_the_tournament():
    deputy = Actor(rights=(Right("deputy", person="dee", id="dee", tournament="cup", strength="own device"),))
    alone = c.OpenMatch(game="parity", options={}, race={}, sides=(("ann",), ("ben",)))
    with pytest.raises(Refusal):
        decided(decide, initial(), alone, deputy)
