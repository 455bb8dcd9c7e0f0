"""From the executor of a dkron job to an action: a request, or a command for a template.

Sources: dkron 4, ``plugin/http/http.go``, ``plugin/shell/shell.go`` and ``execution.go``.
"""

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from timegate.cli.migrating.dkron.jobs import DkronJob
from timegate.cli.migrating.entries import Note, part_of, told, whole_number
from timegate.cli.migrating.importing.templates import Marks, filled, filled_action
from timegate.cli.migrating.importing.web_hooks import (
    LONGEST_CALL,
    headers_of,
    payload_of,
    timeout_of_call,
)
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import check_url
from timegate.domain.jobs.rules.job_rules import MAX_WORKER_TIMEOUT_SECONDS
from timegate.domain.values.errors import InvalidInput

#: A part of a duration of Go, and its units in seconds.
_DURATION = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(ms|s|m|h)")
_UNITS = {"ms": Fraction(1, 1000), "s": Fraction(1), "m": Fraction(60), "h": Fraction(3600)}
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_DEFAULT_TIMEOUT = 30
_MOST_RETRIES = 49
_STATUS = re.compile(r"[2-5]\d\d", re.ASCII)
_MOST_STATUSES = 20
_OF_HTTP = frozenset({"url", "method", "headers", "body", "timeout", "expectCode", "debug"})
_OF_SHELL = frozenset({"command", "shell", "env", "cwd", "timeout"})
#: Fields that are read, or say what was.
_OF_JOB = frozenset(
    {
        *("id", "name", "displayname", "timezone", "schedule", "success_count", "error_count"),
        *("last_success", "last_error", "disabled", "retries", "dependent_jobs", "parent_job"),
        *("concurrency", "executor", "executor_config", "status", "next", "ephemeral"),
        *("starts_at", "expires_at"),
    }
)


