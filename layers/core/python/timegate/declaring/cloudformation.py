"""Declarations of a stack: CloudFormation has the stage's jobs be those of a custom resource.

``timegate_cdk.Declarations`` deploys the function. Requests and answers are those of `custom
resources <https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref.html>`_.
"""

import json
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from hashlib import sha256
from typing import Any, Protocol

import httpx

from timegate.client import ClientError, TimegateClient
from timegate.declaring.declarations import Declaration, declaration_of, declared
from timegate.declaring.json_reading import read_json
from timegate.declaring.known_names import TAG
from timegate.declaring.plan import ApplyStep, StepResult, Verb, carry_out, plan
from timegate.declaring.stage import Stage
from timegate.domain.values.errors import InvalidInput

#: The resource's id while nothing was made: CloudFormation deletes what it could not create.
NOTHING_MADE = "nothing-made"

#: Between the set and the tenant in an id.
_OF_TENANT = "@"

#: An answer may have 4,096 bytes; the rest of it has ids alone.
_MAX_REASON_BYTES = 1_500
#: Seconds that are kept for the answer, and for a call under way: four tries and the pauses between
#: them, each of which may take half a minute.
_SECONDS_KEPT = 240
_STACK_CHARACTERS = 60
_DIGITS = 16

#: The problem of a job whose one instant has passed.
_IN_THE_PAST = "in_the_past"

Opened = Callable[[], AbstractContextManager[TimegateClient]]

_log = logging.getLogger(__name__)


class Remaining(Protocol):
    """The part of Lambda's context that is read."""

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until Lambda ends the invocation."""


class NotDeclared(Exception):
    """The stage's things are not those of the resource; the message says why."""

    def __init__(self, why: str, *, resource_id: str) -> None:
        super().__init__(why)
        #: ``NOTHING_MADE``, or the id of what was made in part.
        self.resource_id = resource_id


def fulfil(request: Mapping[str, Any], context: Remaining, opened: Opened) -> None:
    """Do what CloudFormation asks for by a client that ``opened`` makes, and tell it the end.

    Raises ``httpx.HTTPError`` where the end cannot be told: Lambda then invokes the function again,
    and to do a request again changes nothing.
    """
    answer = answered(request, context, opened)
    sent = httpx.put(
        request["ResponseURL"],
        content=json.dumps(answer).encode(),
        # The address is signed for a body without a type.
        headers={"content-type": ""},
    )
    sent.raise_for_status()


def answered(request: Mapping[str, Any], context: Remaining, opened: Opened) -> dict[str, str]:
    """Do what a request asks for, and return the answer to it, also where it failed."""
    try:
        resource_id, reason, status = _done(request, context, opened), "", "SUCCESS"
    except NotDeclared as failed:
        resource_id, reason, status = failed.resource_id, str(failed), "FAILED"
    except Exception as error:  # noqa: BLE001 - a stack would wait for an hour
        resource_id, reason, status = _known_id(request), _unexpected(error), "FAILED"
    answer = {name: request[name] for name in ("StackId", "RequestId", "LogicalResourceId")}
    answer |= {"Status": status, "PhysicalResourceId": resource_id}
    return answer | ({"Reason": _cut(reason)} if reason else {})


def set_name(request: Mapping[str, Any]) -> str:
    """Return the name of the set of the resource's things, which no other resource has."""
    stack_id, resource = request["StackId"], request["LogicalResourceId"]
    stack = stack_id.split("/")[1][:_STACK_CHARACTERS]
    digest = sha256(f"{stack_id}/{resource}".encode()).hexdigest()
    return f"{stack}-{digest[:_DIGITS]}"


def _done(request: Mapping[str, Any], context: Remaining, opened: Opened) -> str:
    """Do what a request asks for; the id of the resource. Raises ``NotDeclared``."""
    known = _known_id(request)
    is_deleted = request["RequestType"] == "Delete"
    if is_deleted and known == NOTHING_MADE:
        return known
    try:
        documents = [] if is_deleted else _documents(request["ResourceProperties"])
        with opened() as client:
            resource_id = _id_with(client, request, known)
            stage = Stage.read(client, set_name(request), documents)
            _refuse_takeovers(stage, documents, request)
            keep_time = partial(_keep_time, context, known)
            planned = plan(stage, documents, prune=True, before_each=keep_time)
            steps = [step for step in planned if not _is_over(stage, step)]
            _refuse_problems(steps)
            failed = _carried_out(stage, steps, context)
    except ClientError as refused:
        raise NotDeclared(str(refused), resource_id=known) from refused
    except InvalidInput as refused:
        raise NotDeclared(f"{refused.code}: {refused}", resource_id=known) from refused
    if failed:
        raise NotDeclared(failed, resource_id=resource_id)
    return resource_id


def _id_with(client: TimegateClient, request: Mapping[str, Any], known: str) -> str:
    """Return the resource's id, which names its tenant; raises ``NotDeclared`` for another one.

    With another tenant's profile its things would be made again there, and go on here. An id that
    is known stays: CloudFormation would delete the resource that has the former one.
    """
    tenant = client.get_own_tenant()["tenant"]
    if known == NOTHING_MADE:
        return f"{set_name(request)}{_OF_TENANT}{tenant}"
    _, _, owner = known.partition(_OF_TENANT)
    if owner and owner != tenant:
        why = (
            f"other_tenant: The resource's things are those of the tenant {owner}, and the profile"
            f" is that of {tenant}. Declare them at another place, which ends them here."
        )
        raise NotDeclared(why, resource_id=known)
    return known


