"""Tournaments as files over HTTP and on the command line: tables, report files, archives."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import msgspec
import psycopg
import pytest
from click.testing import CliRunner

from domain.exchange import trf_in
from domain.exchange.archive import TournamentArchive, digest_of
from service.api.tournament_files import ARCHIVE_LIMIT, TABLE_LIMIT, TRF_LIMIT
from service.cli import cli
from service.desk import tournament_files
from service.desk.recording import Recorder
from service.store import appending
from service.store.kinds import TOURNAMENT
from tests.kit.service.asking import House
from tests.service.api.test_tournaments import Evening, single, swiss

WORK = ("read_trf", "read_archive", "rebuilt", "_check_shown")
DATA = Path(__file__).parents[2] / "data"


def sent(house, path, text, status=201, role="director", **headers):
    answer = house.ask("POST", path, text if isinstance(text, bytes) else text.encode(), role, headers)
    assert answer.status_code == status, answer.text
    return answer.json()


def file_of(house, path, role="director"):
    answer = house.get(path, role)
    assert answer.status_code == 200, answer.text
    assert "attachment" in answer.headers["content-disposition"]
    return answer.text


@pytest.fixture
def other(client, database):
    """Another club."""
    with House(client, database) as found:
        yield found


def nine(house):
    """A Swiss of nine over five rounds, with byes, a late entry and a forfeit."""
    evening = Evening(house, [swiss(5)], players=8)
    ids = [each["id"] for each in evening.view["entries"]]
    evening.act({"do": "grant_bye", "entry": ids[2], "round": 1, "kind": "half"})
    for round_ in range(1, 6):
        if round_ == 2:
            evening.act({"do": "enter", "players": [f"Late {house.next_name()}"]})
        evening.act({"do": "pair_round"})
        if round_ == 3:
            evening.act({"do": "report", "fixture": evening.open()[0]["fixture"], "winner": 1, "how": "walkover"})
        evening.play()
    return evening


def checked(text, tmp_path, *more):
    """What `lurch pair --check` and `lurch standings` say of a file."""
    name = tmp_path / "out.trf"
    name.write_text(text)
    found = []
    for command in (["pair", "--check", "--json"], ["standings", "--json"]):
        done = CliRunner().invoke(cli, [*command, *more, str(name)])
        assert done.exit_code == 0, done.output
        found.append(json.loads(done.output.splitlines()[-1]))
    return found


@pytest.mark.parametrize("form", ["trf16", "trf26"])
def test_a_swiss_report_file_has_the_pairings_and_order(house, tmp_path, form):
    evening = nine(house)
    pairs, standing = checked(file_of(house, f"{evening.path}/trf?format={form}"), tmp_path)
    assert (pairs["rounds"], pairs["equal"]) == (5, 5)
    mine = evening.read("/standings")
    assert standing["tiebreaks"] == [each["code"] for each in mine["tiebreaks"]]
    theirs = {row["no"]: (row["rank"], row["values"]) for row in standing["rows"]}
    assert theirs == {row["seed"]: (row["rank"], row["values"]) for row in mine["rows"]}


def test_a_report_file_becomes_a_tournament_with_the_same_standings(house, other):
    evening = nine(house)
    text = file_of(house, f"{evening.path}/trf")
    made = sent(other, f"{other.path}/tournaments/trf?game=cross_game", text)
    assert made["left_out"] == []
    path = f"/api/v1/tournaments/{made['tournament']['id']}"
    rows = other.get(f"{path}/standings").json()["rows"]
    mine = evening.read("/standings")["rows"]
    assert [(row["rank"], row["name"], row["values"]) for row in rows] == [
        (row["rank"], row["name"], row["values"]) for row in mine
    ]
    assert file_of(other, f"{path}/trf") == text


@pytest.mark.parametrize("form", ["trf?game=cross_game", "archive"])
def test_others_are_served_while_a_large_file_is_read_and_tried(house, other, monkeypatch, form):
    evening, in_the_loop = nine(house), []
    text = file_of(house, f"{evening.path}/{form.partition('?')[0]}")

    def watched(work):
        def done(*given):
            with suppress(RuntimeError):
                in_the_loop.append((work.__name__, asyncio.get_running_loop()))
            return work(*given)

        return done

    for place, name in (*((tournament_files, each) for each in WORK), (trf_in, "events_of_file")):
        monkeypatch.setattr(place, name, watched(getattr(place, name)))
    sent(other, f"{other.path}/tournaments/{form}", text)
    assert in_the_loop == []


def test_a_report_file_that_is_wrong_is_refused_with_line_and_column(house):
    path = f"{house.path}/tournaments/trf"
    lines = ["001    1      Annie".ljust(91) + "   2 w 1", "001    2      Benny".ljust(91) + "   1 b 1"]
    problem = house.refused("POST", path, "\n".join(lines).encode(), 400, "malformed", "director")
    assert problem["errors"][0]["path"] == "1:99"
    assert "line 1, column 99" in problem["detail"]
    house.refused("POST", f"{path}?game=chess", "\n".join(lines[:0]).encode(), 400, "malformed", "director")


def test_entries_of_a_table_are_made_all_or_none_and_come_back(house):
    evening = Evening(house, [swiss(3)], players=2)
    path = f"{evening.path}/entries.csv"
    bad = "name;rating;colour\nOlga;1;2\n"
    problem = house.refused("POST", path, bad.encode(), 400, "malformed", "director")
    assert problem["errors"] == [{"path": "1:13", "detail": problem["errors"][0]["detail"]}]
    known = evening.view["entries"][0]["name"]
    problem = house.refused("POST", path, f"name\nOlga\n{known}\nOlga\n".encode(), 400, "malformed", "director")
    assert [each["path"] for each in problem["errors"]] == ["4:1"]
    problem = house.refused("POST", path, f"name\nOlga\n{known}\n".encode(), 400, "malformed", "director")
    assert [each["path"] for each in problem["errors"]] == ["3:1"]
    sent(house, path, "\ufeffname;rating;here\r\nOlga;1800;yes\r\n=1+1;;\r\n")
    text = file_of(house, path)
    assert text.startswith("\ufeffname,partner,rating")
    assert "Olga,,1800,,,,yes" in text
    assert "\n'=1+1," in text
    assert "=1+1" in [each["name"] for each in evening.read()["entries"]]


def test_a_repeated_entry_table_with_its_key_gets_the_first_answer(house):
    evening = Evening(house, [swiss(3)], players=2)
    key = {"Idempotency-Key": evening.id}
    first = sent(house, f"{evening.path}/entries.csv", "name\nPetra\n", **key)
    assert sent(house, f"{evening.path}/entries.csv", "name\nPetra\n", **key)["events"] == first["events"]
    answer = house.ask("POST", f"{evening.path}/entries.csv", b"name\nPaul\n", "director", key)
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/key-reused")


def test_a_report_file_with_a_used_key_and_another_game_conflicts(house):
    evening = Evening(house, [swiss(3)], players=4)
    evening.act({"do": "pair_round"})
    key, text = {"Idempotency-Key": f"file of {evening.id}"}, file_of(house, f"{evening.path}/trf")
    path = f"{house.path}/tournaments/trf"
    first = sent(house, f"{path}?game=parity", text, **key)
    assert sent(house, f"{path}?game=parity", text, **key)["tournament"] == first["tournament"]
    answer = house.ask("POST", f"{path}?game=cross_game", text.encode(), "director", key)
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/key-reused")


def test_results_of_a_table_are_reported_by_a_scorer(house):
    evening = Evening(house, [single()], players=4)
    evening.act({"do": "pair_round"})
    path = f"{evening.path}/results.csv"
    text = file_of(house, f"{path}?round=1")
    one = evening.round()["pairings"][0]["sides"]
    filled = text.replace(",,,,", ",12,10,,", 1)
    sent(house, path, filled, role="scorer")
    evening.read()
    assert evening.round()["pairings"][0]["score"] == [12, 10]
    before = house.position()
    sent(house, path, filled, role="scorer")
    assert house.position() == before, "what stands there is passed over"
    wrong = f"fixture,one,other,winner\nW1.2,{one[0]['name']},{one[0]['name']},{one[0]['name']}\n"
    problem = house.refused("POST", path, wrong.encode(), 400, "malformed")
    assert {each["path"] for each in problem["errors"]} == {"2:6", f"2:{7 + len(one[0]['name'])}"}
    assert house.get(f"{path}?round=7").status_code == 404


@pytest.mark.parametrize(("what", "limit"), [("entries.csv", TABLE_LIMIT), ("results.csv", TABLE_LIMIT)])
def test_an_entry_table_is_read_up_to_its_size_limit(house, what, limit):
    evening = Evening(house, [single()], players=2)
    problem = house.refused("POST", f"{evening.path}/{what}", b"x" * (limit + 1), 413, "too-large", "director")
    assert f"{limit:,}" in problem["detail"]
    house.refused("POST", f"{evening.path}/{what}", b"x" * limit, 400, "malformed", "director")


@pytest.mark.parametrize(("what", "limit"), [("trf", TRF_LIMIT), ("archive", ARCHIVE_LIMIT)])
def test_a_file_beyond_its_limit_is_too_large(house, what, limit):
    path = f"{house.path}/tournaments/{what}"
    assert f"{limit:,}" in house.refused("POST", path, b"x" * (limit + 1), 413, "too-large", "director")["detail"]


def recorded(house):
    """A bracket whose matches were recorded, one of them corrected, with a reason for directors."""
    stage = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
    evening = Evening(house, [stage], players=4)
    evening.act({"do": "pair_round"}, reason="the hall closes at ten")
    for pairing in evening.round()["pairings"]:
        match = f"/api/v1/matches/{pairing['match']}"
        house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
        house.done(f"{match}/undo", {"reason": "misread"})
        house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    evening.read()
    evening.act({"do": "pair_round"})
    evening.act({"do": "unpair_round"})
    evening.act({"do": "pair_round"})
    return evening


def without_ids(value, ids):
    """A view with ids as numbers in the order in which they come, so that two can be compared."""
    if isinstance(value, str) and len(value) == 36 and value.count("-") == 4:
        return ids.setdefault(value, len(ids))
    if isinstance(value, list):
        return [without_ids(each, ids) for each in value]
    if isinstance(value, dict):
        return {without_ids(key, ids): without_ids(each, ids) for key, each in value.items() if key != "club"}
    return value


def views(house, tournament):
    path, ids = f"/api/v1/tournaments/{tournament}", {}
    whole = house.get(path, "director").json()
    found = [whole, house.get(f"{path}/bracket", "director").json(), house.get(f"{path}/standings", "director").json()]
    for each in (pairing["match"] for at in whole["rounds"] for pairing in at["pairings"]):
        match = house.get(f"/api/v1/matches/{each}", "director").json()
        found.append({**match, "windows": [deal["window"] for deal in match["windows"]]})  # they end by each own clock
    return [without_ids(each, ids) for each in found]


def test_an_archive_makes_the_same_tournament_with_its_matches_in_another_club(house, other):
    evening = recorded(house)
    text = file_of(house, f"{evening.path}/archive")
    path = f"{other.path}/tournaments/archive"
    made = sent(other, path, text)["tournament"]
    assert made["id"] != evening.id
    assert views(other, made["id"]) == views(house, evening.id)
    notes = other.get(f"/api/v1/tournaments/{made['id']}/events", "director").text
    assert "the hall closes at ten" in notes
    assert notes.count("RoundPaired") == 3
    before = other.position()
    assert sent(other, path, text)["tournament"]["id"] == made["id"]
    assert other.position() == before, "the same archive again is the first one"
    again = Evening.__new__(Evening)
    again.house, again.path = other, f"/api/v1/tournaments/{made['id']}"
    again.read()
    match = f"/api/v1/matches/{again.round()['pairings'][0]['match']}"
    other.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [11, 4]}})
    assert again.read()["stages"][0]["status"] == "over", "it goes on where it was"


def test_an_archive_that_was_cut_off_is_completed_whoever_looked_meanwhile(house, other, monkeypatch):
    evening = recorded(house)
    text, append = file_of(house, f"{evening.path}/archive"), Recorder._append
    kinds = [each["type"] for each in json.loads(text)["tournament"]["events"]]
    monkeypatch.setattr(appending, "APPEND_LIMIT", kinds.index("OutcomeReported"))

    async def cut_off(recorder, loaded, *more):
        if loaded.kind is TOURNAMENT and loaded.head.version:
            raise psycopg.OperationalError("cut off")
        return await append(recorder, loaded, *more)

    path = f"{other.path}/tournaments/archive"
    with monkeypatch.context() as patch:
        patch.setattr(Recorder, "_append", cut_off)
        other.ask("POST", path, text.encode(), "director")
    other.get(f"{other.path}/tournaments")
    made = sent(other, path, text)["tournament"]
    assert views(other, made["id"]) == views(house, evening.id)


def test_an_archive_knows_people_of_the_other_club_by_name(house, other):
    evening = recorded(house)
    name = evening.view["entries"][0]["name"]
    known = other.done(f"{other.path}/players", {"name": name.upper()}, "owner")["id"]
    made = sent(other, f"{other.path}/tournaments/archive", file_of(house, f"{evening.path}/archive"))["tournament"]
    assert made["entries"][0]["players"] == [known]


@pytest.mark.parametrize("form", ["trf?game=cross_game", "archive"])
def test_two_people_of_a_file_who_are_one_here_are_named(house, other, form):
    evening = nine(house)
    one, two = (each["name"] for each in evening.view["entries"][:2])
    first, second = (other.done(f"{other.path}/players", {"name": name}, "owner")["id"] for name in (one, two))
    assert other.post(f"{other.path}/players/{first}/merge", {"other": second}, "secretary").status_code == 201
    text = file_of(house, f"{evening.path}/{form.partition('?')[0]}")
    path = f"{other.path}/tournaments/{form}"
    told = other.refused("POST", path, text.encode(), 400, "malformed", "director")["detail"]
    assert one in told
    assert two in told


def test_private_words_are_in_the_archive_of_directors_alone(house):
    evening = recorded(house)
    assert "misread" in file_of(house, f"{evening.path}/archive")
    for role in ("spectator", "scorer"):
        text = file_of(house, f"{evening.path}/archive", role)
        assert "misread" not in text
        assert "closes at ten" not in text


def test_a_changed_or_invalid_archive_is_refused_with_the_reason(house, other):
    path = f"{other.path}/tournaments/archive"
    text = file_of(house, f"{recorded(house).path}/archive")
    for changed, said in [
        (text.replace('"winner": 0', '"winner": 1', 1), "changed after it was written"),
        (text[:-20], "truncated"),
        (text.replace('"lurch_tournament": 1', '"lurch_tournament": 2'), "version 2"),
        (text.replace('"club"', '"colour"', 1), "colour"),
        ("[1,", "array"),
    ]:
        assert said in other.refused("POST", path, changed.encode(), 400, "malformed", "director")["detail"], said
    people = other.get(f"{other.path}/players").json()["items"]
    for change, said in SPOILT:
        document = json.loads(text)
        change(document)
        data = reseal(document)
        assert said in other.refused("POST", path, data, 400, "malformed", "director")["detail"], said
    assert other.get(f"{other.path}/players").json()["items"] == people


def reseal(document):
    """The document with a digest that fits, as somebody would make it who means harm."""
    bare = msgspec.json.decode(msgspec.json.encode({**document, "digest": ""}), type=TournamentArchive)
    return msgspec.json.encode({**document, "digest": digest_of(bare)})


def _event(document, kind):
    """The last of a kind: an earlier report may have been replaced, if the steward was quicker than the undo."""
    return next(each for each in reversed(document["tournament"]["events"]) if each["type"] == kind)


SPOILT = [
    (lambda it: it["tournament"]["events"].pop(3), "version 4 is missing"),
    (lambda it: it["tournament"]["events"][2].update(type="MatchOpened"), "no event of it"),
    (lambda it: it["tournament"]["events"][0].update(type="EntryMade"), "lacks something"),
    (lambda it: _event(it, "OutcomeReported")["data"].update(stage=7), "does not follow"),
    (lambda it: _event(it, "OutcomeReported")["data"].update(version=99), "not whole"),
    (lambda it: it["matches"].pop(0), "not there"),
    (lambda it: it["matches"].append(it["matches"][0]), "stands twice"),
    (lambda it: it["people"].pop(next(iter(it["people"]))), "not among them"),
    (lambda it: it["matches"][0]["events"][0]["data"].update(tournament=None), "does not open"),
    (lambda it: it["matches"][0]["events"][0]["data"].update(game="chess"), "does not follow"),
    (lambda it: it["tournament"]["events"][0]["data"].update(colour="red"), "colour"),
    (lambda it: it["matches"][0]["events"][1].update(private={"note": {"a": 1}}), "holds no words in 'note'"),
    (lambda it: it["matches"][0]["events"][0].update(private={"tags": [["a"]]}), "holds no words in 'tags'"),
]


def test_an_archive_with_half_a_character_in_an_event_is_refused(house, other):
    whole = file_of(house, f"{recorded(house).path}/archive").encode()
    place = whole.index(b'"parity"') + 2
    spoilt = whole[:place] + b"\xff" + whole[place + 1 :]
    problem = other.refused("POST", f"{other.path}/tournaments/archive", spoilt, 400, "malformed", "director")
    lines = spoilt[:place].split(b"\n")
    assert problem["errors"][0]["path"] == f"{len(lines)}:{len(lines[-1]) + 1}"
    assert "UTF-8" in problem["detail"]


def test_an_archive_omits_hands_that_the_caller_may_not_see(house):
    stage = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
    evening = Evening(house, [stage], players=2)
    evening.act({"do": "pair_round"})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    lines = (json.loads(line) for line in (DATA / "deals.jsonl").read_text().splitlines())
    history = next(line["history"] for line in lines if line["rules"] == "parity")
    house.done(f"{match}/deals", {"dealer": 0, "deal": history["deal"]})
    assert house.get(f"{evening.path}/archive", "spectator").status_code == 403
    assert house.get(f"{evening.path}/archive", "director").status_code == 200


def test_a_drawn_card_is_salted_in_an_imported_tournament(house, other):
    stage = {"format": {"kind": "single"}, "game": "cross_game", "race": {"target": 15}}
    evening = Evening(house, [stage], players=2)
    evening.act({"do": "pair_round"})
    match = f"/api/v1/matches/{evening.round()['pairings'][0]['match']}"
    house.done(f"{match}/deals", {"dealer": 1})
    facts = [{"seat": 0, "do": "bid", "bid": 1}, {"seat": 1, "do": "pass"}]
    facts += [{"seat": 0, "do": "play", "card": "H9"}, {"seat": 1, "do": "play", "card": "HA"}]
    house.done(f"{match}/facts", {"facts": [*facts, {"seat": 1, "do": "draw", "card": "SA"}]})
    house.done(f"{match}/corrections", {"version": 7, "now": {"seat": 1, "do": "draw", "card": "CT"}, "reason": "slip"})
    sent(other, f"{other.path}/tournaments/archive", file_of(house, f"{evening.path}/archive", "scorer"))
    for club in (house.id, other.id):
        salts = house.log.execute(
            "select e.type, p.salt is not null from events e left join private p using (club_id, stream_id, version)"
            " where e.club_id = %s and e.type in ('CardDrawn', 'EntryCorrected') order by e.position",
            [club],
        ).fetchall()
        assert salts == [("CardDrawn", True), ("EntryCorrected", True)]


def test_a_file_of_what_fits_into_none_says_so(house):
    evening = Evening(house, [single()], players=2)
    assert house.get(f"{evening.path}/trf").status_code == 404, "nothing has begun"
    evening.act({"do": "pair_round"})
    answer = house.get(f"{evening.path}/trf")
    assert (answer.status_code, "archive" in answer.json()["detail"]) == (409, True)
