"""What runs in the child process, beside a learner's file: it imports nothing of minigrad."""
