"""The rules of scheduling and execution: pure, standard library and croniter only."""
