"""``timegate admin concurrency``: what each stage sets aside, and what its account must have."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from infra.stage.capacity import CAPACITIES, LEAST_SOURCE_CONCURRENCY, NONE
from infra.stage.look_groups import looks_at_once
from infra.stage.settings import FUNCTION_NAMES, QUEUE_KEYS, STAGES, StageSettings
from timegate.domain.values.errors import InvalidInput

Named = TypeVar("Named")

#: AWS refuses a reservation that leaves less than this to functions without one.
UNRESERVED = 100
#: The quota ``Concurrent executions`` that AWS publishes, and what a new account may begin with.
USUAL_QUOTA = 1_000
NEW_ACCOUNT_QUOTA = 10
#: How often each function is woken for every group of shards, in seconds.
TICK_SECONDS: Mapping[str, int] = {"planner": 60, "sweeper": 60, "auditor": 300}
#: One archiver, and one more that is begun while the first lasts.
_ARCHIVERS = 2


class AccountConcurrencyError(ValueError):
    """The stage sets more concurrency aside than its account has."""

    code = "account_concurrency_too_low"


def reservations(settings: StageSettings) -> Mapping[str, int]:
    """Environments that each function has to itself; empty where the stage sets nothing aside."""
    capacity = settings.capacity
    if not capacity.reserves:
        return {}
    derived = {
        **{f"executor-{key}": settings.max_concurrency(key) for key in QUEUE_KEYS},
        **{name: overlapping_ticks(settings, name) for name in TICK_SECONDS},
        "archiver": _ARCHIVERS,
        "dead_letter": LEAST_SOURCE_CONCURRENCY * len(QUEUE_KEYS),
    }
    # The sweeper's looks come between its ticks.
    derived["sweeper"] += looks_at_once(settings)
    every = {**capacity.functions, **derived}
    return {name: every[name] for name in FUNCTION_NAMES}


def overlapping_ticks(settings: StageSettings, name: str) -> int:
    """Most ticks of a function at once: each lasts its whole time, and one fires late."""
    at_once = math.ceil(settings.tick_timeout_seconds / TICK_SECONDS[name]) + 1
    return at_once * len(settings.shard_groups)


def needed_quota(settings: StageSettings) -> int:
    """The least quota of concurrent executions with which AWS accepts the stage."""
    reserved = sum(reservations(settings).values())
    return reserved + UNRESERVED if reserved else NEW_ACCOUNT_QUOTA


def check_account(settings: StageSettings) -> None:
    """Raise ``AccountConcurrencyError`` for a stage that its account could not hold."""
    needed = needed_quota(settings)
    if needed <= settings.account_concurrency:
        return
    fitting = [
        each.name
        for each in CAPACITIES.values()
        if needed_quota(replace(settings, capacity=each)) <= settings.account_concurrency
    ]
    raise AccountConcurrencyError(
        f"{AccountConcurrencyError.code}: stage {settings.name} with {settings.shards} shards and "
        f"capacity {settings.capacity.name} needs an account with {needed:,} concurrent "
        f"executions; accountConcurrency is {settings.account_concurrency:,}. Have the quota "
        f"raised (docs/operations/deploying.md) and give -c accountConcurrency={needed}, or choose "
        f"-c capacity= of: {', '.join(fitting)}."
    )


def table(stages: Sequence[StageSettings]) -> str:
    """Return the reserved concurrency of each stage, as Markdown."""
    columns = [(_title(stage), reservations(stage), needed_quota(stage)) for stage in stages]
    rows = [
        ("", [title for title, _, _ in columns]),
        ("---", ["---"] * len(columns)),
        *(
            (f"`{name}`", [_number(each.get(name)) for _, each, _ in columns])
            for name in FUNCTION_NAMES
        ),
        ("set aside", [_number(sum(each.values())) for _, each, _ in columns]),
        ("quota that the account needs", [f"**{_number(needed)}**" for _, _, needed in columns]),
    ]
    return "\n".join(f"| {name} | {' | '.join(cells)} |" for name, cells in rows)


def documented() -> str:
    """The table of ``docs/operations/deploying.md``."""
    prod = STAGES["prod"]
    standard = replace(prod, capacity=CAPACITIES["standard"])
    return table([STAGES["dev"], standard, prod, replace(prod, capacity=NONE)])


def table_of(name: str, capacity: str | None, shards: int | None) -> str:
    """The table of one stage with other choices; raises ``InvalidInput`` for a wrong name."""
    stage = _named("stage", name, STAGES)
    profile = _named("capacity", capacity, CAPACITIES) if capacity else stage.capacity
    return table([replace(stage, capacity=profile, shards=shards or stage.shards)])


def _named(field: str, name: str, known: Mapping[str, Named]) -> Named:
    if name not in known:
        raise InvalidInput(field, "unknown", f"It is none of {', '.join(sorted(known))}.")
    return known[name]


def _title(stage: StageSettings) -> str:
    return f"`{stage.name}`, `{stage.capacity.name}`"


def _number(value: int | None) -> str:
    return f"{value:,}" if value else ""
