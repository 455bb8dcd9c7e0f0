"""Any hook that a job may have, and what its runs carry of it."""

from hypothesis import strategies as st

from tests.unit.adapters.dynamo.plain_strategies import (
    attempt_ids,
    counts,
    instants,
    job_ids,
    texts,
)
from timegate.domain.channels.eventbridge import EventBridgeChannel
from timegate.domain.channels.slack import SlackChannel
from timegate.domain.channels.sns import SnsChannel
from timegate.domain.channels.teams import TeamsChannel
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.jobs.condition import Checks, Condition
from timegate.domain.jobs.follow_up import Ending, FollowUp, Given
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.parent import Parent
from timegate.domain.values.payload import Filling, Payload
from timegate.domain.values.secrets import SecretRef

secret_refs = st.builds(
    SecretRef,
    secret_arn=st.none() | texts,
    ssm_parameter=st.none() | texts,
    json_key=st.none() | texts,
)
occasions = st.lists(st.sampled_from(Occasion), max_size=3).map(tuple)
conditions = st.builds(
    Condition,
    url=texts,
    signing_secret=st.none() | secret_refs,
    every_seconds=counts,
    give_up_after_seconds=counts,
)
checks = st.builds(
    Checks, since=instants, refused=st.integers(0, 99), said=texts, cleared=st.booleans()
)
follow_ups = st.builds(
    FollowUp,
    job_id=job_ids,
    on=st.lists(st.sampled_from(Ending), max_size=3).map(tuple),
    payload=st.sampled_from(Given),
)
channels = st.one_of(
    st.builds(WebhookChannel, url=texts, signing_secret=st.none() | secret_refs),
    st.builds(SnsChannel, topic_arn=texts),
    st.builds(SlackChannel, url_secret=secret_refs),
    st.builds(TeamsChannel, url_secret=secret_refs),
    st.builds(EventBridgeChannel, bus_arn=texts),
)
hooks = st.builds(Subscription, channel=channels, on=occasions)
payloads = st.builds(
    Payload,
    inline=st.none() | texts,
    blob=st.none() | texts,
    size_bytes=counts,
    marks=st.booleans(),
)
parents = st.builds(
    Parent,
    attempt=attempt_ids,
    occasion=st.sampled_from(Occasion),
    depth=st.integers(1, 20),
    document=texts,
    gives=st.sampled_from(Given),
    payload=st.none() | payloads,
    filling=st.none() | st.builds(Filling, attempt=attempt_ids, job_name=texts, timezone=texts),
)
