"""Limits on objects, tasks, metrics and alarms, as the documentation of AWS has them.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_RunTask.html
https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from tests.support.services.limit_exceeded import refuse_above, refuse_unless

Asked = Mapping[str, Any]

MAX_KEY_BYTES = 1_024
MAX_DELETED = 1_000
MAX_OVERRIDES = 8_192
MAX_TOKEN, MAX_STARTED_BY, MAX_DESCRIBED = 64, 128, 100
MAX_QUERIES, MAX_ALARMS = 500, 100

_STARTED_BY = re.compile(r"[A-Za-z0-9_/-]*")
_QUERY_ID = re.compile(r"[a-z][A-Za-z0-9_]{0,254}")


def check_object(asked: Asked) -> None:
    """Refuse a key that S3 has no room for."""
    refuse_above("the bytes of a key", len(asked["Key"].encode()), MAX_KEY_BYTES, least=1)


def check_deleted(asked: Asked) -> None:
    """Refuse to delete more objects than a request names."""
    refuse_above("deleted objects", len(asked["Delete"]["Objects"]), MAX_DELETED, least=1)


def check_task(asked: Asked) -> None:
    """Refuse a task that ECS does not start."""
    overrides = json.dumps(asked.get("overrides", {}), ensure_ascii=False)
    refuse_above("the characters of overrides", len(overrides), MAX_OVERRIDES)
    refuse_above("a client token", len(asked.get("clientToken", "")), MAX_TOKEN)
    started_by = asked.get("startedBy", "")
    refuse_above("startedBy", len(started_by), MAX_STARTED_BY)
    refuse_unless(f"startedBy {started_by}", _STARTED_BY.fullmatch(started_by))


def check_described_tasks(asked: Asked) -> None:
    """Refuse to describe more tasks than an answer has."""
    refuse_above("described tasks", len(asked["tasks"]), MAX_DESCRIBED, least=1)


def check_metrics(asked: Asked) -> None:
    """Refuse more queries than CloudWatch answers, and ids that it does not take."""
    ids = [each["Id"] for each in asked["MetricDataQueries"]]
    refuse_above("queries of metrics", len(ids), MAX_QUERIES, least=1)
    refuse_unless(f"the ids {ids}", len({*ids}) == len(ids) and all(map(_QUERY_ID.fullmatch, ids)))


def check_alarms(asked: Asked) -> None:
    """Refuse a page of alarms that is too long."""
    refuse_above("alarms of a page", asked.get("MaxRecords", 50), MAX_ALARMS, least=1)
