"""Python's side of the page that needs no server: the answers of the studio, and readers' own programs.

Everything here runs in a worker of a browser, which its page ends when it takes too long.  The page, its
scripts and what builds them are in the folder `web` of the repository; no command imports this package.
"""
