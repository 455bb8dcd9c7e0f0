"""Commands of AWS's command line, given to a deployed stack as an operator types them."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from botocore import xform_name

from infra.local.deployment import ROOT
from tests.support.deployed.stack import Stack

HOUR = timedelta(hours=1)
RUNBOOKS = ROOT / "docs" / "operations" / "runbooks.md"


def commands(section: str) -> list[list[str]]:
    """Return the words of each command in the block of a runbook's section, ``aws`` left out."""
    text = RUNBOOKS.read_text().partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    lines = [line.strip() for line in text.split("```")[1].splitlines()]
    return [shlex.split(line)[1:] for line in lines if line]


def given(stack: Stack, words: Sequence[str]) -> Mapping[str, Any]:
    """Return the answer of AWS to a command; its first word is the service."""
    service, operation, *options = words
    client = stack.aws(service)
    if (service, operation) == ("logs", "tail"):
        return _tailed(client, options)
    if operation == "wait":
        waiter = client.get_waiter(xform_name(_camel(options[0])))
        return _called(client, waiter.config.operation, waiter.wait, options[1:])
    called = _camel(operation)
    return _called(client, called, getattr(client, xform_name(called)), options)


def _tailed(client: Any, options: Sequence[str]) -> Mapping[str, Any]:  # noqa: ANN401 - boto3's
    group, named = options[0], _pairs(options[1:])
    assert named.pop("--since") == "1h"
    pattern = named.pop("--filter-pattern", "")
    assert named == {}
    began = int((datetime.now(UTC) - HOUR).timestamp() * 1000)
    found: Mapping[str, Any] = client.filter_log_events(
        logGroupName=group, startTime=began, filterPattern=pattern
    )
    return found


def _called(
    client: Any,  # noqa: ANN401 - boto3's
    operation: str,
    call: Callable[..., Mapping[str, Any] | None],
    options: Sequence[str],
) -> Mapping[str, Any]:
    """Call with the parameters that options of the command line name."""
    shape = client.meta.service_model.operation_model(operation).input_shape
    members = {f"--{_dashed(name)}": name for name in (shape.members if shape else ())}
    return call(**{members[option]: value for option, value in _pairs(options).items()}) or {}


def _pairs(options: Sequence[str]) -> dict[str, str]:
    """Options with their values."""
    return dict(zip(options[::2], options[1::2], strict=True))


def _camel(operation: str) -> str:
    """``describe-alarms`` as the operation of the service."""
    return "".join(word.capitalize() for word in operation.split("-"))


def _dashed(member: str) -> str:
    """``AlarmNamePrefix`` as an option."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", member).lower()
