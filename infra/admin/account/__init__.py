"""An account of AWS beside what a stage needs of it."""
