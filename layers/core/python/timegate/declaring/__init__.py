"""Declarations of jobs and their like, compared with a stage by its API, and made so there."""
