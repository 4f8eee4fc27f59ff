"""Checkpoints: every bit comes back, another library reads them, a run goes on as if nothing had been."""

from __future__ import annotations

import errno
import json
import math
import os
import struct
import subprocess
import sys
from array import array
from fcntl import LOCK_EX, flock
from pathlib import Path
from random import Random

import pytest
import safetensors

from forged_checkpoints import header_of, signed
from minigrad import nn
from minigrad.nn import Checkpoint, CheckpointError, Tensor, read_checkpoint, write_checkpoint
from minigrad.nn.safetensors import decoded, encoded
from minigrad.text import files
from minigrad.text.translation import speaking
from minigrad.training import run_file
from minigrad.training.run import Run
from minigrad.training.settings import defaults

pytestmark = pytest.mark.one_engine

# ---- the file -------------------------------------------------------------------------------------

STRANGE = ["0000000000000000", "8000000000000000", "0000000000000001", "800fffffffffffff", "7fefffffffffffff",
           "7ff0000000000000", "fff0000000000000", "7ff8000000000000", "7ff8dead00c0ffee", "fff4000000000001",
           "3fb999999999999a"]  # fmt: skip # zeros, denormals, the largest, infinities, NaNs of both kinds


def test_every_bit_of_a_number_comes_back():
    bits = b"".join(bytes.fromhex(number)[::-1] for number in STRANGE)
    numbers = array("d")
    numbers.frombytes(bits)
    octets = encoded(Checkpoint({"w": Tensor((len(STRANGE),), numbers)}, {}))
    assert octets.endswith(bits)
    assert decoded(octets).tensors["w"].numbers.tobytes() == bits
    plain = [0.0, -0.0, 5e-324, math.inf, -math.inf, 1.7976931348623157e308]
    found = decoded(encoded(Checkpoint({"w": Tensor((6,), plain)}, {}))).tensors["w"].numbers
    assert [struct.pack("<d", number) for number in found] == [struct.pack("<d", number) for number in plain]


def test_shapes_names_and_states_come_back():
    tensors = {
        "one": Tensor((), [1.5]),
        "none": Tensor((0,), []),
        "none of three": Tensor((3, 0), []),
        'a "quoted" \\ name': Tensor((1, 1, 2), [1.0, 2.0]),
        "año.\u2028.\U0001f600": Tensor((2,), [3.0, 4.0]),
    }
    state = {
        "text": 'é"\\\n\u2028',
        "deep": [{"a": [None, True, -3, 0.1, 1e-300]}],
        "digest": "0" * 32,
        "large": 2**200,
    }
    found = decoded(encoded(Checkpoint(tensors, state)))
    assert found.state == state
    assert {name: (tensor.shape, list(tensor.numbers)) for name, tensor in found.tensors.items()} == {
        name: (tensor.shape, list(tensor.numbers)) for name, tensor in tensors.items()
    }
    assert list(found.tensors) == list(tensors)
    empty = Checkpoint({}, {})
    assert decoded(encoded(empty)) == empty


def test_the_safetensors_library_opens_it(tmp_path):
    path = tmp_path / "x.safetensors"
    write_checkpoint(path, Checkpoint({"b": Tensor((2, 3), range(6)), "a": Tensor((), [0.1])}, {"epoch": 3}))
    octets = path.read_bytes()
    assert int.from_bytes(octets[:8], "little") % 8 == 0  # so that the numbers stand on a multiple of eight
    with safetensors.safe_open(path, "numpy") as file:
        assert sorted(file.keys()) == ["a", "b"]
        assert file.get_tensor("b").tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
        assert file.get_tensor("b").dtype == "float64"
        assert file.get_tensor("a").item() == 0.1
        assert file.metadata()["format"] == "minigrad.checkpoint/1"
        assert json.loads(file.metadata()["state"]) == {"epoch": 3}


def test_it_reads_what_somebody_else_wrote_from_its_description():
    body = struct.pack("<3d", 1.0, -0.0, math.inf)
    octets = signed(header_of({"w": ([3, 1], body)}, '{"epoch": [1, 2.5, "ñ"]}'), body)
    found = decoded(octets)
    assert found.state == {"epoch": [1, 2.5, "ñ"]}
    assert found.tensors["w"].shape == (3, 1)
    assert found.tensors["w"].numbers.tobytes() == body


