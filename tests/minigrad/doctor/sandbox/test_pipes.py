"""The parts of confinement: streams that are cut where they are too long, and folders that are removed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from minigrad.doctor.sandbox.pipes import CUT, MessageStream, OutputStream
from minigrad.doctor.sandbox.working_folder import occupied_bytes, remove


def test_the_middle_of_a_long_output_is_left_out():
    output = OutputStream(kept=10, most=100)
    for piece in (b"abc", b"defg", b"h"):
        assert output.take(piece)
    assert output.text() == "abcdefgh"
    assert output.take(b"ijklmnop" * 3)
    assert output.text() == "abcde" + CUT + "lmnop"
    assert not output.take(b"x" * 100)
    assert output.full


@pytest.mark.parametrize(
    ("pieces", "found", "rejected", "full"),
    [
        ([b'{"a": 1}\n{"b"', b": 2}\n"], [{"a": 1}, {"b": 2}], 0, False),
        ([b'{"a": 1}\nno\n[1]\n\xff\n\n{"b": 2}'], [{"a": 1}, {"b": 2}], 4, False),
        ([b'{"a": 1}\n' * 7], [{"a": 1}] * 6, 0, True),  # too many
        ([b'{"a": "' + b"x" * 50 + b'"}\n', b'{"b": 2}\n'], [], 0, True),  # a line too long
        ([b"x" * 30, b"x" * 30], [], 0, True),  # and one without an end
        ([b" " * 39 + b"\n"] * 3, [], 3, True),  # too much altogether
    ],
)
def test_results_are_taken_until_there_are_too_many(pieces, found, rejected, full):
    results = MessageStream(lambda raw: raw, None, count=6, line=40, size=100)
    for piece in pieces:
        results.take(piece)
    results.close()
    assert (results.found, results.rejected, results.full) == (found, rejected, full)


def test_a_folder_is_measured_and_removed_whatever_is_in_it(tmp_path):
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for path in (folder / "closed" / "inner", outside):
        path.mkdir(parents=True)
    (outside / "kept").write_text("kept")
    (folder / "link").symlink_to(outside)
    (folder / "data").write_bytes(b"x" * 100_000)
    assert 100_000 <= occupied_bytes(str(folder), 1 << 20) < 200_000
    (folder / "closed").chmod(0)
    script = (
        "import os, sys\nos.chdir(sys.argv[1])\nfor _ in range(1200): os.mkdir('deeper'); os.chdir('deeper')"
    )
    subprocess.run([sys.executable, "-c", script, str(folder)], check=True)
    assert occupied_bytes(str(folder), 1 << 40) > 1 << 40  # too deep to be walked
    remove(str(folder))
    assert not os.path.lexists(folder)
    assert (outside / "kept").read_text() == "kept"
