"""Payloads and results too large for an item."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class S3BlobStore:
    """One bucket; its client is built when the first large payload comes by, which is seldom."""

    def __init__(self, client: "Callable[[], S3Client]", bucket: str) -> None:
        self._build = client
        self._bucket = bucket

    @cached_property
    def _client(self) -> "S3Client":
        return self._build()

    def put(self, path: str, text: str) -> None:
        """Store text under a path; the bucket encrypts it."""
        self._client.put_object(
            Bucket=self._bucket, Key=path, Body=text.encode(), ContentType="application/json"
        )

    def get(self, path: str) -> str:
        """Read it back."""
        return self._client.get_object(Bucket=self._bucket, Key=path)["Body"].read().decode()
