"""Settings, from the environment: where to serve, where the data is, which database."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
import platformdirs

from service.desk.addresses import is_loopback
from service.desk.proxies import networks

LogForm: TypeAlias = Literal["lines", "json"]
Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Address = Annotated[str, msgspec.Meta(pattern=r"^https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/?\Z")]
Names = Annotated[str, msgspec.Meta(pattern=r"^[\x20-\x7e]+\Z")]  # browsers send xn--… for letters beyond these
Metrics = Annotated[str, msgspec.Meta(pattern=r"^(off|local|on|[\x21-\x7e]{16,})\Z")]  # the last: a secret of its own


class SettingsError(Exception):
    """An environment variable that cannot be meant; the message says which and how to mend it."""


class Settings(msgspec.Struct, frozen=True, rename=lambda name: f"LURCH_{name.upper()}"):
    """The settings that the environment gives. Without `database_url` the embedded server is used."""

    host: str = "127.0.0.1"
    port: Port = 8000
    data_dir: str | None = None
    database_url: str | None = None
    migrate_url: str | None = None
    allowed_hosts: Names | None = None
    address: Address | None = None
    plain_roles: bool = False
    secure_cookies: bool = False
    trusted_proxies: str | None = None  # networks, with commas between them
    limits: bool = True
    metrics: Metrics = "local"
    log: LogForm = "lines"
    traces: bool = False
    webhook_private: bool = False
    cert: str | None = None
    key: str | None = None
    backup_days: Annotated[int, msgspec.Meta(ge=0, le=100_000)] | None = None
    backup_dir: str | None = None
    backup_passphrase_file: str | None = None

    @property
    def tls(self) -> bool:
        """Tells a service that browsers reach over TLS."""
        return self.secure_cookies or self.cert is not None or (self.address or "").startswith("https:")

    @property
    def alone(self) -> bool:
        """Tells a service that only programs of this machine reach: it listens on a loopback address."""
        return is_loopback(self.host)

    @property
    def data(self) -> Path:
        """The data directory: as it is set, else the user's (root: one of the system's)."""
        if self.data_dir:
            return Path(self.data_dir).absolute()
        if os.name == "posix" and os.geteuid() == 0:
            return Path(platformdirs.site_data_dir("lurch")) if sys.platform == "darwin" else Path("/var/lib/lurch")
        return Path(platformdirs.user_data_dir("lurch", appauthor=False))


def load(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings. Raises SettingsError with the variable's name."""
    given = {name: value for name, value in environ.items() if name.startswith("LURCH_") and value}
    _check_letters(given)
    try:
        found = msgspec.convert(given, Settings, strict=False)
        networks(found.trusted_proxies)
    except msgspec.ValidationError as error:
        text = str(error).replace("`$.", "`")
        raise SettingsError(f"a setting cannot be read: {text}") from None
    except ValueError as error:
        raise SettingsError(f"LURCH_TRUSTED_PROXIES cannot be read: {error}; write 10.0.0.0/8, with commas") from None
    _check_address(found.address)
    return found


def _check_letters(given: Mapping[str, str]) -> None:
    """Raises SettingsError for bytes that are no text, which neither a URL nor an answer could hold."""
    for name, value in given.items():
        if not value.isprintable() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise SettingsError(f"{name} has bytes that are no UTF-8: choose a name without them")


def _check_address(address: str | None) -> None:
    """Raises SettingsError for a port or a bracketed address that there cannot be."""
    try:
        _ = urlsplit(address or "").port
    except ValueError as error:
        raise SettingsError(f"LURCH_ADDRESS cannot be read: {error}") from None
