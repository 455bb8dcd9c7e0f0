"""A bucket, and the errors of S3 that are told of."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from timegate.adapters.dynamo.tables import throttles

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

#: Refusals that pass by themselves; the client has tried again before.
THROTTLES = frozenset({"SlowDown", "ServiceUnavailable", "InternalError", "RequestTimeout"})


class S3Bucket:
    """One bucket; its client is built when it is first asked, which is seldom."""

    def __init__(self, client: "Callable[[], S3Client]", bucket: str) -> None:
        self._build = client
        self._bucket = bucket

    @cached_property
    def _client(self) -> "S3Client":
        return self._build()

    def link(self, path: str, *, seconds: int) -> str:
        """Return a presigned address: good for so long, or as long as the function's credentials.

        Nothing is requested: S3 checks the right, and that the object is there, when it is read.
        """
        return self._client.generate_presigned_url(
            "get_object", Params={"Bucket": self._bucket, "Key": path}, ExpiresIn=seconds
        )


@contextmanager
def throttles_translated() -> Iterator[None]:
    """Raise ``Throttled`` where S3 throttles, is out of reach or breaks an answer off.

    Any request may be repeated: what is stored under a path is always the same.
    """
    with throttles.throttles_translated(THROTTLES):
        yield


def code_of(error: ClientError) -> str:
    """Return S3's code of a refusal."""
    return error.response["Error"]["Code"]
