"""Credentials in what callers send are refused by place and kind, and never quoted."""

import json
from pathlib import Path

import pytest

from tests.support.values.credentials import CANARY, HARMLESS, MARKS, PLANTED
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.plaintext import MAX_TOLD, PlaintextSecret, refuse_plaintext

ROOT = Path(__file__).resolve().parents[4]
OF_A_KIND = [(kind, text) for kind, texts in PLANTED.items() for text in texts]


def refusals(value: object) -> list[InvalidInput]:
    """Return the problems of a body; an accepted body has none."""
    try:
        refuse_plaintext(value)
    except PlaintextSecret as refused:
        return list(refused.problems)
    return []


def places(value: object) -> list[str]:
    """Return the fields that are refused."""
    return [each.field for each in refusals(value)]


@pytest.mark.parametrize(("kind", "text"), OF_A_KIND)
def test_a_credential_is_refused_by_its_looks(kind: str, text: str) -> None:
    """A field's name and the surrounding text do not hide a credential."""
    (problem,) = refusals({"payload": {"note": [1, f"use {text} for it"]}})

    assert (problem.field, problem.code) == ("payload.note.1", "plaintext_secret")
    assert problem.detail.startswith(f"Here is {kind}: ")
    assert [mark for mark in MARKS if mark in str(problem)] == []


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_credential_is_accepted(text: str) -> None:
    """A refusal without a reason would stop an owner's work."""
    assert places({"payload": text, "name": text, "tags": {"x": text}}) == []


@pytest.mark.parametrize("name", ["password", "X-Api-Key", "clientSecret", "db-token", "Cookie"])
def test_a_text_is_refused_for_its_name(name: str) -> None:
    """Its owner said that it is secret, however harmless it looks."""
    assert places({"action": {"headers": {name: "x"}}}) == [f"action.headers.{name}"]
    assert places({"tasks": [{"job": {"payload": {name: ["x"]}}}]}) == [
        f"tasks.0.job.payload.{name}.0"
    ]


@pytest.mark.parametrize(
    ("pair", "refused"),
    [
        ({"name": "DB_PASSWORD", "value": "x"}, True),
        ({"Value": "x", "Key": "apiKey"}, True),
        ({"name": "db-token", "value": ["x"]}, True),
        ({"name": "DB_HOST", "value": "x"}, False),
        ({"name": "DB_PASSWORD", "valueFrom": "x"}, False),
        ({"name": "DB_PASSWORD", "value": "${DB_PASSWORD}"}, False),
        ({"name": "DB_PASSWORD", "value": {"$ref": "tasks.a.result"}}, False),
        ({"name": 5, "value": "x"}, False),
    ],
    ids=str,
)
def test_a_value_is_refused_for_the_name_beside_it(
    pair: dict[str, object], *, refused: bool
) -> None:
    """The environment of a container is a list of such pairs, and so are tags of AWS."""
    assert bool(places({"payload": {"environment": [pair]}})) is refused


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(None, id="null"),
        pytest.param("", id="empty"),
        pytest.param(True, id="whether-it-is-needed"),
        pytest.param(3, id="a-number-of-them"),
        pytest.param("***", id="masked"),
        pytest.param("[redacted]", id="redacted"),
        pytest.param("${DB_PASSWORD}", id="variable"),
        pytest.param("{{ vault.password }}", id="template"),
        pytest.param("<password>", id="placeholder"),
        pytest.param("/timegate-target/acme/db", id="parameter"),
        pytest.param("arn:aws:secretsmanager:eu-west-1:1:secret:timegate-target/a/b", id="arn"),
        pytest.param({"secret_arn": "arn:aws:secretsmanager:eu-west-1:1:secret:x"}, id="reference"),
        pytest.param({"$ref": "parameters.where"}, id="of-another-task"),
    ],
)
def test_a_name_alone_refuses_nothing(value: object) -> None:
    """A field that says where a secret is, or that it has none, is accepted."""
    assert places({"payload": {"password": value}}) == []


def test_the_place_of_a_credential_in_a_name_is_what_holds_it() -> None:
    """And no later place quotes it."""
    found = places({"tags": {f"ghp_{CANARY * 4}": "x", "b": {f"sk_live_{CANARY}": {"token": "y"}}}})

    assert found == ["tags", "tags.b", "tags.b.[redacted].token"]


def test_every_place_is_told_up_to_a_number() -> None:
    """All that a person repairs at once."""
    body = {"payload": [{"password": "x"}] * (MAX_TOLD + 1)}

    assert places(body) == [f"payload.{n}.password" for n in range(MAX_TOLD)]


def test_deep_nesting_is_looked_through() -> None:
    """A body may nest as deep as JSON can be read."""
    value: object = {"token": "x"}
    for _ in range(5_000):
        value = [value]

    assert len(places(value)) == 1


@pytest.mark.parametrize(
    "path", sorted((ROOT / "events").glob("api_*.json")), ids=lambda path: str(path.stem)
)
def test_no_sample_is_refused(path: Path) -> None:
    """Samples of API requests are accepted; those of workers carry lease tokens."""
    body = json.loads(path.read_text()).get("body")
    value = json.loads(body) if body and body.lstrip().startswith("{") else {}

    assert [place for place in places(value) if place != "lease_token"] == []
