"""Random mutations of bytes, notation words and JSON members, driven by one `Random` so that Hypothesis can shrink
them."""

import json
import re

from tests.kit.notation.mutation_words import CARDS, ODD, VALUES, WORDS

WORD = re.compile(r"\S+")


def mutated(texts, kind, chance):
    """Return a random text of the format as bytes, mutated one to four times."""
    text = chance.choice(texts)
    for _ in range(chance.choice([1, 1, 1, 2, 2, 4])):
        text = chance.choice(ctn_ways if kind == "ctn" else json_ways)(text, texts, chance)
    data = text.encode("utf-8", "surrogatepass")
    return in_bytes(data, chance) if chance.randrange(10) == 0 else data


def in_bytes(data, chance):
    """Flip a bit, or insert a byte-order mark or half a character."""
    at = chance.randrange(len(data) + 1)
    way = chance.randrange(3)
    if way == 0 and at < len(data):
        return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
    return (b"\xef\xbb\xbf" + data) if way == 1 else data[:at] + b"\xe2\x99" + data[at:]


# ------------------------------------------------------------------ characters


def span(text, chance, longest=12):
    """Return the bounds of a short stretch of a text."""
    start = chance.randrange(len(text) + 1)
    return start, min(len(text), start + chance.randrange(longest + 1))


def cut(text, _, chance):
    start, end = span(text, chance)
    return text[:start] + text[end:]


def doubled(text, _, chance):
    start, end = span(text, chance, 40)
    return text[:end] + text[start:end] + text[end:]


def put(text, _, chance):
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(ODD) + text[at:]


def changed(text, _, chance):
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice("0123456789ABCDEFNSWHTKQJXabstdhc:.-=!^~>@+*/ ") + text[at + 1 :]


def truncated(text, _, chance):
    at = chance.randrange(len(text) + 1)
    return text[:at] if chance.randrange(4) else text[at:]


def cased(text, _, chance):
    start, end = span(text, chance, 60)
    return text[:start] + text[start:end].swapcase() + text[end:]


def spliced(text, texts, chance):
    other = chance.choice(texts)
    return text[: chance.randrange(len(text) + 1)] + other[chance.randrange(len(other) + 1) :]


def other_ends(text, _, chance):
    return text.replace("\n", chance.choice(["\r\n", "\r", "\n\n", "\u2028", " "]))


def long(text, _, chance):
    at = chance.randrange(len(text) + 1)
    piece = chance.choice(["9", "A", "[", "{", "S2", "=1-", "(", '"', "!", "^RE"])
    return text[:at] + piece * chance.choice([60, 3000]) + text[at:]


characters = [cut, doubled, put, changed, truncated, cased, spliced, other_ends, long]

# ------------------------------------------------------------------ words of notation


def words_of(text, wanted=r"\S"):
    """Return the spans of the words that match a pattern."""
    return [found.span() for found in WORD.finditer(text) if re.search(wanted, found[0])]


def swapped(text, _, chance, wanted=r"^(\d+\.)?[SHDCX][2-9TJQKARB]"):
    """Swap two words, usually two cards."""
    places = words_of(text, wanted) or words_of(text)
    if len(places) < 2:
        return text
    (a, b), (x, y) = sorted((chance.choice(places), chance.choice(places)))
    return text if b > x else text[:a] + text[x:y] + text[b:x] + text[a:b] + text[y:]


def neighbours(text, _, chance):
    """Swap a word with the next one."""
    places = words_of(text)
    if len(places) < 2:
        return text
    at = chance.randrange(len(places) - 1)
    (a, b), (x, y) = places[at : at + 2]
    return text[:a] + text[x:y] + text[b:x] + text[a:b] + text[y:]


def recarded(text, _, chance):
    """Replace a card."""
    places = [found.span() for found in re.finditer(r"[SHDCX][2-9TJQKARB]", text)]
    if not places:
        return text
    start, end = chance.choice(places)
    return text[:start] + chance.choice(CARDS) + text[end:]


def exchanged(text, _, chance):
    """Exchange two cards throughout, which often leaves a legal deal with another score."""
    one, other = chance.choice(CARDS[:52]), chance.choice(CARDS[:52])
    return text.replace(one, "\0").replace(other, one).replace("\0", other)


def dropped(text, _, chance):
    start, end = chance.choice(words_of(text) or [(0, 0)])
    return text[:start] + text[end:]


def repeated(text, _, chance):
    start, end = chance.choice(words_of(text) or [(0, 0)])
    return text[:end] + " " + text[start:end] + text[end:]


def worded(text, texts, chance):
    """Insert a word between two others."""
    places = words_of(text) or [(0, 0)]
    at = chance.choice(places)[chance.randrange(2)]
    other = chance.choice(texts)
    start, end = chance.choice(words_of(other) or [(0, 0)])
    word = chance.choice(WORDS) if chance.randrange(3) else other[start:end]
    return f"{text[:at]} {word} {text[at:]}"


