"""Tests of tasks that wait for events, people and time."""
