"""The certificate for HTTPS: a given one, or the server's own, which is made once and kept.

Browsers let a page use the camera only over HTTPS (W3C Secure Contexts). No authority can certify a machine in a living
room, so the browser warns once; the page explains that. This needs the extra `https`.
"""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.core.foundation.errors import CompanionError
from companion.core.foundation.kept_file import write_whole

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes, PublicKeyTypes
    from cryptography.x509 import Certificate as X509Certificate

DAYS = 825
"""The number of days for which an own certificate is valid; phones refuse longer ones (Apple, HT210176)."""
_RENEW_DAYS = 30
"""The number of remaining days below which an own certificate is replaced at the next start."""


class NoCertificate(CompanionError, status=409):
    """An error: the server has no usable certificate."""


class Certificate(NamedTuple):
    """A certificate and its private key, each in a PEM file."""

    chain: Path
    key: Path
    fingerprint: str
    """The SHA-256 of the certificate as pairs of hexadecimal digits, as browsers show it."""


def given_certificate(chain: Path, key: Path) -> Certificate:
    """Returns a certificate that the owner provides.

    Raises:
        NoCertificate: The files cannot be read, do not belong together, or the certificate is out of date.
    """
    check_https()
    try:
        certificate = _read(chain.read_bytes(), key.read_bytes())
    except OSError as error:
        raise NoCertificate(
            f"{error.filename} cannot be read ({error.strerror}). Check its name and rights."
        ) from error
    except (ValueError, TypeError) as error:
        raise NoCertificate(
            f"{chain} and {key} are not a certificate with its unencrypted private key in PEM format."
            " Give --tls-cert and --tls-key such a pair."
        ) from error
    if certificate.not_valid_after_utc < datetime.now(UTC):
        ended = f"{certificate.not_valid_after_utc:%Y-%m-%d}"
        raise NoCertificate(f"The certificate in {chain} ended on {ended}. Renew it.")
    return Certificate(chain, key, _fingerprint(certificate))


def own_certificate(kept: Path, address: str) -> Certificate:
    """Returns this server's own certificate: the stored one, or a new one if there is no usable one.

    Args:
        kept: The file of certificate and key, which only its owner can read.
        address: The address of this machine in the local network, which a new certificate names.

    Raises:
        NoCertificate: The certificate cannot be saved, or the extra `https` is missing.
    """
    check_https()
    with suppress(OSError, ValueError, TypeError):
        data = kept.read_bytes()
        certificate = _read(data, data)
        if certificate.not_valid_after_utc - datetime.now(UTC) > timedelta(days=_RENEW_DAYS):
            return Certificate(kept, kept, _fingerprint(certificate))
    data, certificate = _fresh(address)
    try:
        write_whole(kept, data, durable=True)
    except OSError as error:
        raise NoCertificate(
            f"The certificate for HTTPS cannot be kept in {kept} ({error.strerror}). Make room there, or give"
            " --tls-cert and --tls-key."
        ) from error
    return Certificate(kept, kept, _fingerprint(certificate))


def check_https() -> None:
    """Checks that this machine can speak HTTPS.

    Raises:
        NoCertificate: The extra `https` is missing.
    """
    if find_spec("cryptography") is None or find_spec("cheroot") is None:
        raise NoCertificate("HTTPS needs more packages. Install them: pip install 'tabletop-companion[https]'")


def _read(chain: bytes, key: bytes) -> X509Certificate:
    """Returns the certificate. Raises ValueError or TypeError: The data is not a certificate with its unencrypted
    key.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization

    certificate = x509.load_pem_x509_certificate(chain)
    private = serialization.load_pem_private_key(key, None)
    if _public_bytes(certificate.public_key()) != _public_bytes(private.public_key()):
        raise ValueError("the key belongs to another certificate")
    return certificate


def _public_bytes(key: PublicKeyTypes | CertificatePublicKeyTypes) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _fingerprint(certificate: X509Certificate) -> str:
    from cryptography.hazmat.primitives import hashes

    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _fresh(address: str) -> tuple[bytes, X509Certificate]:
    """Returns a new key and a certificate signed with it as one PEM text, and the certificate."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Companion")])
    host = socket.gethostname().partition(".")[0]
    names: list[x509.GeneralName] = [x509.DNSName("localhost")]
    if host.isascii() and host.replace("-", "").isalnum():
        names.append(x509.DNSName(f"{host}.local"))
    names += [x509.IPAddress(ipaddress.ip_address(one)) for one in dict.fromkeys(("127.0.0.1", "::1", address))]
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=DAYS - 1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256())
    )
    key = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return key + certificate.public_bytes(serialization.Encoding.PEM), certificate
