"""The systemd unit and its settings: systemd finds nothing wrong, and they fit what the service does."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import fields

from service.run import embedded, server
from service.run.settings import Settings, load

FOLDER = Path(__file__).parents[3] / "deploy/systemd"
UNIT = (FOLDER / "lurch.service").read_text()
SETTINGS = (FOLDER / "lurch.env").read_text()
PROGRAM = "/opt/lurch/bin/lurch"
SHUTDOWN = 2 + 3 * 2  # seconds that service/run/lifespan.py gives appends, then each of three pools


def values(name):
    """What the unit says of one thing, each time that it does."""
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


def verified(folder, unit):
    """What systemd says of a unit, whose program is one that is here."""
    place = folder / "lurch.service"
    place.write_text(unit.replace(PROGRAM, sys.executable))
    command = ["systemd-analyze", "verify", "--man=no", str(place)]
    done = subprocess.run(command, text=True, capture_output=True, check=False, timeout=150)
    return done.returncode, [line for line in done.stderr.splitlines() if "lurch" in line]


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here: it comes with systemd"
)
def test_systemd_finds_nothing_wrong(tmp_path):
    assert verified(tmp_path, UNIT) == (0, [])
    _, told = verified(tmp_path, UNIT.replace("KillMode=mixed", "KillMode=mxied"))
    assert told, "a word that systemd does not know is told"


def test_the_unit_uses_notifications_and_stops_the_main_process_alone():
    assert values("Type") == ["notify"]
    assert values("KillMode") == ["mixed"]


def test_the_data_lies_where_the_unit_may_write():
    (folder,) = values("StateDirectory")
    (given,) = values("Environment")
    assert given == f"LURCH_DATA_DIR=/var/lib/{folder}"
    assert given in SETTINGS.splitlines(), "commands by hand read the settings alone"


def test_a_full_hall_has_its_files_and_a_stop_its_time():
    (files,) = values("LimitNOFILE")
    assert int(files) >= server.FILES
    (seconds,) = values("TimeoutStopSec")
    graceful = server.configured(None).timeout_graceful_shutdown
    assert int(seconds) >= graceful + SHUTDOWN + sum(embedded.STOP_SECONDS) + embedded.END_SECONDS


def test_the_service_may_choose_its_turns_at_the_processors():
    *_, refused, again = values("SystemCallFilter")
    assert "@resources" in refused
    assert again == "sched_setscheduler sched_setattr", (
        "service/processors.py asks for it, and what was refused last counts"
    )


def test_every_setting_of_the_example_is_one_and_is_read():
    given = dict(re.findall(r"^#?(LURCH_\w+)=(.*)$", SETTINGS, re.MULTILINE))
    found = load(given)
    changed = {field.encode_name for field in fields(Settings) if getattr(found, field.name) != field.default}
    assert given.keys() - changed == {"LURCH_PORT"}, "which is set to what it is anyway"


def test_the_unchanged_example_sets_the_data_directory_alone():
    given = dict(line.split("=", 1) for line in SETTINGS.splitlines() if line and not line.startswith("#"))
    assert load(given) == Settings(data_dir="/var/lib/lurch")
