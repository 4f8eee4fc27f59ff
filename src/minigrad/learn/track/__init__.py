"""Track: a learner writes an engine of their own, step by step, in one file, and the doctor answers.

`steps` says what the steps are and makes skeletons and solutions out of `textbook`; `check` runs what exists
so far apart and finds the mistake; `answer` puts it in the step's words, and hints when they are asked for.
"""
