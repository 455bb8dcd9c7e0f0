"""An entry of the audit trail shows changed fields, and secrets only by their digest."""

import hashlib
from dataclasses import replace

import pytest

from tests.support.dag_runs.waiting import then
from tests.support.factories import job_factory
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.dags.definition import Task
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.domain.tenants.audit_trail import MAX_VALUE_BYTES, FieldChange, changed_fields
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.payload import Payload

JOB = job_factory()


def digest(text: str) -> dict[str, object]:
    """Return the digest of a text in an entry's form."""
    return {"sha256": hashlib.sha256(text.encode()).hexdigest(), "size_bytes": len(text.encode())}


def test_a_payload_is_told_by_its_digest() -> None:
    """Also one that lies elsewhere, under its digest."""
    before = replace(JOB, payload=Payload(inline='{"a":1}', size_bytes=7))
    blob = replace(JOB, payload=Payload(blob="payloads/acme/x/abc", size_bytes=9))

    assert changed_fields(before, blob) == (
        FieldChange(
            field="payload",
            before=digest('{"a":1}'),
            after={"sha256": "abc", "size_bytes": 9},
        ),
    )


def test_the_result_of_an_event_that_never_comes_is_told_by_its_digest() -> None:
    """It is a result that a caller gave, as one of a task that is completed."""
    wait = WaitTask(kind=WaitKind.EVENT, seconds=60)
    before, after = (
        then(Task(key=TaskKey("paid"), spec=replace(wait, default=text)))
        for text in (None, '{"salary":1}')
    )
    (change,) = changed_fields(before, after)

    assert change.after[0]["spec"]["default"] == digest('{"salary":1}')


def test_headers_and_queries_are_told_by_their_digests() -> None:
    """The address of a web hook is shown; its headers and query may be secret."""
    before = replace(JOB, action=WebhookAction(url="https://example.com/hook"))
    after = replace(
        JOB,
        action=WebhookAction(
            url="https://user:pass@example.com/hook?key=k1", headers={"X-Key": "k2"}
        ),
    )
    (change,) = changed_fields(before, after)
    text = str(change.after)

    assert change.before["url"] == "https://example.com/hook"
    assert change.after["url"]["url"] == "https://example.com/hook"
    assert change.after["headers"] == {"X-Key": digest("k2")}
    assert [secret for secret in ("pass", "k1", "k2") if secret in text] == []


@pytest.mark.parametrize(
    ("length", "whole"), [(MAX_VALUE_BYTES - 2, True), (MAX_VALUE_BYTES, False)]
)
def test_a_long_value_is_told_by_its_digest(length: int, *, whole: bool) -> None:
    """An entry stays small."""
    text = "x" * length
    (change,) = changed_fields(JOB, replace(JOB, description=text))

    assert (change.after == text) is whole


def test_a_field_that_no_owner_defines_is_no_change() -> None:
    """The clockwork's own fields, and those that every change has."""
    moved = replace(JOB, timing=replace(JOB.timing, version=9, runs_planned=7, next_run_at=None))

    assert changed_fields(JOB, moved) == ()
