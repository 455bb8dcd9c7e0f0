"""Payloads and results too large for an item."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from botocore.exceptions import ClientError

from timegate.adapters.s3.bucket import S3Bucket, code_of, throttles_translated
from timegate.domain.values.corrupt_record import BlobMissing


class S3BlobStore(S3Bucket):
    """The bucket of payloads and results."""

    def put(self, path: str, text: str) -> None:
        """Store text under a path; the bucket encrypts it. Raises ``Throttled``."""
        with _refusals_translated(path):
            self._client.put_object(
                Bucket=self._bucket, Key=path, Body=text.encode(), ContentType="application/json"
            )

    def get(self, path: str) -> str:
        """Read it back; raises ``BlobMissing`` where there is none, or ``Throttled``."""
        with _refusals_translated(path):
            answer = self._client.get_object(Bucket=self._bucket, Key=path)
            return answer["Body"].read().decode()

    def erase(self, prefix: str) -> int:
        """Delete what lies below a path, with its versions; returns how many. Raises ``Throttled``.

        No function has the right to. A bucket that S3 replicates keeps versions: a deletion that
        names none hides an object, and leaves it there.
        """
        count = 0
        listing = self._client.get_paginator("list_object_versions")
        with throttles_translated():
            # A page has a thousand versions and marks at most: as many as one request deletes.
            for page in listing.paginate(Bucket=self._bucket, Prefix=prefix):
                found = [(each["Key"], each["VersionId"]) for each in page.get("Versions", [])]
                marks = [(each["Key"], each["VersionId"]) for each in page.get("DeleteMarkers", [])]
                if found or marks:
                    self._delete([*found, *marks])
                    count += len(found)
        return count

    def _delete(self, versions: Sequence[tuple[str, str]]) -> None:
        """Delete objects in one request, which S3 may refuse for some of them."""
        answer = self._client.delete_objects(
            Bucket=self._bucket,
            Delete={
                "Objects": [{"Key": key, "VersionId": version} for key, version in versions],
                "Quiet": True,
            },
        )
        refused = answer.get("Errors", [])
        if refused:
            code, message = refused[0]["Code"], refused[0]["Message"]
            raise ClientError({"Error": {"Code": code, "Message": message}}, "DeleteObjects")


@contextmanager
def _refusals_translated(path: str) -> Iterator[None]:
    try:
        with throttles_translated():
            yield
    except ClientError as error:
        if code_of(error) == "NoSuchKey":
            raise BlobMissing(path) from error
        raise
