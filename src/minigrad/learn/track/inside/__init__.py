"""Programs for the child process, beside a learner's file: they import nothing of minigrad."""
