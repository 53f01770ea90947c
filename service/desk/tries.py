"""Tries of a password or PIN: a wrong one delays that person on that device, and nobody else."""

import math

from domain.log.decider import Refusal
from service.desk import hashing
from service.store import people_secrets as rows
from service.store.people_secrets import Try
from service.store.pool import Pool


def check_wait(tried: Try) -> None:
    """Raises Refusal while a device has to wait after a wrong one."""
    if tried.wait > 0:
        wait = math.ceil(tried.wait)
        said = f"the last one was wrong: try again in {wait} second{'' if wait == 1 else 's'}"
        raise Refusal("too-many-requests", said, retry_after=wait)


async def fits(pool: Pool, tried: Try, secret: str, known: str | None, device: str) -> bool:
    """Tells whether what is tried is right. Raises Refusal where too many try at this moment; that is then no try."""
    try:
        return await hashing.fits(secret, known, device)
    except Refusal:
        await rows.unheard(pool, tried)
        raise
