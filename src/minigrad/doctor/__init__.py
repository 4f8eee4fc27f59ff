"""Doctor of other people's engines, custom backward functions and test suites.

    doctor.examine("engine.py")                  # what is wrong with this engine?
    doctor.examine_function(MyFunction, inputs)  # and with this torch.autograd.Function?
    with doctor.record() as seen: model(x)       # and with those that this program calls?
    doctor.assert_right(MyFunction, x)           # in a test of your own

What is examined runs in a child process with limits; `sandbox/process.py` says what they are, and what not.
"""

from __future__ import annotations

from ..text.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
