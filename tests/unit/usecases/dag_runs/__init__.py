"""Use cases of DAG runs."""
