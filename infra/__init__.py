"""The CDK app: what Timegate is made of, stage by stage."""
