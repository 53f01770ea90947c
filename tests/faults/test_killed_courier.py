"""kill -9 while a webhook is being delivered: the next start sends the same again, and then all the rest, in order."""

import psycopg
import pytest

from tests.kit.faults.processes import data_directory, serving, until
from tests.kit.faults.scorers import RESULT, Club
from tests.kit.service.receivers import receiving

pytestmark = pytest.mark.extended


def results(club, service, match, count):
    with club.client(service.url) as client:
        for _ in range(count):
            assert client.post(f"/matches/{match}/results", json=RESULT).status_code == 201


def a_minute_later(club):
    """The claim of the process that is gone has ended."""
    with psycopg.connect(club.database_url) as connection:
        connection.execute("update webhooks set claimed_until = claimed_until - interval '1 minute'")


def test_a_delivery_interrupted_by_kill_9_is_repeated():
    with data_directory() as data, receiving() as receiver, serving(data, LURCH_WEBHOOK_PRIVATE="1") as service:
        club = Club(service.embedded().url("lurch_app"))
        since = club.webhook(service.url, receiver.url)
        match = club.open_match(service.url)
        results(club, service, match, 3)
        until(lambda: receiver.positions and receiver.positions[-1] == club_head(club))
        receiver.hold.clear()
        sent = len(receiver.got)
        results(club, service, match, 3)
        until(lambda: len(receiver.got) > sent)
        service.kill()
        receiver.hold.set()
        service.start().ready()
        results(club, service, match, 2)
        a_minute_later(club)
        until(lambda: receiver.positions[-1] == club_head(club))
        assert receiver.got[sent].id == receiver.got[sent + 1].id
        assert receiver.got[sent].body == receiver.got[sent + 1].body
        once = list(dict.fromkeys(receiver.positions))
        assert once == list(range(since + 1, club_head(club) + 1))


def club_head(club):
    with psycopg.connect(club.database_url) as connection:
        return connection.execute("select position from logs where club_id = %s and log = 0", [club.id]).fetchone()[0]
