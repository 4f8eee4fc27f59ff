"""Style of the doctor's pages, on engines and on rules: one column, light and dark, wide and narrow."""

from __future__ import annotations

__all__ = ["STYLE"]

STYLE = """
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.35rem; margin: 0 0 .6rem; overflow-wrap: anywhere }
h2 { font-size: 1.05rem; margin: 2rem 0 .4rem }
.verdict { border-left: .35rem solid var(--kind); padding: .5rem .9rem; background: var(--card);
  font-weight: 600; margin: 0 }
.wrong { --kind: var(--wrong) } .correct { --kind: var(--right) }
.limited, .not-examined { --kind: var(--active-line) }
article { background: var(--card); border: 1px solid var(--hair); border-radius: .5rem;
  padding: .2rem 1.1rem 1rem; margin: 1.4rem 0 }
article h2 { margin: .9rem 0 .3rem }
p { margin: .4rem 0 } .faint { color: var(--faint) }
pre, code, td { font: .88rem/1.5 ui-monospace, "DejaVu Sans Mono", Consolas, monospace }
pre { overflow-x: auto; background: var(--page); border: 1px solid var(--hair); border-radius: .35rem;
  padding: .6rem .8rem; margin: .5rem 0 }
.scroll { overflow-x: auto }
table { border-collapse: collapse; margin: .5rem 0 }
th, td { text-align: right; padding: .15rem .55rem; border-bottom: 1px solid var(--hair) }
th { font-weight: 600; color: var(--faint); font-size: .85rem }
th:first-child, td:first-child, td:last-child { text-align: left; padding-left: 0 }
tr.off td { color: var(--wrong); font-weight: 600 }
pre span { display: block }
pre .removed { background: color-mix(in srgb, var(--wrong) 14%, transparent) }
pre .added { background: color-mix(in srgb, var(--right) 14%, transparent) }
ul { padding-left: 1.2rem; margin: .3rem 0 } li { margin: .25rem 0; overflow-wrap: anywhere }
@media print { article { break-inside: avoid } }
"""
