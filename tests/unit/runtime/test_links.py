"""Links to texts in S3 work from the first day on, in each Region, and with a key of KMS."""

from urllib.parse import parse_qs, urlsplit

import pytest

from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.runtime import clients


@pytest.fixture(autouse=True)
def _function(monkeypatch: pytest.MonkeyPatch) -> None:
    clients._own.cache_clear()
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "test")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)


def link_of(region: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, dict[str, list[str]]]:
    """Return place and query of a link that a function of a Region makes."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
    parts = urlsplit(S3BlobStore(clients.s3, "blobs").link("results/acme/a", seconds=60))
    return f"{parts.scheme}://{parts.netloc}{parts.path}", parse_qs(parts.query)


@pytest.mark.parametrize(
    ("region", "host"),
    [
        # There the name without a Region is the Region's own.
        ("us-east-1", "blobs.s3.amazonaws.com"),
        ("eu-west-1", "blobs.s3.eu-west-1.amazonaws.com"),
        ("eu-central-1", "blobs.s3.eu-central-1.amazonaws.com"),
        ("af-south-1", "blobs.s3.af-south-1.amazonaws.com"),
        ("cn-north-1", "blobs.s3.cn-north-1.amazonaws.com.cn"),
    ],
)
def test_a_link_leads_to_the_region_and_is_signed_for_it(
    region: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name without one redirects to a new bucket, and the signature is of another host.

    Objects under a key of KMS take signatures of version 4 alone.
    """
    place, query = link_of(region, monkeypatch)

    assert place == f"https://{host}/results/acme/a"
    assert query["X-Amz-Algorithm"] == ["AWS4-HMAC-SHA256"]
    assert query["X-Amz-Credential"][0].split("/")[2] == region
    assert query["X-Amz-Expires"] == ["60"]


def test_a_link_of_the_local_cloud_leads_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its buckets have no host names of their own."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:4566")

    place, query = link_of("eu-west-1", monkeypatch)

    assert place == "http://127.0.0.1:4566/blobs/results/acme/a"
    assert query["X-Amz-Algorithm"] == ["AWS4-HMAC-SHA256"]
