"""The services of deploy/compose.yaml as a club's server has them: started, asked, killed in part, and put away."""

import os
import secrets
import ssl
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import msgspec

from tests.containers import images
from tests.kit.faults.processes import free_port, until

ROOT = images.ROOT
AUTHORITY = "/data/caddy/pki/authorities/local/root.crt"


class Stack:
    """One project of Compose, on ports of loopback."""

    def __init__(self, folder, subnet):
        self.project = f"lurch-test-{secrets.token_hex(4)}"
        self.folder, self.authority = folder, folder / "authority.pem"
        self.ports = {name: free_port() for name in ("http", "https", "database", "prometheus")}
        self.url = f"https://localhost:{self.ports['https']}"
        self.words = images.compose()
        found = images.all_images()
        given = {
            **found,
            "LURCH_IMAGE": images.own(),
            "LURCH_SECRETS": str(folder / "secrets"),
            "LURCH_SUBNET": subnet,
            "LURCH_LISTEN": "127.0.0.1",
            "LURCH_HTTP_PORT": str(self.ports["http"]),
            "LURCH_HTTPS_PORT": str(self.ports["https"]),
            "LURCH_PROMETHEUS_PORT": str(self.ports["prometheus"]),
            "LURCH_TEST_PORT": str(self.ports["database"]),
            "LURCH_ADDRESS": self.url,
        }
        outside = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
        self.environment = {**outside, **given}

    def compose(self, *words, check=True, **more):
        """Call Compose; what it printed."""
        files = [word for each in ("deploy/compose.yaml", "tests/containers/override.yaml") for word in ("-f", each)]
        command = [*self.words, "-p", self.project, "--env-file", str(self.folder / ".env"), *files, *words]
        done = images.run(*command, cwd=ROOT, env=self.environment, **more)
        assert not check or done.returncode == 0, (words, done.stdout[-2000:], done.stderr[-4000:])
        return done.stdout

    def inside(self, service, *command, user=None, check=True):
        """Run a command in a container that runs; what it printed."""
        whose = () if user is None else ("--user", user)
        return self.compose("exec", "-T", *whose, service, *command, check=check)

    def container(self, service):
        """The container of a service, as the engine describes it."""
        (found,) = self.compose("ps", "-a", "-q", service).split()
        (described,) = msgspec.json.decode(images.run("docker", "inspect", found).stdout)
        return described

    def crash(self, service, user):
        """Every process of a container ends at once, as by a kernel without memory; the engine starts it again."""
        before = self.container(service)["RestartCount"]
        self.inside(service, "sh", "-c", "kill -9 -1", user=user, check=False)
        until(lambda: self.container(service)["RestartCount"] > before)

    def until_healthy(self):
        """Wait until every health check says that it lives."""
        checked = ("database", "lurch-1", "lurch-2")
        until(lambda: {self.container(each)["State"]["Health"]["Status"] for each in checked} == {"healthy"})

    def make_secrets(self):
        """What its Compose reads."""
        made = subprocess.run(
            [ROOT / "deploy/compose-secrets", "localhost"],
            env={**os.environ, "LURCH_SECRETS_FOLDER": str(self.folder)},
            capture_output=True,
            check=False,
        )
        assert made.returncode == 0, made.stderr

    def start(self):
        """Start all but Grafana, and wait until a service answers through the proxy."""
        self.compose("up", "-d", "--no-build")
        until(self._taken_authority)
        self.until_ready()

    def until_ready(self):
        """Wait until a service says through the proxy that it is."""
        with httpx.Client(verify=self.trust(), timeout=5) as client:
            try:
                until(lambda: self._says_ready(client), 90)
            except AssertionError as error:
                raise AssertionError(f"{error}: {self.compose('logs', '--tail', '30')}") from None

    def trust(self):
        """What a client needs to believe the proxy."""
        return ssl.create_default_context(cafile=str(self.authority))

    def _taken_authority(self):
        said = self.inside("proxy", "cat", AUTHORITY, check=False)
        self.authority.write_text(said)
        return "END CERTIFICATE" in said

    def _says_ready(self, client):
        with suppress(httpx.TransportError):
            return client.get(f"{self.url}/health/ready").status_code == 200

    def secret(self, name):
        """What deploy/compose-secrets has made."""
        lines = (self.folder / ".env").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)[name]

    def database_url(self, login="lurch_app", name="LURCH_APP_PASSWORD"):
        """The database as a login, from outside."""
        return f"postgresql://{login}:{self.secret(name)}@127.0.0.1:{self.ports['database']}/lurch"

    def end(self):
        """Nothing of it is left: no container, no volume, no network."""
        self.compose("down", "--volumes", "--timeout", "5", check=False)
        label = f"label=com.docker.compose.project={self.project}"
        listed = (("ps", "-aq"), ("volume", "ls", "-q"), ("network", "ls", "-q"))
        left = [images.run("docker", *what, "--filter", label).stdout for what in listed]
        assert not any(left), left


@contextmanager
def arranged(folder: Path, subnet="172.30.96.0/24"):
    """A stack of which nothing runs yet, gone at the end."""
    folder.chmod(0o755)  # files of secrets are read by the containers' users
    stack = Stack(folder, subnet)
    stack.make_secrets()
    try:
        yield stack
    finally:
        stack.end()
