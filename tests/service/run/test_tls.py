"""Serving over TLS: a pair that is good, an authority that vouches for its names alone, and what is said else."""

import asyncio
import shlex
import socket
import ssl
import stat
import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import httpx
import pytest
import uvicorn
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from service.cli import cli
from service.run import doctor, serve, tls
from service.run.serve import with_tls
from service.run.server import configured
from service.run.settings import Settings, SettingsError
from service.run.tls import Pair, make
from tests.kit.service.asking import House
from tests.service.run.test_alive import serving

NAMES = ("lurch.our-club.org", "127.0.0.1")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make(NAMES, tmp_path_factory.mktemp("tls"))


def test_the_key_is_private_and_that_of_the_authority_is_not_kept(made):
    folder = made.pair.key.parent
    assert stat.S_IMODE(made.pair.key.stat().st_mode) == 0o600
    assert sorted(each.name for each in folder.iterdir()) == ["authority.pem", "cert.pem", "key.pem"]
    assert "PRIVATE" not in made.authority.read_text() + made.pair.cert.read_text()


def test_the_authority_vouches_for_its_names_alone(made):
    authority = x509.load_pem_x509_certificate(made.authority.read_bytes())
    bounds = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert bounds.critical
    assert [str(each.value) for each in bounds.value.permitted_subtrees] == ["lurch.our-club.org", "127.0.0.1/32"]
    assert authority.extensions.get_extension_for_class(x509.BasicConstraints).value.path_length == 0


