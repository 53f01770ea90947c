"""Reader and writer of tests/data/routes.txt: a row per route with a sign per kind of caller, explained in its head."""

from pathlib import Path

import msgspec

TABLE = Path(__file__).parents[2] / "data" / "routes.txt"
GROUPS = ("nspqkhbdeDSO", "twcv", "fPV")
KINDS = "".join(GROUPS)
SIGNS = {"u": 401, "x": 403, ".": 404}


class Row(msgspec.Struct, frozen=True):
    """A route with its status on success and the sign of each kind of caller."""

    method: str
    path: str
    ok: int
    signs: dict[str, str]

    def status(self, kind):
        """Return the status that this kind of caller is answered, or None if it can't send the request."""
        sign = self.signs[kind]
        return None if sign == "-" else self.ok if sign == "o" else SIGNS[sign]

    def line(self, width):
        """Format the row as in the file."""
        groups = " ".join("".join(self.signs[kind] for kind in group) for group in GROUPS)
        return f"{self.method:6} {self.ok} {self.path:{width}} {groups}"


def read_table(text=None):
    """Return the rows by method and path, and the routes whose rows are still to be filled in."""
    rows, unfilled = {}, []
    for line in (text if text is not None else TABLE.read_text()).splitlines():
        if not line or line.startswith("#"):
            continue
        method, second, *rest = line.split()
        if second.startswith("/"):
            unfilled.append((method, second))
            continue
        path, *groups = rest
        assert [len(each) for each in groups] == [len(each) for each in GROUPS], line
        assert (method, path) not in rows, f"{method} {path} stands twice"
        rows[method, path] = Row(method, path, int(second), dict(zip(KINDS, "".join(groups), strict=True)))
    assert not set(rows) & set(unfilled), set(rows) & set(unfilled)
    return rows, unfilled


def of_answers(method, path, found):
    """Return the row of a route with these answers."""
    taken = sorted(status for status in found.values() if status is not None and status not in SIGNS.values())
    assert len(set(taken)) < 2, (method, path, found)
    sign = {status: sign for sign, status in SIGNS.items()}
    signs = {kind: "-" if found.get(kind) is None else sign.get(found[kind], "o") for kind in KINDS}
    return Row(method, path, taken[0] if taken else 200, signs)


def written(rows):
    """Format the file with these rows: the API first, then pages, each by path."""
    head = [line for line in TABLE.read_text().splitlines() if line.startswith("#")]
    ordered = sorted(rows, key=lambda row: (not row.path.startswith("/api/"), row.path, row.method))
    width = max(len(row.path) for row in rows)
    return "\n".join([*head, *(row.line(width) for row in ordered)]) + "\n"
