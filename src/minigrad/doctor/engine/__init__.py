"""The examination of somebody's engine: its source, the probes, what is wrong and the report."""
