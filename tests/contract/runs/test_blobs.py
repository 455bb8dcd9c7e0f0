"""``BlobStore``: payloads and results too large for an item."""

import pytest

from timegate.domain.values.errors import Malformed
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES
from timegate.ports.blobs import BlobStore

PATH = "payloads/acme@example.com|1/job/0a1b"


@pytest.mark.parametrize(
    "text", ["{}", '{"name": "Ærø \U0001f600"}', "x" * MAX_PAYLOAD_BYTES], ids=["a", "b", "c"]
)
def test_text_is_read_back_as_it_was_stored(blobs: BlobStore, text: str) -> None:
    """Any tenant's name and any payload up to the limit are stored."""
    blobs.put(PATH, text)

    assert text == blobs.get(PATH)


def test_storing_again_replaces(blobs: BlobStore) -> None:
    """The same text lies under the same path, so a repetition is harmless."""
    blobs.put(PATH, "one")
    blobs.put(PATH, "two")

    assert blobs.get(PATH) == "two"


def test_what_is_not_there_cannot_be_acted_on(blobs: BlobStore) -> None:
    """Trying again would not bring it back."""
    with pytest.raises(Malformed):
        blobs.get(PATH)
