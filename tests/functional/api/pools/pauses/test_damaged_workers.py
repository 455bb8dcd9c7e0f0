"""A spoilt record of a worker hides no other, and keeps no caller from pausing its pool."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import claim, offer
from tests.support.stores.records import JOBS_TABLE
from timegate.adapters.dynamo.pools.pool_store import workers_pk
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.values.tenant import TenantId


@pytest.mark.parametrize("fields", [{"seen_at": 7}, {"handlers": "sales"}, {"capacity": "four"}])
def test_a_spoilt_worker_is_left_out(api: Api, fields: dict[str, Any]) -> None:
    """The pool, the list, the pause and explanations of its runs were each answered 500."""
    claim(api, worker="sound")
    claim(api, worker="spoilt")
    job_id = offer(api)
    key = Key(pk=workers_pk(TenantId(TENANT)), sk="reports#worker#spoilt")
    spoilt = Update(table=JOBS_TABLE, key=key, fields=fields, where={})
    assert api.world.tables.engine.write(spoilt).done
    shown, listed = api.send("GET", "/v1/pools/reports"), api.send("GET", "/v1/pools")
    (row,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    run = api.send("GET", f"/v1/runs/{row['run_id']}")
    paused = api.send("POST", "/v1/pools/reports/pause")

    assert [each.status for each in (shown, listed, run, paused)] == [200] * 4
    assert [each["worker"] for each in shown.body["workers"]] == ["sound"]
    assert listed.body["pools"][0]["workers"] == 1
    assert run.body["explanation"].endswith("asked lately (1 seen).")
