"""Payloads and results too large for an item."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import ClientError

from timegate.adapters.s3.bucket import S3Bucket, code_of, throttles_translated
from timegate.domain.values.errors import Malformed


class S3BlobStore(S3Bucket):
    """The bucket of payloads and results."""

    def put(self, path: str, text: str) -> None:
        """Store text under a path; the bucket encrypts it. Raises ``Throttled``."""
        with _refusals_translated(path):
            self._client.put_object(
                Bucket=self._bucket, Key=path, Body=text.encode(), ContentType="application/json"
            )

    def get(self, path: str) -> str:
        """Read it back; raises ``Malformed`` where there is none, or ``Throttled``."""
        with _refusals_translated(path):
            answer = self._client.get_object(Bucket=self._bucket, Key=path)
        return answer["Body"].read().decode()

    def erase(self, prefix: str) -> int:
        """Delete what lies below a path; returns how many. No function has the right to."""
        count = 0
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=prefix
        )
        for page in pages:
            for each in page.get("Contents", []):
                self._client.delete_object(Bucket=self._bucket, Key=each["Key"])
                count += 1
        return count


@contextmanager
def _refusals_translated(path: str) -> Iterator[None]:
    try:
        with throttles_translated():
            yield
    except ClientError as error:
        if code_of(error) == "NoSuchKey":
            raise Malformed(f"There is no blob {path}.") from error
        raise
