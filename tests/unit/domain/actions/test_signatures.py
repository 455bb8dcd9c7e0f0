"""Signatures: what they cover, and which keys make them."""

import hashlib
import hmac

import pytest

from tests.support.factories import NOW, after
from timegate.domain.actions.signatures import signature, signing_keys

BODY = b'{"n": 1}'
SECONDS = int(NOW.timestamp())


def digest(key: str, text: bytes) -> str:
    """An HMAC-SHA256, in hexadecimal."""
    return hmac.new(key.encode(), text, hashlib.sha256).hexdigest()


def test_a_signature_covers_instant_and_body() -> None:
    """As documented: HMAC-SHA256 over timestamp, dot and body."""
    expected = digest("k1", b"%d." % SECONDS + BODY)

    assert signature(["k1"], BODY, now=NOW) == f"t={SECONDS},v1={expected}"


def test_every_active_key_signs() -> None:
    """A target may know the old key or the new one."""
    signed = signature(["new", "old"], BODY, now=NOW)
    text = b"%d." % SECONDS + BODY

    assert signed == f"t={SECONDS},v1={digest('new', text)},v1={digest('old', text)}"


@pytest.mark.parametrize(
    ("keys", "body", "seconds"),
    [(["k2"], BODY, 0), (["k1"], BODY + b" ", 0), (["k1"], BODY, 1)],
    ids=["another-key", "another-body", "another-instant"],
)
def test_whatever_differs_is_signed_differently(keys: list[str], body: bytes, seconds: int) -> None:
    """Nobody can change a part and keep the signature."""
    made = signature(keys, body, now=after(seconds)).partition(",")[2]

    assert made != signature(["k1"], BODY, now=NOW).partition(",")[2]


@pytest.mark.parametrize(
    ("secret", "keys"),
    [
        ("one", ("one",)),
        ("new\nold", ("new", "old")),
        ("  new \r\n\n old\n", ("new", "old")),
        ("1\n2\n3\n4\n5", ("1", "2", "3", "4", "5")),
    ],
)
def test_a_secret_has_a_key_on_each_line(secret: str, keys: tuple[str, ...]) -> None:
    """Blank lines and the blanks around a key are none of it."""
    assert keys == signing_keys(secret)


@pytest.mark.parametrize("secret", ["", " \n ", "1\n2\n3\n4\n5\n6"], ids=["empty", "blank", "six"])
def test_a_secret_has_one_to_five_keys(secret: str) -> None:
    """The refusal shows none of them."""
    with pytest.raises(ValueError, match="1 to 5 keys") as caught:
        signing_keys(secret)

    assert "4" not in str(caught.value)
