"""A stage's settings beside the quotas of its account."""

from collections.abc import Iterator
from dataclasses import dataclass

from infra.admin.account.quotas import AccountQuotas
from infra.concurrency import UNRESERVED, needed_quota, reservations
from infra.stage.peak_choice import INITIAL_WRITES
from infra.stage.settings import StageSettings

_RAISE = "Have the quota raised in Service Quotas"
_PAGE = "docs/operations/deploying.md"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One number that a stage needs, and the account's."""

    subject: str
    detail: str
    is_enough: bool
    #: AWS refuses the stage with less; ``False``: it deploys, and is throttled in a peak.
    is_needed: bool = False
    remedy: str


def compare(settings: StageSettings, quotas: AccountQuotas) -> Iterator[Comparison]:
    """Hold each setting that takes from the account against it."""
    yield _executions(settings, quotas)
    yield from _tables(settings, quotas)
    yield from _warm(settings, quotas)
    yield _requests(settings, quotas)


def _executions(settings: StageSettings, quotas: AccountQuotas) -> Comparison:
    needed = needed_quota(settings)
    has_own = bool(reservations(settings))
    there = quotas.executions_free if has_own else quotas.executions
    held = f"sets {needed - UNRESERVED:,} aside" if has_own else "sets nothing aside"
    return Comparison(
        subject="concurrent executions",
        detail=(
            f"The stage {held}, and needs {needed:,}. The account has {quotas.executions:,}, of "
            f"which {there:,} are free for it."
        ),
        is_enough=needed <= there,
        is_needed=True,
        remedy=f"{_RAISE}: Lambda, Concurrent executions; or choose a smaller capacity ({_PAGE}).",
    )


def _tables(settings: StageSettings, quotas: AccountQuotas) -> Iterator[Comparison]:
    peak = settings.peak
    for unit, needed, there in (
        ("write", peak.warm_writes or INITIAL_WRITES, quotas.table_writes),
        ("read", peak.warm_reads or 0, quotas.table_reads),
    ):
        if needed:
            yield Comparison(
                subject=f"{unit} units of a table",
                detail=f"The peak is {needed:,} a second; the account allows {there:,}.",
                is_enough=needed <= there,
                is_needed=True,
                remedy=(
                    f"{_RAISE}: DynamoDB, Table-level {unit} throughput; or choose fewer "
                    f"warmWrites ({_PAGE})."
                ),
            )


def _warm(settings: StageSettings, quotas: AccountQuotas) -> Iterator[Comparison]:
    needed = settings.peak.warm_writes
    if needed is None:
        return
    for table, there in quotas.warm_writes.items():
        yield Comparison(
            subject=f"warm throughput of {table}",
            detail=f"It serves {there:,} write units a second at once; warmWrites is {needed:,}.",
            is_enough=needed <= there,
            remedy="Deploy the stage again, or wait until the table has been warmed.",
        )


def _requests(settings: StageSettings, quotas: AccountQuotas) -> Comparison:
    rate, burst = settings.api_rate_per_second, settings.api_burst
    return Comparison(
        subject="requests of the API",
        detail=(
            f"The stage takes {rate:,} a second and {burst:,} at once; all APIs of the account "
            f"together {quotas.api_rate:,.0f} and {quotas.api_burst:,}."
        ),
        is_enough=rate <= quotas.api_rate and burst <= quotas.api_burst,
        remedy=f"{_RAISE}: API Gateway, Throttle rate; callers get 429 sooner than they should.",
    )
