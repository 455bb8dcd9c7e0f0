"""Events in: records, messages and ticks become arguments of use cases."""
