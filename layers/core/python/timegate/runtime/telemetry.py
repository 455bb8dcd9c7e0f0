"""Telemetry on Powertools: JSON log events, and one EMF document of metrics per batch."""

import gc
from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.ports.telemetry.telemetry import CounterMetric, DurationMetric, LogEvent
from timegate.runtime.plain_logs import log_json, redact_error, redact_other_loggers

Handler = Callable[[dict[str, Any], LambdaContext], Any]


class LambdaTelemetry:
    """The telemetry of one function: service name and namespace come from Powertools' variables.

    Tenants are fields of events and never dimensions of metrics: a metric per tenant would be
    billed per tenant. No line has credentials in it, in whatever module it is printed.

    Calls run side by side in threads, and Powertools keeps metrics for one thread. Without a lock
    it loses and doubles values, breaks CloudWatch's limit of 100 for a metric, or raises.
    """

    def __init__(self) -> None:
        # Bytes of lines are most of what logs cost: no line says where in the code it was written,
        # nor by which function, as its log group does.
        self._logger = Logger(utc=True, use_rfc3339=True, location=None, json_serializer=log_json)
        self._logger.remove_keys(["service"])
        redact_other_loggers()
        self._metrics = Metrics()
        # One for lines and metrics: both are printed. A signal may come while it is held.
        self._lock = RLock()

    def event(self, name: LogEvent, **fields: object) -> None:
        """Log one decision."""
        known = {key: value for key, value in fields.items() if value is not None}
        with self._lock:
            self._logger.info(name, extra=known)

    def count(self, metric: CounterMetric, value: int = 1) -> None:
        """Add to a counter; nothing happened is not worth a data point."""
        if value:
            self._add(metric, value)

    def measure(self, metric: DurationMetric, milliseconds: float) -> None:
        """Add one duration to a distribution: CloudWatch keeps its percentiles."""
        self._add(metric, milliseconds)

    def instrument(self, handler: Handler) -> Handler:
        """Give every log line of an invocation its request id, and flush metrics at its end.

        A function calls it last of all while it is imported: the garbage collector resumes.
        """
        resume_collector()

        @wraps(handler)
        def instrumented(event: dict[str, Any], context: LambdaContext) -> Any:  # noqa: ANN401
            # Powertools would add the function's name, address, memory and age to each line, which
            # its log group and Lambda's report say.
            self._logger.append_keys(function_request_id=context.aws_request_id)
            try:
                return handler(event, context)
            except Exception as error:
                redact_error(error)
                raise
            finally:
                # Powertools warns of an empty flush, and most ticks find nothing to count.
                with self._lock:
                    if self._metrics.metric_set:
                        self._metrics.flush_metrics()

        return instrumented

    def _add(self, metric: CounterMetric | DurationMetric, value: float) -> None:
        with self._lock:
            self._metrics.add_metric(name=metric, unit=MetricUnit(metric.unit), value=value)


def resume_collector() -> None:
    """Collect garbage again, but never look through what a paused collector let pass."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
