"""The state machine of DAG runs, and the rules that start them."""
