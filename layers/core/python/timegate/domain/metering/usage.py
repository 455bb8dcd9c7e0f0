"""Quantities that AWS bills, and the bill for them."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields

from timegate.domain.metering import prices
from timegate.domain.metering.prices import Price
from timegate.value_classes import dataclass

_GIGABYTE = 1024**3
#: How long a run is kept (``run_retention_days`` of every stage), in months.
_MONTHS_KEPT = 30 / 30.4
#: The price of each quantity, and how many of its units the price's unit has.
_BILLED: Mapping[str, tuple[Price, float]] = {
    "write_units": (prices.WRITE_UNIT, 1),
    "read_units": (prices.READ_UNIT, 1),
    "stored_bytes": (prices.STORED, _GIGABYTE / _MONTHS_KEPT),
    "sqs_requests": (prices.SQS_REQUEST, 1),
    "invocations": (prices.INVOCATION, 1),
    "gb_seconds": (prices.GB_SECOND, 1),
    "api_requests": (prices.API_REQUEST, 1),
    "transitions": (prices.TRANSITION, 1),
    "log_bytes": (prices.LOGGED, _GIGABYTE),
    "schedules": (prices.SCHEDULE, 1),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class BilledUsage:
    """Quantities of some work."""

    write_units: float = 0
    read_units: float = 0
    #: Kept for the retention of runs, indexes included.
    stored_bytes: float = 0
    sqs_requests: float = 0
    invocations: float = 0
    gb_seconds: float = 0
    api_requests: float = 0
    transitions: float = 0
    log_bytes: float = 0
    #: Invocations by EventBridge Scheduler.
    schedules: float = 0

    def __add__(self, other: "BilledUsage") -> "BilledUsage":
        """Return the quantities of both."""
        return BilledUsage(
            **{name: mine + getattr(other, name) for name, mine in self.amounts().items()}
        )

    def times(self, factor: float) -> "BilledUsage":
        """Return the quantities of so many times the work."""
        return BilledUsage(**{name: amount * factor for name, amount in self.amounts().items()})

    def at_least_nothing(self) -> "BilledUsage":
        """Return the quantities, zero for each that is below it: no service pays anything back."""
        return BilledUsage(**{name: max(amount, 0) for name, amount in self.amounts().items()})

    def amounts(self) -> dict[str, float]:
        """Return the quantities by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def bill(self) -> dict[str, float]:
        """Return US dollars by service."""
        by_service: dict[str, float] = defaultdict(float)
        for name, amount in self.amounts().items():
            price, units = _BILLED[name]
            if amount:
                by_service[price.service] += amount / units * price.usd
        return dict(by_service)

    @property
    def usd(self) -> float:
        """Return the sum of the bill, in US dollars."""
        return sum(self.bill().values())
