"""The way to the club's server in words: certificates, addresses, tokens, and who answers there."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from domain.match.commands import OpenMatch
from service.cli import cli
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.run.tls import make
from service.store.log import By
from service.store.pushing import own_heads
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.service.away import invoked, listening


@pytest.fixture
def push(database, tmp_path):
    """`lurch push`, with a token in a file; it ends with 2 and says why."""
    token = tmp_path / "token"
    token.write_text("not-a-token\n")
    environment = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}

    def said(*words, **more):
        done = invoked(["push", *words], {**environment, "LURCH_PUSH_TOKEN_FILE": str(token), **more})
        assert done.exit_code == 2, done.output
        assert "Traceback" not in done.output
        return done.said

    return said


async def stranger(scope, receive, send):
    """Something that is no Lurch."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    moved = scope["path"].startswith("/moved")
    place = b"https://lurch.example" + scope["path"].removeprefix("/moved").encode()  # as proxies say it
    headers = [(b"location", place)] if moved else []
    await send({"type": "http.response.start", "status": 302 if moved else 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"hello"})


def files(pair):
    return {"ssl_certfile": str(pair.cert), "ssl_keyfile": str(pair.key)}


def test_nothing_is_sent_to_a_server_with_an_untrusted_certificate(push, tmp_path):
    made = make(("127.0.0.1",), tmp_path / "good")
    with listening(stranger, **files(made.pair)) as url:
        told = push(url)
        assert "the certificate of 127.0.0.1 comes from an authority that is not known here: nothing was sent" in told
        assert "give its authority.pem with --authority" in told
        assert "is no Lurch" in push(url, "--authority", str(made.authority))


def test_a_certificate_of_another_name_or_expired_is_refused(push, tmp_path):
    other = make(("192.0.2.1",), tmp_path / "other")
    with listening(stranger, **files(other.pair)) as url:
        assert "the certificate of 127.0.0.1 is for another address" in push(url, "--authority", str(other.authority))
    old = make(("127.0.0.1",), tmp_path / "old", datetime.now(UTC) - timedelta(days=900))
    with listening(stranger, **files(old.pair)) as url:
        assert "the certificate of 127.0.0.1 has expired" in push(url, "--authority", str(old.authority))


def test_an_address_that_is_wrong_is_told_as_that(push):
    with listening(stranger) as url:
        assert "speaks no TLS that is understood here" in push(url.replace("http:", "https:"))
        assert "is no Lurch, or one of another version (status 200)" in push(url)
        assert "leads to https://lurch.example: give that address" in push(f"{url}/moved")
    assert "nobody answers at" in push(url)
    for wrong in ("lurch.our-club.org", "ftp://lurch.our-club.org", "http://user@host", "https://", "http://x?y=1"):
        assert "the address of the server is like https://lurch.our-club.org" in push(wrong)


def test_a_token_is_read_from_a_file_or_asked_for(push, database, tmp_path):
    empty = tmp_path / "empty"
    empty.write_text("two words\n")
    with listening(stranger) as url:
        assert "holds no token: it is one word" in push(url, "--token-file", str(empty))
        typed = invoked(["push", url], {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url})
        assert "token of a director there" in typed.said


def answering(*answers):
    """Something that answers in JSON, by the end of the path; else as a Lurch that has no such address."""
    nothing = {"type": "/problems/not-found", "title": "There is nothing here", "detail": "there is nothing here"}

    async def application(scope, receive, send):
        if scope["type"] == "lifespan":
            await stranger(scope, receive, send)
            return
        status, body = next((found for end, *found in answers if scope["path"].endswith(end)), (404, nothing))
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(body).encode()})

    return application


def test_an_answer_that_no_lurch_gives_is_refused(push, database):
    club = with_pool(database, a_match_of_its_own)
    own = {"roles": [{"club": club, "role": "director", "more": 1}]}
    streams = [{"stream": "another", "version": 0, "state": "new", "hash": ""}]
    for wrong in ([], {}, None, {"roles": 3}, {"roles": [3]}, {"roles": [{"club": 3}]}):
        with listening(answering(("/me", 200, wrong))) as url:
            assert "is no Lurch, or one of another version (status 200)" in push(url)
    for wrong in (
        [],
        {},
        {"streams": 3, "people": []},
        {"streams": [], "people": []},
        {"streams": streams, "people": []},
    ):
        with listening(answering(("/me", 200, own), ("/plan", 200, wrong))) as url:
            assert "is no Lurch, or one of another version (status 200)" in push(url, "--dry-run")
    with listening(answering(("/me", 401, {"type": "/problems/unauthorised"}))) as url:
        assert "is no Lurch, or one of another version (status 401)" in push(url)
    with listening(answering(("/me", 200, own))) as url:
        assert "the server refuses: it knows nothing of pushes, as an older Lurch does" in push(url)


@pytest.mark.extended
def test_errors_of_a_proxy_are_explained(push):
    for status, words in ((413, "set its limit to 32 MB"), (502, "has nobody behind it that answers (status 502)")):
        with listening(answering(("/me", status, "<html>"))) as url:
            assert words in push(url)


async def a_match_of_its_own(pool):
    """A club with a match; its id."""
    recorder = Recorder(Streams(pool))
    by = By(None, "owner")
    club = await recorder.found_club("Away", False, by)
    command = OpenMatch(game="parity", options={}, race={"target": 100}, sides=())
    await recorder.open_match(club, command, (("Annie",), ("Benny",)), own_request(by))
    return club


def test_an_address_or_token_with_impossible_characters_is_refused(push, database, tmp_path):
    for wrong in ("http://ho st", "http://host\x01", "http://host\x7f/"):
        assert "the address of the server is like https://lurch.our-club.org" in push(wrong)
    token = tmp_path / "wrong"
    for wrong in (b"\xff\xfe", "tök".encode(), b"a\x01b", b"a b"):
        token.write_bytes(wrong)
        assert "holds no token: it is one word" in push("http://127.0.0.1:1", "--token-file", str(token))
    environment = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
    for typed in ("tök\n", "two words\n", "  \n"):
        done = CliRunner().invoke(cli, ["push", "http://127.0.0.1:1"], env=environment, input=typed)
        assert (done.exit_code, "what was typed holds no token" in done.output) == (2, True), done.output


def test_answers_of_a_server_are_escaped_and_missing_tls_is_mentioned(push):
    problem = {"type": "/problems/forbidden", "title": "No", "detail": "\x1b[2Jyou may\nnot\x9b"}
    with listening(answering(("/me", 403, problem))) as url:
        told = push(url)
    assert "the server refuses: [2Jyou maynot" in told
    assert "\x1b" not in told
    assert "has no TLS" not in told
    assert "this address has no TLS: others in the network could read the token" in push("http://nobody.invalid:1")


def test_an_id_that_a_server_names_does_not_steer_the_terminal(database):
    club = with_pool(database, a_match_of_its_own)
    ((stream, *_),) = with_pool(database, lambda pool: own_heads(pool, club))
    own = {"roles": [{"club": club, "role": "director"}]}
    alike = [{"id": "\x1b[2Jyou", "name": "Annie"}]
    plan = {
        "streams": [{"stream": stream, "state": "new", "version": 0, "hash": ""}],
        "people": [{"id": "them", "name": "Annie", "known": False, "alike": alike}],
    }
    environment = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
    with listening(answering(("/me", 200, own), ("/plan", 200, plan))) as url:
        done = CliRunner().invoke(cli, ["push", url, "--dry-run"], env=environment, input="a-token\n")
    assert "is it the one who is called so there ([2Jyou)?" in done.output
    assert "\x1b" not in done.output
