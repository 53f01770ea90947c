"""The match or tournament of an event, for readers of a club's whole log."""

import msgspec

from domain.log.event import Recorded
from projections.event_view import EventView
from projections.tournaments.lists import concerns


def placed(event: Recorded, view: EventView) -> EventView:
    """The view with the match or tournament that it is about; events of the club itself name neither."""
    if event.stream == event.club:
        return view
    about = "tournament" if concerns(event) else "match"
    return msgspec.structs.replace(view, **{about: event.stream})
