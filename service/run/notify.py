"""Words to systemd on how the service stands (`Type=notify`): a datagram to the socket that NOTIFY_SOCKET names."""

import os
import socket
from typing import Final

import structlog

READY: Final = b"READY=1"
STOPPING: Final = b"STOPPING=1"
PATIENCE: Final = 1.0  # seconds for a socket whose reader takes nothing
LOGGER: Final = structlog.get_logger()


def notify(word: bytes) -> bool:
    """Tells whether somebody listens who was told; a socket that is named and takes nothing is warned of."""
    name = os.environ.get("NOTIFY_SOCKET")
    if not name:
        return False
    address = f"\0{name[1:]}" if name.startswith("@") else name
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.settimeout(PATIENCE)
            sender.connect(address)
            sender.send(word)
    except OSError as error:
        LOGGER.warning("systemd was not told how the service stands", word=word.decode(), error=str(error))
        return False
    return True
