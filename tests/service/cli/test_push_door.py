"""The way to the club's server in words: certificates, addresses, tokens, and who answers there."""

from datetime import UTC, datetime, timedelta

import pytest

from service.run.tls import make
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
    headers = [(b"location", b"https://lurch.example/")] if moved else []
    await send({"type": "http.response.start", "status": 302 if moved else 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"hello"})


def files(pair):
    return {"ssl_certfile": str(pair.cert), "ssl_keyfile": str(pair.key)}


def test_a_certificate_that_is_not_believed_is_told_in_words_and_nothing_is_sent(push, tmp_path):
    made = make(("127.0.0.1",), tmp_path / "good")
    with listening(stranger, **files(made.pair)) as url:
        told = push(url)
        assert "the certificate of 127.0.0.1 comes from an authority that is not known here: nothing was sent" in told
        assert "give its authority.pem with --authority" in told
        assert "is no Lurch" in push(url, "--authority", str(made.authority))


def test_a_certificate_of_another_name_or_time_is_told_as_that(push, tmp_path):
    other = make(("192.0.2.1",), tmp_path / "other")
    with listening(stranger, **files(other.pair)) as url:
        assert "the certificate of 127.0.0.1 is for another address" in push(url, "--authority", str(other.authority))
    old = make(("127.0.0.1",), tmp_path / "old", datetime.now(UTC) - timedelta(days=900))
    with listening(stranger, **files(old.pair)) as url:
        assert "the certificate of 127.0.0.1 has expired" in push(url, "--authority", str(old.authority))


def test_an_address_that_is_wrong_is_told_as_that(push):
    with listening(stranger) as url:
        assert "speaks no TLS that is understood here" in push(url.replace("http:", "https:"))
        assert "is no Lurch (status 200)" in push(url)
        assert "leads to https://lurch.example/: give that address" in push(f"{url}/moved")
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
