"""`lurch erase` says what would go and what would stay, and does it when it is told so."""

import json

from tests.service.cli.test_cli import lurch

SHEET = """[Scorer "Hedda Quist"]
[Game "parity"]
[A "Hedda Quist"]
[B "Iver"]
[Deal "1"]
[Dealer "A"]
[Detail "summary"]
[Entry "{\\"parity\\":\\"odd\\",\\"tricks\\":[9,6]}"] {Hedda Quist was late, Iver too}
"""


def test_a_person_is_shown_first_and_erased_when_sure(database, tmp_path):
    where = {"LURCH_DATABASE_URL": database.url, "LURCH_BACKUP_DAYS": "30"}
    sheet = tmp_path / "sheet.ctn"
    sheet.write_text(SHEET, encoding="utf-8")
    code, match, _ = lurch("import", str(sheet), "--club", "Leavers", **where)
    assert code == 0
    match = match.split()[0]
    code, said, _ = lurch("erase", "Hedda Quist", "--club", "Leavers", **where)
    assert code == 0
    assert "backups keep the rest for 30 days" in said
    assert "'(name removed) was late, Iver too'" in said
    assert "nothing was done" in said
    assert "Hedda Quist" in lurch("export", match, **where)[1]
    code, listed, _ = lurch("erase", "Hedda Quist", "--club", "Leavers", "--json", **where)
    found = json.loads(listed)
    assert (code, len(found["texts"]), found["matches"]) == (0, 2, 1)
    code, said, _ = lurch("erase", found["person"], "--club", "Leavers", "--texts", "--yes", **where)
    assert (code, said.strip()) == (0, "erased: 3 private parts of the log are gone")
    code, left, _ = lurch("export", match, **where)
    assert "Hedda" not in left
    assert "{(name removed) was late, Iver too}" in left
    assert '[Scorer "(name removed)"]' in left
    assert lurch("erase", found["person"], "--club", "Leavers", **where)[1].strip() == "this person was erased already"


def test_erasing_an_unknown_person_is_refused_and_founds_no_club(database):
    where = {"LURCH_DATABASE_URL": database.url}
    code, _, wrong = lurch("erase", "Nobody", "--club", "No such club", **where)
    assert (code, wrong.strip()) == (2, "lurch: there is no such club: say which with --club")


def test_the_id_of_no_text_is_told_before_anything_is_gone(database, tmp_path):
    where = {"LURCH_DATABASE_URL": database.url}
    sheet = tmp_path / "sheet.ctn"
    sheet.write_text(SHEET, encoding="utf-8")
    match = lurch("import", str(sheet), "--club", "Slips", **where)[1].split()[0]
    found = json.loads(lurch("erase", "Hedda Quist", "--club", "Slips", "--json", **where)[1])
    slip = found["texts"][0]["id"][:-1]
    code, _, wrong = lurch("erase", "Hedda Quist", "--club", "Slips", "--text", slip, "--yes", **where)
    assert (code, f"there is no text {slip} " in wrong) == (2, True)
    assert "Hedda Quist" in lurch("export", match, **where)[1]
    ticked = [word for each in found["texts"] for word in ("--text", each["id"])]
    assert lurch("erase", "Hedda Quist", "--club", "Slips", *ticked, "--yes", **where)[0] == 0
    assert "Hedda" not in lurch("export", match, **where)[1]
