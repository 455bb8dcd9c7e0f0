"""Rules of a job's calls: addresses beside its action's, the payload that is sent, its schema."""

import json
from collections.abc import Sequence
from datetime import datetime

from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import check_secrecy, check_secret, check_url
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.payload import (
    MAX_INLINE_BYTES,
    MAX_PAYLOAD_BYTES,
    PayloadMarks,
    PayloadMismatch,
    PayloadSchema,
    check_payload_size,
)
from timegate.domain.values.tenant import TenantId


def check_addresses(hooks: Sequence[Subscription], rules: TargetRules, tenant: TenantId) -> None:
    """Refuse addresses and secrets of notifications as those of actions; ``InvalidInput``."""
    for number, hook in enumerate(hooks):
        hook.channel.check(f"notifications.{number}", rules, tenant)


def check_question(condition: Condition | None, rules: TargetRules, tenant: TenantId) -> None:
    """Refuse the address and secret of a condition as those of actions; ``InvalidInput``."""
    if condition is None:
        return
    check_url(condition.url, "before.url", rules)
    if condition.signing_secret is not None:
        check_secrecy(condition.url, "before.url", rules)
        check_secret(condition.signing_secret, "before.signing_secret", rules, tenant)


def check_payload_marks(marks: PayloadMarks | None) -> None:
    """Refuse days of an unknown zone; raises ``InvalidInput`` naming the field."""
    if marks is None or marks.timezone is None:
        return
    try:
        load_zone(marks.timezone)
    except InvalidInput as unknown:
        raise InvalidInput("payload_marks.timezone", unknown.code, unknown.detail) from unknown


def check_payload(action: Action, text: str | None, marks: PayloadMarks | None) -> None:
    """Refuse a payload that its target does not take, or that is too large once it is filled.

    ``text``: JSON. ``marks``: those of its job; ``None``: its texts hold none. Raises
    ``InvalidInput``.
    """
    action.check_payload(text)
    size = check_payload_size(text or "")
    action.check_size(size if marks is None else _checked_marks(action, text or "", size))


def _checked_marks(action: Action, text: str, size: int) -> int:
    """Return how many bytes a payload has at most once it is filled; raises ``InvalidInput``."""
    # Imported here: few payloads have marks, and every function would pay for it.
    from timegate.domain.jobs.rules.mark_grammar import growth  # noqa: PLC0415

    grown = growth(text) or 0
    # Executors store no payloads: parameters that they fill ride in the DAG run.
    limit = MAX_INLINE_BYTES if isinstance(action, DagAction) else MAX_PAYLOAD_BYTES
    if size + grown > limit:
        detail = f"Its marks may fill it to {size + grown} bytes; the limit is {limit}."
        raise InvalidInput("payload", "payload_too_large", detail)
    return max(size, size + grown)


def check_payload_schema(schema: PayloadSchema | None) -> None:
    """Refuse a schema beyond the closed part; raises ``InvalidInput`` with a pointer into it."""
    if schema is None:
        return
    # Imported here: few jobs have schemas, and every function would pay for it.
    from timegate.domain.schemas.schema_reader import read_schema  # noqa: PLC0415

    read_schema(schema.text)


def check_fit(job: Job, text: str | None, fills: AttemptId | None = None) -> None:
    """Refuse a payload that does not fit its job's schema; raises ``PayloadMismatch``.

    ``text``: JSON; ``None``: there is none, which is null to the schema. ``fills``: the attempt
    that fills its marks, for the schema speaks of what the target gets; ``None``: it has none.
    """
    if job.payload_schema is None:
        return
    if text is not None and fills is not None:
        from timegate.domain.jobs.rules.filled_payload import filled_for, filling_for  # noqa: PLC0415

        text = filled_for(filling_for(job, fills), job.tenant, text)
    check_value(job.payload_schema, None if text is None else json.loads(text))


def check_value(schema: PayloadSchema | None, value: object, field: str = "payload") -> None:
    """Refuse a value that does not fit a schema; raises ``PayloadMismatch`` naming the field."""
    if schema is None:
        return
    from timegate.domain.schemas.fitting import faults_of  # noqa: PLC0415 - few jobs have schemas
    from timegate.domain.schemas.schema_reader import read_schema  # noqa: PLC0415

    faults = faults_of(read_schema(schema.text), value, field)
    if faults and value is None:
        detail = "There is no payload, and the schema does not allow null."
        faults = [InvalidInput(field, "missing", detail)]
    if faults:
        raise PayloadMismatch(faults, field)


def check_own_fit(job: Job, text: str | None, *, now: datetime) -> None:
    """Refuse a job's own payload that does not fit its schema; raises ``PayloadMismatch``.

    Marks are filled as a run of ``now`` would. A job without a schedule needs no payload of its
    own: each trigger may bring one.
    """
    if job.payload_schema is None or (text is None and job.timing.schedule.is_manual):
        return
    check_fit(job, text, filled_now(job, now=now))


def filled_now(job: Job, *, now: datetime) -> AttemptId | None:
    """Return an attempt of ``now`` that fills marks as runs will; ``None``: the job has none."""
    if job.payload_marks is None:
        return None
    run = RunId(job_id=job.job_id, origin=Origin.TRIGGER, scheduled_at=now)
    return AttemptId(run=run, number=1)


def failure_of(misfit: PayloadMismatch) -> Failure:
    """Return the failure of a run whose payload came by itself, and does not fit."""
    kind = FailureKind.PERMANENT
    return Failure(kind=kind, code=misfit.code, type="PayloadRefused", message=misfit.detail)
