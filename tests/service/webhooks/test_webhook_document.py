"""docs/webhooks.md under test: its receiver takes what the courier sends, and nothing that was changed."""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from service.store import webhooks as rows
from service.store.ids import now
from service.webhooks import pauses, sending, signing
from service.webhooks.courier import MOST
from tests.conftest import with_pool
from tests.kit.faults.processes import free_port, until
from tests.kit.service.webhook_scene import Scene

DOCUMENT = (Path(__file__).parents[3] / "docs" / "webhooks.md").read_text()
(PROGRAM,) = re.findall(r"^```python\n(.*?)^```$", DOCUMENT, re.M | re.S)
AT = 1_700_000_000
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'


@pytest.fixture(scope="module")
def verified():
    names = {"__name__": "receiver"}
    exec(compile(PROGRAM, "webhooks.md", "exec"), names)
    return names["verified"]


def sent(secret=SECRET, message="msg_1", at=AT, body=BODY):
    return signing.headers(secret, message, datetime.fromtimestamp(at, UTC), body)


def test_a_signature_is_that_of_the_scheme():
    wanted = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="  # the example of the scheme's own libraries
    assert signing.signature(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, BODY) == wanted


def test_the_receiver_takes_what_we_sign(verified):
    assert verified(SECRET, sent(), BODY, AT)
    both = {**sent(), "webhook-signature": "v1,AAAA " + sent()["webhook-signature"]}
    assert verified(SECRET, both, BODY, AT + 299)


@pytest.mark.parametrize(
    ("headers", "body", "at"),
    [
        (sent(), BODY + b" ", AT),
        (sent(), BODY, AT + 301),
        (sent(), BODY, AT - 301),
        ({**sent(), "webhook-id": "msg_2"}, BODY, AT),
        ({**sent(), "webhook-timestamp": str(AT + 1)}, BODY, AT),
        ({**sent(), "webhook-timestamp": "now"}, BODY, AT),
        (sent(secret=signing.make_secret()), BODY, AT),
        ({}, BODY, AT),
    ],
    ids=["body", "old", "early", "id", "time", "no time", "secret", "unsigned"],
)
def test_the_receiver_refuses_what_was_changed(verified, headers, body, at):
    assert not verified(SECRET, headers, body, at)


def test_every_secret_is_another_and_says_what_it_is():
    made = {signing.make_secret() for _ in range(50)}
    assert len(made) == 50
    assert all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", each) for each in made)


def test_the_numbers_of_the_document_are_those_of_the_code():
    assert f"at most {MOST} events" in DOCUMENT
    assert f"within {sending.TOTAL_SECONDS:.0f} seconds" in DOCUMENT
    assert (pauses.FIRST, pauses.LONGEST, pauses.GIVE_UP.days, pauses.GIVE_UP_FAILURES) == (5, 3600, 5, 10)
    assert (rows.MOST, rows.SHOWN, rows.CLAIM.total_seconds()) == (10, 50, 60)


def test_the_program_of_the_document_receives_what_the_courier_sends(database, club):
    port = free_port()
    scene = Scene(database, club[0], f"http://127.0.0.1:{port}/hook", clock=now)
    receiver = subprocess.Popen(
        [sys.executable, "-I", "-u", "-c", PROGRAM, scene.secret, str(port)], stdout=subprocess.PIPE, text=True
    )
    try:
        scene.record(2)
        until(lambda: with_pool(database, scene.settled), pause=0.1)
        told, wanted = {}, scene.wanted()
        while len(told) < len(wanted):  # each once: it may come again
            told[receiver.stdout.readline()] = True
        assert [line.split() for line in told] == [[str(position), kind] for position, kind in wanted]
    finally:
        receiver.kill()
        receiver.wait()
        receiver.stdout.close()
