"""What a club of its own recorded away comes to the club's server as archives, with the heads of its log there."""

import pytest

from tests.conftest import new_database
from tests.kit.service.away import club_of_its_own, pushes, rows_of, verified
from tests.kit.service.club_evenings import Evening


@pytest.fixture
def away(tmp_path):
    """A club on a server that listens, and elsewhere a service with a club of its own."""
    with new_database() as database, club_of_its_own(database, tmp_path) as found:
        yield found


def evening_of(away, over=True):
    cup = Evening(away.away, [{"format": {"kind": "single"}, "game": "parity"}], players=4)
    cup.act({"do": "pair_round"})
    if over:
        cup.play()
        cup.to_the_end()
    return cup


def cups_there(away):
    return away.home.get(f"{away.home.path}/tournaments", "director").json()["items"]


def test_a_finished_tournament_is_pushed_as_an_archive_with_its_seal(away):
    cup, _ = evening_of(away), evening_of(away, over=False)
    away.away.match(sides=(("Annie",), ("Benny",)))
    told = away.pushed("--dry-run")
    assert (pushes(away), cups_there(away)) == ([], [])
    done = away.pushed()
    assert told.replace("would be taken", "taken") == done
    assert "is not over: it stays here" in done
    assert "1 matches of no tournament stay here" in done
    (there,) = cups_there(away)
    shown = away.home.get(f"/api/v1/tournaments/{there['id']}").json()
    assert shown["status"] == "finished"
    (push,) = away.home.get(f"{away.home.path}/pushes", "director").json()["pushes"]
    assert push["source"] == away.away.id
    assert all(each["here"] for each in push["streams"])
    origin = rows_of(away.copy, "events", away.away.id)
    heads = {}
    for row in origin:
        stream = str(row["stream_id"])
        if row["version"] > heads.get(stream, (0, ""))[0]:
            heads[stream] = (row["version"], bytes(row["hash"]).hex())
    own = [cup.id, *(each["match"] for at in cup.read()["rounds"] for each in at["pairings"])]
    assert sorted((each["version"], each["hash"]) for each in push["streams"]) == sorted(heads[each] for each in own)
    assert verified(away.home.database) == ()
    before = rows_of(away.home.database, "events", away.home.id)
    assert "nothing is new here" in away.pushed()
    assert rows_of(away.home.database, "events", away.home.id) == before


@pytest.mark.extended
@pytest.mark.parametrize("after", [False, True], ids=["before it is heard", "after it was done"])
def test_a_push_of_archives_cut_at_any_request_can_be_repeated(away, after):
    # whose the token is, and whether it may push; of each that is there whether it is, and where it is from; the same
    # of the new one, around it
    for there, request in enumerate((1, 3 + 2, 4 + 4, 5 + 6, 3, 4, 2)):
        evening_of(away)
        away.cut(request, after)
        cut = away.push()
        assert len(away.server.paths) == request
        away.cut(None)
        assert (cut.exit_code, "give the command again" in cut.said) == (2, True)
        away.pushed()
        assert len(cups_there(away)) == len(pushes(away)) == there + 1
        assert verified(away.home.database) == ()
    evening_of(away)
    away.cut(None)
    away.pushed()
    assert len(away.server.paths) == 2 + 7 * 2 + 3


@pytest.mark.extended
def test_a_pushed_tournament_stays_single_after_a_person_is_renamed(away):
    evening_of(away)
    away.pushed()
    (person, *_) = away.away.get(f"{away.away.path}/players", "owner").json()["items"]
    away.away.done(f"{away.away.path}/players/{person['id']}/name", {"name": "Zoe"}, "owner")
    for more in (("--dry-run",), ()):
        assert "nothing is new here" in away.pushed(*more)
    away.away.done(f"{away.away.path}/players/{person['id']}/erasure", {"reason": "asked"}, "owner")
    assert "nothing is new here" in away.pushed()
    assert len(cups_there(away)) == 1
    evening_of(away)
    assert "1 stream taken" in away.pushed()
    assert len(cups_there(away)) == 2


@pytest.mark.extended
@pytest.mark.parametrize("more", [("--dry-run",), ()])
def test_a_token_that_may_not_push_is_refused_first(away, tmp_path, more):
    evening_of(away)
    token = tmp_path / "scorer"
    token.write_text(away.home.tokens["scorer"] + "\n")
    done = away.push(*more, token=token)
    assert done.exit_code != 0
    assert "may not do this" in done.output
    assert "as an archive" not in done.output
    assert (pushes(away), cups_there(away)) == ([], [])
