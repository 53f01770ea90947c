"""Brute-force pairing by the Dutch system of 2026, written from the regulations alone, for small fields.

Tries all candidates of a bracket: the best by C5-C21, then the first by order of generation. Shares no code with the
pairing modules.
"""

FAR = 1000  # whoever is left over has a greater score difference than whoever is paired
PLAYED = set("1=0WDL")


class Man:
    def __init__(self, table, row, round_):
        cells = [row.cell(r) for r in range(1, round_)]
        extra = dict(table.extra)
        self.no = row.number
        own = [
            sum(table.points.of(c.outcome) for c in cells[:r]) + extra.get(r + 1, {}).get(row.number, 0)
            for r in range(round_)
        ]
        self.history, self.score = own, own[-1]
        bare = sum(table.points.of(c.outcome) for c in cells)
        self.top = round_ == table.rounds and bare > table.points.win * (round_ - 1) / 2
        self.cells = cells
        self.opponents = {c.opponent for c in cells if c.outcome.value in PLAYED}
        self.opponents |= {no for group in table.forbidden if self.no in group for no in group}
        self.sides = ["w" if c.first else "b" for c in cells if c.outcome.value in PLAYED]
        self.cd = self.sides.count("w") - self.sides.count("b")
        self.idle = len([c for c in cells if c.outcome.value not in PLAYED])
        self.no_bye = any(c.outcome.value in "UF+" for c in cells)
        self.pref, self.force = self._preference()

    def _preference(self):
        if not self.sides:
            return None, 0
        last = self.sides[-1]
        other = {"w": "b", "b": "w"}[last]
        by_cd = "b" if self.cd > 0 else "w"
        if abs(self.cd) > 1:
            return by_cd, 3
        if self.sides[-2:] == [last, last]:
            return other, 3
        return (by_cd, 2) if self.cd else (other, 1)

    def floats(self, everyone, back):
        r = len(self.cells) - back
        if r < 0:
            return ""
        cell = self.cells[r]
        if cell.outcome.value in PLAYED:
            other = everyone[cell.opponent].history[r]
            return "d" if self.history[r] > other else "u" if self.history[r] < other else ""
        return "d" if cell.outcome.value in "UFH+" else ""


def may_meet(a, b):
    if b.no in a.opponents:
        return False
    return not (a.force == b.force == 3 and a.pref == b.pref and not a.top and not b.top)


def sides(a, b, odd_white):
    """(white, black)"""
    a, b = sorted((a, b), key=lambda m: (-m.score, m.no))
    if a.pref != b.pref:
        a_white = a.pref == "w" or b.pref == "b"
    elif a.pref and a.force != b.force:
        a_white = (a.pref == "w") == (a.force > b.force)
    elif a.force == 3 and abs(a.cd) != abs(b.cd):
        a_white = (a.pref == "w") == (abs(a.cd) > abs(b.cd))
    else:
        for x, y in zip(a.sides[::-1], b.sides[::-1], strict=False):
            if x != y:
                a_white = x == "b"
                break
        else:
            a_white = a.pref == "w" if a.pref else (a.place % 2 == 1) == odd_white
    return (a, b) if a_white else (b, a)


def complete(men, bye):
    """Return True if all can be paired, with the bye (if one is due) at that score."""
    men = sorted(men, key=lambda m: m.no)
    if not men:
        return True
    if len(men) % 2:
        return (
            any(m.score == bye and not m.no_bye and complete([x for x in men if x is not m], None) for m in men)
            if bye is not None
            else False
        )
    first, rest = men[0], men[1:]
    return any(may_meet(first, m) and complete([x for x in rest if x is not m], None) for m in rest)


def bye_score(men):
    for score in sorted({m.score for m in men}):
        if complete(men, score):
            return score
    return None


def candidates(moved, residents):
    """Yield all sets of pairs: downfloaters with residents, residents among themselves."""
    if not moved and not residents:
        yield []
        return
    if moved:
        first, rest = moved[0], moved[1:]
        yield from candidates(rest, residents)
        for r in residents:
            if may_meet(first, r):
                for more in candidates(rest, [x for x in residents if x is not r]):
                    yield [(first, r), *more]
        return
    first, rest = residents[0], residents[1:]
    yield from candidates([], rest)
    for r in rest:
        if may_meet(first, r):
            for more in candidates([], [x for x in rest if x is not r]):
                yield [(first, r), *more]


def left_over(moved, residents, pairs):
    paired = {m.no for p in pairs for m in p}
    return [m for m in [*moved, *residents] if m.no not in paired]


def possible(moved, residents, lower, bye):
    for pairs in candidates(moved, residents):
        left = left_over(moved, residents, pairs)
        rest = [m for group in lower for m in group]
        if (lower or len(left) <= 1) and complete(left + rest, bye):
            yield pairs, left


