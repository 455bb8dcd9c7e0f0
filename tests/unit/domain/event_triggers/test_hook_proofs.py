"""Proofs of messages: what is signed, by whom, and when."""

import json
from collections.abc import Mapping
from datetime import timedelta

import pytest
from standardwebhooks import Webhook

from tests.support.event_triggers.triggering import KEY, PLAIN_KEY, signed, signed_by_github
from tests.support.factories import NOW, after
from timegate.domain.event_triggers.event_trigger import HookScheme
from timegate.domain.event_triggers.hook_proofs import (
    TOLERANCE,
    Proof,
    parse_hook_id,
    proof_in,
)

BODY = json.dumps({"type": "deployment.finished"})
OTHER_KEY = "whsec_NfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA="


def lower(headers: Mapping[str, str]) -> dict[str, str]:
    """Lower the names of headers, like the gateway."""
    return {name.lower(): text for name, text in headers.items()}


def proof_of(headers: Mapping[str, str]) -> Proof:
    """The proof that is there."""
    proof = proof_in(lower(headers))
    assert proof is not None
    return proof


def test_a_message_of_others_standard_webhooks_holds() -> None:
    """Signed by the package ``standardwebhooks``."""
    signature = Webhook(KEY).sign("msg_7", NOW, BODY)
    proof = proof_of(
        {
            "webhook-id": "msg_7",
            "webhook-timestamp": str(int(NOW.timestamp())),
            "webhook-signature": signature,
        }
    )

    assert proof.holds(KEY, BODY.encode())
    assert (proof.scheme, proof.message_id) == (HookScheme.STANDARD, "msg_7")


def test_a_signature_is_of_every_byte_and_of_its_key() -> None:
    """Another body, id, second or key makes it wrong."""
    headers = signed(BODY)
    second = str(int(after(1).timestamp()))

    assert proof_of(headers).holds(KEY, BODY.encode())
    assert not proof_of(headers).holds(KEY, f"{BODY} ".encode())
    assert not proof_of(headers).holds(OTHER_KEY, BODY.encode())
    assert not proof_of({**headers, "webhook-id": "msg_2"}).holds(KEY, BODY.encode())
    assert not proof_of({**headers, "webhook-timestamp": second}).holds(KEY, BODY.encode())


def test_one_of_several_keys_and_one_of_several_signatures_is_enough() -> None:
    """While keys are exchanged, on either side."""
    both = signed(BODY)["webhook-signature"] + " v1a,ZZZ v1,AAAA"

    assert proof_of(signed(BODY)).holds(f"{OTHER_KEY}\n{KEY}\n", BODY.encode())
    assert proof_of({**signed(BODY), "webhook-signature": both}).holds(KEY, BODY.encode())


def test_a_secret_of_another_form_is_told_of() -> None:
    """Signed with nothing it would look signed."""
    with pytest.raises(ValueError, match="key 1 is not whsec_"):
        proof_of(signed(BODY)).holds("plain", BODY.encode())
    with pytest.raises(ValueError, match="1 to 5 keys"):
        proof_of(signed_by_github(BODY)).holds("\n", BODY.encode())


@pytest.mark.parametrize("sign", [1, -1])
def test_a_message_is_timely_for_five_minutes(sign: int) -> None:
    """By the sender's clock, before and after ours."""
    proof = proof_of(signed(BODY))

    assert proof.is_timely(NOW + sign * TOLERANCE)
    assert not proof.is_timely(NOW + sign * (TOLERANCE + timedelta(milliseconds=1)))


def test_a_delivery_of_github_holds() -> None:
    """Its signature is of the body alone; it has no time."""
    proof = proof_of(signed_by_github(BODY))

    assert proof.holds(PLAIN_KEY, BODY.encode())
    assert proof.holds(f"old\n{PLAIN_KEY}", BODY.encode())
    assert not proof.holds("old", BODY.encode())
    assert not proof.holds(PLAIN_KEY, b"{}")
    assert (proof.scheme, proof.message_id, proof.event) == (HookScheme.GITHUB, "d1", "push")
    assert proof.is_timely(after(10**6))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("webhook-id", "", id="no id"),
        pytest.param("webhook-id", "a.b", id="a dot parts what is signed"),
        pytest.param("webhook-id", "a b", id="a blank"),
        pytest.param("webhook-id", "a" * 257, id="a long id"),
        pytest.param("webhook-timestamp", "", id="no second"),
        pytest.param("webhook-timestamp", "-1", id="a sign"),
        pytest.param("webhook-timestamp", "1e9", id="another notation"),
        pytest.param("webhook-timestamp", "²", id="a digit of others"),
        pytest.param("webhook-signature", "", id="no signature"),
        pytest.param("webhook-signature", "v1a,AAAA", id="another version"),
        pytest.param("webhook-signature", "v1,A " * 11, id="many signatures"),
    ],
)
def test_what_has_another_form_is_no_proof(name: str, value: str) -> None:
    """It costs no read."""
    assert proof_in({**signed(BODY), name: value}) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x-hub-signature-256", "sha256=" + "0" * 63),
        ("x-hub-signature-256", "sha1=" + "0" * 64),
        ("x-github-delivery", ""),
        ("x-github-event", ""),
        ("x-github-event", "Push\n"),
    ],
)
def test_what_github_would_not_send_is_no_proof(name: str, value: str) -> None:
    """Without an id no reader could tell a repetition."""
    assert proof_in({**lower(signed_by_github(BODY)), name: value}) is None


def test_an_address_has_one_form() -> None:
    """A malformed address costs no read."""
    assert parse_hook_id("a2" * 13) == "a2" * 13
    assert parse_hook_id("a2" * 12) is None
    assert parse_hook_id("A2" * 13) is None
    assert parse_hook_id("a1" * 13) is None
