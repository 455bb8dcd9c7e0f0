"""Codes of fields, parameters and headers; they stand in a problem's ``errors``."""

from collections.abc import Mapping
from types import MappingProxyType

from api.openapi.catalogue.advice import Advice

_GIVE = "Give it."
_LEAVE = "Leave it out, or change the field it contradicts; `detail` names it."
_SHORTEN = "`detail` has the limit."
_RANGE = "`detail` has the range."

FIELDS: Mapping[str, Advice] = MappingProxyType(
    {
        "missing": Advice("has to be given", _GIVE),
        "required": Advice("has to be given beside what else is there", _GIVE),
        "unknown_field": Advice("does not exist here", "Check its spelling and its place."),
        "not_for_this_kind": Advice("does not exist for this kind", _LEAVE),
        "not_for_this_action": Advice(
            "asks for long runs of a target that does not answer, heartbeats of one that does not "
            "call back, or a rate limit of workers",
            _LEAVE,
        ),
        "not_for_this_precision": Advice(
            "does not go with the job's `precision`: `jitter_seconds` is not for `subsecond`",
            _LEAVE,
        ),
        "not_for_this_policy": Advice("is of no use beside [the policy](policies.md)", _LEAVE),
        "not_for_this_delivery": Advice("is of no use beside [the delivery](policies.md)", _LEAVE),
        "not_for_this_rule": Advice("belongs to another trigger rule", _LEAVE),
        "not_for_a_wait": Advice("is of no use to a task that waits and makes no run", _LEAVE),
        "invalid_pattern": Advice(
            "is no [pattern over an event's data](../guides/events.md)", "`detail` has the form."
        ),
        "event_too_large": Advice(
            "is an event of more than 64 KB", "Send a reference to its data."
        ),
        "not_for_this_join": Advice("belongs to another join", _LEAVE),
        "not_for_this_schedule": Advice(
            "counts runs in a row of a schedule that names one instant", _LEAVE
        ),
        "without_effect": Advice("can have no effect [beside another field](policies.md)", _LEAVE),
        "contradictory": Advice(
            "[contradicts another](policies.md): a calendar left out and kept to at once, say",
            _LEAVE,
        ),
        "wrong_type": Advice(
            "is of another JSON type", 'Nothing is converted: `"30"` is no number.'
        ),
        "too_short": Advice("has too few characters or entries", _SHORTEN),
        "too_long": Advice("has too many characters or entries", _SHORTEN),
        "too_many": Advice("has more entries than fit", _SHORTEN),
        "too_small": Advice("is below its limit", _RANGE),
        "too_large": Advice("is above its limit", _RANGE),
        "out_of_range": Advice("is beyond its limits", _RANGE),
        "invalid_choice": Advice("is none of the values it may have", "`detail` has them."),
        "invalid_format": Advice("has characters it may not have", "`detail` has the pattern."),
        "invalid_instant": Advice(
            "is no RFC 3339 date and time", "Write it as `2026-11-21T07:00:00Z`."
        ),
        "invalid_duration": Advice(
            "is no [duration in ISO 8601](../concepts/schedules.md#durations)",
            "Write it as `PT5M`.",
        ),
        "calendar_duration": Advice(
            "is a duration of years or months, which differ in length", "Write days, as `P30D`."
        ),
        "no_utc_offset": Advice("lacks the offset", "Add `Z`, or one such as `+01:00`."),
        "in_the_past": Advice("names an instant that has passed", "Name a later one."),
        "in_the_future": Advice(
            "reaches into the future, where only the past can be filled", "End it at now."
        ),
        "ends_before_start": Advice("is earlier than `starts_at`", "Exchange them."),
        "range_reversed": Advice("ends a range before it begins", "Exchange them."),
        "range_too_long": Advice("is a range of more than 366 days", "Ask for parts of it."),
        "never_fires": Advice(
            "names no instant from now on", "`POST /v1/schedules/preview` shows what it names."
        ),
        "no_instants": Advice(
            "is of a range in which the schedule names none",
            "`GET /v1/jobs/{job_id}/explain` shows the nearest.",
        ),
        "too_many_instants": Advice(
            "is of a range in which the schedule names more than 10,000", "Fill parts of it."
        ),
        "beyond_retention": Advice(
            "reaches back to runs whose records are forgotten", "Reprocess `all`, or begin later."
        ),
        "invalid_cron": Advice(
            "is no cron expression", "[Schedules](../concepts/schedules.md) has the dialects."
        ),
        "invalid_rrule": Advice(
            "is no recurrence rule of RFC 5545",
            "[Schedules](../concepts/schedules.md#rrule) has its parts.",
        ),
        "duplicate_member": Advice(
            "is a schedule that the union has already", "Leave one of the two out."
        ),
        "not_a_whole_second": Advice("has a fraction of a second", "Cut it."),
        "unknown_timezone": Advice("is no IANA time zone", "Write it as `Europe/Berlin`."),
        "invalid_url": Advice("is no `http` or `https` URL", "Write the whole URL."),
        "address_not_allowed": Advice(
            "leads into a machine or its network, and not to the internet",
            "Use a public address, or have the stage's operator allow the host.",
        ),
        "port_not_allowed": Advice(
            "names a port that web hooks of this stage may not reach",
            "Use 443 or 80, or have the stage's operator allow the port.",
        ),
        "https_required": Advice(
            "would send a secret header, a signature or a callback token in the clear",
            "Begin it with `https://`.",
        ),
        "invalid_arn": Advice(
            "is no ARN of such a target", "[Targets](../guides/targets.md) shows each."
        ),
        "target_not_allowed": Advice(
            "names a target that is not on the allow-list",
            "Have the stage's operator put it there.",
        ),
        "invalid_header": Advice("is no HTTP header", "Use visible ASCII without line breaks."),
        "duplicate_header": Advice("is given twice", "Names differ by more than their case."),
        "reserved_header": Advice("is a header that Timegate sets itself", "Leave it out."),
        "reserved_source": Advice(
            "is a source of events that AWS keeps for itself", "Begin it with another word."
        ),
        "secret_not_allowed": Advice(
            "names a secret that this tenant's jobs may not use",
            "Put it where [secrets of the tenant](../guides/targets.md) are.",
        ),
        "plaintext_secret": Advice(
            "carries a credential, which every reader of the job would see",
            "Store it as a secret, and name that.",
        ),
        "payload_too_large": Advice(
            "has more than 256 KB, or than the target takes", "Send a reference to the data."
        ),
        "checkpoint_too_large": Advice(
            "has more than 262,144 bytes of JSON", "Keep the data elsewhere, and a reference here."
        ),
        "definition_too_large": Advice(
            "makes the definition larger than 16 KB, its payload aside", "Say less in it."
        ),
        "not_one_period": Advice(
            "names none of `per_second`, `per_minute` and `per_hour`, or several", "Name one."
        ),
        "never_late": Advice(
            "asks to be told of late runs of a job without `late_after_seconds`",
            "Give the job `late_after_seconds`.",
        ),
        "no_deadline": Advice(
            "asks to be told of deadlines of a job without `finish_by`",
            "Give the job `finish_by`.",
        ),
        "never_paused": Advice(
            "asks to be told of pauses of a job without `pause_after_failures`",
            "Give the job `pause_after_failures`.",
        ),
        "cycle": Advice(
            "makes jobs follow themselves, or tasks of a DAG wait for themselves, by whatever way",
            "`detail` names the way; leave one step of it out.",
        ),
        "chain_too_long": Advice(
            "lets more jobs follow one another than "
            "[any chain may have](../guides/hooks.md#refused)",
            "Use a DAG, or shorten the chain.",
        ),
        "job_cancelled": Advice("names a job that never runs again", "Name another one."),
        "cancelled_job": Advice("names a job that never runs again", "Name another one."),
        "unknown_job": Advice("names a job that the tenant does not have", "Check the id."),
        "unknown_dag": Advice("names a DAG that the tenant does not have", "Check the id."),
        "dag_deleted": Advice("names a DAG that was deleted", "Name another one."),
        "not_an_object": Advice(
            "is the payload of a job that starts a DAG, whose parameters are a JSON object",
            "Put it into an object.",
        ),
        "governed_by_dag": Advice(
            "is a field of a DAG's own job, which its DAG says",
            "Change the [DAG](../guides/dags.md#schedule-and-followers).",
        ),
        "no_default_message": Advice(
            "is the payload of an SNS message by protocol, and has no text under `default`",
            "Give an object of texts, one of them under `default`.",
        ),
        "not_for_a_task": Advice(
            "has a task of a DAG start a DAG: they could start each other for ever",
            "Let a job start that DAG, after this one: `then`.",
        ),
        "unknown_calendar": Advice(
            "names a calendar that the tenant does not have", "Create it first."
        ),
        "invalid_cursor": Advice(
            "is no cursor of this listing",
            "Use `next_cursor` of the page before, with the same parameters.",
        ),
        "cursor_of_other_filters": Advice(
            "came from a page with other parameters",
            "Go on with those, or begin anew without it.",
        ),
        "empty_filter": Advice("names no job", "Ask for every one by `all`."),
        "contradicts_filter": Advice("is `all` beside criteria", "Leave out one of them."),
        "job_id_required": Advice("needs a filter that names one job", "Give `filter.job_id`."),
        "repeated": Advice("is given twice", "Give it once."),
        "invalid_ical": Advice(
            "is no iCal file, or has an event that cannot be read", "`detail` names the event."
        ),
        "unsupported_recurrence": Advice(
            "has an event that repeats by an unsupported rule",
            "Enter its dates one by one.",
        ),
        "self_edge": Advice("makes a task wait for itself", "Leave the edge out."),
        "unknown_task": Advice("names a task that is not there", "Check its key."),
        "unreachable_task": Advice("is of a task that nothing leads to", "Add an edge to it."),
        "duplicate_key": Advice("is of a task that is there already", "Name it otherwise."),
        "duplicate_edge": Advice("is of an edge that is there already", "Leave it out."),
        "too_many_tasks": Advice(
            "has more tasks than [a DAG may have](../guides/dags.md#limits)", "Split the DAG."
        ),
        "too_many_edges": Advice(
            "has more edges than [a DAG may have](../guides/dags.md#limits)",
            "Add a task in between.",
        ),
        "too_few_edges": Advice(
            "is a trigger rule that asks for more than there are edges", "Ask for fewer."
        ),
        "never_satisfied": Advice(
            "is a trigger rule that no course of the DAG's run can satisfy",
            "Change the rule, or the conditions of the edges.",
        ),
        "invalid_reference": Advice(
            "is no JMESPath of a run's data", "[DAGs](../guides/dags.md) shows what may be said."
        ),
        "unknown_reference": Advice(
            "begins with what a run does not have", "[DAGs](../guides/dags.md) shows what it has."
        ),
        "unknown_operator": Advice(
            "has an operator that patterns do not have", "`detail` lists those that there are."
        ),
        "reference_missing": Advice(
            "refers to what the event does not have", "Give the reference a `default`."
        ),
        "reference_invalid": Advice(
            "refers to a part of the event that has another form", "Try it with an event."
        ),
        "reference_too_complex": Advice(
            "refers to more of an event than may be looked up", "Simplify the reference."
        ),
        "not_an_ancestor": Advice(
            "refers to a task that need not have ended by then", "Let this task wait for it."
        ),
        "too_complex": Advice("takes longer to compute than the API allows", "Simplify it."),
        "invalid_idempotency_key": Advice(
            "is no `Idempotency-Key`", "Use 1 to 255 visible ASCII characters."
        ),
        "invalid_if_match": Advice(
            "is no `If-Match`", 'Send the `ETag` as it came, such as `"3"`, or `*`.'
        ),
        "invalid_if_none_match": Advice(
            "is no `If-None-Match`, contradicts `If-Match`, or is too long",
            "It can only be `*`; reads take the `ETag` of an answer as it came.",
        ),
        "if_match_unsupported": Advice(
            "is a header that the operation cannot honour", "Leave it out."
        ),
        "invalid": Advice("is wrong in another way", "`detail` says how."),
    }
)