def test_the_same_content_gives_the_same_bytes():
    def content() -> Checkpoint:
        return Checkpoint({"w": Tensor((2,), [0.1, 0.2])}, {"a": 1, "b": [0.3]})

    assert encoded(content()) == encoded(content())


@pytest.mark.parametrize(
    ("state", "kind", "words"),
    [
        ({"a": {1, 2}}, TypeError, "a is of type set"),
        ({"a": [1, {"b": b"x"}]}, TypeError, "a.1.b is of type bytes"),
        ({"a": {3: 1}}, TypeError, "a has the key 3"),
        ({"a": math.nan}, ValueError, "a is nan"),
        ({"a": [math.inf]}, ValueError, r"a.0 is inf, which JSON has no word for: save str\(inf\)"),
        ({"a": 10**1000}, ValueError, "more than 900 digits"),
    ],
)
def test_a_state_that_would_not_come_back_is_refused_before_anything_is_written(tmp_path, state, kind, words):
    with pytest.raises(kind, match=words):
        nn.save(tmp_path / "x.safetensors", nn.Linear(1, 1, seed=1), **state)
    deep: list = []
    deep.append(deep)
    with pytest.raises(ValueError, match="more than 32 deep"):
        nn.save(tmp_path / "x.safetensors", nn.Linear(1, 1, seed=1), deep=deep)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "tensor", [Tensor((2,), [1.0]), Tensor((), []), Tensor((-1, -1), [1.0]), Tensor((1,) * 9, [1.0])]
)
def test_a_tensor_whose_shape_is_not_its_count_is_refused(tensor):
    with pytest.raises(ValueError, match="sizes must multiply"):
        encoded(Checkpoint({"w": tensor}, {}))


def test_large_integers_and_the_deepest_state_that_can_be_written_can_be_read():
    deep: list = []
    for _ in range(30):
        deep = [deep]
    state = {"deep": deep, "large": 10**900}
    assert decoded(encoded(Checkpoint({}, state))).state == state


# ---- files ----------------------------------------------------------------------------------------


def test_what_is_no_file_is_refused_in_words(tmp_path):
    def told(path: Path) -> str:
        with pytest.raises(CheckpointError) as failure:
            read_checkpoint(path)
        return str(failure.value)

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # nobody writes into it: a reader that opens it plainly waits for ever
    empty = tmp_path / "empty"
    empty.touch()
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(2**40)  # a terabyte of nothing
    assert told(tmp_path) == f"{tmp_path} is not a minigrad checkpoint: it is a folder"
    assert told(pipe) == f"{pipe} is not a minigrad checkpoint: it is a device or a pipe, not a file"
    assert told(Path("/dev/zero")).endswith("it is a device or a pipe, not a file")
    assert told(empty) == f"{empty} is not a minigrad checkpoint: the file is empty, at byte 0"
    assert "none of ours has more than 1,073,741,824, at byte" in told(large)
    with speaking("es"):
        assert told(empty).endswith(
            "no es un punto de control de minigrad: el archivo está vacío, en el byte 0"
        )