def figured(text, _, chance):
    """Change a number."""
    places = [found.span() for found in re.finditer(r"(?<![A-Za-z])-?\d+", text)]
    if not places:
        return text
    start, end = chance.choice(places)
    near = str(int(text[start:end]) + chance.choice([-10, -1, 1, 10])) if end - start < 9 else "7"
    return text[:start] + chance.choice([near, near, "0", "-1", "99999999999"]) + text[end:]


def reseated(text, _, chance):
    """Change a seat letter."""
    places = [found.span() for found in re.finditer(r"(?<![A-Za-z])[ABNESW](?![A-Za-z])", text)]
    if not places:
        return text
    start, end = chance.choice(places)
    return text[:start] + chance.choice("ABNESWZ") + text[end:]


def lined(text, _, chance):
    """Drop, double or move a line."""
    lines = text.split("\n")
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    line = lines[at] if chance.randrange(3) == 0 else lines.pop(at)
    if chance.randrange(2):
        lines.insert(to, line)
    return "\n".join(lines)


def retagged(text, texts, chance):
    """Replace a tag by one of another record."""
    pattern = r'\[(\w+) "(?:[^"\\\n]|\\.)*"\]'
    here, there = (list(re.finditer(pattern, each)) for each in (text, chance.choice(texts)))
    if not here or not there:
        return text
    old, new = chance.choice(here), chance.choice(there)
    if (same := [each for each in there if each[1] == old[1]]) and chance.randrange(3):
        new = chance.choice(same)
    return text[: old.start()] + new[0] + text[old.end() :]


notation = [swapped, exchanged, neighbours, recarded, dropped, repeated, worded, figured, reseated, lined, retagged]
ctn_ways = [*characters, *notation, *notation]

# ------------------------------------------------------------------ JSON


def places_in(value, at=()):
    """Yield the path of every place in a JSON tree."""
    yield at
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places_in(value[key], (*at, key))


def in_tree(text, texts, chance):
    """Change, drop, double, swap or nest a value of one line."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    try:
        tree = json.loads(lines[at])
        other = json.loads(chance.choice(texts).split("\n")[0])
        lines[at] = json.dumps(_changed(tree, other, chance))
    except (ValueError, RecursionError):
        return changed(text, texts, chance)
    return "\n".join(lines)


def shortened(text, _, chance):
    """Drop the last actions of a line."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    try:
        tree = json.loads(lines[at])
        del tree["actions"][chance.randrange(len(tree["actions"]) + 1) :]
        lines[at] = json.dumps(tree)
    except (ValueError, LookupError, TypeError, RecursionError):
        return cut(text, _, chance)
    return "\n".join(lines)


def _changed(tree, other, chance):
    places = [place for place in places_in(tree) if place] or [()]
    # the few members at the top get as much as the many actions
    top = [place for place in places if len(place) < 3]
    path = chance.choice(top if chance.randrange(3) == 0 else places)
    if not path:
        return chance.choice(VALUES)
    parent = tree
    for key in path[:-1]:
        parent = parent[key]
    _act(parent, path[-1], other, chance)
    return tree


def _act(parent, key, other, chance):
    way = chance.randrange(6)
    if way == 0:
        del parent[key]
    elif way == 1 and isinstance(parent, list):
        other_key = chance.randrange(len(parent))
        parent[key], parent[other_key] = parent[other_key], parent[key]
    elif way == 1 or way == 2:
        found = [place for place in places_in(other) if place]
        value = other
        for step in chance.choice(found) if found else ():
            value = value[step]
        parent[key] = value
    elif way == 3 and isinstance(parent, list):
        parent.insert(key, parent[chance.randrange(len(parent))])
    elif way == 3:
        parent[chance.choice(["extra", "deal", "stock", "variant", "dealer", "hands"])] = chance.choice(VALUES)
    elif way == 4 and chance.randrange(20) == 0:
        for _ in range(chance.choice([3, 300])):
            parent[key] = [parent[key]]
    else:
        parent[key] = _near(parent[key], chance)


def _near(value, chance):
    if type(value) is int and chance.randrange(2):
        return value + chance.choice([-1, 1])
    return chance.choice(CARDS) if isinstance(value, str) and chance.randrange(2) else chance.choice(VALUES)


def membered(text, _, chance):
    """Write a member a second time, perhaps with another value."""
    found = list(re.finditer(r'"(\w+)":\s*("[^"]*"|-?\d+|\{[^{}]*\}|true|false)', text))
    if not found:
        return text
    old, new = chance.choice(found), chance.choice(found)
    value = chance.choice([new[2], "1", '"two"', "{}", "true", '"fixed"'])
    return f'{text[: old.end()]}, "{old[1]}": {value}{text[old.end() :]}'


def deep(text, _, chance):
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(["[", '{"a":']) * chance.choice([100, 100_000]) + text[at:]


json_ways = [
    *characters,
    *[in_tree] * 20,
    *[exchanged, shortened] * 4,
    figured,
    recarded,
    membered,
    membered,
    swapped,
    deep,
    lined,
]
