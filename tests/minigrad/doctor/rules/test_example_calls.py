"""Example calls: the main block and the doctests of a file give the inputs, whatever else they do."""

from __future__ import annotations

import contextlib
import signal
import time

import pytest

from minigrad.doctor.rules.example_calls import run_for


def shape(reports):
    return reports[0].origin, [each.shape for each in reports[0].inputs]


def test_the_main_block_of_a_file_gives_the_inputs(rules, capfd):
    rules.write(
        "mine.py",
        """
        R = rule("R", 2.0, 1.0)
        if __name__ == "__main__":
            import argparse
            print("printed by the example")
            options = argparse.ArgumentParser().parse_args(["--unknown"])
            undefined_name
            R.apply(torch.randn(5, 2))
            raise RuntimeError("planted")
        """,
    )
    found = rules.ask("mine.py")
    assert shape(found) == ("example", [(5, 2)])
    assert found.verdict == "wrong"
    assert "printed" not in capfd.readouterr().out
    assert "an example in its file" in found.text("en")


def test_doctests_give_the_inputs(rules):
    rules.write(
        "mine.py",
        '''
        R = rule("R", 2.0, 2.0)
        def user(x):
            """Uses it.

            >>> 1 / 0
            >>> x = torch.ones(6)
            >>> user(x).shape
            torch.Size([6])
            """
            return R.apply(x)
        ''',
    )
    assert shape(rules.ask("mine.py")) == ("example", [(6,)])


def test_inputs_that_the_module_offers_come_first(rules):
    rules.write(
        "mine.py",
        """
        R = rule("R", 2.0, 2.0)
        example_inputs = (torch.ones(9),)
        if __name__ == "__main__":
            R.apply(torch.randn(5, 2))
        """,
    )
    assert shape(rules.ask("mine.py")) == ("module", [(9,)])


def test_without_an_example_inputs_are_invented(rules):
    rules.write("mine.py", "R = rule('R', 2.0, 2.0)\nif __name__ == '__main__':\n    pass\n")
    assert rules.ask("mine.py")[0].origin == "invented"


def test_what_does_not_end_is_ended_and_an_alarm_of_the_process_is_kept():
    if not hasattr(signal, "setitimer"):
        pytest.skip("this system has no timers")
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 50.0)

    def forever():
        while True:
            with contextlib.suppress(Exception):
                time.sleep(0.01)

    try:
        began = time.monotonic()
        assert run_for(0.2, forever) == "late"
        assert time.monotonic() - began < 5.0
        assert 40.0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 50.0
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_an_error_is_told_with_its_line():
    def failing():
        raise KeyError("planted")

    assert run_for(5.0, failing).startswith("KeyError: 'planted' (test_example_calls.py, line ")
    assert run_for(5.0, lambda: None) == ""
