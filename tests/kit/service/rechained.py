"""A forged pushed stream: changed events with a chain that is valid again."""

import msgspec

from domain.log.event import GENESIS, Public, chain_hash, leaf_hash, public_bytes


def chained_anew(unit, change):
    """Return the stream with every event passed through `change` and a valid chain."""
    (stream,) = unit.streams
    previous, events = GENESIS, []
    for each in stream.events:
        found = change(each)
        head = (unit.club, stream.stream, found.version, found.type, found.schema, found.data)
        signer = (found.actor, found.role, found.seat, found.device, found.device_clock)
        public = public_bytes(Public(*head, *signer, found.recorded_at, found.command_id, found.cause))
        salt = None if found.salt is None else bytes.fromhex(found.salt)
        private = None if found.private is None else found.private.encode()
        previous = chain_hash(previous, leaf_hash(public, salt, private))
        events.append(msgspec.structs.replace(found, hash=previous.hex()))
    return msgspec.structs.replace(unit, streams=(msgspec.structs.replace(stream, events=tuple(events)),))
