"""Any id, instant and text that could be stored."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from timegate.domain.jobs.notification import NoticeMark, Occasion
from timegate.domain.values.identity import AttemptId, Origin, RunId, job_id_from
from timegate.domain.values.tenant import TenantId

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

#: Up to the end of the year 2999, in milliseconds.
instants = st.integers(0, 32_503_679_999_999).map(
    lambda milliseconds: EPOCH + timedelta(milliseconds=milliseconds)
)
texts = st.text(max_size=20)
counts = st.integers(0, 10**9)
#: Smaller numbers are stored as zero.
seconds = st.just(0.0) | st.floats(1e-130, 1e6)
job_ids = st.binary(max_size=8).map(job_id_from)
tenants = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.@|:-]{0,20}", fullmatch=True).map(TenantId)
marks = st.builds(
    NoticeMark,
    origin=st.sampled_from(["s", "t", "fabcdefghij234567"]),
    attempt=st.integers(1, 9999),
    occasion=st.sampled_from(Occasion),
    hook=job_ids.map(lambda text: text[:8]),
)
_RUNS = st.sampled_from("st").map(Origin)
_NOTICES = st.just(Origin.NOTIFICATION)
_FOLLOW_UPS = st.just(Origin.FOLLOW_UP)
_ENDS = job_ids.map(lambda text: text[:16])
run_ids = st.one_of(
    st.builds(RunId, job_id=job_ids, origin=_FOLLOW_UPS, scheduled_at=instants, about=_ENDS),
    st.builds(RunId, job_id=job_ids, origin=_RUNS, scheduled_at=instants),
    st.builds(RunId, job_id=job_ids, origin=_NOTICES, scheduled_at=instants, about=marks.map(str)),
)
attempt_ids = st.builds(
    AttemptId,
    run=run_ids,
    number=st.integers(1, 9999),
)
