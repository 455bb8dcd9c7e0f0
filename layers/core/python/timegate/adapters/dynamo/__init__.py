"""The two tables: every key, item shape and expression is here and nowhere else."""