def fields_of_dkron_job(
    job: DkronJob, template: Mapping[str, Any] | None, payload: object | None
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Map a job to ``action``, ``payload``, ``retry``, timeout and description.

    ``template``: the action that commands become. Raises ``InvalidInput`` with code
    ``unsupported_target`` for other executors, and ``no_action`` for a command without template.
    """
    config = part_of(job.content, "executor_config")
    executor = job.content.get("executor")
    if executor == "http":
        fields, notes = _request(config)
        known = _OF_HTTP
    elif executor == "shell":
        fields, notes = _command(job, config, template, payload)
        known = _OF_SHELL
    else:
        detail = f"Its executor is {executor!r}: http and shell are read, and no action does that."
        raise InvalidInput("executor", "unsupported_target", detail)
    retry, of_retries = _retry(job, calls=executor == "http")
    described = job.content.get("displayname")
    return (
        {**fields, "retry": retry, **({"description": str(described)} if described else {})},
        (*notes, *of_retries, *_losses(job.content, config, known)),
    )


def _request(config: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Note, ...]]:
    method, url = str(config.get("method") or ""), str(config.get("url") or "")
    if method not in _METHODS:
        detail = f"No web hook sends {method!r}, and dkron sends nothing without a method."
        raise InvalidInput("method", "unsupported_target", detail)
    headers, of_headers = headers_of(_header_lines(config.get("headers")))
    body = str(config.get("body") or "")
    payload, of_body = payload_of(body) if body else ({}, ())
    statuses, of_statuses = _statuses(str(config.get("expectCode") or ""))
    text = str(config.get("timeout") or "")
    seconds = int(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else _DEFAULT_TIMEOUT
    # Zero bounds nothing there.
    fields = timeout_of_call(seconds or LONGEST_CALL)
    action = {"type": "webhook", "url": url, "method": method, **statuses}
    if headers:
        action["headers"] = headers
    return (
        {"action": action, **payload, **fields},
        (*_notes_of_url(url), *of_headers, *of_body, *of_statuses, *_notes_of_call(seconds)),
    )


def _header_lines(given: object) -> dict[str, str]:
    """Read a list of ``Name: value`` in JSON; raises ``InvalidInput`` for other text."""
    try:
        lines = json.loads(str(given or "[]"))
        pairs = [line.split(":", 1) for line in lines if line]
        return {name: value.strip() for name, value in pairs}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        detail = 'headers must be a list of "Name: value" in JSON.'
        raise InvalidInput("headers", "wrong_type", detail) from error


def _statuses(expected: str) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return the answers that are successes; without any, dkron takes every answer for one."""
    if not expected:
        detail = "dkron takes every answer for a success without expectCode; here 2xx is one."
        return {}, (Note(code="any_status", detail=detail),)
    found = [each.strip() for each in expected.split(",")]
    codes = sorted({int(each) for each in found if _STATUS.fullmatch(each)})
    if len(codes) != len(found) or len(codes) > _MOST_STATUSES:
        detail = f"expectCode is {expected!r}: here 2xx is a success."
        return {}, (Note(code="any_status", detail=detail),)
    return {"success_statuses": codes}, ()


def _notes_of_url(url: str) -> Iterator[Note]:
    """Refuse an address that none could call; tell one that a stage may have to allow."""
    try:
        check_url(url, "action.url", TargetRules())
    except InvalidInput as refused:
        if refused.code not in {"address_not_allowed", "port_not_allowed"}:
            raise
        detail = f"The stage refuses it unless its lists have it: {refused.detail}"
        yield Note(code="address", detail=detail)


def _notes_of_call(seconds: int) -> Iterator[Note]:
    if seconds == 0 or seconds > LONGEST_CALL:
        detail = f"timeout is {seconds} s; here a call is {LONGEST_CALL} s at most."
        yield Note(code="timeout", detail=detail)


def _command(
    job: DkronJob,
    config: Mapping[str, Any],
    template: Mapping[str, Any] | None,
    payload: object | None,
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    if template is None:
        detail = "It runs a command: say what does, by one of --pool, --action-url and --action."
        raise InvalidInput("executor", "no_action", detail)
    command = str(config.get("command") or "")
    if not command.strip():
        raise InvalidInput("command", "no_action", "It has no command.")
    pairs = [each.partition("=") for each in str(config.get("env") or "").split(",") if each]
    environment = {name: value for name, _, value in pairs}
    cwd = str(config.get("cwd") or "")
    in_shell = str(config.get("shell") or "").lower() in {"1", "t", "true"}
    marks = Marks(
        words={"name": job.name, "command": command, "cwd": cwd},
        values={"environment": environment, "shell": in_shell},
    )
    given = {
        "command": command,
        "shell": in_shell,
        "environment": environment,
        **({"cwd": cwd} if cwd else {}),
    }
    seconds, notes = _bound(str(config.get("timeout") or ""), str(template["type"]))
    fields = {
        "action": filled_action(template, marks),
        "payload": given if payload is None else filled(payload, marks),
        **seconds,
    }
    return fields, notes


def _bound(text: str, action: str) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return the timeout of a command, which dkron does not bound without one."""
    lasts = action in {"worker", "ecs"}
    limit = MAX_WORKER_TIMEOUT_SECONDS if lasts else LONGEST_CALL
    given = _seconds(text) if text else Fraction(0)
    seconds = max(int(min(given, Fraction(limit))), 1) if given else limit
    fields = {"timeout_seconds": seconds} if lasts else timeout_of_call(seconds)
    if 0 < given <= limit:
        return fields, ()
    detail = f"timeout is {text or 'not given'}; here an attempt ends after {limit} s."
    return fields, (Note(code="timeout", detail=detail),)


def _seconds(text: str) -> Fraction:
    parts = _DURATION.findall(text)
    if "".join(number + unit for number, unit in parts) != text:
        detail = f"timeout is {text!r}: it must be like 1h30m."
        raise InvalidInput("timeout", "wrong_type", detail)
    return sum((Fraction(number) * _UNITS[unit] for number, unit in parts), Fraction(0))


def _retry(job: DkronJob, *, calls: bool) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return the retries: each waits about a second longer than the one before, from two on."""
    retries = whole_number(job.content, "retries")
    if retries == 0:
        return {"max_attempts": 1}, ()
    kept = min(retries, _MOST_RETRIES)
    retry: dict[str, Any] = {
        "max_attempts": kept + 1,
        "delays_seconds": [2 + number for number in range(kept)],
        "jitter": False,
        "breaker": None,
        **({"retry_on": ["http_4xx"]} if calls else {}),
    }
    detail = f"retries is cut to {_MOST_RETRIES}."
    return retry, (Note(code="retries", detail=detail),) if retries > kept else ()


def _losses(
    content: Mapping[str, Any], config: Mapping[str, Any], known: frozenset[str]
) -> Iterator[Note]:
    """Yield the list of fields that no job has."""
    others = [
        *(name for name, value in content.items() if value and name not in _OF_JOB),
        *(f"executor_config.{n}" for n, value in config.items() if value and n not in known),
    ]
    if others:
        yield Note(code="not_carried", detail=f"Not carried over: {told(others)}.")
