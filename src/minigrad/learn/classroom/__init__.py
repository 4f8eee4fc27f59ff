"""For a class: a roster becomes individual sheets with a key, and returned sheets become marks and feedback.

`roster.py` reads who is in the class, `sheets.py` gives each their questions, and `paper.py`, `webpage.py`
and `notebook.py` write them; `key.py` is what they are graded by.  `returned.py` reads what comes back, which
is never run, `grading.py` marks it, and `telling.py` and `feedback.py` say so.  `engines.py` sends an engine
that a learner wrote to the doctor.  `handout.py` is a break lab on paper.
"""
