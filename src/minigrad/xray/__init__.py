"""X-ray of a PyTorch program: what happens to its gradients, and at which of its lines.

    report = xray(lambda: loss_fn(model(x), y), model=model, optimizer=optimizer, inputs=(x,))
    print(report)                                   # verdict, findings, facts
    with record(model, optimizer) as seen: ...      # some steps of a loop of your own
    assert_healthy(make_loss, model=model)          # in a test of your own

A finding accuses, and has a proof.  A fact may be intended; it is stated with its line and what follows.
"""

from __future__ import annotations

from ..text.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
