"""Tenants between deployed stages."""
