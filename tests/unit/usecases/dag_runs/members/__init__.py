"""Tests of members of fan-outs, and of wide DAG runs."""
