"""Recorded SQL statements, attributed to threads, since background work of the application sends others."""

from threading import get_ident

import psycopg

UPKEEP = ("", "discard plans")  # sent by the pool when a connection is reused


class Statements:
    """All statements sent since this was created, each with its thread."""

    def __init__(self, monkeypatch):
        self.sent, execute = [], psycopg.AsyncCursor.execute

        async def noted(cursor, query, *more, **named):
            self.sent.append((get_ident(), query))
            return await execute(cursor, query, *more, **named)

        monkeypatch.setattr(psycopg.AsyncCursor, "execute", noted)

    async def counted(self, asking):
        """Await something; return its result and the number of statements this thread sent for it."""
        before = len(self.sent)
        found = await asking
        return found, sum(by == get_ident() and query not in UPKEEP for by, query in self.sent[before:])
