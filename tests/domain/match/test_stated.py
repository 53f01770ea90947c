"""What is stated in the hashed part are figures; words stand beside the event."""

import msgspec
import pytest

from domain import codec
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match import events as e
from domain.match.stated import are_figures, has_words, words_apart
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps
from domain.notation.write_course import NumberedEvent
from domain.registry import read_event, write_event
from tests.kit.match.tables import Table

SHEET = """[Game "parity"] [Rules "parity/1"] [A "Ida"] [B "Per"]
[Deal "1"] [Dealer "A"] [Detail "summary"]
[Entry "{\\"parity\\":\\"odd\\",\\"tricks\\":[9,6]}"]
R A 19 B 0
! spilt coffee over trick seven
"""
WORDS = "! spilt coffee over trick seven"


def stated_in(text):
    (script,) = loads(text)
    assert script.problems == []
    return script, [new for new in script.events if isinstance(new.event, e.ScoreStated)]


def written(script, private=True):
    events = [NumberedEvent(at, new.event, new.private if private else None) for at, new in enumerate(script.events, 1)]
    return dumps(events, script.tags.names, None)


def test_an_unknown_lines_text_is_private_and_returns_in_ctn():
    script, (score, line) = stated_in(SHEET)
    assert bytes(score.event.stated) == b'"A 19 B 0"'
    assert write_event(line.event) == b'{"deal":1,"what":"line","stated":null}'
    assert line.private == {"line": WORDS}
    assert WORDS in written(script).splitlines()
    assert "coffee" not in written(script, private=False), "erased words leave no line"


def test_a_comment_on_an_unknown_line_stands_beside_it_too():
    _, (_, line) = stated_in(SHEET.replace("seven\n", "seven\n{tea, in fact}\n"))
    assert line.private == {"line": WORDS, "note": "tea, in fact"}


def test_a_line_of_schema_1_is_read_and_written_as_it_was():
    old = read_event("ScoreStated", 1, f'{{"deal":1,"what":"line","stated":"{WORDS}"}}')
    assert has_words(old)
    script, _ = stated_in(SHEET)
    events = [NumberedEvent(at, new.event, new.private) for at, new in enumerate(script.events, 1)]
    events[-1] = NumberedEvent(events[-1].version, old)
    assert dumps(events, script.tags.names, None) == written(script)
    assert words_apart(old, {"note": "late"}) == (script.events[-1].event, {"line": WORDS, "note": "late"})


def test_words_among_the_scores_stand_beside_them_and_come_back():
    text = SHEET.replace("R A 19 B 0", "R A 19 B 0 drink=coffee")
    script, (score, _) = stated_in(text)
    assert bytes(score.event.stated) == b'"A 19 B 0"'
    assert score.private == {"line": "A 19 B 0 drink=coffee"}
    assert "R A 19 B 0 drink=coffee" in written(script)


@pytest.mark.parametrize(
    "said",
    [
        "A 48 B 49",
        "NS 15 EW 18",
        "N+E 15 (4,2) S+W -20 (4,3)",
        "A 33 B 88 stuck=A",
        "8-5",
        "-5--3",
        "B",
        "A7",
        "40",
        "SQ",
    ],
)
def test_figures_cards_and_results_may_be_stated(said):
    assert are_figures(said)


@pytest.mark.parametrize(
    "said", ["Zed", "A 48 cheats", "stuck=coffee", "zed=A", "", " ", "A  B", "40 €", "A\nB", 7, None, ["A"]]
)
def test_words_may_not(said):
    assert not are_figures(said)


def test_a_command_that_states_words_is_refused():
    table = Table("parity")
    table.do(c.StartDeal(dealer=0))
    for what, said in (("R", "Zed cheats"), ("line", "Zed cheats"), ("Zed cheats", "A 1 B 2")):
        with pytest.raises(Refusal) as refused:
            table.do(c.StateScore(what=what, stated=said))
        assert refused.value.slug == "malformed"


def test_an_older_program_would_say_that_it_is_too_old():
    with pytest.raises(ValueError, match="no schema 3"):
        read_event("ScoreStated", 3, "{}")
    assert codec.encode(msgspec.Raw(b"null")) == b"null"
