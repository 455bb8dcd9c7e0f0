"""``python -m infra.quotas --stage prod --tenant acme [--repair]``: recount jobs and DAGs."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import boto3

from infra.stage.settings import STAGES
from timegate.adapters.dynamo.auditing.usage_store import DynamoUsageStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.domain.execution.quota_usage import Quota
from timegate.domain.values.tenant import tenant_id
from timegate.ports.limits.quotas import UsageStore
from timegate.usecases.auditing.recount import recount, repair

#: A read of each, and a few hundred bytes of memory.
_MOST = 1_000_000


def main(arguments: list[str] | None = None) -> int:
    """Say what was counted and what there is, and set it right if asked to; 0: it is right."""
    options = _parser().parse_args(arguments)
    with _connected(options.stage) as usage:
        return look_after(options.tenant, usage, repairs=options.repair)


def look_after(name: str, usage: UsageStore, *, repairs: bool) -> int:
    """Recount one tenant; 1: something is wrong, or could not be told."""
    wrong = 0
    for quota in (Quota.JOBS, Quota.DAGS):
        found = recount(tenant_id(name), quota, usage, most=_MOST)
        if found is None:
            _say(f"{quota}: too many, or changed all the time; try again")
            wrong += 1
            continue
        _say(f"{quota}: {found.tallied.used} counted, {found.present} present")
        if found.drift:
            is_right = repairs and repair(found, usage)
            _say(f"{quota}: {'set right' if is_right else 'NOT set right'}")
            wrong += not is_right
    return 1 if wrong else 0


@contextmanager
def _connected(stage: str) -> Iterator[UsageStore]:
    stacks, dynamodb = boto3.client("cloudformation"), boto3.client("dynamodb")
    try:
        (stack,) = stacks.describe_stacks(StackName=f"Timegate-{stage}-Data")["Stacks"]
        outputs = {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}
        yield DynamoUsageStore(BotoEngine(dynamodb), table=outputs["JobsTableName"])
    finally:
        stacks.close()
        dynamodb.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.quotas", description=__doc__)
    parser.add_argument("--stage", required=True, choices=sorted(STAGES))
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--repair", action="store_true", help="set what was counted right")
    return parser


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
