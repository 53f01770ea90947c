"""A restore that has not ended: its database bears a schema that no Lurch knows, so that none serves or migrates it."""

from typing import Final

from service.store import copying
from service.store.copying import Owner

UNFINISHED: Final = "restoring"  # in the place of a revision


def begin(connection: Owner) -> None:
    """Say that a restore is at work: nobody serves what it puts in this transaction until it has ended."""
    end(connection, UNFINISHED)


def end(connection: Owner, revision: str) -> None:
    """Say that the restore has ended and verified: its database is of this revision."""
    connection.execute("update alembic_version set version_num = %s", [revision])


def is_left(connection: Owner) -> bool:
    """Tells whether a restore left this, and did not end. Nobody has recorded anything here since."""
    if "alembic_version" not in copying.tables(connection):
        return False
    return connection.execute("select version_num from alembic_version").fetchall() == [(UNFINISHED,)]
