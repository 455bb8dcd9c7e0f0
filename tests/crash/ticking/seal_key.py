"""KMS, as far as it is used: one key that signs."""

import json
from base64 import b64decode, b64encode

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed

from tests.support.stores.dynamodb_inside import answer, body_of


class SealKey:
    """Signs digests, anew each time."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve one request."""
        operation = request.headers["X-Amz-Target"]
        name = operation.decode() if isinstance(operation, bytes) else operation
        told = json.loads(body_of(request))
        found = (
            {"PublicKey": b64encode(self.der).decode()}
            if name.endswith(".GetPublicKey")
            else {"Signature": b64encode(self._signed(b64decode(told["Message"]))).decode()}
        )
        headers = {"content-type": "application/x-amz-json-1.1"}
        return answer(request, 200, headers, json.dumps(found).encode())

    @property
    def der(self) -> bytes:
        """The public half."""
        return self._key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    @property
    def pem(self) -> bytes:
        """The public half, as an auditor has it."""
        return self._key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def _signed(self, digest: bytes) -> bytes:
        return self._key.sign(digest, ec.ECDSA(Prehashed(hashes.SHA256())))
