"""CSV of entries and results: reading, writing and reporting every fault with line and column."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.club.state import Club, Player
from domain.exchange import entries, results
from domain.exchange.faults import FaultyError
from domain.exchange.sheets import read_sheet, write_sheet
from tests.kit.tournament.evenings import announced, better, entered, names_of, ordered, paired, played

KNOWN = ("one", "two", "three")
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12).map(lambda text: text.strip())
LOOKS = st.sampled_from(["=1+2", "+x", "-3", "@cmd", "'=x", "''-y", "'plain", "＝全", 'a "b" c', "a;b", "a\nb", "a,b"])


def places(wrong):
    return [(each.line, each.column) for each in wrong.value.faults]


@given(st.lists(st.tuples(*[TEXTS | LOOKS] * 3), max_size=6))
@settings(max_examples=200)
def test_whatever_is_written_is_read_unchanged(rows):
    found = read_sheet(write_sheet(KNOWN, rows), KNOWN, ())
    assert [tuple(row.text(name) for name in KNOWN) for row in found] == [row for row in rows if any(row)]


@given(st.text(max_size=80), st.sampled_from([",", ";", "\t"]))
@settings(max_examples=200)
def test_any_text_is_read_or_its_faults_have_places(text, separator):
    try:
        read_sheet(separator.join(KNOWN) + "\n" + text, KNOWN, ())
    except FaultyError as wrong:
        assert all(each.line >= 1 and each.column >= 1 for each in wrong.faults)


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-1", "@SUM", "＝1", "'=x"])
def test_nothing_is_written_that_a_spreadsheet_runs(text):
    cell = write_sheet(("one",), [(text,)]).splitlines()[1].strip('"')
    assert cell.startswith("'")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_separator_line_ends_and_mark_do_not_matter(separator, ending, mark):
    lines = [["Rating", " NAME", "paid"], ["1800", '"Annie"', '"12,50"'], [], ["", "Benny", "3"]]
    found = entries.read_entries(mark + ending.join(separator.join(line) for line in lines) + ending)
    assert [(line.people[0].text, line.rating, line.paid) for line in found] == [
        ("Annie", 1800, 1250),
        ("Benny", None, 300),
    ]
    assert [(line.people[0].line, line.people[0].column) for line in found] == [(2, 6), (4, 2)]


@pytest.mark.parametrize("text", ["'\rN", "'\t=1", "'= 1 ", "' '=1", "''\r", "'\u3000-"])
def test_a_guarded_cell_is_stripped_and_written_as_read(text):
    def cells(rows):
        return [row.text("name") for row in read_sheet(write_sheet(("name",), rows), ("name",), ())]

    (read,) = read_sheet(f'name\n"{text}"\n', ("name",), ())
    assert read.text("name") == read.text("name").strip()
    assert cells([[read.text("name")]]) == [read.text("name")]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_cell_has_its_line_and_column_after_multiline_cells(ending):
    text = ending.join(["name;partner;table", '"one";"two', 'lines; of ""two""";3', ";;", "a; b", '"";"last'])
    first, second = read_sheet(text + '"', ("name", "partner", "table"), ("name",))[:2]
    places = {name: (cell.line, cell.column) for name, cell in first.cells.items()}
    assert places == {"name": (2, 1), "partner": (2, 7), "table": (3, 20)}
    assert first.text("partner").split() == ["two", "lines;", "of", '"two"']
    assert [(cell.line, cell.column) for cell in second.cells.values()] == [(5, 1), (5, 3)]


def test_everything_that_is_wrong_with_entries_is_named_at_once():
    text = "name,rating,table,seed,paid,here\nAnnie,12x,1,1,,\n,1,,,,\nannie,,1,1,1.234,perhaps\n"
    with pytest.raises(FaultyError) as wrong:
        entries.read_entries(text)
    assert places(wrong) == [(2, 7), (3, 1), (4, 1), (4, 8), (4, 10), (4, 12), (4, 18)]


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("name,colour\nA,red\n", (1, 6), "there is no column 'colour'; there are name, partner"),
        ("rating\n5\n", (1, 1), "the column name is missing"),
        ("name,name\n", (1, 6), "twice"),
        ("", (1, 1), "no header"),
        ("name\nA,B\n", (2, 3), "more"),
        ('name\n"A\n', (2, 1), "cannot be read"),
        ('name,rating\n"A\nB",x\n', (2, 1), "one line"),
    ],
)
def test_a_table_that_is_none_says_where_and_why(text, place, said):
    with pytest.raises(FaultyError) as wrong:
        entries.read_entries(text)
    assert places(wrong)[0] == place
    assert said in wrong.value.faults[0].message


def entered_from(state, text, club=None):
    lines = entries.read_entries(text)
    known = entries.people_of(club or Club(), lines)
    players = [
        tuple(each or cell.text for each, cell in zip(own, line.people, strict=True))
        for own, line in zip(known, lines, strict=True)
    ]
    ids = [f"e{len(state.entries) + at}" for at in range(1, len(lines) + 1)]
    return ordered(state, *entries.commands_of(state, lines, players, ids))