def forged(made, above, name, folder):
    """A pair for another name, by whoever had kept the key of the authority."""
    kept = x509.load_pem_x509_certificate(made.pair.cert.read_bytes())
    other = x509.SubjectAlternativeName([tls._named(name)])
    builder = x509.CertificateBuilder().subject_name(x509.Name([])).issuer_name(kept.issuer).serial_number(7)
    builder = builder.public_key(kept.public_key()).add_extension(other, critical=True)
    builder = builder.not_valid_before(kept.not_valid_before_utc).not_valid_after(kept.not_valid_after_utc)
    place = folder / "forged.pem"
    place.write_bytes(builder.sign(above, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return Pair(place, made.pair.key)


def shaken(pair, made, name):
    """A client that trusts the authority greets the server of that name."""
    with serving(pair=pair) as port, socket.create_connection(("127.0.0.1", int(port))) as connection:
        ssl.create_default_context(cafile=made.authority).wrap_socket(connection, server_hostname=name).close()


@pytest.mark.parametrize(("own", "other"), [("127.0.0.1", "bank.example"), ("lurch.our-club.org", "127.0.0.1")])
def test_an_authority_does_not_vouch_for_names_of_another_kind(tmp_path, monkeypatch, own, other):
    keys, drawn = [], tls.ec.generate_private_key
    monkeypatch.setattr(tls.ec, "generate_private_key", lambda curve: keys.append(drawn(curve)) or keys[-1])
    made = make((own,), tmp_path)
    shaken(made.pair, made, own)
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken(forged(made, keys[0], other, tmp_path), made, other)


@pytest.mark.extended
def test_a_trusting_client_reaches_the_service_by_its_names_only(made):
    async def hello(scope, receive, send):
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": scope["scheme"].encode()})

    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        hello, lifespan="off", log_level="error", ssl_certfile=made.pair.cert, ssl_keyfile=made.pair.key
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
    thread.start()
    port = listener.getsockname()[1]
    try:
        trusting = ssl.create_default_context(cafile=made.authority)
        assert httpx.get(f"https://127.0.0.1:{port}", verify=trusting, timeout=60).text == "https"
        with pytest.raises(httpx.ConnectError, match="certificate verify failed"):
            httpx.get(f"https://localhost:{port}", verify=trusting, timeout=60)
        with pytest.raises(httpx.ConnectError, match="certificate verify failed"):
            httpx.get(f"https://127.0.0.1:{port}", verify=ssl.create_default_context(), timeout=60)
    finally:
        server.should_exit = True
        thread.join()


def test_the_settings_take_the_name_of_the_certificate(made):
    chosen = with_tls(Settings(port=8443), str(made.pair.cert), str(made.pair.key))
    assert (chosen.address, chosen.tls) == ("https://lurch.our-club.org:8443", True)
    config = configured(None, chosen.cert, chosen.key)
    assert (config.ssl_certfile, config.ssl_keyfile) == (chosen.cert, chosen.key)
    assert with_tls(Settings()) == Settings()


def test_an_invalid_pair_is_refused_at_the_start(made, tmp_path):
    cert, key = str(made.pair.cert), str(made.pair.key)
    with pytest.raises(SettingsError, match="needs both files"):
        with_tls(Settings(), cert)
    with pytest.raises(SettingsError, match="no TLS with"):
        with_tls(Settings(), cert, str(tmp_path / "missing.pem"))
    other = make(("other.our-club.org",), tmp_path / "other")
    with pytest.raises(SettingsError, match="no TLS with"):
        with_tls(Settings(), cert, str(other.pair.key))
    with pytest.raises(SettingsError, match="no TLS with"):
        with_tls(Settings(), key, key)


@pytest.mark.parametrize(
    ("days", "says"),
    [
        (-1, "is good from 2026-11-24 09:00 UTC on only: set the clock"),
        (100, None),
        (808, "ends on 2029-02-21: put a new one there, and start the service again before"),
        (821, "ended on 2029-02-21, so phones refuse it: put a new one there, and start the service again"),
    ],
)
def test_a_certificate_that_ends_soon_is_reported(tmp_path, monkeypatch, days, says):
    begin = datetime(2026, 11, 24, 10, tzinfo=UTC)
    pair = make(("lurch.our-club.org",), tmp_path, begin).pair
    now = begin + timedelta(days=days)
    settings = with_tls(Settings(data_dir=str(tmp_path / "data"), host="127.0.0.1"), str(pair.cert), str(pair.key))
    found = next(each for each in doctor.examined(settings, now) if each.what == "certificate")
    assert (found.well, found.says) == (says is None, f"{pair.cert} {says}" if says else "good until 2029-02-21")
    said = []
    monkeypatch.setattr(serve, "LOGGER", SimpleNamespace(warning=said.append))
    serve.tell_of_certificate(settings, now)
    assert said == ([found.says] if says else [])


def test_a_renewed_certificate_that_is_not_served_yet_is_reported(made, tmp_path):
    renewed = make(NAMES, tmp_path)
    with serving(pair=made.pair) as port:
        found = []
        for pair in (made.pair, renewed.pair):
            settings = Settings(data_dir=str(tmp_path), port=int(port), cert=str(pair.cert), key=str(pair.key))
            found.append(next(each for each in doctor.examined(settings) if each.what == "certificate"))
    assert [each.well for each in found] == [True, False]
    assert "another one is served: start the service again" in found[1].says


def test_the_command_writes_the_pair_and_refuses_invalid_names(tmp_path):
    runner = CliRunner()
    done = runner.invoke(cli, ["tls", "make", "lurch.our-club.org", "--folder", str(tmp_path)])
    assert (done.exit_code, "lurch serve --cert" in done.output) == (0, True)
    for name in ("*.our-club.org", "lurch", "https://x.org"):
        assert runner.invoke(cli, ["tls", "make", name, "--folder", str(tmp_path)]).exit_code == 2


def test_links_of_commands_lead_to_the_name_of_the_certificate(client, database, made, tmp_path):
    given = {
        "LURCH_DATABASE_URL": database.url,
        "LURCH_MIGRATE_URL": database.owner_url,
        "LURCH_DATA_DIR": str(tmp_path),
    }
    given |= {"LURCH_CERT": str(made.pair.cert), "LURCH_KEY": str(made.pair.key), "LURCH_PORT": "8443"}
    with House(client, database, name="Over TLS"):
        for command in (["owner-link"], ["invite", "Dee", "--club", "Over TLS", "--role", "secretary"]):
            for host in ("0.0.0.0", "127.0.0.1"):
                done = CliRunner().invoke(cli, command, env={**given, "LURCH_HOST": host})
                assert done.exit_code == 0, done.output
                assert done.output.startswith("https://lurch.our-club.org:8443/sign-in")


def test_the_printed_command_quotes_the_folder(tmp_path):
    folder = tmp_path / "Application Support"
    done = CliRunner().invoke(cli, ["tls", "make", "lurch.our-club.org", "--folder", str(folder)])
    words = shlex.split(done.output.splitlines()[-1])
    assert words == ["lurch", "serve", "--cert", f"{folder}/cert.pem", "--key", f"{folder}/key.pem"]
