"""The page of costs: the tables of ``page.md``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from bench.cost.fleet import FLEET, RUNS_A_MONTH
from bench.cost.flows import RUNS_OF_A_PLAN
from bench.cost.idle import Line
from bench.cost.meter import CALL_SECONDS, MESSAGES, TARGET_SECONDS, TRANSACTION_SECONDS
from bench.cost.peers import PEERS
from bench.cost.quotas import Priced
from timegate.domain.metering import prices
from timegate.domain.metering.flow import Flow
from timegate.domain.metering.usage import BilledUsage

_MILLION = 1_000_000
_SMALL = 0.1
_SERVICES = ("DynamoDB", "Lambda", "SQS", "API Gateway", "Step Functions", "CloudWatch")
#: By the name of a flow: the usage of a run that is alone, and of one among ten.
Flows = Mapping[str, tuple[BilledUsage, BilledUsage]]


def page(flows: Flows, priced: Priced, idle: Mapping[str, Sequence[Line]]) -> str:
    """Return ``docs/design/cost.md``."""
    stages = {stage: sum(line.usd for line in lines) for stage, lines in idle.items()}
    months = " and ".join(f"{usd:.0f} USD in `{stage}`" for stage, usd in stages.items())
    return Template((Path(__file__).parent / "page.md").read_text()).substitute(
        months=months,
        target=f"{TARGET_SECONDS * 1000:.0f}",
        call=f"{CALL_SECONDS * 1000:.0f}",
        transaction=f"{TRANSACTION_SECONDS * 1000:.0f}",
        alone=_flows(flows, 0, "alone"),
        together=_flows(flows, 1, "full batches"),
        quantities=_quantities(flows),
        quotas=_quotas(priced),
        peers=_peers(flows),
        fleet=_fleet(flows, stages["prod"]),
        idle=_idle(idle),
        prices=_prices(),
    )


def module(flows: Flows) -> str:
    """Return ``domain/metering/measured_flows.py``: the quantities behind both tables."""
    rows = "".join(
        f"    Flow.{Flow(name).name}: _measured(\n{_written(alone, together)}    ),\n"
        for name, (alone, together) in flows.items()
    )
    return Template((Path(__file__).parent / "measured_flows.txt").read_text()).substitute(
        rows=rows, constants=f"{MESSAGES}, {RUNS_OF_A_PLAN}, {TARGET_SECONDS}"
    )


def _written(alone: BilledUsage, together: BilledUsage) -> str:
    both = zip(alone.amounts().items(), together.amounts().values(), strict=True)
    return "".join(
        f"        {name}=({_quantity(one)}, {_quantity(many)}),\n"
        for (name, one), many in both
        if round(one, 12) or round(many, 12)
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _usd(amount: float) -> str:
    return f"{amount:.2f}" if amount else ""


def _flows(flows: Flows, which: int, title: str) -> str:
    rows = []
    for name, usages in flows.items():
        bill = usages[which].times(_MILLION).bill()
        cells = [_usd(bill.get(service, 0)) for service in _SERVICES]
        rows.append([name, *cells, f"**{sum(bill.values()):.2f}**"])
    return _table([title, *_SERVICES, "sum"], rows)


def _quantities(flows: Flows) -> str:
    names = [name for name in BilledUsage().amounts() if name != "schedules"]
    head = ["", *(name.replace("_", " ") for name in names)]
    rows = [
        [name, *(_quantity(together.amounts()[each]) for each in names)]
        for name, (_, together) in flows.items()
    ]
    return _table(head, rows)


def _quotas(priced: Priced) -> str:
    """Show the price of each quota: write and read units among ten, and a million runs in both."""
    head = ["quota of the tenant", "run", "write units", "read units", "full batches", "alone"]
    rows = [
        [
            name,
            run,
            *(_quantity(each) for each in (together.write_units, together.read_units)),
            *(_usd(each.times(_MILLION).usd) for each in (together, alone)),
        ]
        for name, runs in priced.items()
        for run, (alone, together) in runs.items()
    ]
    return _table(head, rows)


def _quantity(amount: float) -> str:
    """Write four digits; of a small amount three, for one call in 700 runs moves its fourth."""
    return f"{amount:.4g}" if amount >= _SMALL else f"{amount:.3g}"


def _peers(flows: Flows) -> str:
    alone, together = next(iter(flows.values()))
    own = f"{together.usd * _MILLION:.2f} to {alone.usd * _MILLION:.2f}"
    rows = [["**Timegate**", own, "measured, above", "", ""]]
    rows += [[each.name, f"{each.usd:.2f}", each.sum, each.lacks, each.source] for each in PEERS]
    return _table(["", "USD", "sum", "lacks", "source"], rows)


def _fleet(flows: Flows, idle_usd: float) -> str:
    """Show a fleet, and Timegate with the same load: hourly runs cost what daily ones do."""
    rows = [[each.name, f"{each.usd:,.0f}", each.why, each.source] for each in FLEET]
    rows.append(["**fleet**", f"**{sum(each.usd for each in FLEET):,.0f}**", "", ""])
    together, alone = (
        f"{flows[Flow.DAILY][which].usd * RUNS_A_MONTH + idle_usd:,.0f}" for which in (1, 0)
    )
    why = "730 million daily runs of the tables above, and an idle `prod`"
    rows.append(["**Timegate**", f"**{together}**", f"{why}, in full batches", "measured, above"])
    rows.append(["", alone, "the same, if each run were alone", "measured, above"])
    return _table(["", "USD", "why so many", "source"], rows)


def _idle(idle: Mapping[str, Sequence[Line]]) -> str:
    amounts: dict[tuple[str, str], dict[str, float]] = {}
    for stage, lines in idle.items():
        for line in lines:
            amounts.setdefault((line.service, line.what), {})[stage] = line.usd
    rows = [
        [service, what, *(_usd(by_stage.get(stage, 0)) for stage in idle)]
        for (service, what), by_stage in amounts.items()
    ]
    sums = [f"**{sum(line.usd for line in lines):.2f}**" for lines in idle.values()]
    return _table(["service", "for", *(f"`{stage}`" for stage in idle)], [*rows, ["", "", *sums]])


def _prices() -> str:
    rows = [[each.service, each.unit, f"{each.usd:.10g}", each.source] for each in prices.AWS]
    return _table(["service", "unit", "USD", "source"], rows)
