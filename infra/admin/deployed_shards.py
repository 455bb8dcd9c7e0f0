"""Deployed shard counts: each function's setting, and since when it has it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from infra.stage.settings import FUNCTION_NAMES

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

#: An invocation of before a deployment is over after fifteen minutes at the latest.
SETTLES_AFTER = timedelta(minutes=16)


@dataclass(frozen=True, kw_only=True)
class Deployed:
    """One function that writes."""

    name: str
    shards: int
    changed_at: datetime
    #: Its last update is complete.
    is_current: bool


def deployed(client: "LambdaClient", stage: str) -> list[Deployed]:
    """Every function of a stage that is told a number of shards."""
    found = []
    for name in FUNCTION_NAMES:
        answer = client.get_function_configuration(FunctionName=f"timegate-{stage}-{name}")
        told = answer.get("Environment", {}).get("Variables", {}).get("SHARDS")
        if told is not None:
            found.append(
                Deployed(
                    name=name,
                    shards=int(told),
                    changed_at=datetime.fromisoformat(answer["LastModified"]),
                    is_current=answer.get("LastUpdateStatus", "Successful") == "Successful",
                )
            )
    return found


def in_use(functions: Sequence[Deployed]) -> int:
    """The most shards that any of them writes to."""
    return max(function.shards for function in functions)


def objections(
    functions: Sequence[Deployed],
    *,
    keep: int,
    now: datetime,
    settles_after: timedelta = SETTLES_AFTER,
) -> list[str]:
    """List the reasons for which a function may still write to more than ``keep`` shards."""
    found = []
    for function in functions:
        if function.shards > keep:
            found.append(f"{function.name}: writes to {function.shards} shards")
        elif not function.is_current:
            found.append(f"{function.name}: its last update is not complete")
        elif now - function.changed_at < settles_after:
            ready = function.changed_at + settles_after
            found.append(f"{function.name}: was updated lately; wait until {ready:%H:%M:%S} UTC")
    return found
