"""Tests of pairs of regions."""
