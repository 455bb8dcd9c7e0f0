"""Times of Timegate's own work that the model needs, each with the measurement behind it."""

#: Processor seconds of the planner for a job (bench/results/planner_tick.json).
PLAN_CPU = 0.00083
#: Relay's processor time for a record: parsed, decided and sent in a batch of ten. ``python -m
#: bench.scale.relay_cpu`` on two cores, 2026-11.
RELAY_CPU = 0.00030
#: Executor's processor time for a run: a third before its target is called, the rest at its end.
#: Counted on the local stack with 600 runs due in one second, two cores, 2026-11.
EXECUTE_CPU = 0.0096
CPU_BEFORE_START = 1 / 3
#: A cold environment: the import (bench/results/cold_imports.json, 0.35 s of a whole processor)
#: and the sandbox, for which AWS publishes nothing.
COLD_START = 1.0
#: A call of DynamoDB or SQS, and a transaction: single-digit milliseconds by AWS's word.
CALL = 0.006
TRANSACTION = 0.012
