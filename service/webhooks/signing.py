"""Signatures of the Standard Webhooks scheme: the receiver can tell that a delivery is ours, whole, and recent."""

import base64
import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Final

PREFIX: Final = "whsec_"
BYTES: Final = 32


def make_secret() -> str:
    """A new secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def signature(secret: str, message: str, timestamp: int, body: bytes) -> str:
    """The signature of a message at a time with a body."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    digest = hmac.new(key, f"{message}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def headers(secret: str, message: str, at: datetime, body: bytes) -> dict[str, str]:
    """The three headers of a delivery; the time is that of the attempt, the id that of the delivery."""
    timestamp = int(at.timestamp())
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(secret, message, timestamp, body),
    }
