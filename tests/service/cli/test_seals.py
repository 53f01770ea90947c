"""A file that was exported proves later that nobody has edited the log, and that nobody has edited the file."""

import json
import re

import psycopg
import pytest

from service.cli import clerk, intake, seals
from service.store.ids import new_id
from tests.conftest import with_pool
from tests.service.cli.test_cli import lurch
from tests.service.cli.test_notation import TEXT


@pytest.fixture(scope="module")
def exported(database):
    told = []
    with_pool(database, lambda pool: intake.import_ctn(pool, "Sealed club", True, TEXT, told.append))
    return [with_pool(database, lambda pool, match=each.match: seals.export_ctn(pool, match)) for each in told]


def test_a_file_without_a_match_is_told_of(database):
    home = {"LURCH_DATABASE_URL": database.url}
    code, out, _ = lurch("verify", "-", text="\n", **home)
    assert (code, out.splitlines()[-1]) == (1, "-: there is no match in it")
    code, out, _ = lurch("verify", "--json", "-", **home)
    assert (code, json.loads(out.splitlines()[-1])["good"]) == (1, False)


def verified(database, text):
    return with_pool(database, lambda pool: seals.verify_text(pool, text))


def test_what_was_exported_stands_in_the_log(database, exported):
    told = verified(database, "\n".join(exported))
    assert [each.good for each in told] == [True] * 8
    assert told[2].text.startswith("match 3: as it stands in the log up to event ")


def test_line_ends_and_the_width_of_lines_prove_nothing(database, exported):
    assert verified(database, exported[2].replace("\n", "\r\n"))[0].good
    assert verified(database, exported[2].replace(" 8.", "\n8."))[0].good


def test_what_came_later_does_not_break_a_seal(database, exported):
    (told,) = verified(database, exported[2])
    from domain.match import commands as c
    from service.desk.recording import Recorder
    from service.desk.requests import own_request
    from service.store.streams import Streams

    async def confirm(pool):
        await Recorder(Streams(pool)).match(told.match, c.ConfirmResult(deal=1, side=0), own_request(clerk.CLERK))

    with_pool(database, confirm)
    assert verified(database, exported[2])[0].good
    later = with_pool(database, lambda pool: seals.export_ctn(pool, told.match))
    assert later != exported[2]
    assert verified(database, later)[0].good


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("1.ST SK", "1.ST SQ", "the log says 'BID A:H B:odd 1.ST SK"),
        ("R A 19 B 0", "R A 0 B 19", "the log says 'R A 19 B 0', the file 'R A 0 B 19'"),
        ('[Dealer "B"]', '[Dealer "A"]', "the log says"),
        ("[Seal ", '[Annotator "me"]\n[Seal ', "line"),
        ("[Seal ", "{and more} [Seal ", "the log says"),
    ],
)
def test_an_edited_file_is_told_with_the_line(database, exported, was, now, said):
    assert was in exported[2]
    (told,) = verified(database, exported[2].replace(was, now))
    assert not told.good
    assert said in told.text


@pytest.mark.parametrize("seal", ["", '[Seal "9 abc"]', '[Seal "9 ' + "0" * 64 + '"]'])
def test_a_file_without_a_seal_of_this_log_is_told(database, exported, seal):
    body = exported[2][: exported[2].index("[Seal")]
    (told,) = verified(database, body + seal)
    assert not told.good
    assert ("there is no [Seal]" if not seal else "its seal is not in this log") in told.text


def test_an_edited_log_does_not_fit_the_file(database, exported):
    (told,) = verified(database, exported[3])
    was = "select version, data from events where stream_id = %s and data like '%%SK%%'"
    edit = "update events set data = %s where stream_id = %s and version = %s"
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        rows = owner.execute(was, [told.match]).fetchall()
        owner.execute("alter table events disable trigger user")
        try:
            for version, data in rows:
                owner.execute(edit, [data.replace("SK", "SQ"), told.match, version])
            (found,) = verified(database, exported[3])
        finally:
            for version, data in rows:  # as it was to the byte: others verify this database
                owner.execute(edit, [data, told.match, version])
            owner.execute("alter table events enable trigger user")
    assert not found.good
    assert "1.SQ" in found.text
    assert verified(database, exported[3])[0].good


def test_a_seal_holds_under_either_name_of_a_merged_person(database, exported):
    from domain.club.commands import MergePlayers, RegisterMember
    from service.desk.recording import Recorder
    from service.desk.requests import own_request
    from service.store.kinds import CLUB
    from service.store.streams import Streams

    (told,) = verified(database, exported[2])

    async def merge(pool):
        recorder = Recorder(Streams(pool))
        found = await recorder.streams.match(told.match)
        (old, *_), *_ = found.match.setup.sides
        asked = own_request(clerk.CLERK)
        done = await recorder.on_stream(found.club, CLUB, RegisterMember(new_id(), "Somebody Else"), asked)
        first = done.events[0].data.player
        asked = own_request(clerk.CLERK)
        await recorder.on_stream(found.club, CLUB, MergePlayers(first, old), asked)

    with_pool(database, merge)
    assert verified(database, exported[2])[0].good, "the name of then"
    later = with_pool(database, lambda pool: seals.export_ctn(pool, told.match))
    assert "Somebody Else" in later
    assert verified(database, later)[0].good, "the name of now"
    assert not verified(database, later.replace("Somebody Else", "Nobody"))[0].good


def test_the_seal_of_another_match_is_refused(database, exported):
    seals = [re.search(r"\[Seal .*\]", each)[0] for each in exported]
    for text, own in zip(exported, seals, strict=True):
        told = [verified(database, text.replace(own, other)) for other in seals if other != own]
        assert [each.good for (each,) in told] == [False] * (len(seals) - 1)


def test_a_seal_of_no_match_is_named_and_the_rest_verified(database, exported):
    with psycopg.connect(database.owner_url) as owner:
        (founded,) = owner.execute("select encode(hash, 'hex') from events where type = 'ClubFounded'").fetchone()
    body = exported[2][: exported[2].index("[Seal")]
    told = verified(database, f'{body}[Seal "1 {founded}"]\n\n{exported[3]}')
    assert [each.good for each in told] == [False, True]
    assert told[0].text == "match 1: its seal is that of no match"
