"""Refusals of the database, one line each at the terminal, whatever the database calls them, with what to do."""

import socket

import psycopg
import pytest

from service.cli.terminal import Unable, one_line_errors
from tests.conftest import new_database
from tests.kit.service.more_databases import one_more
from tests.service.cli.test_cli import fails


def test_a_database_that_does_not_answer_is_one_line():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://lurch_app@127.0.0.1:{silent.getsockname()[1]}/lurch?connect_timeout=2"
        assert "timeout" in fails(2, "migrate", LURCH_DATABASE_URL=url)


@pytest.mark.parametrize(
    "error",
    [
        psycopg.errors.DiskFull("no room is left\nHINT:  make some"),
        psycopg.errors.CannotConnectNow("no room is left"),
    ],
)
def test_an_error_that_the_operator_can_fix_is_one_line(error):
    with pytest.raises(Unable, match=r"^no room is left$"), one_line_errors():
        raise error


def test_a_database_that_can_only_be_read_is_told_as_that():
    with pytest.raises(Unable, match="can only be read now, and this command writes"), one_line_errors():
        raise psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction")


def test_a_fault_of_ours_keeps_its_traceback():
    with pytest.raises(psycopg.errors.UndefinedTable), one_line_errors():
        raise psycopg.errors.UndefinedTable("there is no such table")


def test_a_login_that_may_not_migrate_is_told_which_one_is_wanted():
    with new_database() as server, one_more(server) as database:
        said = fails(2, "migrate", LURCH_DATABASE_URL=database.url)
    assert "permission denied" in said
    assert "set LURCH_MIGRATE_URL to the login of its owner" in said
