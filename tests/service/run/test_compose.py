"""The compose file: its settings are the service's, its secrets are made beside it and stand in no file of the tree."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from msgspec.structs import fields

from service.run.serve import link_with
from service.run.settings import Settings, load
from service.store.roles import TIME_LIMITS

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "deploy/compose.yaml").read_text(encoding="utf-8")
SERVICES = yaml.safe_load(TEXT)["services"]
LURCH = [name for name in SERVICES if name.startswith(("lurch", "migrate"))]
VARIABLE = re.compile(r"\$\{(\w+)(:\?|:-[^}]*)\}")
MADE = {"LURCH_ADDRESS": "https://lurch.our-club.org", "LURCH_METRICS": "0123456789abcdef"}


def given(text):
    """A value as Compose fills it in."""
    return VARIABLE.sub(lambda found: MADE.get(found[1], found[2][2:]), text)


def make(folder, *words):
    """Run `compose-secrets` in a folder of its own."""
    environment = {**os.environ, "LURCH_SECRETS_FOLDER": str(folder)}
    return subprocess.run(
        [ROOT / "deploy/compose-secrets", *words], env=environment, text=True, capture_output=True, check=False
    )


def made(folder):
    return dict(line.split("=", 1) for line in (folder / ".env").read_text().splitlines())


@pytest.mark.parametrize("name", LURCH)
def test_a_service_is_set_as_one_behind_a_proxy_with_tls(name):
    environment = {key: given(value) for key, value in SERVICES[name]["environment"].items()}
    assert environment.keys() <= {field.encode_name for field in fields(Settings)}
    found = load(environment)
    assert (found.tls, found.secure_cookies, found.metrics) == (True, True, MADE["LURCH_METRICS"])
    assert found.trusted_proxies == "172.30.96.0/24"
    assert "lurch_app:" in found.database_url


def test_the_link_of_the_owner_leads_through_the_proxy():
    found = load({key: given(value) for key, value in SERVICES["lurch-1"]["environment"].items()})
    assert link_with(found, "secret") == "https://lurch.our-club.org/sign-in?link=secret"


def test_whichever_service_takes_a_copy_it_is_the_same_folder():
    for name in LURCH:
        assert SERVICES[name]["environment"]["LURCH_BACKUP_DIR"] == "/copies"
        assert SERVICES[name]["volumes"] == ["copies:/copies"]


@pytest.mark.parametrize("name", LURCH)
def test_a_service_may_do_nothing_that_it_does_not_need(name):
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"], service["tmpfs"]) == (True, ["ALL"], ["/tmp"])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "ports" not in service


def test_the_database_is_reached_from_inside_alone():
    assert yaml.safe_load(TEXT)["networks"][SERVICES["database"]["networks"][0]] == {"internal": True}
    assert "ports" not in SERVICES["database"]


def test_missing_secrets_are_generated_once_and_private(tmp_path):
    needed = {name for name, how in VARIABLE.findall(TEXT) if how == ":?"}
    assert make(tmp_path, "lurch.our-club.org").returncode == 0
    first = made(tmp_path)
    assert needed <= first.keys()
    assert (first["LURCH_NAME"], first["LURCH_ADDRESS"]) == ("lurch.our-club.org", "https://lurch.our-club.org")
    assert (tmp_path / "secrets/lurch_metrics").read_text() == first["LURCH_METRICS"]
    secret = [value for name, value in first.items() if "PASSWORD" in name or name == "LURCH_METRICS"]
    assert {len(each) for each in secret} == {48}
    assert len({*secret}) == len(secret) == 5
    assert ((tmp_path / ".env").stat().st_mode & 0o777, (tmp_path / "secrets").stat().st_mode & 0o777) == (0o600, 0o700)
    again = make(tmp_path, "lurch.our-club.org")
    assert (again.returncode, again.stderr.count("\n")) == (1, 1)
    assert "nothing was changed" in again.stderr
    assert made(tmp_path) == first


def test_without_a_name_it_says_how_it_is_used(tmp_path):
    done = make(tmp_path)
    assert (done.returncode, [*tmp_path.iterdir()]) == (2, [])
    assert "lurch.our-club.org" in done.stderr


@pytest.mark.skipif(shutil.which("git") is None or not (ROOT / ".git").exists(), reason="not a checkout of git")
def test_git_does_not_know_the_secrets():
    asked = ["git", "-c", "safe.directory=*", "check-ignore", "deploy/.env", "deploy/secrets/lurch_metrics"]
    done = subprocess.run(asked, cwd=ROOT, text=True, capture_output=True, check=False)
    assert len(done.stdout.split()) == 2


def test_the_logins_that_a_superuser_makes_wait_as_long_as_our_own():
    said = re.findall(r"alter role lurch_app set (\w+) = '(\w+)';", (ROOT / "deploy/postgres/logins.sql").read_text())
    assert dict(said) == TIME_LIMITS
