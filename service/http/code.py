"""The version of the words between a page's script and the service, which each tap that waits on a phone keeps."""

from typing import Final

from domain.log.decider import Refusal
from service.http.caller import AnyRequest

CODE: Final = "1"  # a new one with each change of what a kept tap says
KNOWN: Final = {CODE}  # what this service still reads
HEADER: Final = "x-code"


def check_code(request: AnyRequest) -> None:
    """A tap is of a version that is still known; one without a version comes from no script. Raises Refusal."""
    said = request.headers.get(HEADER)
    if said is not None and said not in KNOWN:
        raise Refusal("upgrade-required", "the service was renewed since this was tapped: show the page anew")
