"""The player: one HTML page that plays a trace, or two side by side, with everything in it and no network.

`document.py` says what is played, `page.py` makes the page, and the scripts beside them play it.
"""
