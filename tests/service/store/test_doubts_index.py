"""The doubts of tournaments are found by an index that names the events by which one begins."""

import re

import psycopg

from domain.tournament.doubts import BEGUN_BY


def test_the_index_names_every_event_by_which_a_doubt_begins(database):
    with psycopg.connect(database.url) as connection:
        (index,) = connection.execute("select pg_get_indexdef('events_doubts'::regclass)").fetchone()
    assert set(re.findall(r"'(\w+)'", index)) == set(BEGUN_BY)
