"""Claims of the rest in CTN and histories survive writing and reading."""

import random
from pathlib import Path

import pytest

from domain.cards.facts import RestAnswered, RestClaimed
from domain.match import commands as c
from domain.match.audit.findings import findings
from domain.match.state import is_complete
from domain.notation import history
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps, rewritten
from domain.notation.match_history import events_of, lines_of, places_of
from domain.notation.words import rest_word
from domain.notation.write_course import NumberedEvent
from tests.kit.games.rests import faced, stretches, takes_all
from tests.kit.games.strategies import played_out
from tests.kit.match.tables import Table, told

FORMS = [
    ("parity", {}),
    ("cross_purposes", {}),
    ("cross_purposes", {"variant": "fixed"}),
    ("cross_purposes", {"variant": "alliance"}),
    ("cross_game", {}),
    ("ristikontra", {}),
]
IDS = ["-".join([key, *given.values()]) for key, given in FORMS]


def written(table):
    setup = table.match.setup
    names = [[f"P{seat}" for seat in seats] for seats in setup.seats]
    return dumps([NumberedEvent(version, event) for version, event in table.log], names)


def claimed_table(form, seed, known, *answers):
    """Return a table where the winner of the rest claimed it with the hand faced, and the answers."""
    game, options, dealer, deal, facts, states = played_out(form, seed)
    stretch = random.Random(seed).choice([each for each in stretches(game, states) if takes_all(each) is not None])
    seats = game.sides(options)
    table = Table(form[0], sides=[tuple(f"p{seat}" for seat in own) for own in seats], options=form[1])
    table.start(dealer=dealer, deal=deal if known else None)
    facts = facts if known else told(game, facts, states)
    table.record(*facts[: stretch.place])
    state = states[stretch.place]
    seat = takes_all(stretch)
    table.record(RestClaimed(seat, random.Random(seed).choice([None, sum(stretch.won)]), faced(game, state, seat)))
    for each, yes in zip(game.rest(state).asked(seat), answers, strict=False):
        table.record(RestAnswered(each, yes))
    return table, facts[stretch.place :], facts[stretch.end :]


@pytest.mark.parametrize("form", FORMS, ids=IDS)
@pytest.mark.parametrize("known", [False, True], ids=["plays", "full"])
@pytest.mark.parametrize("answers", [(True, True), (False,), ()], ids=["agreed", "contested", "lapsed"])
def test_a_claim_goes_round_in_ctn(form, known, answers):
    for seed in range(4):
        table, goes_on, after_phase = claimed_table(form, seed, known, *answers)
        deal = table.match.deals[-1]
        if not is_complete(table.match, deal):
            phase_over = True in answers and table.match.setup.game.rest(deal.table) is None
            table.record(*(after_phase if phase_over else goes_on), it_happened=True)
        text = written(table)
        (read,) = loads(text)
        assert (read.problems, read.differences) == ([], []), text
        assert rewritten(read) == text
        assert [fact for _, fact in read.state.deals[-1].facts] == [fact for _, fact in table.match.deals[-1].facts]
        game = table.match.setup.game
        assert game.score(read.state.deals[-1].table) == game.score(table.match.deals[-1].table)
        codes = [each.code for each in findings(read.state)]
        assert codes == [each.code for each in findings(table.match)] == (["CLM"] if False in answers else [])


def test_a_claim_as_people_write_it_in_other_spellings():
    text = (
        '[Game "parity"] [A "Annie"] [B "Benny"] [Lang "de"] [Deal "1"] [Dealer "B"]\n'
        "BID A:H B:odd 1.PT PK 2.HK HA A:rest13+A:♠AHDs10+B:d5 B:deny^CLM"
    ).replace("P", "S")
    (read,) = loads(text)
    assert read.problems == []
    claim, answer = (fact for _, fact in read.state.deals[-1].facts[-2:])
    assert [list(map(str, cards)) for cards in claim.hands] == [["SA", "HQ", "ST"], ["D5"]]
    assert (claim.tricks, answer) == (13, RestAnswered(1, False))
    assert "A:rest13+A:SAHQST+B:D5 B:deny^CLM" in rewritten(read)


def test_a_claim_that_was_withdrawn_is_written_so():
    table, _, _ = claimed_table(("parity", {}), 1, False)
    table.do(c.UndoLast(withdrawn=True))
    text = written(table)
    word = next(each for each in text.split() if ":rest" in each)
    assert word.endswith("~")
    (read,) = loads(text)
    assert read.problems == []
    assert rewritten(read) == text
    assert table.match.setup.game.rest(read.state.deals[-1].table).claim is None


@pytest.mark.parametrize(
    "word", ["A:rest+A:", "A:rest+A:ZZ", "A:rest99", "A:rest+Q:SA", "A:rest-1", "A:rest+A:SASAS", "A:rest3+E:SA"]
)
def test_a_claim_that_cannot_be_read_is_named(word):
    (read,) = loads(f'[Game "parity"] [A "a"] [B "b"] [Deal "1"] [Dealer "B"]\nBID A:H B:odd 1.ST SK {word}')
    assert [each.token for each in read.problems] == [word]


def test_the_parts_of_a_claim():
    word = rest_word("N:rest3+N:SASK+E:HT^CLM~")
    assert (word.seat, word.call, word.faced, word.marks) == (
        "N",
        "rest3",
        (("N", "SASK"), ("E", "HT")),
        ("^CLM", "~"),
    )
    assert rest_word("A:rest3") is None, "a call like any other"


@pytest.mark.parametrize("form", FORMS, ids=IDS)
@pytest.mark.parametrize("answers", [(True, True), (False,), ()], ids=["agreed", "contested", "lapsed"])
def test_a_history_holds_a_claim_only_where_the_rest_was_given(form, answers):
    for seed in range(4):
        table, goes_on, after_phase = claimed_table(form, seed, True, *answers)
        deal = table.match.deals[-1]
        given = table.match.setup.game.rest(deal.table) is None
        if not is_complete(table.match, deal):
            table.record(*(after_phase if given else goes_on))
        (line,) = lines_of(table.match)
        assert ('"rest"' in line) == given
        read = history.read(line)
        answer = history.score(read)
        assert answer["complete"]
        score = table.match.setup.game.score(table.match.deals[-1].table)
        assert tuple(answer["scores"]) == score.scores
        assert events_of(read, tuple(tuple(map(str, seats)) for seats in places_of(read)))


def test_the_examples_of_the_description_say_what_they_say():
    text = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")
    lines = [line[4:] if line.startswith("    ") else "" for line in text.splitlines()]
    contested, agreed = loads("\n".join(lines))
    for read, score in ((contested, (19, 0)), (agreed, (0, 23))):
        assert (read.problems, read.differences) == ([], [])
        assert read.state.setup.game.score(read.state.deals[0].table).scores == score
    assert [each.code for each in findings(contested.state)] == ["CLM"]
    assert findings(agreed.state) == ()
