"""Payloads and results too large for an item."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from timegate.domain.values.errors import Malformed, Throttled

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


#: What passes by itself; the client has tried again before.
_THROTTLES = frozenset({"SlowDown", "ServiceUnavailable", "InternalError", "RequestTimeout"})


class S3BlobStore:
    """One bucket; its client is built when the first large payload comes by, which is seldom."""

    def __init__(self, client: "Callable[[], S3Client]", bucket: str) -> None:
        self._build = client
        self._bucket = bucket

    @cached_property
    def _client(self) -> "S3Client":
        return self._build()

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

    def link(self, path: str, *, seconds: int) -> str:
        """A presigned address: good for so long, or as long as this function's own credentials."""
        return self._client.generate_presigned_url(
            "get_object", Params={"Bucket": self._bucket, "Key": path}, ExpiresIn=seconds
        )


@contextmanager
def _refusals_translated(path: str) -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code in _THROTTLES:
            raise Throttled(str(error)) from error
        if code == "NoSuchKey":
            raise Malformed(f"There is no blob {path}.") from error
        raise
