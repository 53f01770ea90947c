"""CTN: the examples read, score as stated, go round, and are imported and exported without loss."""

import re
from pathlib import Path

import pytest

from domain.games import all_games
from domain.log.decider import Refusal
from domain.match.audit.findings import findings
from domain.match.state import played, race_of
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps
from domain.notation.dealing import random_deal
from domain.notation.report import score_text
from domain.notation.write_course import NumberedEvent
from service.cli import clerk, intake, seals
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.service.cli.test_cli import lurch

TEXT = (Path(__file__).parents[3] / "examples" / "notation.ctn").read_text()


def written(script):
    events = [NumberedEvent(place, new.event, new.private) for place, new in enumerate(script.events, start=1)]
    return dumps(events, script.tags.names)


@pytest.mark.parametrize("script", loads(TEXT), ids=lambda script: script.tags.command.game)
def test_an_example_reads_scores_as_stated_and_is_stable(script):
    assert (script.problems, script.differences) == ([], [])
    once = written(script)
    (again,) = loads(once)
    assert written(again) == once
    assert all(len(line) <= 250 for line in once.splitlines() if line[0] not in "[!")


def test_the_planted_revoke_is_proven_by_the_card_that_fell_later():
    match = loads(TEXT)[0].state
    assert [(each.rule, each.code, each.detail[-2:]) for each in findings(match)] == [("CP.5", "REV", "H3")]
    assert [played(match, deal).scores for deal in match.deals] == [(48, 49), (56, 40)]
    assert race_of(match).totals == (96, 96)


def test_what_is_no_notation_is_named_and_the_rest_is_read():
    broken = TEXT.replace("2.D3 DA", "2.D3 ZZ DA", 1)
    script = loads(broken)[0]
    assert [problem.token for problem in script.problems] == ["ZZ"]
    lines = list(score_text(broken, ctn=True))
    assert lines[0].answer["in_force"] == [40, 56]
    assert max(line.status for line in lines) == 1


def imported(database, text, club="Notation club", names=()):
    told = []
    take = intake.import_ctn if text.startswith("[") else intake.import_histories
    extra = () if text.startswith("[") else (names,)
    with_pool(database, lambda pool: take(pool, club, True, text, told.append, *extra))
    return told


def test_import_and_export_lose_nothing(database):
    told = imported(database, TEXT)
    assert [line.good for line in told] == [True] * 8
    for line, script in zip(told, loads(TEXT), strict=True):
        text = with_pool(database, lambda pool, match=line.match: seals.export_ctn(pool, match))
        body, seal = text[: text.rindex("[Seal")], text.splitlines()[-1]
        assert body == written(script)
        assert re.fullmatch(r'\[Seal "\d+ [0-9a-f]{64}"\]', seal)
    again = imported(database, TEXT)
    assert [each.match for each in again] == [each.match for each in told]


def test_a_history_file_goes_in_and_comes_out_as_it_was(database):
    games = all_games()
    chosen = [("parity", {}), ("cross_purposes", {"variant": "fixed"}), ("cross_game", {})]
    lines = [random_deal(games[key], games[key].options(**given), given, 3, 1) for key, given in chosen]
    told = imported(database, "\n".join(lines), "Archive")
    assert [each.good for each in told] == [True] * 3
    for line, each in zip(lines, told, strict=True):
        assert with_pool(database, lambda pool, match=each.match: clerk.export_histories(pool, match)) == line + "\n"


def test_a_bad_line_of_histories_is_named_and_the_rest_recorded(database):
    game = all_games()["parity"]
    good = random_deal(game, game.options(), {}, 5, 1)
    first_play = good.index('"play"')
    broken = good[:first_play] + '"bid",9' + good[first_play + 6 :]
    told = imported(database, "\n".join(["{", broken, good]), "Broken archive")
    assert [each.good for each in told] == [False, False, True]
    assert told[0].text.startswith("line 1, column ")
    assert told[1].text.startswith("line 2, ")


def test_a_match_without_its_hands_cannot_be_a_history(database):
    told = imported(database, TEXT)
    with pytest.raises(Refusal, match="export the match as CTN"):
        with_pool(database, lambda pool: clerk.export_histories(pool, told[0].match))


def sheet(one, other):
    tags = f'[Game "parity"] [Rules "parity/1"] [A "{one}"] [B "{other}"]\n[Deal "1"] [Dealer "A"] [Detail "summary"]\n'
    return tags + '[Entry "{\\"parity\\":\\"odd\\",\\"tricks\\":[9,6]}"] R A 19 B 0\n'


def test_a_match_with_unclear_names_is_named_and_the_rest_recorded(database):
    async def two_of_a_name(pool):
        club, recorder = await clerk.club_named(pool, "Club of two Idas"), Recorder(Streams(pool))
        for _ in range(2):
            await recorder.register(club, "Ida", own_request(clerk.CLERK), another=True)

    with_pool(database, two_of_a_name)
    told = imported(
        database, "\n".join(map(sheet, ("Per", "Ida", "Eva", "Eva"), ("Ulf", "Per", "eva", "Per"))), "Club of two Idas"
    )
    assert [each.good for each in told] == [True, False, False, True]
    assert told[1].text.startswith("match 2, Ida - Per: two people are called 'Ida'")
    assert told[2].text == "match 3, Eva - eva: one player sits on two chairs: change one"
    line = random_deal(all_games()["parity"], all_games()["parity"].options(), {}, 5, 1)
    (told,) = imported(database, f"\n{line}", "Club of two Idas", ("Eva", "EVA"))
    assert (told.good, told.line) == (False, 2)


@pytest.mark.parametrize("text", ["", "{\n", '[Game "whist"]\n', "# Minutes of the club\n\nTea, then cards.\n"])
def test_a_file_in_which_nothing_can_be_read_founds_no_club(database, text):
    told = imported(database, text, "Club of a slip")
    assert not any(each.good for each in told)
    assert bool(told) is bool(text)
    assert "Club of a slip" not in with_pool(database, names_of_clubs)


async def names_of_clubs(pool):
    return [each.state.name for each in await Streams(pool).clubs()]


def test_a_file_without_a_match_is_told_of(database):
    for given in ("-", "/dev/null"):
        told = lurch("import", given, "--club", "Club of a slip", LURCH_DATABASE_URL=database.url)
        assert told == (0, "", "lurch: there is no match in it\n")
