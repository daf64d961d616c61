"""Certificates with which the processes of one part authenticate each other.

An authority signs one certificate, which server and client share. Its key is then thrown away, so no further
certificate can ever be signed. Each preparation of the part makes both again.
"""

import ipaddress
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFETIME = timedelta(days=3650)
AUTHORITY, CERTIFICATE, KEY = "authority.pem", "certificate.pem", "key.pem"


def write_certificates(folder: Path, name: str) -> None:
    """Write an authority, and a certificate of it for both sides of a connection to 127.0.0.1."""
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = (
        _builder(f"{name} authority", f"{name} authority", authority_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(authority_key, SHA256())
    )
    usage = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    place = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    certificate = (
        _builder(name, f"{name} authority", key.public_key())
        .add_extension(x509.SubjectAlternativeName([place]), critical=False)
        .add_extension(x509.ExtendedKeyUsage(usage), critical=False)
        .sign(authority_key, SHA256())
    )
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write(folder / AUTHORITY, authority.public_bytes(Encoding.PEM))
    _write(folder / CERTIFICATE, certificate.public_bytes(Encoding.PEM))
    _write(folder / KEY, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _builder(subject: str, issuer: str, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + LIFETIME)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _write(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