def test_entries_come_back_as_they_were_written():
    state = announced({"kind": "swiss"})
    text = "name,rating,table,seed,paid,here\r\nBea,1800,4,2,,\r\nÅke,,,1,12.50,yes\r\nCleo,,,,0.05,\r\n"
    state = entered_from(state, text)
    names = {player: player for entry in state.entries.values() for player in entry.players}
    out = entries.write_entries(state, names)
    assert [line.split(",")[0] for line in out.splitlines()] == ["name", "Åke", "Bea", "Cleo"]
    again = entered_from(announced({"kind": "swiss"}), out)
    assert entries.write_entries(again, names) == out
    assert next(each for each in again.entries.values() if each.here).paid == 1250


def test_duplicate_entries_and_taken_tables_are_named_and_the_import_fails():
    state = entered_from(announced({"kind": "swiss"}), "name,table\nBea,4\n")
    with pytest.raises(FaultyError) as wrong:
        entered_from(state, "table,name\n,Annie\n4,Cleo\n,Bea\n")
    assert places(wrong) == [(3, 3), (4, 2)]
    assert "belongs to another entry" in wrong.value.faults[0].message
    assert "in the list already" in wrong.value.faults[1].message


def test_two_people_of_one_name_are_told_apart_by_id():
    players = {each: Player(each, "Annie", False) for each in ("id-1", "id-2")}
    club = Club(players=players)
    with pytest.raises(FaultyError) as wrong:
        entered_from(announced({"kind": "swiss"}), "name\nannie\n", club)
    assert "2 people" in wrong.value.faults[0].message
    state = entered_from(announced({"kind": "swiss"}), "name\nid-2\n", club)
    assert [entry.players for entry in state.entries.values()] == [("id-2",)]


def test_partners_are_asked_for_where_two_play_together():
    with pytest.raises(FaultyError) as wrong:
        entered_from(announced({"kind": "swiss"}, "ristikontra"), "name,partner\nA,B\nC,\n")
    assert places(wrong) == [(3, 1)]


@pytest.fixture
def evening():
    return paired(entered(announced({"kind": "swiss", "rounds": 3}), 4))


def said(state, *rows, header="fixture,one,other,score_one,score_other,winner,how"):
    return results.read_results(state, "\n".join([header, *rows]), names_of(state))


def pairing(state, fixture="R1.1"):
    return [names_of(state)[entry] for entry in state.stage.pairings[fixture].entries]


def test_the_table_of_a_round_is_filled_in_and_read(evening):
    text = results.write_results(evening, 0, names_of(evening), 1)
    assert results.read_results(evening, text, names_of(evening)) == ()
    one, other = pairing(evening)
    filled = text.replace(f"{one},{other},,,,", f"{one},{other},13,11,,")
    (report,) = results.read_results(evening, filled, names_of(evening))
    assert (report.fixture, report.score) == ("R1.1", (13, 11))
    after = played(ordered(evening, report), better)
    assert results.read_results(after, results.write_results(after, 0, names_of(after)), names_of(after)) == ()


def test_sides_may_stand_the_other_way_round(evening):
    one, other = pairing(evening)
    (report,) = said(evening, f"R1.1,{other},{one.upper()},11,13,,")
    assert report.score == (13, 11)
    (report,) = said(evening, f"R1.1,{other},{one},,,{one},walkover")
    assert (report.winner, report.how) == (0, "walkover")
    (report,) = said(evening, f"R1.1,{one},{other},,,draw,")
    assert (report.winner, report.how) == (None, "played")
    (report,) = said(evening, f"R1.1,{one},{other},,,,absent")
    assert report.how == "absent"


def test_names_must_match_the_pairing(evening):
    one, other = pairing(evening)
    third = pairing(evening, "R1.2")[0]
    for row, column in [
        (f"R1.1,{one},{one},,,{one},", 6 + len(one) + 1),
        (f"R1.1,{one},{third},,,{one},", 6 + len(one) + 1),
        (f"R1.1,{third},{other},,,{other},", 6),
        (f"R1.1,{one},{other},,,{third},", len(f"R1.1,{one},{other},,,") + 1),
        (f"R1.1,{one},{other},11,10,,", len(f"R1.1,{one},{other},") + 1),
        (f"R1.1,{one},{other},13,11,{other},", len(f"R1.1,{one},{other},") + 1),
        (f"R1.1,{one},{other},13,,,", len(f"R1.1,{one},{other},13,") + 1),
        (f"R9.9,{one},{other},,,{one},", 1),
        (f"R1.1,{one},{other},,,,walkover", len(f"R1.1,{one},{other},,,") + 1),
        (f"R1.1,{one},{other},,,{one},by luck", len(f"R1.1,{one},{other},,,{one},") + 1),
    ]:
        with pytest.raises(FaultyError) as wrong:
            said(evening, row)
        assert places(wrong) == [(2, column)], row


def test_a_correction_that_needs_a_repair_is_refused_with_its_reason(evening):
    state = paired(played(evening, better))
    one, other = pairing(state)
    loser = other if better("", int(one[5:]), int(other[5:])).winner == 0 else one
    with pytest.raises(FaultyError, match="repair"):
        said(state, f"R1.1,{one},{other},,,{loser},")
