"""Sweeping: overdue runs are found and judged."""
