"""Engine doctor: the source of somebody's engine, the probes, what is wrong, and the report."""
