"""A restore that has not ended: its database bears a schema that no Lurch knows, so that none serves or migrates it."""

from typing import Final

from service.store import copying
from service.store.copying import Owner

UNFINISHED: Final = "restoring"  # in the place of a revision


def begin(connection: Owner) -> None:
    """What is put in this transaction is not to be served until it is said to have ended."""
    end(connection, UNFINISHED)


def end(connection: Owner, revision: str) -> None:
    """What was put has been verified: it is of this revision."""
    connection.execute("update alembic_version set version_num = %s", [revision])


def is_left(connection: Owner) -> bool:
    """Tells whether a restore left this, and did not end. Nobody has recorded anything here since."""
    if "alembic_version" not in copying.tables(connection):
        return False
    return connection.execute("select version_num from alembic_version").fetchall() == [(UNFINISHED,)]
