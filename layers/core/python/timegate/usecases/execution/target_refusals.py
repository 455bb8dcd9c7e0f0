"""Telling of refused targets: who tries addresses inside is a fact for operators, too."""

from collections.abc import Iterable
from typing import Protocol

from timegate.domain.jobs.retry import Failure
from timegate.domain.runs.run import Attempt
from timegate.domain.values.redaction import logged_field
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_run

#: The same when something is defined and when it is called.
_CODES = frozenset(
    {
        "account_not_reachable",
        "address_not_allowed",
        "invalid_url",
        "partition_mismatch",
        "port_not_allowed",
        "region_not_allowed",
        "secret_not_allowed",
        "target_not_allowed",
    }
)


class RefusedField(Protocol):
    """A problem of one field."""

    @property
    def field(self) -> str:
        """The field's path."""

    @property
    def code(self) -> str:
        """The problem's code, for programs."""


def tell_refused_fields(
    tenant: TenantId | None, problems: Iterable[RefusedField], telemetry: Telemetry
) -> None:
    """Count and log every target, address or secret for which no job is given out.

    Not what stands there: an address may be a secret. The code tells the problem.
    """
    for problem in problems:
        if _is_of_target(problem):
            telemetry.count(run_metrics.TARGETS_REFUSED)
            field = logged_field(problem.field)
            telemetry.event(
                run_events.TARGET_REFUSED, tenant_id=tenant, field=field, code=problem.code
            )


def tell_refused_call(attempt: Attempt, failure: Failure, telemetry: Telemetry) -> None:
    """The same of a call that was not made: what was allowed when its job was defined may change.

    A name may lead inside by now, and lists of targets may be shorter.
    """
    if failure.code in _CODES:
        telemetry.count(run_metrics.TARGETS_REFUSED)
        telemetry.event(
            run_events.TARGET_REFUSED,
            **of_run(attempt),
            code=failure.code,
        )


def _is_of_target(problem: RefusedField) -> bool:
    """A user or a password in an address is one more way to make it read in two ways."""
    credentials = problem.code == "plaintext_secret" and problem.field.endswith("url")
    return credentials or problem.code in _CODES
