"""The images that the compose file names: what the engine has, else can pull, else one made of Debian's packages.

`python -m tests.containers.images` says in a line what is missing, with status 1.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
WHEELS = ROOT / "deploy/wheels"
LOCKS = ("image", "build")
OURS = "lurch-test"
PULL_SECONDS = 300


class Missing(Exception):
    """What is not here, in one line."""


class Image(msgspec.Struct, frozen=True):
    """An image, the variable of the compose file that names another, and the package of Debian that has its program."""

    name: str
    variable: str = ""
    package: str = ""
    lines: tuple[str, ...] = ()


BASE = Image("debian:bookworm-slim")
PYTHON = Image("python:3.11-slim-bookworm")
POSTGRES = Image(os.environ.get("LURCH_POSTGRES_IMAGE", "postgres:18"), "LURCH_POSTGRES_IMAGE")
PROXY = Image("caddy:2", "LURCH_PROXY_IMAGE", "caddy")
PROMETHEUS = Image(
    "prom/prometheus:v3.5.0",
    "LURCH_PROMETHEUS_IMAGE",
    "prometheus",
    ("RUN install -d -o nobody /prometheus", "USER nobody", 'ENTRYPOINT ["prometheus"]'),
)


def run(*command, **more):
    """Run a program to its end; what it printed, and its status."""
    return subprocess.run(command, text=True, capture_output=True, check=False, **more)


def compose():
    """The words that call Compose, version 2 or 1. Raises Missing."""
    if not run("docker", "compose", "version").returncode:
        return ("docker", "compose")
    if shutil.which("docker-compose"):
        return ("docker-compose",)
    raise Missing("no Compose is here: install docker-compose-v2, or docker-compose 1.29")


def engine():
    """Raises Missing where no engine answers."""
    if shutil.which("docker") is None:
        raise Missing("no docker is here: install it, with Compose")
    answer = run("docker", "version", "--format", "{{.Server.Version}}")
    if answer.returncode:
        raise Missing(f"no Docker engine answers: {' '.join(answer.stderr.split())}")
    return answer.stdout.strip()


def has(name):
    return not run("docker", "image", "inspect", name).returncode


def gotten(image):
    """The name of an image that the engine has, perhaps only now. Raises Missing."""
    if has(image.name):
        return image.name
    pulled = run("docker", "pull", "--quiet", image.name, timeout=PULL_SECONDS)
    if not pulled.returncode:
        return image.name
    if image.package and has(BASE.name) and shutil.which("apt-get"):
        return made(image)
    raise Missing(f"the engine has no {image.name} and cannot pull it: {' '.join(pulled.stderr.split())}")


def made(image):
    """An image in place of one that cannot be pulled: the program of Debian's package on a Debian. Raises Missing."""
    name = f"{OURS}-{image.package}"
    if has(name):
        return name
    with tempfile.TemporaryDirectory() as folder:
        fetched = run("apt-get", "download", "-q", image.package, cwd=folder)
        if fetched.returncode:
            raise Missing(f"neither {image.name} nor Debian's {image.package} is to be had: {fetched.stderr.strip()}")
        lay = "RUN dpkg -x /tmp/*.deb /opt/package && rm /tmp/*.deb && ln -s /opt/package/usr/bin/* /usr/local/bin/"
        lines = (f"FROM {BASE.name}", "COPY *.deb /tmp/", lay, *image.lines)
        Path(folder, "Dockerfile").write_text("\n".join(lines) + "\n")
        built(folder, name)
    return name


def built(folder, name, *more):
    """Build, without BuildKit: every engine can."""
    done = run("docker", "build", "-t", name, *more, folder, env={**os.environ, "DOCKER_BUILDKIT": "0"})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def own():
    """Our own image, made of this tree. The wheels are fetched here, where the index is known, and checked there."""
    WHEELS.mkdir(exist_ok=True)
    for lock in LOCKS:
        take = ("--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--python-version", "3.11")
        place = ("-d", str(WHEELS), "-r", str(ROOT / f"deploy/requirements-{lock}.lock"))
        done = run(sys.executable, "-m", "pip", "download", *take, *place)
        assert done.returncode == 0, done.stderr[-3000:]
    built(str(ROOT), OURS, "-f", str(ROOT / "deploy/Dockerfile"))
    return OURS


def all_images():
    """The variables of the compose file, with the images that are here now. Raises Missing."""
    engine()
    compose()
    gotten(PYTHON)
    return {image.variable: gotten(image) for image in (POSTGRES, PROXY, PROMETHEUS)}


def main():
    """Say what is there."""
    try:
        found = all_images()
        print(f"Docker {engine()}, {' '.join(compose())}, {', '.join(found.values())}")  # noqa: T201
    except Missing as error:
        sys.exit(f"the containers are not tested: {error}")


if __name__ == "__main__":
    main()
