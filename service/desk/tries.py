"""Tries of a password or PIN: a wrong one delays that person on that device, and nobody else."""

import math

from domain.log.decider import Refusal
from service.store.people_secrets import Try


def check_wait(tried: Try) -> None:
    """Raises Refusal while a device has to wait after a wrong one."""
    if tried.wait > 0:
        wait = math.ceil(tried.wait)
        said = f"the last one was wrong: try again in {wait} second{'' if wait == 1 else 's'}"
        raise Refusal("too-many-requests", said, retry_after=wait)
