"""Files of the archive in S3: created once, and never replaced."""

from collections.abc import Iterator
from typing import Any

from botocore.exceptions import ClientError

from timegate.adapters.s3.bucket import S3Bucket, code_of, throttles_translated
from timegate.domain.values.errors import Throttled

_EXISTS = "PreconditionFailed"
#: Another creation is under way, and may still fail.
_UNDER_WAY = "ConditionalRequestConflict"


class S3ArchiveFiles(S3Bucket):
    """The bucket of the archive."""

    def create(self, path: str, content: bytes) -> bool:
        """Store a file unless there is one; tells if there was none. Raises ``Throttled``."""
        try:
            with throttles_translated():
                self._client.put_object(
                    Bucket=self._bucket, Key=path, Body=content, IfNoneMatch="*"
                )
        except ClientError as error:
            if code_of(error) == _EXISTS:
                return False
            if code_of(error) == _UNDER_WAY:
                raise Throttled(str(error)) from error
            raise
        return True

    def read(self, path: str) -> bytes | None:
        """Return a file; ``None``: there is none. Raises ``Throttled``."""
        try:
            with throttles_translated():
                answer = self._client.get_object(Bucket=self._bucket, Key=path)
                return answer["Body"].read()
        except ClientError as error:
            if code_of(error) == "NoSuchKey":
                return None
            raise

    def folders(self, prefix: str, *, since: str = "") -> list[str]:
        """Return the names of the folders below a folder, in order, from ``since`` on."""
        # A folder's name sorts before all that is in it.
        found = self._pages(
            prefix, Delimiter="/", **({"StartAfter": prefix + since} if since else {})
        )
        return [
            each["Prefix"].removeprefix(prefix).rstrip("/")
            for page in found
            for each in page.get("CommonPrefixes", [])
        ]

    def paths(self, prefix: str) -> list[str]:
        """Return the paths of all files below a folder, in order."""
        return [each["Key"] for page in self._pages(prefix) for each in page.get("Contents", [])]

    def _pages(self, prefix: str, **more: Any) -> Iterator[Any]:  # noqa: ANN401 - S3's parameters
        pages = self._client.get_paginator("list_objects_v2")
        with throttles_translated():
            yield from pages.paginate(Bucket=self._bucket, Prefix=prefix, **more)
