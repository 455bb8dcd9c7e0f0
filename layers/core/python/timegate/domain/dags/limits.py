"""Limits of a DAG. ``docs/guides/dags.md`` states the numbers and where they come from."""

#: One record each per run, and a Map state of that many callbacks in one execution.
MAX_TASKS = 500
MAX_EDGES = 2_000
#: Every member of a fan-out is a run of its own, and one counter joins them.
MAX_FAN_OUT_WIDTH = 1_000
#: A definition up to this size rides in its item: every page of a list reads a hundred of them.
MAX_INLINE_BYTES = 16 * 1024
#: Retries of one run's failed tasks under the policy ``retry``.
MAX_RETRIES = 10
DEFAULT_TIMEOUT_SECONDS = 86_400
#: From the start of a run to its end: as long as definitions of replaced jobs are kept at least.
MAX_TIMEOUT_SECONDS = 30 * 86_400
#: A problem names what is wrong; a definition of five hundred tasks deserves no endless answer.
MAX_PROBLEMS = 50
#: Result of an event task when no event came. It rides in the task's record.
MAX_DEFAULT_BYTES = 500
#: Callers who may decide an approval, as far as its task names them.
MAX_APPROVERS = 20
