"""Signatures: what they cover, which keys make them, and who accepts them."""

import base64
import hashlib
import hmac
from datetime import datetime

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook, WebhookVerificationError

from tests.support.factories import NOW, after
from tests.support.values.signing import OLD_KEY, OTHER_KEY, SIGNING_KEY, signing_key
from timegate.domain.actions.signatures import headers, signatures_in, signing_keys

ID = "wr3yhndwd4n2aifoevtherqsl2_s20261121T070000000Z"
BODY = '{"ü": 1}'.encode()


def accepted(sent: dict[str, str], body: bytes, key: str, *, at: datetime = NOW) -> bool:
    """Return whether the public verifier accepts a request at an instant."""
    with time_machine.travel(at, tick=False):
        try:
            Webhook(key).verify(body, sent, json_parse=False)
        except WebhookVerificationError:
            return False
    return True


def test_a_signature_covers_id_second_and_body() -> None:
    """The standard signs the three, joined by dots, with HMAC-SHA256 in Base64."""
    secret = base64.b64decode(SIGNING_KEY.removeprefix("whsec_"))
    signed = f"{ID}.{int(NOW.timestamp())}.".encode() + BODY
    digest = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()

    assert headers(ID, BODY, [SIGNING_KEY], now=NOW) == {
        "webhook-id": ID,
        "webhook-timestamp": str(int(NOW.timestamp())),
        "webhook-signature": f"v1,{digest}",
    }


def test_the_standards_example_is_signed_as_it_says() -> None:
    """Its secret, id, second and body, from the reference libraries."""
    sent = headers(
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        b'{"test": 2432232314}',
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        now=datetime.fromtimestamp(1614265330, tz=NOW.tzinfo),
    )

    assert sent["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@given(body=st.text(), size=st.integers(24, 64), seed=st.integers(0, 255))
def test_other_verifiers_accept_every_body(body: str, size: int, seed: int) -> None:
    """The public verifier accepts any body under a key of any length."""
    key = signing_key(seed, size=size)
    encoded = body.encode("utf-8", errors="replace")
    sent = headers(ID, encoded, signing_keys(key), now=NOW)

    assert accepted(sent, encoded, key)


@pytest.mark.parametrize(
    ("key", "is_accepted"), [(SIGNING_KEY, True), (OLD_KEY, True), (OTHER_KEY, False)]
)
def test_every_key_of_a_secret_signs(key: str, *, is_accepted: bool) -> None:
    """A receiver knows the old key or the new one while they are exchanged."""
    sent = headers(ID, BODY, [SIGNING_KEY, OLD_KEY], now=NOW)

    assert accepted(sent, BODY, key) is is_accepted
    assert len(signatures_in(sent["webhook-signature"])) == 2


@pytest.mark.parametrize(
    ("part", "value"),
    [("webhook-id", f"{ID}~2"), ("webhook-timestamp", str(int(NOW.timestamp()) + 1))],
)
def test_other_verifiers_refuse_what_was_changed(part: str, value: str) -> None:
    """Id, second and body belong together."""
    sent = headers(ID, BODY, [SIGNING_KEY], now=NOW)

    assert not accepted({**sent, part: value}, BODY, SIGNING_KEY)
    assert not accepted(sent, BODY + b" ", SIGNING_KEY)


@pytest.mark.parametrize(("seconds", "is_accepted"), [(0, True), (300, True), (301, False)])
def test_a_request_that_was_overheard_grows_old(seconds: int, *, is_accepted: bool) -> None:
    """Five minutes after it was sent verifiers refuse it."""
    sent = headers(ID, BODY, [SIGNING_KEY], now=NOW)

    assert accepted(sent, BODY, SIGNING_KEY, at=after(seconds)) is is_accepted


def test_a_fraction_of_a_second_is_cut() -> None:
    """A second that has not begun would come from the future."""
    assert headers(ID, BODY, (), now=after(0.999))["webhook-timestamp"] == str(int(NOW.timestamp()))


def test_without_a_key_nothing_is_signed() -> None:
    """Id and second say which message it is, and prove nothing."""
    assert list(headers(ID, BODY, (), now=NOW)) == ["webhook-id", "webhook-timestamp"]


def test_the_longest_header_is_short() -> None:
    """Five signatures: servers take 8,192 bytes of a head."""
    sent = headers(ID, BODY, [SIGNING_KEY] * 5, now=NOW)

    assert len(sent["webhook-signature"]) == 5 * 48 - 1


@pytest.mark.parametrize(
    ("secret", "keys"),
    [
        (SIGNING_KEY, (SIGNING_KEY,)),
        (f"{SIGNING_KEY}\n{OLD_KEY}", (SIGNING_KEY, OLD_KEY)),
        (f"  {SIGNING_KEY} \r\n\n {OLD_KEY}\n", (SIGNING_KEY, OLD_KEY)),
        ("\n".join([SIGNING_KEY] * 5), (SIGNING_KEY,) * 5),
    ],
    ids=["one", "two", "blanks", "five"],
)
def test_a_secret_has_a_key_on_each_line(secret: str, keys: tuple[str, ...]) -> None:
    """Blank lines and the blanks around a key are none of it."""
    assert keys == signing_keys(secret)


@pytest.mark.parametrize(
    "secret",
    ["", " \n ", "\n".join([SIGNING_KEY] * 6)],
    ids=["empty", "blank", "six"],
)
def test_a_secret_has_one_to_five_keys(secret: str) -> None:
    """The refusal shows none of them."""
    with pytest.raises(ValueError, match=r"^a secret has 1 to 5 keys") as caught:
        signing_keys(secret)

    assert SIGNING_KEY not in str(caught.value)


BARE = SIGNING_KEY.removeprefix("whsec_")


@pytest.mark.parametrize(
    ("key", "is_one"),
    [
        pytest.param(signing_key(1, size=23), False, id="23-bytes"),
        pytest.param(signing_key(1, size=24), True, id="24-bytes"),
        pytest.param(signing_key(1, size=64), True, id="64-bytes"),
        pytest.param(signing_key(1, size=65), False, id="65-bytes"),
        pytest.param(signing_key(1, size=25).rstrip("="), True, id="no-padding"),
        pytest.param(BARE, False, id="no-prefix"),
        pytest.param(f"WHSEC_{BARE}", False, id="another-case"),
        pytest.param(f"whsk_{BARE}", False, id="asymmetric"),
        pytest.param(f"whsec_-_{BARE}", False, id="base64-of-urls"),
        pytest.param(f"whsec_{BARE[:9]} {BARE[9:]}", False, id="blank-inside"),
        pytest.param(f"whsec_ü{BARE}", False, id="not-ascii"),
        pytest.param("whsec_", False, id="nothing"),
        pytest.param("a secret that a person thought of", False, id="free-text"),
    ],
)
def test_a_key_has_the_standards_form(key: str, *, is_one: bool) -> None:
    """Verifiers would read another form as another key, or as none."""
    if is_one:
        assert signing_keys(key) == (key,)
        return
    with pytest.raises(ValueError, match=r"^key 2 is not whsec_ followed by 24 to 64") as caught:
        signing_keys(f"{OLD_KEY}\n{key}")

    assert len(key) < 10 or key not in str(caught.value)
    with pytest.raises(ValueError, match=r"^a key is whsec_"):
        headers(ID, BODY, [key], now=NOW)
