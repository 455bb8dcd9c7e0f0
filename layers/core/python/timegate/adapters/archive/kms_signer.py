"""The key of seals in KMS: an ECC key on the curve P-256 that signs and does nothing else."""

import hashlib
from collections.abc import Callable
from threading import Lock
from typing import Any

from timegate.adapters.dynamo.tables.throttles import throttles_translated

_ALGORITHM = "ECDSA_SHA_256"
_PASSING = frozenset({"KMSInternalException", "DependencyTimeoutException"})


class KmsSealSigner:
    """Signs digests: a seal of any size is one request of 32 bytes."""

    def __init__(self, client: Callable[[], Any], key: str) -> None:
        self._build = client
        self._built: Any = None
        self._lock = Lock()
        self._key = key

    @property
    def _client(self) -> Any:  # noqa: ANN401 - the stubs have no KMS
        # Seals are signed side by side, and the SDK builds one client at a time.
        with self._lock:
            if self._built is None:
                self._built = self._build()
            return self._built

    def sign(self, content: bytes) -> bytes:
        """Return an ECDSA signature of the SHA-256 of a seal, as DER. Raises ``Throttled``."""
        with throttles_translated(_PASSING):
            answer = self._client.sign(
                KeyId=self._key,
                Message=hashlib.sha256(content).digest(),
                MessageType="DIGEST",
                SigningAlgorithm=_ALGORITHM,
            )
        signature: bytes = answer["Signature"]
        return signature

    def public_key(self) -> bytes:
        """Return the public half, as DER. Raises ``Throttled``."""
        with throttles_translated(_PASSING):
            der: bytes = self._client.get_public_key(KeyId=self._key)["PublicKey"]
        return der
