"""Classroom: a roster becomes individual sheets with a key, and returned sheets become marks and feedback.

`roster.py` reads who is in the class, `sheet.py` gives each their questions, and `sheet_markdown.py`,
`sheet_html.py` and `sheet_notebook.py` write them; `answer_key.py` is what they are graded by.  `hand_in.py`
reads what comes back, which is never run, `grades.py` marks it, and `report.py` and `feedback.py` say so.
`learner_engines.py` sends an engine that a learner wrote to the doctor.  `handout.py` is a break lab on
paper.
"""
