"""`lurch serve` as a process of its own on the database of the tests, and what it said."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager


class Process:
    """A service that runs: its address, and what it said until it was stopped."""

    def __init__(self, process, errors):
        self.process, self.errors, self.first = process, errors, process.stdout.readline()
        self.site = re.search(r"http://[\d.]+:\d+", self.first)[0]

    def ended(self):
        """Stop it; its standard output and its log."""
        self.process.send_signal(signal.SIGTERM)
        rest = self.process.communicate(timeout=20)[0]
        self.errors.seek(0)
        return self.first + rest, self.errors.read().decode()


@contextmanager
def serving(database, folder, **given):
    """A service with these settings of the environment, and none of those around."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
    environ |= {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url, "LURCH_PORT": "0"}
    environ |= {"LURCH_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1", **given}
    with (folder / "stderr").open("w+b") as errors:
        command = [sys.executable, "-m", "service", "serve"]
        process = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            yield Process(process, errors)
        finally:
            process.kill()
            process.stdout.close()
            process.wait()
