"""Every erasure that the logs of all clubs hold, by ids alone: what has to be done again on a log from before it."""

from service.store.copying import Owner

_ALL = """select club_id::text, data from events where type = 'PersonErased' and club_id = stream_id
    order by club_id, position"""


def all_of(connection: Owner) -> list[tuple[str, str]]:
    """The club and the data of each event."""
    return connection.execute(_ALL).fetchall()
