"""An app of the CDK with a stage of Timegate within it."""
