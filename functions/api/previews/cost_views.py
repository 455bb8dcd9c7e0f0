"""From estimates of costs to JSON."""

from api.values.views import View
from timegate.domain.previews.costs.monthly_cost import MonthlyCost


def cost_view(cost: MonthlyCost | None) -> View | None:
    """Show what a month of the job's runs costs; ``None`` as it is."""
    if cost is None:
        return None
    return {
        "runs": cost.runs,
        "recurs": cost.recurs,
        "kind": cost.kind,
        "usd": {"low": round(cost.low, 6), "high": round(cost.high, 6)},
        "usd_per_million": {"low": cost.low_per_million, "high": cost.high_per_million},
        "description": cost.description,
    }
