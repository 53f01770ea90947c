"""Statements that a test's own thread sends: whatever else runs in this process sends others meanwhile."""

from threading import get_ident

import psycopg

UPKEEP = ("", "discard plans")  # of connections that are used again


class Statements:
    """The statements that were sent, each by which thread."""

    def __init__(self, monkeypatch):
        self.sent, execute = [], psycopg.AsyncCursor.execute

        async def noted(cursor, query, *more, **named):
            self.sent.append((get_ident(), query))
            return await execute(cursor, query, *more, **named)

        monkeypatch.setattr(psycopg.AsyncCursor, "execute", noted)

    async def counted(self, asking):
        """An answer, and the number of statements that this thread sent for it."""
        before = len(self.sent)
        found = await asking
        return found, sum(by == get_ident() and query not in UPKEEP for by, query in self.sent[before:])
