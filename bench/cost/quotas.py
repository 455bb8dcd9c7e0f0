"""The price of quotas of runs: what a run of a tenant costs that has one, at room for all.

No default has either: a run would pay for a limit that it is far from.
"""

from collections.abc import Mapping

from bench.cost.flows import DAY, MINUTE, scheduled
from bench.cost.meter import MESSAGES
from timegate.domain.limits.quotas import Quotas
from timegate.domain.metering.usage import BilledUsage
from timegate.domain.tenants.new_tenant import NEW_TENANT_QUOTAS

#: Those of tenants that are made at run time.
_CONCURRENT = Quotas(concurrent_runs=NEW_TENANT_QUOTAS.concurrent_runs)
_DAILY = Quotas(runs_per_day=NEW_TENANT_QUOTAS.runs_per_day)
_QUOTAS: Mapping[str, Quotas] = {
    "none of these": Quotas(),
    f"`concurrent_runs`: {_CONCURRENT.concurrent_runs}": _CONCURRENT,
    f"`runs_per_day`: {_DAILY.runs_per_day:,}": _DAILY,
    "both": _DAILY.over(_CONCURRENT),
}
_RUNS = {"minutely": MINUTE, "daily": DAY}
#: By quota and by run: the usage of a run that is alone, and of one among ten.
Priced = Mapping[str, Mapping[str, tuple[BilledUsage, BilledUsage]]]


def priced() -> Priced:
    """Measure each run under each quota."""
    return {
        name: {
            run: (scheduled(each, 1, quotas=quotas), scheduled(each, MESSAGES, quotas=quotas))
            for run, each in _RUNS.items()
        }
        for name, quotas in _QUOTAS.items()
    }
