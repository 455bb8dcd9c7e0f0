"""From the template of a CronJob to the action of a job."""

from collections.abc import Iterator, Mapping
from typing import Any

from timegate.cli.migrating.entries import Note, part_of
from timegate.cli.migrating.importing.templates import Marks, filled, filled_action
from timegate.cli.migrating.kubernetes.containers import Container, container_of
from timegate.cli.migrating.kubernetes.cron_jobs import CronJob
from timegate.cli.migrating.kubernetes.job_templates import bounds_of
from timegate.cli.migrating.kubernetes.losses import notes_of_losses
from timegate.domain.actions.kinds.ecs import MAX_COMMAND_CHARACTERS
from timegate.domain.actions.kinds.ecs import MAX_PAYLOAD_BYTES as MAX_TASK_BYTES
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES, json_text
from timegate.domain.values.plaintext import PlaintextSecret, refuse_plaintext

_MOST_WORDS = 50


def fields_of_cron_job(
    found: CronJob, action: Mapping[str, Any], payload: object | None
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Fill a template with a CronJob: ``action``, ``payload``, ``retry`` and timeout of a job.

    ``{name}``, ``{namespace}``, ``{container}`` and ``{image}`` stand for text, ``{command}`` and
    ``{args}`` for lists, ``{environment}`` for an object. Raises ``InvalidInput`` for a pod
    without a container, and for what its target cannot take.
    """
    pod = part_of(part_of(found.job_spec, "template"), "spec")
    container, of_container = container_of(pod)
    is_task = action["type"] == "ecs"
    bounds, of_bounds = bounds_of(found.job_spec, str(action["type"]))
    marks = _marks(found, container)
    filled_in = filled_action(action, marks)
    given = _default_payload(container, is_task=is_task) if payload is None else payload
    fields = {
        "action": _task(filled_in, container) if is_task else filled_in,
        "payload": given if payload is None else filled(given, marks),
        **bounds,
    }
    if fields["payload"] is None:
        del fields["payload"]
    _check(fields, is_task=is_task)
    of_task = _notes_of_task(action, container) if is_task else ()
    return fields, (*of_container, *of_task, *of_bounds, *notes_of_losses(found.content))


def _marks(found: CronJob, container: Container) -> Marks:
    return Marks(
        words={
            "name": found.own_name,
            "namespace": found.namespace or "default",
            "container": container.name,
            "image": container.image,
        },
        values={
            "command": list(container.command),
            "args": list(container.args),
            "environment": dict(container.environment),
        },
    )


def _default_payload(container: Container, *, is_task: bool) -> dict[str, Any] | None:
    """Return what a worker needs; a task has its image and its command."""
    if not is_task:
        return container.payload
    return {"environment": dict(container.environment)} if container.environment else None


def _task(action: dict[str, Any], container: Container) -> dict[str, Any]:
    """Give a task the container's name and its command, unless the template has them."""
    words = [*container.command, *container.args]
    given = {"container": container.name, **({"command": words} if words else {})}
    return action | {name: value for name, value in given.items() if name not in action}


def _check(fields: Mapping[str, Any], *, is_task: bool) -> None:
    """Refuse what the API would refuse, with all other jobs of the manifest."""
    command = fields["action"].get("command") if is_task else None
    if isinstance(command, list) and (
        sum(map(len, command)) > MAX_COMMAND_CHARACTERS or len(command) > _MOST_WORDS
    ):
        detail = (
            f"Its command has more than {MAX_COMMAND_CHARACTERS} characters or {_MOST_WORDS} words,"
            ' which ECS takes: put it into the image, and give "command": [] in --action.'
        )
        raise InvalidInput("action.command", "too_long", detail)
    most = MAX_TASK_BYTES if is_task else MAX_PAYLOAD_BYTES
    if len(json_text(fields.get("payload"))) > most:
        detail = f"Its payload has more than {most} bytes: --payload may leave parts out."
        raise InvalidInput("payload", "too_large", detail)
    try:
        refuse_plaintext({name: fields.get(name) for name in ("action", "payload")})
    except PlaintextSecret as secret:
        first = secret.problems[0]
        raise InvalidInput(first.field, "plaintext_secret", first.detail) from secret


def _notes_of_task(action: Mapping[str, Any], container: Container) -> Iterator[Note]:
    detail = f"A task runs the image of its task definition: Kubernetes runs {container.image}."
    yield Note(code="task_definition", detail=detail)
    if container.command and "command" not in action:
        detail = (
            "command replaces the image's entry point there; a task's command goes behind it:"
            " empty the entryPoint of the task definition."
        )
        yield Note(code="entry_point", detail=detail)
    if container.environment:
        detail = (
            f"{', '.join(container.environment)}: the task gets them in TIMEGATE_PAYLOAD, and not"
            " as variables of their own. Write them into the task definition."
        )
        yield Note(code="env", detail=detail)
