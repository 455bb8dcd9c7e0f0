"""Stages that records move between."""
