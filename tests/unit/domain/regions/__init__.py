"""Tests of records of regions, and of doubt."""
