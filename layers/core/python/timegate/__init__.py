"""Timegate: a serverless, multi-tenant, distributed job scheduler for AWS."""
