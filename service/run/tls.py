"""TLS: the pair of files that the service serves with, and an authority of the club's own for its names."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from service.run.settings import SettingsError

SOON: Final = timedelta(days=14)  # until a certificate ends
ASK_SECONDS: Final = 2.0
# nobody has them, and each stands for its kind in bounds: of a kind that is not bounded every name would be vouched for
NOBODYS: Final = (x509.DNSName("invalid"), x509.IPAddress(ip_network("0.0.0.0/32")))
DAYS: Final = 820  # tablets refuse a certificate that lasts longer than 825 days


class Pair(msgspec.Struct, frozen=True):
    """A certificate with its key, as files."""

    cert: Path
    key: Path


class Made(msgspec.Struct, frozen=True):
    """The files of `lurch tls make`: the pair to serve with, and the authority that tablets are told to trust."""

    pair: Pair
    authority: Path
    until: datetime


def checked(cert: str | None, key: str | None) -> Pair | None:
    """The pair, where one is set. Raises SettingsError."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise SettingsError("TLS needs both files: --cert and --key (LURCH_CERT, LURCH_KEY)")
    pair = Pair(Path(cert), Path(key))
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(pair.cert, pair.key, password=_no_password)
    except (OSError, ValueError) as error:
        raise SettingsError(f"no TLS with {cert} and {key}: {error}") from None
    return pair


def _no_password() -> str:
    raise ValueError("the key is locked with a password, and nobody is here to type it")


def name_of(cert: Path) -> str | None:
    """The first name that a certificate vouches for, or its first address; a wildcard is no name."""
    found = x509.load_pem_x509_certificates(cert.read_bytes())[0]
    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return None
    addresses = [str(each) for each in names.get_values_for_type(x509.IPAddress)]
    whole = [each for each in names.get_values_for_type(x509.DNSName) if not each.startswith("*")]
    return next(iter((*whole, *(f"[{each}]" if ":" in each else each for each in addresses))), None)


def wrong_with(cert: Path, now: datetime) -> str | None:
    """The words for a certificate that phones refuse now, or soon; none for one that is good."""
    begin, end = _times(cert)
    if now < begin:
        return f"{cert} is good from {begin:%Y-%m-%d %H:%M} UTC on only: set the clock"
    if now > end:
        return f"{cert} ended on {end:%Y-%m-%d}, so phones refuse it: put a new one there, and start the service again"
    if now > end - SOON:
        return f"{cert} ends on {end:%Y-%m-%d}: put a new one there, and start the service again before"
    return None


def is_another_served(cert: Path, host: str, port: int) -> bool:
    """Tells whether what answers there shows another certificate: one that was renewed is read at a start."""
    try:
        shown = ssl.get_server_certificate((host, port), timeout=ASK_SECONDS)
    except OSError:  # nobody answers, or not over TLS
        return False
    return x509.load_pem_x509_certificate(shown.encode()) != x509.load_pem_x509_certificates(cert.read_bytes())[0]


def good_until(cert: Path) -> datetime:
    """When a certificate ends, or one that stands between it and its authority."""
    return _times(cert)[1]


def _times(cert: Path) -> tuple[datetime, datetime]:
    """When all certificates of a file are good."""
    found = x509.load_pem_x509_certificates(cert.read_bytes())
    return max(each.not_valid_before_utc for each in found), min(each.not_valid_after_utc for each in found)


def make(names: tuple[str, ...], folder: Path, now: datetime | None = None) -> Made:
    """An authority that can vouch for these names and addresses only, and a certificate for them. The authority's key
    is never written: nobody can take it, and a new certificate has a new authority. Raises ValueError, OSError."""
    begin = (now or datetime.now(UTC)) - timedelta(hours=1)  # a tablet's clock may be behind
    until = begin + timedelta(days=DAYS)
    alternatives = [_named(each) for each in names]
    kinds = {type(each) for each in alternatives}
    bounds = [*map(_bound, alternatives), *(each for each in NOBODYS if type(each) not in kinds)]
    above, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = _called(f"Lurch authority for {names[0]}")
    authority = (
        _begun(issuer, issuer, above.public_key(), begin, until)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(bounds, None), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(above.public_key()), critical=False)
        .sign(above, hashes.SHA256())
    )
    certificate = (
        _begun(_called(f"Lurch at {names[0]}"), issuer, own.public_key(), begin, until)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(above.public_key()), critical=False)
        .sign(above, hashes.SHA256())
    )
    folder.mkdir(parents=True, exist_ok=True)
    made = Made(Pair(folder / "cert.pem", folder / "key.pem"), folder / "authority.pem", until)
    secret = own.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    made.pair.key.touch(mode=0o600)
    made.pair.key.chmod(0o600)
    made.pair.key.write_bytes(secret)
    made.pair.cert.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    made.authority.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    return made


def _named(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        if not name or "*" in name or "/" in name or "." not in name.strip("."):
            raise ValueError(f"{name!r} is no name that the club owns, such as lurch.our-club.org") from None
        return x509.DNSName(name)


def _bound(name: x509.GeneralName) -> x509.GeneralName:
    return x509.IPAddress(ip_network(name.value)) if isinstance(name, x509.IPAddress) else name


def _called(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, begin: datetime, until: datetime
) -> x509.CertificateBuilder:
    made = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key)
    return made.serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(until)


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )
