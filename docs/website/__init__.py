"""The site: docs/en and docs/es as pages, joined by what is generated from the program itself.

    python docs/website             # build/site/{en,es}, and an index.html that chooses the language

`staging` copies the pages of a language into build/site-source and makes their links fit; `faultpages`,
`optable`, `reference` and `lessons` write the pages that are computed;
Sphinx turns them into HTML by `conf`; `checking` reads every built page again.  Nothing that is generated
is committed, and no page loads anything from another host.
"""
