"""The site: docs/en and docs/es as pages, joined by what is generated from the program itself.

    python docs/website             # build/site/{en,es}, and an index.html that chooses the language

`messages` has the sentences of the site; `staging` copies the pages of a language into build/site-source and
makes their links fit; `faultpages`, `optable`, `reference` and `lessons` write the pages that are computed;
Sphinx turns them into HTML by `conf`; `checking` reads every built page again.  Nothing that is generated
is committed, and no page loads anything from another host.
"""

from __future__ import annotations

from minigrad.text.translation import add_rows

from .messages import ROWS

add_rows(ROWS)
