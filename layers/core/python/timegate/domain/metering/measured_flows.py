"""The usage of one run of each flow; ``make bench-cost`` writes this module.

Counted on the use cases: ``docs/design/cost.md`` shows it, times list prices.
"""

from collections.abc import Mapping

from timegate.domain.metering.flow import Flow
from timegate.domain.metering.usage import BilledUsage

#: Runs in a full batch, runs that a plan of a minutely job has, and the seconds of each target.
BATCH, PLANNED, TARGET_SECONDS = 10, 7, 0.2
#: Each run alone, and in full batches.
FLOWS: Mapping[Flow, tuple[BilledUsage, BilledUsage]] = {
    Flow.MINUTELY: (
        BilledUsage(
            write_units=5.714,
            read_units=5.286,
            stored_bytes=715,
            sqs_requests=2.157,
            invocations=1.157,
            gb_seconds=0.2278,
            log_bytes=1283,
        ),
        BilledUsage(
            write_units=5.714,
            read_units=2.329,
            stored_bytes=724,
            sqs_requests=0.3143,
            invocations=0.1157,
            gb_seconds=0.0258,
            log_bytes=281.8,
        ),
    ),
    Flow.DAILY: (
        BilledUsage(
            write_units=10,
            read_units=7,
            stored_bytes=715,
            sqs_requests=3,
            invocations=2,
            gb_seconds=0.2435,
            log_bytes=1976,
        ),
        BilledUsage(
            write_units=10,
            read_units=2.5,
            stored_bytes=724,
            sqs_requests=0.3,
            invocations=0.2,
            gb_seconds=0.0271,
            log_bytes=354.4,
        ),
    ),
    Flow.ONE_SHOT: (
        BilledUsage(
            write_units=9,
            read_units=8,
            stored_bytes=733,
            sqs_requests=3,
            invocations=3,
            gb_seconds=0.2605,
            api_requests=1,
            log_bytes=2995,
        ),
        BilledUsage(
            write_units=9,
            read_units=4.4,
            stored_bytes=742,
            sqs_requests=0.3,
            invocations=1.2,
            gb_seconds=0.0495,
            api_requests=1,
            log_bytes=1766,
        ),
    ),
    Flow.TRIGGERED: (
        BilledUsage(
            write_units=9,
            read_units=6,
            stored_bytes=715,
            sqs_requests=3,
            invocations=2,
            gb_seconds=0.246,
            api_requests=1,
            log_bytes=2283,
        ),
        BilledUsage(
            write_units=9,
            read_units=3.3,
            stored_bytes=724,
            sqs_requests=0.3,
            invocations=1.1,
            gb_seconds=0.0471,
            api_requests=1,
            log_bytes=1396,
        ),
    ),
    Flow.RETRY: (
        BilledUsage(
            write_units=7,
            read_units=5,
            stored_bytes=839,
            sqs_requests=3,
            invocations=2,
            gb_seconds=0.2315,
            log_bytes=2007,
        ),
        BilledUsage(
            write_units=7,
            read_units=2.3,
            stored_bytes=848,
            sqs_requests=0.3,
            invocations=0.2,
            gb_seconds=0.0366,
            log_bytes=666,
        ),
    ),
    Flow.POOL: (
        BilledUsage(
            write_units=15,
            read_units=19,
            stored_bytes=722,
            invocations=3,
            gb_seconds=0.0795,
            api_requests=2,
            log_bytes=2671,
        ),
        BilledUsage(
            write_units=14.1,
            read_units=8.2,
            stored_bytes=731,
            invocations=1.2,
            gb_seconds=0.0165,
            api_requests=1.1,
            log_bytes=1297,
        ),
    ),
    Flow.NOTICE: (
        BilledUsage(
            write_units=10,
            read_units=6,
            stored_bytes=1389,
            sqs_requests=3,
            invocations=3,
            gb_seconds=0.237,
            log_bytes=2749,
        ),
        BilledUsage(
            write_units=10,
            read_units=3.3,
            stored_bytes=1398,
            sqs_requests=0.3,
            invocations=0.3,
            gb_seconds=0.0327,
            log_bytes=774.4,
        ),
    ),
    Flow.TASK: (
        BilledUsage(
            write_units=17.4,
            read_units=10.2,
            stored_bytes=1932,
            sqs_requests=0.6,
            invocations=0.8,
            gb_seconds=0.2801,
            transitions=1.6,
            log_bytes=1838,
        ),
        BilledUsage(
            write_units=17.4,
            read_units=9.66,
            stored_bytes=1934,
            sqs_requests=0.06,
            invocations=0.08,
            gb_seconds=0.0907,
            transitions=1.6,
            log_bytes=1166,
        ),
    ),
}
