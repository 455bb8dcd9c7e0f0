"""A key of seals in memory, sealed months of a world, and copies as an auditor has them."""

import hashlib
from base64 import b64decode
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support.world import World
from timegate.adapters.archive.memory_files import MemoryArchiveFiles
from timegate.domain.archive.seals import (
    MonthPlan,
    SealedFile,
    key_path,
    seal_of,
    seal_path,
    signature_path,
)
from timegate.domain.values.tenant import TenantId

#: Those of a sample, which are the same in every document: one that signs nothing.
_KEY = b"""-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt
6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
-----END PUBLIC KEY-----
"""
_SIGNATURE = b"a signature of seventy bytes or so, as it would be stored in DER form.."


class MemorySealSigner:
    """The twin of ``KmsSealSigner``: a new key, whose signatures differ each time."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        #: Texts signed so far.
        self.signed: list[bytes] = []

    def sign(self, content: bytes) -> bytes:
        """Return an ECDSA signature of the SHA-256 of a seal, as DER."""
        self.signed.append(content)
        return self._key.sign(content, ec.ECDSA(hashes.SHA256()))

    def public_key(self) -> bytes:
        """Return the public half, as DER."""
        return self._key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )


def copied(files: MemoryArchiveFiles, place: Path) -> Path:
    """Copy an archive into a folder, as ``aws s3 sync`` does; the key lies beside the copy."""
    for path, content in files.files.items():
        target = place / "copy" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    (key,) = (path for path in files.files if path.startswith("seals/keys/"))
    (place / "key.pem").write_bytes(files.files[key])
    return place / "copy"


def keep_sealed(world: World, tenant: TenantId, month: str) -> None:
    """Put a sealed month of a tenant into the archive, with the files that it has of it."""
    files = world.archive_files
    named = [
        SealedFile(
            path=path,
            rows=1,
            bytes=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
        )
        for path, content in files.files.items()
        if f"/tenant={tenant}/day={month}" in path
    ]
    plan = MonthPlan(month=month, rounds=("2026-11-20",), shared=None)
    files.create(seal_path(tenant, month), seal_of(plan, tenant, named, None).as_bytes())
    files.create(signature_path(tenant, month), _SIGNATURE)
    der = b64decode(b"".join(_KEY.splitlines()[1:-1]))
    files.create(key_path(hashlib.sha256(der).hexdigest()), _KEY)
