"""`minigrad train` and `minigrad duel` with what cannot be: exit code 2, one sentence, and no file of theirs.

What can be known beforehand is refused before the first step is taken.  The full disk is a small one that is
mounted for the test; where nobody may mount, a limit on the size of files stands in for it.
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from minigrad.cli import main
from minigrad.nn.safetensors import encoded
from minigrad.text.translation import LANGUAGES
from minigrad.training import run_file
from minigrad.training.run import Run
from minigrad.training.settings import Settings, defaults

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256))


@pytest.fixture
def idle(monkeypatch):
    """A machine on which nothing can be trained: whoever takes a step has refused too late."""

    def too_late(*_: object, **__: object) -> None:
        raise AssertionError("a step was taken before the refusal")

    monkeypatch.setattr(Run, "advance", too_late)


def refusal(words: Sequence[str], capfd: pytest.CaptureFixture[str], lang: str = "en") -> str:
    """What a command says when it refuses; it must be one sentence on stderr."""
    code = main([*words, "--lang", lang])
    out, told = capfd.readouterr()
    assert (code, out) == (2, ""), told
    return judged(told)


def judged(told: str) -> str:
    lines = told.splitlines()
    assert len(lines) == 1, told
    assert lines[0].startswith("minigrad: "), told
    assert "Traceback" not in told
    assert len(lines[0]) < 500, told
    return lines[0].removeprefix("minigrad: ")


# ---- sizes ------------------------------------------------------------------------------------------

SIZES = {  # what is typed, and a word that the sentence must have
    "train": "train moons",
    "train moons circles": "one thing",
    "train lunas": "lunas",
    "train moon": "moons",
    "train moons --steps 0": "--steps",
    "train moons --steps -3": "--steps",
    "train moons --steps 1.5": "whole number",
    "train moons --steps 1e3": "whole number",
    "train moons --steps 99999999999999999999": "--steps",
    "train moons --steps": "--steps",
    "train moons --points 0": "--points",
    "train moons --points 1": "--points",
    "train moons --points 1000000000000": "--points",
    "train moons --batch 0": "--batch",
    "train moons --batch 101": "101",
    "train moons --noise -1": "--noise",
    "train moons --noise nan": "--noise",
    "train moons --hidden 16,,x": "16,,x",
    "train moons --hidden 0": "0",
    "train moons --hidden -4": "-4",
    "train moons --hidden 999999999": "999999999",
    "train moons --hidden 4096,4096": "200,000",
    "train moons --activation magic": "magic",
    "train moons --lr 0": "0",
    "train moons --lr -1": "-1",
    "train moons --lr nan": "nan",
    "train moons --lr inf": "inf",
    "train moons --momentum 2": "--momentum",
    "train moons --clip 0": "--clip",
    "train moons --warmup 100": "100",
    "train moons --seed x": "--seed",
    "train moons --seed -1": "--seed",
    "train moons --optimiser rmsprop": "rmsprop",
    "train moons --optimiser adam --momentum 0.9": "momentum",
    "train moons --schedule step": "step",
    "train moons --width 16": "--width",
    "train moons --every 5": "--save",
    "train moons --save x.safetensors --every 0": "--every",
    "train moons --samples 3": "--samples",
    "train names --hidden 4": "--hidden",
    "train names --width 0": "--width",
    "train names --width 15": "15",
    "train names --width 4096": "200,000",
    "train names --heads 3": "3",
    "train names --heads 0": "--heads",
    "train names --layers 0": "--layers",
    "train names --layers 1000": "--layers",
    "train names --block 0": "--block",
    "train names --dropout 1": "--dropout",
    "train names --dropout -0.1": "--dropout",
    "train names --samples -1": "--samples",
    "train names --temperature 0": "--temperature",
    "train moons --save x.pickle": ".safetensors",
    "train moons --save ''": ".safetensors",
    "train moons --watch x.svg": ".html",
    "train moons --plot=x.html": ".svg",
    "train moons --lernrate 3": "--lernrate",
    "duel --on mars": "mars",
    "duel": "--on",
    "duel no-such-fault --on moons": "no-such-fault",
    "duel no-zero-grad --on moons --steps 0": "0",
    "duel no-zero-grad --on moons --steps 5": "5",
    "duel no-zero-grad --on moons --steps -20": "-20",
    "duel no-zero-grad --on moons --steps many": "many",
    "duel no-zero-grad --on moons --steps 99999999999999": "99",
    "duel no-zero-grad --on moons --seed x": "x",
    "duel no-zero-grad --on moons --optimiser rmsprop": "rmsprop",
    "duel no-zero-grad --on moons --out x.exe": "x.exe",
}


@pytest.mark.parametrize("typed", SIZES)
def test_what_cannot_be_is_refused_before_the_first_step(typed, capfd, tmp_path, monkeypatch, idle):
    monkeypatch.chdir(tmp_path)
    words = ["" if word == "''" else word for word in typed.split()]
    english, spanish = (refusal(words, capfd, lang) for lang in LANGUAGES)
    assert SIZES[typed] in english
    assert english != spanish
    assert list(tmp_path.iterdir()) == []


def test_a_refusal_that_comes_too_late_is_seen(capfd, tmp_path, monkeypatch, idle):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError, match="a step was taken before the refusal"):
        refusal(["train", "moons", "--steps", "2"], capfd)


# ---- data -------------------------------------------------------------------------------------------

DATA: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "no text"),
    "blank": (b"\n  \n\r\n\t\n", "no text"),
    "binary": (PNG, "UTF-8"),
    "zeros": (bytes(5000), "control"),
    "UTF-16": ("anna\nbea\n".encode("utf-16"), "UTF-8"),
    "Latin-1": ("anna\nníno\n".encode("latin-1"), "UTF-8"),
    "one line": (b"anna", "only one document"),
    "one long line": (b"to be or not to be " * 500, "only one document"),
    "an escape": (b"anna\nbe\x1b[31ma\n", "control"),
}


@pytest.mark.parametrize("name", DATA)
def test_data_that_nothing_can_be_learned_from_is_refused(name, capfd, tmp_path, monkeypatch, idle):
    monkeypatch.chdir(tmp_path)
    content, word = DATA[name]
    (tmp_path / "data.txt").write_bytes(content)
    for words in (["train", "data.txt"], ["train", "data.txt", "--save", "x.safetensors"]):
        assert word in refusal(words, capfd)
        refusal(words, capfd, "es")
    assert [entry.name for entry in tmp_path.iterdir()] == ["data.txt"]


def test_data_that_is_no_file_is_refused(capfd, tmp_path, monkeypatch, idle):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")
    for path, word in {".": "folder", "pipe": "pipe", "/dev/zero": "device", "missing": "missing"}.items():
        assert word in refusal(["train", path], capfd)
    assert "loop" in refusal(["train", "loop"], capfd)


# ---- checkpoints to resume --------------------------------------------------------------------------


@pytest.fixture
def halfway(tmp_path, monkeypatch) -> Path:
    """A run after two of four steps, in the folder in use."""
    run = Run(defaults("moons", steps=4, points=8, hidden=(3,)))
    run.advance()
    run.advance()
    path = tmp_path / "x.safetensors"
    run_file.save(run, path)
    monkeypatch.chdir(tmp_path)
    return path


def test_a_file_that_is_no_checkpoint_is_not_resumed_and_stays_as_it_is(capfd, halfway, idle):
    whole = halfway.read_bytes()
    flipped = bytearray(whole)
    flipped[-20] ^= 1
    for octets in (b"", PNG, whole[:-1], whole[:100], whole + b"\n", bytes(flipped), b"null"):
        halfway.write_bytes(octets)
        told = refusal(["train", "--resume", "x.safetensors"], capfd)
        assert told.startswith("x.safetensors is not a minigrad checkpoint: ")
        assert ", at byte " in told
        assert "punto de control" in refusal(["train", "--resume", "x.safetensors"], capfd, "es")
        assert halfway.read_bytes() == octets
        assert list(halfway.parent.iterdir()) == [halfway]


def test_a_checkpoint_that_is_missing_or_contradicted_is_not_resumed(capfd, halfway, idle):
    before = halfway.read_bytes()
    for words, word in {
        "--resume y.safetensors": "y.safetensors",
        "--resume .": "folder",
        "--resume /dev/null": "device",
        "--resume x.safetensors --lr 0.5": "--lr",
        "--resume x.safetensors --hidden 4": "--hidden",
        "--resume x.safetensors --steps 1": "1",
        "--resume x.safetensors --width 3": "--width",
        "names --resume x.safetensors": "names",
    }.items():
        assert word in refusal(["train", *words.split()], capfd)
    assert halfway.read_bytes() == before
    assert list(halfway.parent.iterdir()) == [halfway]


# ---- places that cannot be written to ---------------------------------------------------------------

OUTPUTS = {
    "save": "train moons --steps 2 --save {}.safetensors",
    "watch": "train moons --steps 2 --watch {}.html",
    "plot": "train moons --steps 2 --plot={}.svg",
    "duel": "duel no-zero-grad --on moons --steps 20 --out {}.html",
}


@pytest.mark.parametrize("option", OUTPUTS)
def test_a_folder_in_place_of_the_file_or_none_at_all_is_refused_at_once(
    option, capfd, tmp_path, monkeypatch, idle
):
    monkeypatch.chdir(tmp_path)
    for ending in (".safetensors", ".html", ".svg"):
        (tmp_path / f"folder{ending}").mkdir()
    (tmp_path / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    for place, word in {"folder": "folder", "missing/x": "missing/x", "file/x": "file/x"}.items():
        assert word in refusal(OUTPUTS[option].format(place).split(), capfd)
    assert sorted(tmp_path.rglob("*")) == before


def without_privileges() -> None:
    """Root may write where nobody may; after this and an exec, not even root."""
    prctl = ctypes.CDLL(None).prctl
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP; where it is not allowed, it is not needed


def told_by(
    words: str,
    folder: Path,
    code: int = 2,
    prepare: Callable[[], None] | None = None,
    around: Sequence[str] = (),
) -> str:
    """What a command says in a process of its own."""
    command = [*around, sys.executable, "-m", "minigrad", *words.split()]
    environment = {**os.environ, "MINIGRAD_LANG": "en"}
    done = subprocess.run(
        command, cwd=folder, env=environment, preexec_fn=prepare, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("option", OUTPUTS)
def test_a_folder_that_may_not_be_written_to_is_refused(option, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    try:
        words = OUTPUTS[option].format("locked/x")
        told = judged(told_by(words, tmp_path, prepare=without_privileges))
    finally:
        locked.chmod(0o700)
    assert "cannot write locked/x" in told
    assert "permission" in told.lower()
    assert list(locked.iterdir()) == []


def test_a_file_that_may_not_be_written_to_is_refused_and_kept(halfway):
    before = halfway.read_bytes()
    halfway.chmod(0o400)
    told = judged(told_by("train --resume x.safetensors", halfway.parent, prepare=without_privileges))
    assert "cannot write x.safetensors" in told
    assert halfway.read_bytes() == before


# ---- a full disk ------------------------------------------------------------------------------------

MOUNTED = """
mount -t tmpfs -o size="$SIZE" none disk && "$@"
code=$?
ls -A disk > listing
cp disk/* kept 2>/dev/null
exit $code
"""


def on_a_full_disk(words: str, folder: Path, size: int, limit: int, code: int = 2) -> tuple[str, list[str]]:
    """What a command says whose folder `disk` holds `size` bytes, and what is in there afterwards.

    What it has written is copied to `kept`, since a disk that was mounted for it is gone with it.  Where
    nobody may mount, no file of the command may be longer than `limit`.
    """
    for name in ("disk", "kept"):
        (folder / name).mkdir()
    for flags in (["--mount"], ["--mount", "--map-root-user"]):
        trial = ["unshare", *flags, "mount", "-t", "tmpfs", "none", "disk"]
        if shutil.which("unshare") and not subprocess.run(trial, cwd=folder, capture_output=True).returncode:
            around = ["env", f"SIZE={size}", "unshare", *flags, "sh", "-c", MOUNTED, "sh"]
            told = told_by(words, folder, code, around=around)
            return told, (folder / "listing").read_text().split()
    print("nobody may mount here: a limit on the size of files stands in for the full disk")
    told = told_by(words, folder, code, lambda: limited(limit))
    for path in (folder / "disk").iterdir():
        shutil.copy(path, folder / "kept")
    return told, [path.name for path in (folder / "disk").iterdir()]


def limited(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize(
    "words", ["train moons --save disk/x.safetensors", "train names --save disk/x.safetensors"]
)
def test_a_disk_without_room_for_a_checkpoint_is_told_before_training(words, tmp_path):
    told, left = on_a_full_disk(words, tmp_path, size=4096, limit=4096)
    assert "cannot write disk/x.safetensors" in judged(told)
    assert left == []


@pytest.mark.parametrize("words", [OUTPUTS[option].format("disk/x") for option in ("watch", "plot", "duel")])
def test_a_page_or_a_picture_for_which_there_is_no_room_is_told_and_not_half_written(words, tmp_path):
    told, left = on_a_full_disk(words, tmp_path, size=4096, limit=4096)
    assert "cannot write disk/x" in told
    assert left == []


def grown(settings: Settings, steps: int) -> Run:
    run = Run(settings)
    for _ in range(steps):
        run.advance()
    return run


def test_a_disk_that_fills_up_while_training_leaves_the_last_whole_checkpoint(tmp_path):
    """There is room for one checkpoint and not for the next beside it; or, for the limit, for a small one."""
    settings = defaults("moons", steps=8, momentum=0.5)
    sizes = [len(encoded(run_file.pack(grown(settings, steps)))) for steps in (0, 3, 8)]
    assert sizes[0] < sizes[1] < sizes[2]
    disk = (sizes[2] + 8191) // 4096 * 4096
    assert disk < 2 * sizes[1] // 4096 * 4096
    words = "train moons --steps 8 --momentum 0.5 --save disk/x.safetensors --every 1"
    told, left = on_a_full_disk(words, tmp_path, size=disk, limit=sizes[1])
    assert "cannot write disk/x.safetensors" in told.splitlines()[-1]
    assert left == ["x.safetensors"]
    kept = tmp_path / "kept" / "x.safetensors"
    step = run_file.load(kept).step
    assert 1 <= step < 8
    assert kept.read_bytes() == encoded(run_file.pack(grown(settings, step)))


def test_a_file_that_may_not_grow_is_told_and_what_was_there_is_kept(halfway):
    """A limit that every system knows; the run would not fit into it."""
    before = halfway.read_bytes()
    told = told_by("train --resume x.safetensors", halfway.parent, prepare=lambda: limited(len(before) - 1))
    assert "cannot write x.safetensors" in judged(told)
    assert halfway.read_bytes() == before
    assert list(halfway.parent.iterdir()) == [halfway]


def test_the_judge_sees_a_traceback_and_a_second_sentence():
    for told in ("Traceback (most recent call last):\n", "minigrad: one\nminigrad: two\n", "", "moons\n"):
        with pytest.raises(AssertionError):
            judged(told)
