"""Claims of the rest in a match: answers, the end of the deal, undo, corrections and views."""

import pytest

from domain import codec, english
from domain.cards.card import CARDS
from domain.cards.facts import CardPlayed, RestAnswered, RestClaimed
from domain.log.actor import Actor
from domain.match import commands as c
from domain.match.audit.findings import findings
from domain.match.mending_commands import Correct
from domain.match.sight import hands_open, opened_deals, played_out, viewer_of
from domain.match.state import is_complete, side_scores
from projections.match_view import match_view
from tests.kit.games.rests import faced, stretches, takes_all
from tests.kit.games.strategies import played_out as played
from tests.kit.match.tables import Table, fact, random_deal, recording, told

ANN, BEN = Actor("player", person="ann"), Actor("player", person="ben")
DIRECTOR = Actor("director")


def stopped(key="parity", options=None, known=False, seed=3, recording="record", back=3):
    """A deal that was stopped some tricks before its end, with who takes them all and what it would have scored."""
    form = (key, options or {})
    for each in range(seed, 400):
        game, own, dealer, deal, facts, states = played(form, each)
        found = [one for one in stretches(game, states) if takes_all(one) is not None and sum(one.won) >= back]
        found = [one for one in found if not game.view(states[one.place], None).trick]
        if found:
            break
    stretch = found[-1]
    facts = facts if known else told(game, facts, states)
    sides = (("ann",), ("ben",)) if game.seats(own) == 2 else tuple((f"p{s}",) for s in range(4))
    if len(game.sides(own)) == 2 and game.seats(own) == 4:
        sides = (("p0", "p2"), ("p1", "p3"))
    table = Table(key, sides=sides, options=form[1], recording=recording)
    table.start(dealer=dealer, deal=deal if known else None)
    table.record(*facts[: stretch.place])
    seat = takes_all(stretch)
    return table, seat, game.score(states[-1]), facts[stretch.place :], game


def deal(table):
    return table.match.deals[-1]


def asked(table, seat):
    return table.match.setup.game.rest(deal(table).table).asked(seat)


@pytest.mark.parametrize(
    ("key", "options"), [("parity", {}), ("cross_purposes", {"variant": "fixed"}), ("ristikontra", {})]
)
@pytest.mark.parametrize("known", [False, True])
def test_an_agreed_claim_ends_the_deal_with_its_score(key, options, known):
    table, seat, score, _, game = stopped(key, options, known, back=1)
    table.record((seat, "rest"))
    assert not is_complete(table.match, deal(table))
    for each in asked(table, seat):
        assert not is_complete(table.match, deal(table))
        table.record((each, "agree", True))
    assert game.score(deal(table).table) == score
    assert findings(table.match) == (), "nothing is missing after a claim that all agreed to"
    assert deal(table).misfits == ()
    assert table.refused(recording((seat, "rest"))).slug == "misfit"
    table.start()
    assert len(table.match.deals) == 2


def test_a_contested_claim_is_found_as_clm_and_play_continues():
    table, seat, score, rest, game = stopped()
    table.record((seat, "rest", 3), (1 - seat, "agree", False))
    (finding,) = findings(table.match)
    assert (finding.code, finding.rule, finding.version) == ("CLM", "ALL.5", table.match.version)
    table.record(*rest)
    assert game.score(deal(table).table) == score
    assert [each.code for each in findings(table.match)] == ["CLM"]


def test_a_strict_table_refuses_a_card_that_cannot_be_faced():
    table, seat, _, _, game = stopped(known=True, recording="strict")
    other = faced(game, deal(table).table, 1 - seat)[1 - seat]
    hands = [[]] * seat + [[str(other[0])]]
    refusal = table.refused(recording((seat, "rest", None, hands)))
    assert (refusal.slug, refusal.code) == ("rule-broken", "NIH")
    table.record((seat, "rest"), (1 - seat, "agree", False))
    assert [each.code for each in findings(table.match)] == ["CLM"]


def test_a_card_faced_that_another_holds_is_recorded_and_found():
    table, seat, _, _, game = stopped(known=True)
    other = faced(game, deal(table).table, 1 - seat)[1 - seat]
    table.record((seat, "rest", None, [[]] * seat + [[str(other[0])]]))
    assert [each.code for each in findings(table.match)] == ["NIH"]


def test_a_card_faced_that_was_played_is_asked_about_first():
    table, seat, _, _, _ = stopped()
    gone = deal(table).facts[2][1].card
    claim = (seat, "rest", None, [[]] * seat + [[str(gone)]])
    assert table.refused(recording(claim)).slug == "confirm-needed"
    table.record(claim, it_happened=True)
    assert [each.code for each in findings(table.match)] == ["DUP"]


def test_a_claim_that_nobody_answers_lapses_with_the_next_card():
    table, seat, score, rest, game = stopped()
    table.record((seat, "rest"), rest[0])
    assert table.refused(recording((1 - seat, "agree", True))).slug == "misfit"
    table.record(*rest[1:])
    assert game.score(deal(table).table) == score
    assert findings(table.match) == ()


def test_undo_takes_back_an_answer_then_the_claim():
    table, seat, _, rest, _ = stopped()
    table.record((seat, "rest"), (1 - seat, "agree", True))
    assert is_complete(table.match, deal(table))
    table.do(c.UndoLast())
    assert not is_complete(table.match, deal(table))
    table.record((1 - seat, "agree", False))
    table.do(c.UndoLast())
    assert findings(table.match) == ()
    table.do(c.UndoLast())
    assert deal(table).table.claim is None
    table.record(*rest)
    assert is_complete(table.match, deal(table))


