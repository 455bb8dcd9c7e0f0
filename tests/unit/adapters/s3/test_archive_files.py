"""Files of the archive in S3: refusals, and what they mean."""

import pytest
from botocore.exceptions import ClientError

from tests.unit.adapters.conftest import Stubbed
from timegate.adapters.s3.archive_files import S3ArchiveFiles
from timegate.domain.values.errors import Throttled

PATH = "attempts/tenant=acme/day=2026-11-01/part-0.parquet"


def test_a_file_that_is_there_stays(stubbed: Stubbed) -> None:
    """S3 says so by a condition that does not hold."""
    client, stubber = stubbed("s3")
    stubber.add_client_error("put_object", "PreconditionFailed")

    assert not S3ArchiveFiles(lambda: client, "archive").create(PATH, b"PAR1")


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("ConditionalRequestConflict", Throttled),
        ("SlowDown", Throttled),
        ("AccessDenied", ClientError),
    ],
)
def test_a_file_that_is_not_known_to_be_there_is_tried_again(
    stubbed: Stubbed, code: str, error: type[Exception]
) -> None:
    """One of two creations at once may still fail: a list names stored files alone."""
    client, stubber = stubbed("s3")
    stubber.add_client_error("put_object", code)

    with pytest.raises(error):
        S3ArchiveFiles(lambda: client, "archive").create(PATH, b"PAR1")
