"""Any rate limit, and any turn that one gave."""

from hypothesis import strategies as st

from tests.unit.adapters.dynamo.plain_strategies import counts, instants, texts
from timegate.domain.limits.rate_limit import RateLimit, RatePeriod
from timegate.domain.limits.rate_reservation import Pace

rate_limits = st.builds(
    RateLimit,
    calls=st.integers(1, 1000),
    per=st.sampled_from(RatePeriod),
    burst=st.integers(1, 1000),
    key=st.none() | texts,
    key_from=st.none() | texts,
)
paces = st.builds(
    Pace, key=texts, since=instants, turn_at=instants, fence=counts, missed=st.integers(0, 99)
)
