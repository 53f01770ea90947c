"""Read every GET route of tests/data/routes.txt, except streams, as several people."""

import re

from tests.kit.service.routes_table import read_table

STREAM = re.compile(r"/(matches|tournaments|clubs)/.*/live$")
NAMES = {
    "/projections/{name:str}": ("tricks", "scoreboard", "timeline"),
    "/files/{name:str}": ("entries.csv", "results.csv", "archive.json", "tournament.trf"),
}
WORDS = {
    "{key:str}": "parity",
    "{slug:str}": "misfit",
    "{path:str}": "nothing",
    "{role:str}": "scorer",
    "{file_path:path}": "app.css",
}
# query strings of some addresses; searches use the first two letters of a name so that no answer just echoes it
QUERIES = {
    "/equity": "?deal=1&at=3",
    "/remedies": "?deal=1&code=REV",
    "/export": "?format=ctn",
    "/merge": "?with={other}",
    "/part": "?with={other}",
    "/players": "?q={start}",
    "/members": "?q={start}",
    "/members/near": "?name={start}",
    "/projections/timeline": "?as_of=3",
    "/replay": "?at=3",
    "/{match_id:uuid}": "?as_of=3",
    "/{tournament_id:uuid}": "?as_of=6",
    "/{case_id:uuid}": "?match={match_id}",
}


def addresses(asked, other, start, **ids):
    """Return every address of the table with these ids, and again with a query where one exists.

    Addresses of players come for both `asked` and `other`; `start` is the beginning of a name to search for.
    """
    found = []
    for method, path in read_table()[0]:
        if method != "GET" or STREAM.search(path):
            continue
        ended = next((each for each in NAMES if path.endswith(each)), None)
        for name in NAMES.get(ended, ("",)):
            for player in (asked, other) if "{player_id" in path else (asked,):
                values = {**ids, "player_id": player}
                address = named = path.replace("{name:str}", name)
                for word, value in WORDS.items():
                    address = address.replace(word, value)
                address = re.sub(r"\{(\w+):uuid\}", lambda each, own=values: own[each[1]], address)
                assert "{" not in address, f"say what stands for a part of {path}"
                query = next((QUERIES[end] for end in QUERIES if named.endswith(end)), None)
                beside = (asked, other)[player == asked]
                found += [address, *([address + query.format(other=beside, start=start, **ids)] if query else [])]
    return found


def read_by(client, addresses, people):
    """Return status and text of every address for each person, by address and person.

    A person is a token and a cookie header, each None if there is none.
    """
    found = {}
    for who, (token, cookie) in people.items():
        bearer = {} if token is None else {"Authorization": f"Bearer {token}"}
        for address in addresses:
            headers = bearer if address.startswith(("/api/", "/metrics")) else (cookie or {})
            answer = client.get(address, headers=headers, follow_redirects=False)
            client.cookies.clear()
            found[address, who] = answer.status_code, answer.text
    return found
