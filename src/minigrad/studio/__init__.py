"""The studio: a local page where one types statements and sees them live.

`gate.py` decides who may ask, `static_files.py` holds every file that is served, `requests.py` has one class
per question, `answers.py` turns a question into an answer without any web, `worker_process.py` does so in a
process of its own, `worker_pool.py` keeps those processes, `learner_progress.py` keeps what a learner did,
and `server.py` puts it together with Starlette and uvicorn.  No user code is ever run: a text is read by
our own small language.
"""
