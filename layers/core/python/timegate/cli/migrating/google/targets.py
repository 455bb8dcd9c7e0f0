"""From the target of a job of Cloud Scheduler to a web hook."""

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from timegate.cli.migrating.entries import Note, part_of
from timegate.cli.migrating.google.retries import retries_of, seconds_of
from timegate.cli.migrating.importing.web_hooks import (
    LONGEST_CALL,
    headers_of,
    payload_of,
    timeout_of_call,
)
from timegate.domain.values.errors import InvalidInput

_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_UNSET = frozenset({None, "HTTP_METHOD_UNSPECIFIED"})
_DEFAULT_DEADLINE = 180.0


def fields_of_job(job: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Map a job to ``action``, ``payload``, ``retry``, timeout and description.

    Raises ``InvalidInput`` with code ``unsupported_target`` or ``wrong_type``.
    """
    target, url = _target(job)
    method = target.get("httpMethod")
    method = "POST" if method in _UNSET else str(method)
    if method not in _METHODS:
        raise InvalidInput("target", "unsupported_target", f"No web hook sends {method}.")
    headers, notes = headers_of(part_of(target, "headers"))
    payload, of_body = _payload(target.get("body"))
    retry, of_retries = retries_of(job)
    timeout, of_timeout = _timeout(job)
    action = {"type": "webhook", "url": url, "method": method, "headers": headers}
    fields = {
        "action": {name: value for name, value in action.items() if value != {}},
        **payload,
        "retry": retry,
        **timeout,
    }
    if description := job.get("description"):
        fields["description"] = str(description)
    return fields, (*_notes(job, target), *notes, *of_body, *of_retries, *of_timeout)


def _target(job: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Return the target that is called by HTTP, and its address."""
    if "httpTarget" in job:
        target = part_of(job, "httpTarget")
        return target, str(target.get("uri") or "")
    if "appEngineHttpTarget" in job:
        target = part_of(job, "appEngineHttpTarget")
        host = part_of(target, "appEngineRouting").get("host")
        if not host:
            detail = "It names no host of App Engine: gcloud scheduler jobs describe shows it."
            raise InvalidInput("target", "unsupported_target", detail)
        return target, f"https://{host}{target.get('relativeUri') or '/'}"
    topic = part_of(job, "pubsubTarget").get("topicName")
    detail = f"It publishes to {topic}: no action does; a web hook may call what publishes."
    raise InvalidInput("target", "unsupported_target", detail if topic else "It has no target.")


def _notes(job: Mapping[str, Any], target: Mapping[str, Any]) -> Iterator[Note]:
    for name in ("oidcToken", "oauthToken"):
        if name in target:
            account = part_of(target, name).get("serviceAccountEmail")
            detail = (
                f"Google sends a token of {account}. Here the target knows its caller by"
                " signing_secret or secret_headers."
            )
            yield Note(code="service_account", detail=detail)
    if "appEngineHttpTarget" in job:
        detail = "App Engine adds headers such as X-AppEngine-Cron, which nothing else can send."
        yield Note(code="app_engine", detail=detail)


def _payload(body: object) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return the payload of a body, which Google writes in base64."""
    if not body:
        return {}, ()
    try:
        text = base64.b64decode(str(body), validate=True).decode()
    except (binascii.Error, ValueError) as error:
        detail = "Its body is no text in base64: a payload is JSON."
        raise InvalidInput("body", "unsupported_target", detail) from error
    return payload_of(text)


def _timeout(job: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return the timeout of an attempt: a long run has the class for it."""
    # At zero, App Engine takes the deadline of its instances, which the job does not name.
    deadline = seconds_of(job, "attemptDeadline", _DEFAULT_DEADLINE) or _DEFAULT_DEADLINE
    fields = timeout_of_call(deadline)
    if deadline <= LONGEST_CALL:
        return fields, ()
    longest = f"a call is {LONGEST_CALL} s at most: wait for a callback."
    detail = f"attemptDeadline is {deadline:g} s, and {longest}"
    return fields, (Note(code="attempt_deadline", detail=detail),)
