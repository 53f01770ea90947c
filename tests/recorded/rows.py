"""The rows of a recorded log, and of what stands beside it, as JSON lines: what a column holds and nothing else; bytes
as hex, times in UTC."""

import gzip
import json
from datetime import datetime

from domain.log.event import instant

TABLES = {
    "logs": "club_id log position",
    "events": (
        "club_id stream_id version log position type schema data actor role seat device device_clock recorded_at"
        " command_id command_index fingerprint cause prev_hash hash"
    ),
    "private": "club_id stream_id version salt data",
    "remains": "club_id stream_id version data",
    "device_keys": "club_id key",
    "devices": "club_id id holder name given_at",
}
ORDER = {
    "logs": "club_id, log",
    "events": "club_id, log, position",
    "private": "club_id, stream_id, version",
    "remains": "club_id, stream_id, version",
    "device_keys": "club_id",
    "devices": "club_id, id",
}
BYTES = {"fingerprint", "prev_hash", "hash", "salt", "key", "holder"}


def written(value):
    """A column's value as JSON has it."""
    match value:
        case bytes():
            return value.hex()
        case datetime():
            return instant(value)
        case None | int() | str():
            return value
    return str(value)


def read(name, value):
    """A value of JSON as the database takes it."""
    return bytes.fromhex(value) if name in BYTES and value is not None else value


def taken(connection, clubs):
    """The rows of these clubs, table by table."""
    found = {}
    for table, columns in TABLES.items():
        statement = f"select {columns.replace(' ', ', ')} from {table} where club_id = any(%s::uuid[])"
        rows = connection.execute(f"{statement} order by {ORDER[table]}", [list(clubs)]).fetchall()
        found[table] = [
            {name: written(value) for name, value in zip(columns.split(), row, strict=True)} for row in rows
        ]
    return found


def put(connection, found):
    """These rows into a database, as they are; a column that came later has its default, and a club from before the
    closed log has an empty one."""
    with connection.transaction():
        for table, columns in TABLES.items():
            names = [name for name in columns.split() if all(name in row for row in found[table])]
            marks = ", ".join(["%s"] * len(names))
            statement = f"insert into {table} ({', '.join(names)}) values ({marks})"
            with connection.cursor() as cursor:
                cursor.executemany(statement, [[read(name, row[name]) for name in names] for row in found[table]])
        closed = "insert into logs (club_id, log, position) select club_id, 1, 0 from logs where log = 0"
        connection.execute(f"{closed} on conflict do nothing")


def lines(path):
    """A file of JSON lines, compressed."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def write_lines(path, values):
    """Values as JSON lines, compressed: the same values, the same bytes."""
    text = "".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n" for value in values)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def load(folder):
    """The rows that stand in a folder; a table that came later has none there."""
    files = {table: folder / f"{table}.jsonl.gz" for table in TABLES}
    return {table: lines(file) if file.exists() else [] for table, file in files.items()}
