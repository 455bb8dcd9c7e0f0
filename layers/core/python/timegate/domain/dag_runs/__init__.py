"""DAG runs: progress, readiness, rounds and interventions."""
