"""An authority of the tests, which signs certificates for 127.0.0.1 and other names."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

DAY = timedelta(days=1)
Key: TypeAlias = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


class Authority:
    """Signs certificates."""

    def __init__(self, name: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        built = _builder(self._name, self._name, self._key).add_extension(
            x509.BasicConstraints(True, None), True
        )
        usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
        self._certificate = built.add_extension(usage, True).sign(self._key, hashes.SHA256())

    def write(self, path: Path) -> Path:
        """Write the authority's own certificate."""
        path.write_bytes(self._certificate.public_bytes(serialization.Encoding.PEM))
        return path

    def sign(
        self, folder: Path, host: str = "127.0.0.1", *more: str, key: Key | None = None
    ) -> tuple[Path, Path]:
        """Write a certificate for hosts and its key; return both paths. Those of the last call are replaced."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a service")])
        named = [_named(each) for each in (host, *more)]
        built = _builder(subject, self._name, key).add_extension(x509.SubjectAlternativeName(named), False)
        built = built.add_extension(x509.BasicConstraints(False, None), True)
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        certificate = built.add_extension(identifier, False).sign(self._key, hashes.SHA256())
        paths = folder / "tls.crt", folder / "tls.key"
        contents = (
            certificate.public_bytes(serialization.Encoding.PEM),
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            ),
        )
        for path, content in zip(paths, contents, strict=True):
            new = path.with_suffix(".new")
            new.write_bytes(content)
            new.replace(path)
        return paths


def _named(host: str) -> x509.GeneralName:
    is_number = host.replace(".", "").isdecimal()
    return x509.IPAddress(ip_address(host)) if is_number else x509.DNSName(host)


def _builder(subject: x509.Name, issuer: x509.Name, key: Key) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
    builder = (
        builder.serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
    )
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
