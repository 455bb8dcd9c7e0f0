"""List prices, each with its source and the day it was read: the only place that has them.

US East (N. Virginia), in US dollars, without free tiers, discounts and taxes.
"""

from timegate.value_classes import dataclass

#: AWS's price list of September 2026, as its agent toolkit and copies of the list quote it.
_LIST = "AWS Price List API, 2026-09"


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """A price of one unit."""

    #: The service that bills it.
    service: str
    unit: str
    usd: float
    source: str


WRITE_UNIT = Price(
    service="DynamoDB",
    unit="write request unit, on demand",
    usd=0.625e-6,
    source=f"{_LIST}; unchanged since 2024-11-01",
)
READ_UNIT = Price(
    service="DynamoDB", unit="read request unit, on demand", usd=0.125e-6, source=_LIST
)
STORED = Price(service="DynamoDB", unit="GB stored for a month", usd=0.25, source=_LIST)
SQS_REQUEST = Price(
    service="SQS",
    unit="request to a standard queue",
    usd=0.40e-6,
    source="cloudburn.io/blog/amazon-sqs-pricing, 2026-03-14",
)
INVOCATION = Price(service="Lambda", unit="invocation", usd=0.20e-6, source=_LIST)
GB_SECOND = Price(service="Lambda", unit="GB-second on arm64", usd=0.0000133334, source=_LIST)
API_REQUEST = Price(service="API Gateway", unit="request to an HTTP API", usd=1e-6, source=_LIST)
TRANSITION = Price(
    service="Step Functions",
    unit="state transition, standard",
    usd=25e-6,
    source="aws.amazon.com/step-functions/pricing, as quoted in 2026",
)
SCHEDULE = Price(
    service="EventBridge Scheduler",
    unit="invocation",
    usd=1e-6,
    source="AWS price list, as quoted in 2026-08; 14 million a month are free",
)
LOGGED = Price(
    service="CloudWatch", unit="GB of logs taken in", usd=0.50, source="AWS pricing, quoted in 2026"
)
ALARM = Price(
    service="CloudWatch",
    unit="standard metric of an alarm for a month",
    usd=0.10,
    source="AWS pricing, quoted in 2026",
)
COMPOSITE = Price(
    service="CloudWatch",
    unit="composite alarm for a month",
    usd=0.50,
    source="AWS pricing; not confirmed in 2026",
)
METRIC = Price(
    service="CloudWatch",
    unit="custom metric for a month",
    usd=0.30,
    source="AWS pricing, quoted in 2026; the first 10,000",
)
DASHBOARD = Price(
    service="CloudWatch",
    unit="dashboard for a month",
    usd=3.0,
    source="AWS pricing; not confirmed in 2026",
)
TRACE = Price(
    service="X-Ray", unit="trace recorded", usd=5e-6, source="AWS pricing, quoted in 2026"
)
KEY = Price(service="KMS", unit="key for a month", usd=1.0, source="AWS pricing, quoted in 2026")
TOKEN_CLIENT = Price(
    service="Cognito",
    unit="client of a tenant for a month",
    usd=6.0,
    source="sources of 2024 and 2025; not confirmed in 2026",
)

AWS = (
    *(WRITE_UNIT, READ_UNIT, STORED, SQS_REQUEST, INVOCATION, GB_SECOND, API_REQUEST),
    *(TRANSITION, SCHEDULE, LOGGED, ALARM, COMPOSITE, METRIC, DASHBOARD, TRACE, KEY, TOKEN_CLIENT),
)