def test_links_are_followed_and_those_that_lead_nowhere_are_the_systems_to_refuse(tmp_path):
    model = nn.Linear(2, 1, seed=1)
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link.safetensors", tmp_path / "there" / "x.safetensors"
    link.symlink_to(target)
    nn.save(link, model)
    assert link.is_symlink()
    assert target.is_file()
    assert nn.load(link, model) == {}
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in (tmp_path / "missing", loop, target / "inside"):
        with pytest.raises(OSError, match=path.name):
            read_checkpoint(path)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch):
    path, model = tmp_path / "x.safetensors", nn.Linear(2, 1, seed=1)
    nn.save(path, model, epoch=1)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as failure:
        nn.save(path, model, epoch=2)
    assert failure.value.filename == str(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_and_its_name_have_reached_the_disk(tmp_path, monkeypatch):
    """The order of a durable write: the numbers, then the name, then the folder that holds the name."""
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def synced(file: int) -> None:
        done.append("folder" if os.path.isdir(f"/proc/self/fd/{file}") else "numbers")
        sync(file)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", lambda beside, path: (done.append("name"), replace(beside, path)))
    nn.save(tmp_path / "x.safetensors", nn.Linear(2, 1, seed=1))
    assert done == ["numbers", "name", "folder"]


def test_what_a_killed_writer_left_is_cleared_and_a_living_ones_part_is_not(tmp_path):
    path, other = tmp_path / "x.safetensors", tmp_path / "y.safetensors"
    program = (
        "import os, sys\nfrom pathlib import Path\nfrom minigrad.text.files import write_whole\n"
        "os.fsync = lambda file: os.kill(os.getpid(), 9)\n"
        "write_whole(Path(sys.argv[1]), b'half', durable=True)"
    )
    for name in (path, path, other):
        done = subprocess.run([sys.executable, "-c", program, str(name)], timeout=60, check=False)
        assert done.returncode == -9
    parts = [entry for entry in tmp_path.iterdir() if entry.suffix == ".part"]
    assert len(parts) == 2  # the second writer cleared what the first had left
    nn.save(path, nn.Linear(2, 1, seed=1))
    left = [entry for entry in tmp_path.iterdir() if entry.suffix == ".part"]
    assert len(left) == 1  # the other file's
    with left[0].open("rb") as living:
        flock(living, LOCK_EX)
        with pytest.raises(FileNotFoundError):
            read_checkpoint(other)
        assert left[0].exists()
    with pytest.raises(FileNotFoundError):
        read_checkpoint(other)
    assert list(tmp_path.iterdir()) == [path]


def test_a_rehearsal_leaves_no_file_and_finds_what_writing_would(tmp_path):
    path = tmp_path / "x"
    files.rehearse(path, "text")
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    files.rehearse(path, b"new")
    assert path.read_text() == "old"
    for wrong, kind in ((tmp_path, IsADirectoryError), (tmp_path / "no" / "x", FileNotFoundError)):
        with pytest.raises(kind) as failure:
            files.rehearse(wrong, b"")
        assert failure.value.filename == str(wrong)
    with pytest.raises(OSError, match="/dev/null"):
        files.rehearse(Path("/dev/null"), b"")


# ---- models ---------------------------------------------------------------------------------------


def optimisers(model: nn.Module) -> list[nn.Optimizer]:
    first, second = model.parameters()[:3], model.parameters()[3:]
    return [
        nn.SGD(model.parameters(), lr=0.1),
        nn.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True),
        nn.Adam(model.parameters(), lr=0.01, betas=(0.85, 0.99), amsgrad=True),
        nn.AdamW([{"params": first, "lr": 0.02}, {"params": second, "weight_decay": 0.3}], lr=0.01),
    ]


def lesson(model: nn.Module, optimiser: nn.Optimizer, schedule: nn.LinearLR, steps: int) -> list[float]:
    losses = []
    for step in range(steps):
        loss = nn.mse_loss(model([0.1 * step, 1.0]), [0.5])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        losses.append(loss.data)
    return losses


def setup(which: int, seed: int) -> tuple[nn.Module, nn.Optimizer, nn.LinearLR]:
    model = nn.Sequential(
        nn.Linear(2, 3, seed=seed), nn.Dropout(0.4, seed=seed), nn.Tanh(), nn.Linear(3, 1, seed=seed)
    )
    optimiser = optimisers(model)[which]
    return model, optimiser, nn.LinearLR(optimiser, 1.0, 0.1, total_iters=20)


@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("done", [0, 4])
def test_what_was_loaded_goes_on_bit_for_bit(tmp_path, which, done):
    path = tmp_path / "x.safetensors"
    whole = setup(which, 1)
    lesson(*whole, done)
    nn.save(path, *whole, epoch=done, note="ñ")
    resumed = setup(which, 2)
    lesson(*resumed, 3)
    assert nn.load(path, *resumed) == {"epoch": done, "note": "ñ"}
    assert lesson(*resumed, 5) == lesson(*whole, 5)
    assert resumed[0].state_dict() == whole[0].state_dict()
    assert resumed[1].state_dict() == whole[1].state_dict()


