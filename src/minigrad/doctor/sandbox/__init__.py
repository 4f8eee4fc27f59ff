"""Child processes with limits, for programs that may do anything."""
