"""minigrad in the browser: a folder of static files in which everything runs, and nothing is sent anywhere.

    python web                      # build/web, to be served by any server of static files

`pages` makes the studio's pages fit addresses that are relative; `python_files` packs minigrad beside
Pyodide, which is CPython for browsers, from the npm package of that name; `prepared` computes what is shown
before Python is there; `build` puts all of it into a folder and says, in the service worker, what is in it.
`browser/` is what runs in the browser and nowhere else.  Nothing that is generated is committed.
"""