def test_an_optimiser_that_remembers_only_some_parameters_is_restored(tmp_path):
    model = nn.Linear(2, 2, seed=1)
    optimiser = nn.Adam(model.parameters())
    for parameter in model.parameters():
        parameter.grad = None if parameter.label or parameter is model.parameters()[1] else 0.5
    optimiser.step()
    assert len(optimiser.state_dict()["state"]) == len(model.parameters()) - 1
    nn.save(tmp_path / "x.safetensors", model, optimiser)
    other = nn.Linear(2, 2, seed=2)
    fresh = nn.Adam(other.parameters())
    nn.load(tmp_path / "x.safetensors", other, fresh)
    assert fresh.state_dict() == optimiser.state_dict()


def test_a_checkpoint_of_another_model_is_refused_and_changes_nothing(tmp_path):
    path = tmp_path / "x.safetensors"
    model, optimiser, schedule = setup(2, 1)
    lesson(model, optimiser, schedule, 2)
    nn.save(path, model, optimiser, schedule)
    larger = nn.Sequential(nn.Linear(2, 4, seed=3), nn.Dropout(0.4, seed=3))
    same, momentum, _ = setup(1, 3)
    lesson(same, momentum, nn.LinearLR(momentum), 2)
    for wrong in (
        (larger, None, None),
        (same, momentum, None),
        (same, None, nn.CosineAnnealingLR(momentum, 5)),
    ):
        before = [None if part is None else part.state_dict() for part in wrong]
        generators = [one.getstate() for one in wrong[0].generators().values()]
        with pytest.raises(ValueError, match=r"x\.safetensors does not fit: ") as failure:
            nn.load(path, *wrong)
        assert not isinstance(failure.value, CheckpointError)
        assert [None if part is None else part.state_dict() for part in wrong] == before
        assert [one.getstate() for one in wrong[0].generators().values()] == generators


def test_an_optimiser_and_a_schedule_that_fit_are_put_back_where_the_model_does_not(tmp_path):
    saved = nn.Linear(2, 3, seed=1)
    optimiser = nn.SGD(saved.parameters(), lr=0.5, momentum=0.9)
    schedule = nn.LinearLR(optimiser, total_iters=4)
    for parameter in saved.parameters():
        parameter.grad = 1.0
    optimiser.step()
    schedule.step()
    nn.save(tmp_path / "x.safetensors", saved, optimiser, schedule)
    wider = nn.Linear(8, 1, seed=2)  # as many weights, in another shape
    assert len(wider.parameters()) == len(saved.parameters())
    own = nn.SGD(wider.parameters(), lr=0.25, momentum=0.5)
    parts = (wider, own, nn.LinearLR(own, total_iters=9))
    before = [part.state_dict() for part in parts]
    with pytest.raises(ValueError, match=r"x\.safetensors does not fit: "):
        nn.load(tmp_path / "x.safetensors", *parts)
    assert [part.state_dict() for part in parts] == before


def test_what_was_not_saved_cannot_be_loaded(tmp_path):
    path, (model, optimiser, schedule) = tmp_path / "x.safetensors", setup(0, 1)
    nn.save(path, model)
    for wrong in ((optimiser, None), (None, schedule)):
        with pytest.raises(ValueError, match=r"holds no entry '(optimiser|schedule)' that could be restored"):
            nn.load(path, model, *wrong)
    for given in (3, None, {"w": 1.0}):
        with pytest.raises(TypeError, match="is not a Module"):
            nn.save(path, given)


# ---- runs -----------------------------------------------------------------------------------------

RUNS = {
    "momentum": defaults("moons", steps=9, momentum=0.9, hidden=(4,), points=20, batch=7),
    "adam": defaults(
        "moons", steps=9, optimiser="adam", lr=0.02, schedule="cosine", warmup=3, hidden=(4,), clip=0.5
    ),
    "names": defaults("names", steps=6, dropout=0.2, width=8, heads=2, block=8),
    "regression": defaults("regression", steps=5, optimiser="adamw", weight_decay=0.1, hidden=(4,)),
}


