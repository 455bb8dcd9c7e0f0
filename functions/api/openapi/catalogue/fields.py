"""Codes of fields, parameters and headers; they stand in a problem's ``errors``."""

from collections.abc import Mapping
from types import MappingProxyType

from api.openapi.catalogue.advice import CatalogueEntry
from api.openapi.catalogue.payload_fields import PAYLOAD_FIELDS
from api.openapi.catalogue.target_fields import TARGET_FIELDS
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import ScheduleKind

_GIVE = "Give it."
_LEAVE = "Leave it out, or change the field it contradicts; `detail` names it."
_SHORTEN = "`detail` has the limit."
_RANGE = "`detail` has the range."

FIELDS: Mapping[str, CatalogueEntry] = MappingProxyType(
    {
        "name_taken": CatalogueEntry("is the name of another tenant", "Choose another name."),
        "missing": CatalogueEntry("has to be given", _GIVE),
        "required": CatalogueEntry("has to be given beside what else is there", _GIVE),
        "unknown_field": CatalogueEntry("does not exist here", "Check its spelling and its place."),
        "not_for_this_kind": CatalogueEntry("does not exist for this kind", _LEAVE),
        "not_for_this_action": CatalogueEntry(
            "asks for long runs of a target that does not answer, heartbeats of one that does not "
            "call back, or a rate limit of workers",
            _LEAVE,
        ),
        "not_for_this_precision": CatalogueEntry(
            "does not go with the job's `precision`: `jitter_seconds` is not for `subsecond`",
            _LEAVE,
        ),
        "not_for_this_policy": CatalogueEntry(
            "is of no use beside [the policy](policies.md)", _LEAVE
        ),
        "not_for_this_delivery": CatalogueEntry(
            "is of no use beside [the delivery](policies.md)", _LEAVE
        ),
        "not_for_this_rule": CatalogueEntry("belongs to another trigger rule", _LEAVE),
        "not_for_a_wait": CatalogueEntry(
            "is of no use to a task that waits and makes no run", _LEAVE
        ),
        "invalid_pattern": CatalogueEntry(
            "is no [pattern over an event's data](../guides/events.md)", "`detail` has the form."
        ),
        "event_too_large": CatalogueEntry(
            "is an event of more than 64 KB", "Send a reference to its data."
        ),
        "not_for_this_join": CatalogueEntry("belongs to another join", _LEAVE),
        "not_for_this_schedule": CatalogueEntry(
            "counts runs in a row of a schedule that names one instant", _LEAVE
        ),
        "without_effect": CatalogueEntry(
            "can have no effect [beside another field](policies.md)", _LEAVE
        ),
        "contradictory": CatalogueEntry(
            "[contradicts another](policies.md): a calendar left out and kept to at once, say",
            _LEAVE,
        ),
        "wrong_type": CatalogueEntry(
            "is of another JSON type", 'Nothing is converted: `"30"` is no number.'
        ),
        "too_short": CatalogueEntry("has too few characters or entries", _SHORTEN),
        "too_long": CatalogueEntry("has too many characters or entries", _SHORTEN),
        "too_many": CatalogueEntry("has more entries than fit", _SHORTEN),
        "too_small": CatalogueEntry("is below its limit", _RANGE),
        "too_large": CatalogueEntry("is above its limit", _RANGE),
        "out_of_range": CatalogueEntry("is beyond its limits", _RANGE),
        "invalid_choice": CatalogueEntry("is none of the values it may have", "`detail` has them."),
        "invalid_format": CatalogueEntry(
            "has characters it may not have", "`detail` has the pattern."
        ),
        "invalid_instant": CatalogueEntry(
            "is no RFC 3339 date and time", "Write it as `2026-11-21T07:00:00Z`."
        ),
        "invalid_duration": CatalogueEntry(
            "is no [duration in ISO 8601](../concepts/schedules.md#durations)",
            "Write it as `PT5M`.",
        ),
        "calendar_duration": CatalogueEntry(
            "is a duration of years or months, which differ in length", "Write days, as `P30D`."
        ),
        "no_utc_offset": CatalogueEntry("lacks the offset", "Add `Z`, or one such as `+01:00`."),
        "in_the_past": CatalogueEntry("names an instant that has passed", "Name a later one."),
        "in_the_future": CatalogueEntry(
            "reaches into the future, where only the past can be filled", "End it at now."
        ),
        "ends_before_start": CatalogueEntry("is earlier than `starts_at`", "Exchange them."),
        "range_reversed": CatalogueEntry("ends a range before it begins", "Exchange them."),
        "range_too_long": CatalogueEntry(
            "is a range of more than 366 days", "Ask for parts of it."
        ),
        "never_fires": CatalogueEntry(
            "names no instant from now on", "`POST /v1/schedules/preview` shows what it names."
        ),
        "no_instants": CatalogueEntry(
            "is of a range in which the schedule names none",
            "`GET /v1/jobs/{job_id}/explain` shows the nearest.",
        ),
        "too_many_instants": CatalogueEntry(
            "is of a range in which the schedule names more than 10,000", "Fill parts of it."
        ),
        "beyond_retention": CatalogueEntry(
            "reaches back to runs whose records are forgotten", "Reprocess `all`, or begin later."
        ),
        **{
            text.code: CatalogueEntry(
                text.meaning, f"[Schedules](../concepts/schedules.md#{kind}) has its parts."
            )
            for kind in ScheduleKind
            if (text := kind_of(kind).malformed) is not None
        },
        "duplicate_member": CatalogueEntry(
            "is a schedule that the union has already", "Leave one of the two out."
        ),
        "not_a_whole_second": CatalogueEntry("has a fraction of a second", "Cut it."),
        "unknown_timezone": CatalogueEntry("is no IANA time zone", "Write it as `Europe/Berlin`."),
        **TARGET_FIELDS,
        "invalid_header": CatalogueEntry(
            "is no HTTP header", "Use visible ASCII without line breaks."
        ),
        "duplicate_header": CatalogueEntry(
            "is given twice", "Names differ by more than their case."
        ),
        "reserved_header": CatalogueEntry("is a header that Timegate sets itself", "Leave it out."),
        "reserved_source": CatalogueEntry(
            "is a source of events that AWS keeps for itself", "Begin it with another word."
        ),
        "secret_not_allowed": CatalogueEntry(
            "names a secret that this tenant's jobs may not use",
            "Put it where [secrets of the tenant](../guides/targets.md) are.",
        ),
        "plaintext_secret": CatalogueEntry(
            "carries a credential, which every reader of the job would see",
            "Store it as a secret, and name that.",
        ),
        **PAYLOAD_FIELDS,
        "definition_too_large": CatalogueEntry(
            "makes the definition larger than 16 KB, its payload aside", "Say less in it."
        ),
        "not_one_period": CatalogueEntry(
            "names none of `per_second`, `per_minute` and `per_hour`, or several", "Name one."
        ),
        "never_late": CatalogueEntry(
            "asks to be told of late runs of a job without `late_after_seconds`",
            "Give the job `late_after_seconds`.",
        ),
        "never_absent": CatalogueEntry(
            "asks to be told that no run of a job succeeded, without `absent_after_seconds`",
            "Give the job `absent_after_seconds`.",
        ),
        "no_deadline": CatalogueEntry(
            "asks to be told of deadlines of a job without `finish_by`",
            "Give the job `finish_by`.",
        ),
        "never_paused": CatalogueEntry(
            "asks to be told of pauses of a job without `pause_after_failures`",
            "Give the job `pause_after_failures`.",
        ),
        "never_decided": CatalogueEntry(
            "asks to be told of approvals of a job, or of a DAG that has none",
            "Leave `needs_decision` out, or give the DAG an approval.",
        ),
        "cycle": CatalogueEntry(
            "makes jobs follow themselves, or tasks of a DAG wait for themselves, by whatever way",
            "`detail` names the way; leave one step of it out.",
        ),
        "chain_too_long": CatalogueEntry(
            "lets more jobs follow one another than "
            "[any chain may have](../guides/hooks.md#refused)",
            "Use a DAG, or shorten the chain.",
        ),
        "job_key_taken": CatalogueEntry("is the key of another job", "Choose another key."),
        "job_cancelled": CatalogueEntry("names a job that never runs again", "Name another one."),
        "cancelled_job": CatalogueEntry("names a job that never runs again", "Name another one."),
        "unknown_job": CatalogueEntry("names a job that the tenant does not have", "Check the id."),
        "unknown_dag": CatalogueEntry("names a DAG that the tenant does not have", "Check the id."),
        "dag_deleted": CatalogueEntry("names a DAG that was deleted", "Name another one."),
        "not_an_object": CatalogueEntry(
            "is the payload of a job that starts a DAG, whose parameters are a JSON object",
            "Put it into an object.",
        ),
        "governed_by_dag": CatalogueEntry(
            "is a field of a DAG's own job, which its DAG says",
            "Change the [DAG](../guides/dags.md#schedule-and-followers).",
        ),
        "no_default_message": CatalogueEntry(
            "is the payload of an SNS message by protocol, and has no text under `default`",
            "Give an object of texts, one of them under `default`.",
        ),
        "not_for_a_task": CatalogueEntry(
            "has a task of a DAG start a DAG: they could start each other for ever",
            "Let a job start that DAG, after this one: `then`.",
        ),
        "unknown_calendar": CatalogueEntry(
            "names a calendar that the tenant does not have", "Create it first."
        ),
        "invalid_cursor": CatalogueEntry(
            "is no cursor of this listing",
            "Use `next_cursor` of the page before, with the same parameters.",
        ),
        "cursor_of_other_filters": CatalogueEntry(
            "came from a page with other parameters",
            "Go on with those, or begin anew without it.",
        ),
        "empty_filter": CatalogueEntry("names no job", "Ask for every one by `all`."),
        "contradicts_filter": CatalogueEntry("is `all` beside criteria", "Leave out one of them."),
        "job_id_required": CatalogueEntry(
            "needs a filter that names one job", "Give `filter.job_id`."
        ),
        "repeated": CatalogueEntry("is given twice", "Give it once."),
        "invalid_ical": CatalogueEntry(
            "is no iCal file, or has an event that cannot be read", "`detail` names the event."
        ),
        "unsupported_recurrence": CatalogueEntry(
            "has an event that repeats by an unsupported rule",
            "Enter its dates one by one.",
        ),
        "self_edge": CatalogueEntry("makes a task wait for itself", "Leave the edge out."),
        "unknown_task": CatalogueEntry("names a task that is not there", "Check its key."),
        "unreachable_task": CatalogueEntry(
            "is of a task that nothing leads to", "Add an edge to it."
        ),
        "duplicate_key": CatalogueEntry("is of a task that is there already", "Name it otherwise."),
        "duplicate_edge": CatalogueEntry("is of an edge that is there already", "Leave it out."),
        "too_many_tasks": CatalogueEntry(
            "has more tasks than [a DAG may have](../guides/dags.md#limits)", "Split the DAG."
        ),
        "too_many_edges": CatalogueEntry(
            "has more edges than [a DAG may have](../guides/dags.md#limits)",
            "Add a task in between.",
        ),
        "too_few_edges": CatalogueEntry(
            "is a trigger rule that asks for more than there are edges", "Ask for fewer."
        ),
        "never_satisfied": CatalogueEntry(
            "is a trigger rule that no course of the DAG's run can satisfy",
            "Change the rule, or the conditions of the edges.",
        ),
        "invalid_reference": CatalogueEntry(
            "is no JMESPath of a run's data", "[DAGs](../guides/dags.md) shows what may be said."
        ),
        "unknown_reference": CatalogueEntry(
            "begins with what a run does not have", "[DAGs](../guides/dags.md) shows what it has."
        ),
        "unknown_operator": CatalogueEntry(
            "has an operator that patterns do not have", "`detail` lists those that there are."
        ),
        "reference_missing": CatalogueEntry(
            "refers to what the event does not have", "Give the reference a `default`."
        ),
        "reference_invalid": CatalogueEntry(
            "refers to a part of the event that has another form", "Try it with an event."
        ),
        "reference_too_complex": CatalogueEntry(
            "refers to more of an event than may be looked up", "Simplify the reference."
        ),
        "not_an_ancestor": CatalogueEntry(
            "refers to a task that need not have ended by then", "Let this task wait for it."
        ),
        "too_complex": CatalogueEntry("takes longer to compute than allowed", "Simplify it."),
        "invalid_idempotency_key": CatalogueEntry(
            "is no `Idempotency-Key`", "Use 1 to 255 visible ASCII characters."
        ),
        "invalid_if_match": CatalogueEntry(
            "is no `If-Match`", 'Send the `ETag` as it came, such as `"3"`, or `*`.'
        ),
        "invalid_if_none_match": CatalogueEntry(
            "is no `If-None-Match`, contradicts `If-Match`, or is too long",
            "It can only be `*`; reads take the `ETag` of an answer as it came.",
        ),
        "if_match_unsupported": CatalogueEntry(
            "is a header that the operation cannot honour", "Leave it out."
        ),
        "invalid": CatalogueEntry("is wrong in another way", "`detail` says how."),
    }
)
