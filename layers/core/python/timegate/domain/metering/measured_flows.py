"""The usage of one run of each flow; ``make bench-cost`` writes this module.

Counted on the use cases: ``docs/design/cost.md`` shows it, times list prices.
"""

from collections.abc import Mapping

from timegate.domain.metering.flow import Flow
from timegate.domain.metering.usage import BilledUsage

#: Runs in a full batch, runs that a plan of a minutely job has, and the seconds of each target.
BATCH, PLANNED, TARGET_SECONDS = 10, 7, 0.2


def _measured(**quantities: tuple[float, float]) -> tuple[BilledUsage, BilledUsage]:
    alone = {name: number for name, (number, _) in quantities.items()}
    together = {name: number for name, (_, number) in quantities.items()}
    return BilledUsage(**alone), BilledUsage(**together)


#: Each run alone, and in full batches.
FLOWS: Mapping[Flow, tuple[BilledUsage, BilledUsage]] = {
    Flow.MINUTELY: _measured(
        write_units=(5.714, 5.714),
        read_units=(5.286, 2.329),
        stored_bytes=(715, 724),
        sqs_requests=(2.157, 0.3143),
        invocations=(1.157, 0.1157),
        gb_seconds=(0.2278, 0.0258),
        log_bytes=(1283, 281.8),
    ),
    Flow.DAILY: _measured(
        write_units=(10, 10),
        read_units=(7, 2.5),
        stored_bytes=(715, 724),
        sqs_requests=(3, 0.3),
        invocations=(2, 0.2),
        gb_seconds=(0.2435, 0.0271),
        log_bytes=(1976, 354.4),
    ),
    Flow.ONE_SHOT: _measured(
        write_units=(9, 9),
        read_units=(8, 4.4),
        stored_bytes=(733, 742),
        sqs_requests=(3, 0.3),
        invocations=(3, 1.2),
        gb_seconds=(0.2605, 0.0495),
        api_requests=(1, 1),
        log_bytes=(2995, 1766),
    ),
    Flow.TRIGGERED: _measured(
        write_units=(9, 9),
        read_units=(6, 3.3),
        stored_bytes=(715, 724),
        sqs_requests=(3, 0.3),
        invocations=(2, 1.1),
        gb_seconds=(0.246, 0.0471),
        api_requests=(1, 1),
        log_bytes=(2283, 1396),
    ),
    Flow.RETRY: _measured(
        write_units=(7, 7),
        read_units=(5, 2.3),
        stored_bytes=(839, 848),
        sqs_requests=(3, 0.3),
        invocations=(2, 0.2),
        gb_seconds=(0.2315, 0.0366),
        log_bytes=(2007, 666),
    ),
    Flow.POOL: _measured(
        write_units=(15, 14.1),
        read_units=(19, 8.2),
        stored_bytes=(722, 731),
        invocations=(3, 1.2),
        gb_seconds=(0.0795, 0.0165),
        api_requests=(2, 1.1),
        log_bytes=(2671, 1297),
    ),
    Flow.NOTICE: _measured(
        write_units=(10, 10),
        read_units=(6, 3.3),
        stored_bytes=(1389, 1398),
        sqs_requests=(3, 0.3),
        invocations=(3, 0.3),
        gb_seconds=(0.237, 0.0327),
        log_bytes=(2749, 774.4),
    ),
    Flow.TASK: _measured(
        write_units=(17.4, 17.4),
        read_units=(10.2, 9.66),
        stored_bytes=(1932, 1934),
        sqs_requests=(0.6, 0.06),
        invocations=(0.8, 0.08),
        gb_seconds=(0.2801, 0.0907),
        transitions=(1.6, 1.6),
        log_bytes=(1838, 1166),
    ),
}
