"""The studio: a local page where one types statements and sees them live.

`gate.py` decides who may ask, `table.py` holds every file that is served, `answers.py` turns a question into
an answer without any web, `worker.py` does so in a process of its own, `workers.py` keeps those processes,
and `server.py` puts it together with Starlette and uvicorn.  No user code is ever run: a text is read by
our own small language.
"""
