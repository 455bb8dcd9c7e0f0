"""Parquet files of flat rows, written and read without a library of a hundred megabytes."""
