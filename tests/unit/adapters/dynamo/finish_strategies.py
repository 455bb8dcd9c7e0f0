"""Any deadline that a job may name, and what its runs carry of it."""

from hypothesis import strategies as st

from tests.unit.adapters.dynamo.plain_strategies import counts, instants
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.runs.finish import Finish

times = st.times().map(lambda time: f"{time:%H:%M:%S}")
zones = st.none() | st.text(min_size=1, max_size=20)
deadlines = st.builds(FinishBy, within_seconds=st.integers(1, 604_800)) | st.builds(
    FinishBy, time=times, timezone=zones
)
finishes = st.builds(
    Finish,
    by=instants,
    is_judged=st.booleans(),
    usual_ms=st.none() | counts,
    expected_at=st.none() | instants,
    will_be_late=st.booleans(),
    missed=st.booleans(),
)
