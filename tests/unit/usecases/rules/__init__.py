"""Tests of looks at notification rules."""
