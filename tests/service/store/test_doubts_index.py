"""The doubts of tournaments are found by an index that names the events by which one begins."""

import re

import psycopg

from domain.tournament.doubts import BEGUN_BY
from service.store import finding


def test_index_and_statement_name_every_event_by_which_a_doubt_begins(database):
    with psycopg.connect(database.url) as connection:
        (index,) = connection.execute("select pg_get_indexdef('events_doubts'::regclass)").fetchone()
    assert set(re.findall(r"'(\w+)'", index)) == set(BEGUN_BY)
    asked = " ".join(each for each in finding.doubts_since.__code__.co_consts if isinstance(each, str))
    assert set(re.findall(r"'(\w+)'", asked)) == set(BEGUN_BY)
