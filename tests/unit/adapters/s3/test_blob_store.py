"""Payloads and results too large for an item, in S3."""

from collections.abc import Callable
from io import BytesIO
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    IncompleteReadError,
    ReadTimeoutError,
    ResponseStreamingError,
)
from botocore.response import StreamingBody

from tests.unit.adapters.conftest import Stubbed
from timegate.adapters.s3.archive_files import S3ArchiveFiles
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.domain.values.errors import Malformed, Throttled

PATH = "payloads/acme/job/0a1b"
WHERE = {"Bucket": "blobs", "Key": PATH}
TEXT = '{"name": "Ærø"}'


def test_text_is_stored_as_json(stubbed: Stubbed) -> None:
    """The bucket encrypts it."""
    client, stubber = stubbed("s3")
    body = {"Body": TEXT.encode(), "ContentType": "application/json"}
    stubber.add_response("put_object", {}, WHERE | body)

    S3BlobStore(lambda: client, "blobs").put(PATH, TEXT)


def test_text_is_read_back(stubbed: Stubbed) -> None:
    """The store returns the text that was put."""
    client, stubber = stubbed("s3")
    stored = TEXT.encode()
    stubber.add_response("get_object", {"Body": StreamingBody(BytesIO(stored), len(stored))}, WHERE)

    assert S3BlobStore(lambda: client, "blobs").get(PATH) == TEXT


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("NoSuchKey", Malformed),
        ("SlowDown", Throttled),
        ("ServiceUnavailable", Throttled),
        ("InternalError", Throttled),
        ("AccessDenied", ClientError),
    ],
)
def test_a_refusal_is_translated(stubbed: Stubbed, code: str, error: type[Exception]) -> None:
    """Load passes, a missing blob never comes back, anything else is a bug."""
    client, stubber = stubbed("s3")
    stubber.add_client_error("get_object", code)

    with pytest.raises(error):
        S3BlobStore(lambda: client, "blobs").get(PATH)


class Broken:
    """Body of an answer whose connection breaks."""

    def __init__(self, error: BotoCoreError) -> None:
        self._error = error

    def read(self) -> bytes:
        """Break off."""
        raise self._error


@pytest.mark.parametrize(
    "error",
    [
        ReadTimeoutError(endpoint_url="https://s3"),
        ResponseStreamingError(error="reset"),
        IncompleteReadError(actual_bytes=1, expected_bytes=2),
    ],
    ids=["silent", "reset", "cut"],
)
@pytest.mark.parametrize(
    "read",
    [
        lambda client: S3BlobStore(lambda: client, "blobs").get(PATH),
        lambda client: S3ArchiveFiles(lambda: client, "blobs").read(PATH),
    ],
    ids=["blob", "file"],
)
def test_a_body_that_breaks_off_may_be_read_again(
    stubbed: Stubbed, read: Callable[[object], object], error: BotoCoreError
) -> None:
    """S3 has answered by then, and the client does not ask again."""
    client, stubber = stubbed("s3")
    body: Any = Broken(error)
    client.meta.events.register("after-call", lambda parsed, **_: parsed.update(Body=body))
    stubber.add_response("get_object", {}, WHERE)

    with pytest.raises(Throttled):
        read(client)


@pytest.mark.parametrize(
    "error",
    [
        EndpointConnectionError(endpoint_url="https://s3"),
        ConnectTimeoutError(endpoint_url="https://s3"),
        ConnectionClosedError(endpoint_url="https://s3"),
    ],
    ids=["unreachable", "silent", "closed"],
)
def test_s3_out_of_reach_may_answer_later(stubbed: Stubbed, error: BotoCoreError) -> None:
    """A run whose payload is there is put off, and its neighbours go on."""
    client, stubber = stubbed("s3")
    stubber.deactivate()

    client.meta.events.register("before-send", Mock(side_effect=error))
    store = S3BlobStore(lambda: client, "blobs")

    with pytest.raises(Throttled):
        store.get(PATH)
    with pytest.raises(Throttled):
        store.put(PATH, TEXT)


@pytest.mark.parametrize(
    "code", ["SlowDown", "RequestLimitExceeded", "ThrottlingException", "KMS.ThrottlingException"]
)
def test_a_write_under_load_may_be_tried_again(stubbed: Stubbed, code: str) -> None:
    """The API then answers that it is busy, not that it broke: S3 is, or its key in KMS."""
    client, stubber = stubbed("s3")
    stubber.add_client_error("put_object", code, http_status_code=400)

    with pytest.raises(Throttled):
        S3BlobStore(lambda: client, "blobs").put(PATH, TEXT)


def test_a_client_is_built_for_the_first_blob_only(stubbed: Stubbed) -> None:
    """Large payloads are seldom, and building a client takes a cold start's time."""
    client, stubber = stubbed("s3")
    built: list[str] = []

    def build() -> object:
        built.append("s3")
        return client

    store = S3BlobStore(build, "blobs")  # type: ignore[arg-type]
    before = list(built)
    for _ in range(2):
        stubber.add_response("put_object", {})
        store.put(PATH, TEXT)

    assert before == []
    assert built == ["s3"]


def _deletion(*versions: tuple[str, str]) -> dict[str, object]:
    objects = [{"Key": key, "VersionId": version} for key, version in versions]
    return {"Bucket": "blobs", "Delete": {"Objects": objects, "Quiet": True}}


def test_what_lies_below_a_path_is_erased(stubbed: Stubbed) -> None:
    """A page of the listing is one request; a page without objects is none.

    A bucket that is replicated keeps what was replaced, and a mark of what was deleted.
    """
    client, stubber = stubbed("s3")
    asked = {"Bucket": "blobs", "Prefix": "payloads/acme/"}
    first = {
        "IsTruncated": True,
        "NextKeyMarker": "key",
        "NextVersionIdMarker": "version",
        "Versions": [{"Key": PATH, "VersionId": "2"}, {"Key": PATH, "VersionId": "1"}],
        "DeleteMarkers": [{"Key": f"{PATH}2", "VersionId": "null"}],
    }
    stubber.add_response("list_object_versions", first, asked)
    stubber.add_response(
        "delete_objects", {}, _deletion((PATH, "2"), (PATH, "1"), (f"{PATH}2", "null"))
    )
    behind = {"KeyMarker": "key", "VersionIdMarker": "version"}
    stubber.add_response("list_object_versions", {"IsTruncated": False}, asked | behind)

    assert S3BlobStore(lambda: client, "blobs").erase("payloads/acme/") == 2
    stubber.assert_no_pending_responses()


@pytest.mark.parametrize(
    ("code", "error"), [("SlowDown", Throttled), ("AccessDenied", ClientError)]
)
def test_an_object_that_stays_is_an_error(
    stubbed: Stubbed, code: str, error: type[Exception]
) -> None:
    """S3 answers 200 and names the objects that it did not delete."""
    client, stubber = stubbed("s3")
    version = {"Key": PATH, "VersionId": "null"}
    stubber.add_response("list_object_versions", {"IsTruncated": False, "Versions": [version]})
    refused = {"Key": PATH, "Code": code, "Message": "No."}
    stubber.add_response("delete_objects", {"Errors": [refused]})

    with pytest.raises(error):
        S3BlobStore(lambda: client, "blobs").erase("payloads/acme/")
