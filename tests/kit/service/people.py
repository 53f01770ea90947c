"""Phones whose sessions are written to the database: signed in as a person, or seated at a table."""

import secrets
from datetime import UTC, datetime, timedelta

import psycopg

from domain.club.commands import GrantRole
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.ids import new_id
from service.store.kinds import CLUB
from service.store.log import By
from service.store.streams import Streams
from service.store.tokens import digest
from tests.conftest import with_pool
from tests.kit.service.asking import FORM


class Phone:
    """A browser with a session of its own in a club."""

    def __init__(self, house, person=None, match=None, name=None):
        self.house, self.cookie = house, secrets.token_urlsafe(16)
        self.key = digest(self.cookie)
        moment = datetime.now(UTC)
        self._put(
            "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)"
            " values (%s, %s, 'spectator', 'phone', false, %s, %s)",
            [self.key, house.id, moment, moment + timedelta(days=1)],
        )
        if person is not None:
            self.signs_in(person)
        if match is not None:
            self.sits(match, name)

    def _put(self, statement, values):
        with psycopg.connect(self.house.database.url, autocommit=True) as connection:
            connection.execute(statement, values)

    def owns(self):
        """Make the session the owner's."""
        self._put("update sign_ins set role = 'owner', name = 'owner', club_id = null where hash = %s", [self.key])

    def signs_in(self, person):
        """Sign this person in."""
        moment = datetime.now(UTC)
        self._put(
            "insert into sign_in_people (hash, club_id, player, created_at) values (%s, %s, %s, %s)",
            [self.key, self.house.id, person, moment],
        )

    def sits(self, match, name=None):
        """Take a seat at a table under a name, or as the scorer."""
        moment = datetime.now(UTC)
        self._put(
            "update table_seats set ended_at = %s, ended_why = 'moved' where hash = %s and match_id = %s"
            " and ended_at is null",
            [moment, self.key, match],
        )
        self._put(
            "insert into table_seats (id, hash, club_id, match_id, player, counter, created_at, last_used, good_until)"
            " values (%s, %s, %s, %s, %s, 1, %s, %s, %s)",
            [new_id(), self.key, self.house.id, match, name, moment, moment, moment + timedelta(hours=2)],
        )

    @property
    def header(self):
        """Return the header with the session cookie."""
        return {"Cookie": f"lurch_sign_in={self.cookie}"}

    def post(self, path, **form):
        """Send a form as a browser without scripts does."""
        self.house.client.cookies.clear()
        headers = {**FORM, **self.header}
        return self.house.client.post(path, data=form, headers=headers, follow_redirects=False)

    def does(self, path, **form):
        """Send a form that must be accepted."""
        answer = self.post(path, **form)
        assert answer.status_code == 303, answer.text
        return answer

    def page(self, path):
        """Return the text of a page."""
        self.house.client.cookies.clear()
        answer = self.house.client.get(path, headers=self.header)
        assert answer.status_code == 200, answer.text
        return answer.text


def granted(house, person, role, **scope):
    """Grant a person a role by an event of the club."""

    async def give(pool):
        command = GrantRole(person, role, **scope)
        await Recorder(Streams(pool)).on_stream(house.id, CLUB, command, own_request(By(None, "owner")))

    with_pool(house.database, give)
