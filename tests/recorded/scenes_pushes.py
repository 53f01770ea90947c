"""Streams that were recorded in another copy of the club: StreamsPushed."""

from tests.kit.service.pushed import ELSEWHERE, announce, bring, elsewhere, first_events, stream_of
from tests.recorded.tables import Table


def play(stage):
    """A club to which two matches come, the second in two pieces, and of a third only the announcement."""
    house = stage.house()
    table = Table(house, "parity", [["Annie"], ["Benny"]])
    table.entered([9, 6])
    table.entered([7, 8])
    found = stream_of(house, table.id)
    stranger = {"id": ELSEWHERE.format(0xA0), "name": "Dana"}
    one, two, three = (elsewhere(house, found, number) for number in (1, 2, 3))
    begun = first_events(two, 3)
    announce(house, [one, begun, three], [stranger])
    bring(house, one)
    bring(house, begun)
    announce(house, [two], [stranger])
    bring(house, two)
    for match in (table.id, one.streams[0].stream):
        stage.sits(house, match, table.view["sides"][0]["players"][0])
    table.entered([9, 6])