def falling(scores):
    return sorted(scores, reverse=True)


def ahead(moved, lower, bye, seen):
    """Rate C8: how the next bracket comes out by C6 and C7."""
    key = tuple(m.no for m in moved)
    if key not in seen:
        found = possible(moved, lower[0], lower[1:], bye)
        seen[key] = min(((len(left), falling(m.score for m in left)) for _, left in found), default=(99, []))
    return seen[key]


def quality(pairs, left, moved, residents, lower, bye, everyone, odd_white, seen):
    level = residents[0].score
    resting = len(left) == 1 and bye is not None and level <= bye
    c10 = c11 = c12 = c13 = 0
    opponents = []
    for a, b in pairs:
        white, black = sides(a, b, odd_white)
        for m, side in ((white, "w"), (black, "b")):
            if a.top or b.top:
                c10 += abs(m.cd + (1 if side == "w" else -1)) > 2
                c11 += m.sides[-2:] == [side, side]
            if m.pref and m.pref != side:
                c12 += 1
                c13 += m.force == 2
        if a in moved:
            opponents.append((a, b))
    res_left = [m for m in left if m in residents]
    limbo = [m for m in left if m in moved]

    def had(men, kind, back):
        return [m for m in men if m.floats(everyone, back) == kind]

    lows = [b for _, b in opponents]
    sd = []
    for back in (1, 2):
        down = {id(m) for m in had([*limbo, *(a for a, _ in opponents)], "d", back)}
        up = {id(m) for m in had(lows, "u", back)}
        far = [m.score + FAR for m in limbo if id(m) in down]
        sd.append(falling(far + [a.score - b.score for a, b in opponents if id(a) in down]))
        sd.append(falling(a.score - b.score for a, b in opponents if id(b) in up))
    floated = [len(had(*each)) for back in (1, 2) for each in ((res_left, "d", back), (lows, "u", back))]
    return (
        len(left),
        falling(m.score for m in left),
        ahead(left, lower, bye, seen) if lower else 0,
        left[0].idle if resting else 0,
        c10,
        c11,
        c12,
        c13,
        *floated,
        *sd,
    )


def generated(pairs, moved, residents):
    """Return the order of generation of a candidate as a sort key."""
    by = {m.no: i for i, m in enumerate(moved + residents)}
    mdp = sorted((by[a.no], by[b.no]) for a, b in pairs if a in moved)
    rest = [r for r in residents if r.no not in {m.no for p in pairs if p[0] in moved for m in p}]
    bsn = {m.no: i + 1 for i, m in enumerate(rest)}
    duos = sorted(tuple(sorted((bsn[a.no], bsn[b.no]))) for a, b in pairs if a not in moved)
    half = len(duos)
    up = sorted(a for a, _ in duos if a > half)
    s1 = [a for a, _ in duos]
    out = sorted((x for x in range(1, half + 1) if x not in s1), reverse=True)
    moved_up = (len(up), sum(up) - sum(out), [-x for x in out], up)
    return ([a for a, _ in mdp], [b for _, b in mdp], *moved_up, [b for _, b in duos])


def rated(pairs, left, moved, residents, *more):
    return quality(pairs, left, moved, residents, *more), generated(pairs, moved, residents)


def dutch(table, round_, absent=()):
    """Return the pairs as (white, black) and the bye, or None."""
    everyone = {row.number: Man(table, row, round_) for row in table.rows}
    started = [
        m for m in everyone.values() if m.no not in absent or any(c.opponent or c.outcome == "U" for c in m.cells)
    ]
    for place, man in enumerate(sorted(started, key=lambda m: m.no), 1):
        man.place = place
    men = sorted((m for m in everyone.values() if m.no not in absent), key=lambda m: (-m.score, m.no))
    bye = bye_score(men) if len(men) % 2 else None
    if not complete(men, bye):
        return None
    groups = [[m for m in men if m.score == s] for s in sorted({m.score for m in men}, reverse=True)]
    moved, found = [], set()
    for at, residents in enumerate(groups):
        lower, seen = groups[at + 1 :], {}
        options = list(possible(moved, residents, lower, bye))
        most = min(len(left) for _, left in options)
        options = [o for o in options if len(o[1]) == most]
        best = min(
            (*rated(p, left, moved, residents, lower, bye, everyone, table.first_deals, seen), i)
            for i, (p, left) in enumerate(options)
        )
        pairs, moved = options[best[2]]
        for a, b in pairs:
            white, black = sides(a, b, table.first_deals)
            found.add((white.no, black.no))
    return found, moved[0].no if moved else None
