"""Tokens that no caller should be let in with, at the deployed gateway and the functions behind it.

The pool's own key signs them, so that everything but the one thing is right.
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from infra.local.access import SCOPES
from tests.support.deployed.stack import Stack

JOB = {
    "name": "of a forged token",
    "schedule": {"kind": "rate", "every_seconds": 3600},
    "action": {"type": "worker", "pool": "forged", "handler": "none"},
}
#: One route of each kind: defining, working, administering, and a path that is none.
ASKED = (
    ("POST", "/v1/jobs"),
    ("POST", "/v1/pools/forged/claim"),
    ("GET", "/v1/tenants"),
    ("GET", "/v1/nothing"),
)


@dataclass(frozen=True)
class Forge:
    """The issuer's own key, in the wrong hands."""

    key: rsa.RSAPrivateKey
    #: Header of a good token.
    header: Mapping[str, Any]
    claims: Mapping[str, Any]

    def token(
        self,
        header: Mapping[str, object] | None = None,
        *,
        key: rsa.RSAPrivateKey | None = None,
        **claims: object,
    ) -> str:
        """A token, signed as Cognito does, with these instead; ``None``: without."""
        text = self.unsigned(header, **claims)
        signature = (key or self.key).sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{text}.{encoded(signature)}"

    def unsigned(self, header: Mapping[str, object] | None = None, **claims: object) -> str:
        """Its first two parts."""
        parts = [{**self.header, **(header or {})}, {**self.claims, **claims}]
        kept = [{name: each for name, each in p.items() if each is not None} for p in parts]
        return ".".join(encoded(json.dumps(each).encode()) for each in kept)


def encoded(data: bytes) -> str:
    """Encode a part of a token."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(part: str) -> dict[str, Any]:
    """A part of a token."""
    read: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return read


@pytest.fixture(scope="module")
def forge(stack: Stack) -> Forge:
    """With the key that the local cloud keeps of the stage's pool."""
    keys = Path(stack.cloud.home) / "state" / "cognito-pool-keys"
    pem = keys / f"{stack.outputs['UserPoolId']}-access.pem"
    token = stack.api.headers["authorization"].removeprefix("Bearer ")
    header, claims, _ = token.split(".")
    key = load_pem_private_key(pem.read_bytes(), password=None)
    assert isinstance(key, rsa.RSAPrivateKey)
    return Forge(key, decoded(header), decoded(claims))


@pytest.fixture(scope="module")
def stranger(stack: Stack) -> Iterator[httpx.Client]:
    """A caller that knows the address alone."""
    with stack.caller() as client:
        yield client


def claiming(forge: Forge) -> dict[str, str]:
    """Signed as the pool does, and saying what a good token does not."""
    now, issuer = int(time.time()), str(forge.claims["iss"])
    return {
        "expired": forge.token(exp=now - 1),
        "long expired": forge.token(exp=0),
        "without an end": forge.token(exp=None),
        "not good yet": forge.token(nbf=now + 300),
        "of another issuer": forge.token(iss="https://evil.example.com"),
        "of another pool": forge.token(iss=f"{issuer}2"),
        "of no issuer": forge.token(iss=None),
        "for another audience": forge.token(aud="another API"),
        "of another client": forge.token(client_id="5h0unknown"),
        "of no client": forge.token(client_id=None),
        "of an empty client": forge.token(client_id=""),
        "of a list of clients": forge.token(client_id=[forge.claims["client_id"]]),
        "of a client that looks alike": forge.token(client_id="\uff41cme"),
        "who a person is": forge.token(token_use="id"),
        "for looking": forge.token(scope="timegate/looking"),
        "of no scope": forge.token(scope=None),
        "of scopes in a list that are none": forge.token(scope=None, scp=["read", "write"]),
    }


def signing(forge: Forge) -> dict[str, str]:
    """Saying what a good token does, and not signed as the pool does."""
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = forge.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    symmetric = forge.unsigned({"alg": "HS256"})
    confused = encoded(hmac.new(public, symmetric.encode(), hashlib.sha256).digest())
    own = {"jku": "https://evil.example.com/jwks.json", "kid": "mine"}
    good = forge.token()
    return {
        "unsigned": f"{forge.unsigned({'alg': 'none'})}.",
        "unsigned, in capitals": f"{forge.unsigned({'alg': 'NONE'})}.",
        "signed with the public key": f"{symmetric}.{confused}",
        "signed by a stranger": forge.token(key=stranger),
        "of an unknown key": forge.token({"kid": "unknown"}),
        "of no key": forge.token({"kid": None}),
        "with a key of its own": forge.token(own, key=stranger),
        "cut off": good[:-10],
        "without its signature": good.rpartition(".")[0],
        "changed": f"{forge.unsigned(scope='timegate/admin')}.{good.rpartition('.')[2]}",
        "no token": "x",
        "nothing": "",
    }


def test_a_forged_token_lets_no_caller_in(
    stack: Stack, forge: Forge, stranger: httpx.Client
) -> None:
    """Refused at every kind of route, as a caller without a token; nothing is stored."""
    answers = {
        (name, path): stranger.request(
            method, path, json=JOB, headers={"authorization": f"Bearer {token}".rstrip()}
        )
        for name, token in {**claiming(forge), **signing(forge)}.items()
        for method, path in ASKED[: 1 if name != "expired" else None]
    }
    bare = {path: stranger.request(method, path, json=JOB) for method, path in ASKED}
    jobs = [each["name"] for each in stack.api.get("/v1/jobs").json()["items"]]

    assert {
        key: answer.status_code
        for key, answer in answers.items()
        if answer.status_code not in {401, 403}
    } == {}
    assert {answer.status_code for answer in bare.values()} == {401}
    assert all("json" in each.headers["content-type"] for each in answers.values())
    assert JOB["name"] not in jobs


def test_scopes_come_as_text_and_as_a_list(forge: Forge, stranger: httpx.Client) -> None:
    """Issuers write both forms; the same forgery passes if nothing is wrong with it."""
    tokens = (forge.token(scope=" ".join(SCOPES)), forge.token(scope=None, scp=list(SCOPES)))
    answers = [
        stranger.get("/v1/jobs", headers={"authorization": f"Bearer {token}"}) for token in tokens
    ]

    assert [each.status_code for each in answers] == [200, 200]


def test_of_two_tokens_none_counts(forge: Forge, stranger: httpx.Client) -> None:
    """A token that is checked and a token that is read must not be two."""
    good, bad = f"Bearer {forge.token()}", "Bearer x.y.z"
    answers = [
        stranger.get("/v1/jobs", headers=[("authorization", one), ("authorization", other)])
        for one, other in ((good, bad), (bad, good), (good, good))
    ]

    assert [each.status_code for each in answers] == [401, 401, 401]
