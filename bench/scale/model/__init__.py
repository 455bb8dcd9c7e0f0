"""Services of AWS by their limits, and Timegate's functions by their decisions."""