def _known_id(request: Mapping[str, Any]) -> str:
    return str(request.get("PhysicalResourceId", NOTHING_MADE))


def _documents(properties: Mapping[str, Any]) -> list[Declaration]:
    """Read the documents, each after what it refers to; raises ``InvalidInput``.

    They are one text: CloudFormation would make text of each number and truth value in them.
    """
    contents = _read(properties.get("Documents"))
    return declared(
        declaration_of(content, f"document {number}")
        for number, content in enumerate(contents, start=1)
    )


def _read(text: object) -> list[Any]:
    """Read a list of JSON; raises ``InvalidInput``."""
    if not isinstance(text, str):
        raise InvalidInput("Documents", "no_text", "They are one text: a list in JSON.")
    try:
        contents = read_json(text)
    except InvalidInput as twice:
        raise InvalidInput(f"Documents {twice.field}", twice.code, twice.detail) from twice
    except (ValueError, RecursionError) as error:
        raise InvalidInput("Documents", "invalid_json", f"{error}.") from error
    if not isinstance(contents, list):
        raise InvalidInput("Documents", "no_list", "Write [ ] around one document as well.")
    return contents


def _refuse_takeovers(
    stage: Stage, documents: list[Declaration], request: Mapping[str, Any]
) -> None:
    """Raise ``InvalidInput`` for a new document of a thing that people or other files have made.

    Its end would be that of their thing. Moved within an app, a resource is made at its new place
    before it is deleted at the old one.
    """
    former = _former_keys(request, documents)
    for document in documents:
        known = stage.found.get(document.key)
        if known is None or document.key in former:
            continue
        owner = known.definition["tags"].get(TAG)
        if owner != stage.files:
            whose = "people made it" if owner is None else f"the set {owner} declares it"
            detail = f"It is there, and {whose}. Refer to it by its name alone, or end it before."
            raise InvalidInput(document.key, "there_already", detail)


def _former_keys(request: Mapping[str, Any], documents: list[Declaration]) -> set[str]:
    """Return what the resource declared before this request."""
    former = request.get("OldResourceProperties")
    try:
        return {each.key for each in _documents(former)} if former else set()
    except InvalidInput:
        # A rollback: nothing was made of such a text, and none of its successor is new.
        return {each.key for each in documents}


def _is_over(stage: Stage, step: ApplyStep) -> bool:
    """Tell a job that the resource had, that has ended, and whose one instant has passed.

    It cannot be made again, and a rollback to the documents that have it may not fail for that.
    """
    codes = {each.code for each in step.problems}
    return step.verb is Verb.CREATE and step.key in stage.ended and codes == {_IN_THE_PAST}


def _refuse_problems(steps: list[ApplyStep]) -> None:
    """Raise ``InvalidInput`` if a document is wrong, before anything is changed."""
    wrong = [(step.key, each) for step in steps for each in step.problems]
    if wrong:
        (key, first), *others = wrong
        rest = "".join(f"; {named} {each.field}: {each.detail}" for named, each in others)
        raise InvalidInput(f"{key} {first.field}", first.code, f"{first.detail}{rest}")


def _carried_out(stage: Stage, steps: list[ApplyStep], context: Remaining) -> str:
    """Do each step while there is time; returns why not all is done, if so.

    Some of it may be made by an error: the resource has its own id from now on.
    """
    failed = []
    try:
        for number, done in enumerate(carry_out(stage, steps), start=1):
            if done.error is not None or done.missing:
                failed.append(_failure(done))
            if number < len(steps) and _is_late(context):
                late = f"{number} of {len(steps)} were done; deploy again goes on"
                failed.append(f"out_of_time: {late}")
                break
    except Exception as error:  # noqa: BLE001 - see above
        failed.append(_unexpected(error))
    return "; ".join(failed)


def _unexpected(error: Exception) -> str:
    """Log an error, and return the words of an answer: its own may hold anything."""
    _log.error("The request was not done.", exc_info=error)
    return f"internal_error: {type(error).__name__}, in the log of the function"


def _failure(done: StepResult) -> str:
    why = f"needs {', '.join(done.missing)}" if done.error is None else str(done.error)
    return f"{done.step.key} {why}"


def _keep_time(context: Remaining, known: str) -> None:
    """Raise ``NotDeclared`` where too little time is left to ask about another document."""
    if _is_late(context):
        why = "out_of_time: The documents were not validated in time; nothing was changed."
        raise NotDeclared(why, resource_id=known)


def _is_late(context: Remaining) -> bool:
    return context.get_remaining_time_in_millis() < _SECONDS_KEPT * 1_000


def _cut(reason: str) -> str:
    """Shorten a reason to what an answer has room for, in JSON as well."""
    while len(json.dumps(reason)) > _MAX_REASON_BYTES:
        reason = reason[: len(reason) * 3 // 4] + "…"
    return reason
