"""A question to the service that runs here, by the settings that it runs with: does it live?"""

import http.client
import ssl
import sys

from service.run.settings import Settings, load

PATIENCE = 4.0
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # nobody listens here


def lives(settings: Settings) -> bool:
    """Tells whether it answers that it does."""
    try:
        return live_answer(settings)[0] == http.client.OK
    except (OSError, http.client.HTTPException):
        return False


def live_answer(settings: Settings) -> tuple[int, bytes]:
    """The status and the first bytes of its answer, under a name that it answers to. Its certificate is of that name,
    and not looked at. Raises OSError, HTTPException."""
    host = EVERYWHERE.get(settings.host, settings.host)
    if settings.cert is None:
        asked = http.client.HTTPConnection(host, settings.port, timeout=PATIENCE)
    else:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        asked = http.client.HTTPSConnection(host, settings.port, timeout=PATIENCE, context=context)
    name = (settings.allowed_hosts or host).partition(",")[0].strip().replace("*", "any")
    try:
        asked.request("GET", "/health/live", headers={"Host": name})
        answer = asked.getresponse()
        return answer.status, answer.read(100)
    finally:
        asked.close()


if __name__ == "__main__":
    sys.exit(not lives(load()))