def finished(run: Run) -> Run:
    while not run.finished:
        assert run.advance().taken
    return run


@pytest.mark.parametrize("name", RUNS)
def test_a_run_that_is_saved_and_loaded_before_every_step_is_the_run_itself(name):
    whole, broken = finished(Run(RUNS[name])), Run(RUNS[name])
    while not broken.finished:
        broken = run_file.unpack(decoded(encoded(run_file.pack(broken))))
        broken.advance()
    assert broken.losses == whole.losses
    assert broken.model.state_dict() == whole.model.state_dict()
    assert encoded(run_file.pack(broken)) == encoded(run_file.pack(whole))
    assert broken.generator.random() == whole.generator.random()


@pytest.mark.parametrize("name", ["momentum", "adam"])
def test_a_run_that_was_extended_is_saved_like_any_other(name):
    run = finished(Run(RUNS[name]))
    run.extend(14)
    run.advance()
    again = run_file.unpack(decoded(encoded(run_file.pack(run))))
    assert again.settings.steps == 14
    assert finished(again).losses == finished(run).losses


def test_a_resume_that_forgets_something_would_be_noticed():
    """The comparison has teeth: without momenta, or at another place of the generator, the losses differ."""
    settings = RUNS["names"]
    whole, halfway = finished(Run(settings)), Run(settings)
    for _ in range(3):
        halfway.advance()
    saved = encoded(run_file.pack(halfway))
    forgetful = run_file.unpack(decoded(saved))
    forgetful.optimiser.load_state_dict(
        {"state": {}, "param_groups": halfway.optimiser.state_dict()["param_groups"]}
    )
    elsewhere = run_file.unpack(decoded(saved))
    elsewhere.generator.setstate(Random(1).getstate())
    right = run_file.unpack(decoded(saved))
    assert finished(right).losses == whole.losses
    assert finished(forgetful).losses != whole.losses
    assert finished(elsewhere).losses != whole.losses


@pytest.mark.parametrize("name", ["adam", "names"])
def test_saved_on_one_engine_and_resumed_on_the_other_gives_the_same_bytes(tmp_path, name):
    path = tmp_path / "x.safetensors"
    halfway = Run(RUNS[name])
    for _ in range(2):
        halfway.advance()
    run_file.save(halfway, path)
    program = (
        "import sys, minigrad\nassert minigrad.ENGINE == 'plain', minigrad.ENGINE\n"
        "from minigrad.training import run_file\nrun = run_file.load(sys.argv[1])\n"
        "while not run.finished:\n    run.advance()\n"
        "run_file.save(run, sys.argv[1])"
    )
    plain = {**os.environ, "MINIGRAD_PURE": "1"}
    subprocess.run([sys.executable, "-c", program, str(path)], env=plain, timeout=120, check=True)
    assert path.read_bytes() == encoded(run_file.pack(finished(halfway)))


def test_the_weights_of_a_run_load_into_a_model(tmp_path):
    run = finished(Run(RUNS["momentum"]))
    run_file.save(run, tmp_path / "x.safetensors")
    model = nn.MLP(2, [4, 1])
    state = nn.load(tmp_path / "x.safetensors", model)
    assert model.state_dict() == run.model.state_dict()
    assert state["step"] == 9


def test_data_that_changed_is_told_and_data_that_moved_can_be_named(tmp_path):
    texts, moved, path = tmp_path / "texts", tmp_path / "moved", tmp_path / "x.safetensors"
    texts.write_text("anna\nbea\ncarla\n")
    run = Run(defaults("text", data=str(texts), steps=4, width=4, heads=2, block=4))
    run.advance()
    run_file.save(run, path)
    texts.rename(moved)
    resumed = run_file.load(path, data=str(moved))
    assert resumed.step == 1
    assert finished(resumed).losses == finished(run).losses
    moved.write_text("anna\nbea\ncarlo\n")
    with pytest.raises(ValueError, match="changed") as failure:
        run_file.load(path, data=str(moved))
    assert not isinstance(failure.value, CheckpointError)
