"""Certificates for tests, right and wrong ones, of an authority of their own."""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

_YEAR = timedelta(days=365)
#: Python 3.13 refuses an authority whose certificate does not say that its key may sign others.
_SIGNS_CERTIFICATES = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


@dataclass(frozen=True)
class Authority:
    """An authority; a process with its file in ``SSL_CERT_FILE`` trusts what it signs."""

    folder: Path
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @classmethod
    def create(cls, folder: Path, common_name: str = "Authority of tests") -> "Authority":
        """Make one, with a key of its own."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name(common_name)
        own_key = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        certificate = (
            _begun(name, name, key, days=3650)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(_SIGNS_CERTIFICATES, critical=True)
            .add_extension(own_key, critical=False)
            .sign(key, hashes.SHA256())
        )
        return cls(folder, key, certificate)

    @property
    def file(self) -> Path:
        """Its own certificate."""
        path = self.folder / "authority.pem"
        path.write_bytes(self.certificate.public_bytes(Encoding.PEM))
        return path

    def server(self, host: str, *, days: int = 365) -> ssl.SSLContext:
        """A server whose certificate names a host; with negative days, it has expired."""
        key = ec.generate_private_key(ec.SECP256R1())
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        certificate = (
            _begun(_name(host), self.certificate.subject, key, days=days)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
            .add_extension(issuer, critical=False)
            .sign(self.key, hashes.SHA256())
        )
        plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        path = self.folder / f"{host}.{days}.pem"
        path.write_bytes(plain + certificate.public_bytes(Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, *, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 2 * _YEAR)
        .not_valid_after(now + timedelta(days=days))
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])