def test_a_correction_of_the_claim_or_of_an_answer_is_followed():
    table, seat, _, _, _ = stopped()
    claim = table.record((seat, "rest"))
    answer = table.record((1 - seat, "agree", True))
    before = side_scores(table.match, deal(table))
    table.do(Correct(version=claim, now=codec.plain(RestClaimed(seat, 0)), note="it was a concession"))
    assert side_scores(table.match, deal(table)) != before
    table.do(Correct(version=answer, now=codec.plain(RestAnswered(1 - seat, False)), note="she said no"))
    assert not is_complete(table.match, deal(table))
    assert [each.code for each in findings(table.match)] == ["CLM"]


def test_a_correction_before_the_claim_leaves_it_where_it_is():
    table, seat, _, _, game = stopped()
    table.record((seat, "rest"), (1 - seat, "agree", True))
    version, was = deal(table).facts[2]
    unseen = next(card for card in range(52) if game.pack(None) >> card & 1 and not deal(table).table.seen >> card & 1)
    now = codec.plain(CardPlayed(was.seat, CARDS[unseen]))
    table.do(Correct(version=version, now=now, note="misread"))
    assert is_complete(table.match, deal(table))


def test_a_player_claims_and_answers_for_himself_and_records_nothing_else():
    table, seat, _, rest, game = stopped(known=True, options={"open_hands": False})
    own, other = (ANN, BEN) if seat == 0 else (BEN, ANN)
    mine = faced(game, deal(table).table, seat)
    assert table.refused(recording((seat, "rest")), other).slug == "forbidden"
    assert table.refused(recording(rest[0]), own).slug == "forbidden"
    assert table.refused(recording((seat, "rest"), rest[0]), own).slug == "forbidden"
    theirs = faced(game, deal(table).table, 1 - seat)
    assert table.refused(recording(RestClaimed(seat, None, theirs)), own).slug == "forbidden"
    table.do(recording(RestClaimed(seat, None, mine)), own)
    assert table.refused(recording((1 - seat, "agree", True)), own).slug == "forbidden"
    table.do(recording((1 - seat, "agree", True)), other)
    assert is_complete(table.match, deal(table))
    assert table.refused(recording((0, "rest")), Actor("reader", person="eve")).slug == "forbidden"


def test_a_player_may_not_try_whether_another_holds_a_card():
    # a refusal would tell a playing scorer what a hidden hand holds
    table, seat, _, _, game = stopped(known=True, options={"open_hands": False}, recording="strict")
    own = Actor("scorer", person="ann" if seat == 0 else "ben")
    for shown in (faced(game, deal(table).table, 1 - seat), faced(game, deal(table).table, seat)):
        if len(shown) - 1 != seat:
            assert table.refused(recording(RestClaimed(seat, None, shown)), own).slug == "forbidden"
        else:
            table.do(recording(RestClaimed(seat, None, shown)), own)


def test_hands_stay_closed_after_a_claim_until_the_deal_is_settled():
    table, seat, _, _, _ = stopped(known=True, options={"open_hands": False})
    table.record((seat, "rest"), (1 - seat, "agree", True))
    assert not played_out(table.match, deal(table))
    assert not hands_open(table.match, deal(table))
    view = match_view("m", "c", table.match, {}, viewer_of(table.match, Actor()), opened_deals(table.match))
    assert view.table["hands"] == (None, None)
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=1, side=side))
    assert hands_open(table.match, deal(table))
    assert table.refused(c.UndoLast(), DIRECTOR).slug == "window-closed"


def test_a_director_enters_the_result_of_a_contested_claim():
    table, seat, _, _, _ = stopped()
    table.record((seat, "rest"), (1 - seat, "agree", False))
    table.do(c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]}, note="best play, the hands faced"), DIRECTOR)
    assert is_complete(table.match, deal(table))
    assert side_scores(table.match, deal(table)) == (19, 0)
    assert [each.code for each in findings(table.match)] == ["CLM"]


@pytest.mark.parametrize("key", ["garbo", "get_stuck"])
def test_the_board_games_have_no_claim_of_the_rest(key):
    table = Table(key)
    table.start(dealer=0, deal=random_deal(key, table.match.setup.options, 1))
    assert table.refused(recording((0, "rest"))).slug == "misfit"
    assert table.refused(recording((0, "agree", True))).slug == "misfit"


@pytest.mark.parametrize(
    "action",
    [(0, "rest", 16), (1, "agree", True), (3, "rest"), (0, "rest", None, [["SA"], ["SK"], ["SQ"]]), (0, "rest", 26)],
)
def test_what_cannot_be_meant_is_refused(action):
    table, _, _, _, _ = stopped()
    assert table.refused(recording(action)).slug == "misfit"


def test_a_claim_is_told_in_words():
    claim = fact(1, "rest", 3, [[], ["SA", "SK"]])
    assert english.sentence("parity", claim.said()) == (
        "claims 3 tricks of the rest and faces the ace of spades, the king of spades"
    )
    assert english.sentence("parity", RestClaimed(1).said()) == "claims the rest"
    assert english.sentence("parity", RestAnswered(1, True).said()) == "agrees to the claim"
    assert english.sentence("parity", RestAnswered(1, False).said()) == "contests the claim"
